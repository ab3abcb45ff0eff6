// SPDX-License-Identifier: MIT
#include "icd/device/instance.h"

#include <cstring>
#include <string_view>

#include "commands.h"
#include "icd/device/capabilities.h"
#include "icd/device/physical_device.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

constexpr std::string_view kDefaultTarget = SPALT_ICD_DEFAULT_TARGET;

bool is_wanted(std::string_view target, std::string_view wanted) {
  return wanted == "all" || target == (wanted.empty() ? kDefaultTarget : wanted);
}

}  // namespace

Instance::Instance(const VkInstanceCreateInfo& info, const HostMemory& memory)
    : memory_(memory), settings_(Settings::from_environment()) {
  enable_extensions(info);
  find_physical_devices();
}

Instance::~Instance() = default;

void Instance::enable_extensions(const VkInstanceCreateInfo& info) {
  const ExtensionSet supported = instance_extensions();
  for (uint32_t i = 0; i < info.enabledExtensionCount; ++i) {
    const auto extension = find_extension(info.ppEnabledExtensionNames[i]);
    if (!extension || !supported.has(*extension)) throw VulkanError{VK_ERROR_EXTENSION_NOT_PRESENT};
    extensions_.add(*extension);
  }
}

void Instance::find_physical_devices() {
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    const char* name = spalt_target_name(i);
    spalt_target_info target{};
    target.struct_size = sizeof target;
    if (!is_wanted(name, settings_.target) || spalt_query_target(name, &target) != SPALT_SUCCESS) continue;
    physical_devices_.push_back(std::make_unique<PhysicalDevice>(*this, target));
  }
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateInstance(const VkInstanceCreateInfo* pCreateInfo,
                                                     const VkAllocationCallbacks* pAllocator, VkInstance* pInstance) {
  return guarded([&] {
    if (pCreateInfo->enabledLayerCount != 0)
      return VK_ERROR_LAYER_NOT_PRESENT;  // the loader keeps its layers to itself
    const HostMemory memory(pAllocator, {});
    *pInstance = to_handle(create_object<Instance>(memory, VK_SYSTEM_ALLOCATION_SCOPE_INSTANCE, *pCreateInfo, memory));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyInstance(VkInstance instance, const VkAllocationCallbacks* pAllocator) {
  destroy_object(HostMemory(pAllocator, {}), from_nullable<Instance>(instance));
}

VKAPI_ATTR VkResult VKAPI_CALL entry::EnumerateInstanceVersion(uint32_t* pApiVersion) {
  *pApiVersion = kApiVersion;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::EnumerateInstanceLayerProperties(uint32_t* pPropertyCount, VkLayerProperties*) {
  *pPropertyCount = 0;
  return VK_SUCCESS;
}

VKAPI_ATTR VkResult VKAPI_CALL entry::EnumeratePhysicalDevices(VkInstance instance, uint32_t* pPhysicalDeviceCount,
                                                               VkPhysicalDevice* pPhysicalDevices) {
  const auto& devices = from_handle<Instance>(instance).physical_devices();
  return write_array(static_cast<uint32_t>(devices.size()), pPhysicalDeviceCount, pPhysicalDevices,
                     [&](VkPhysicalDevice& handle, uint32_t i) { handle = to_handle(devices[i].get()); });
}

VKAPI_ATTR VkResult VKAPI_CALL
entry::EnumeratePhysicalDeviceGroups(VkInstance instance, uint32_t* pPhysicalDeviceGroupCount,
                                     VkPhysicalDeviceGroupProperties* pPhysicalDeviceGroupProperties) {
  const auto& devices = from_handle<Instance>(instance).physical_devices();
  return write_array(static_cast<uint32_t>(devices.size()), pPhysicalDeviceGroupCount, pPhysicalDeviceGroupProperties,
                     [&](VkPhysicalDeviceGroupProperties& group, uint32_t i) {
                       group.physicalDeviceCount = 1;
                       std::fill(std::begin(group.physicalDevices), std::end(group.physicalDevices), nullptr);
                       group.physicalDevices[0] = to_handle(devices[i].get());
                       group.subsetAllocation = VK_FALSE;
                     });
}

}  // namespace spalt::icd
