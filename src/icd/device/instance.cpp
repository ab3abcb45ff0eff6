// SPDX-License-Identifier: MIT
#include "icd/device/instance.h"

#include <cstdio>
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

/// For the messengers in the chain of an instance's info, which live as long as its creation and destruction.
void send_to_chain(const VkInstanceCreateInfo& info, const DebugMessage& message) {
  for (auto* link = static_cast<const VkBaseInStructure*>(info.pNext); link != nullptr; link = link->pNext) {
    if (link->sType != VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT) continue;
    send_to(*reinterpret_cast<const VkDebugUtilsMessengerCreateInfoEXT*>(link), message);
  }
}

bool wants_printf(const VkInstanceCreateInfo& info) {
  const auto* validation =
      find_in_chain<VkValidationFeaturesEXT>(info.pNext, VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT);
  if (validation == nullptr) return false;
  const auto* end = validation->pEnabledValidationFeatures + validation->enabledValidationFeatureCount;
  return std::find(validation->pEnabledValidationFeatures, end, VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT) != end;
}

}  // namespace

Instance::Instance(const VkInstanceCreateInfo& info, const HostMemory& memory)
    : memory_(memory), settings_(Settings::from_environment()) {
  settings_.printf |= wants_printf(info);
  enable_extensions(info);
  find_physical_devices();
  report_problems(info);
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
  if (physical_devices_.empty()) {
    settings_.problems.push_back("SPALT_ICD_TARGET=" + settings_.target + ": there is no such target, so no device");
  }
}

/// On stderr, too: who sets a variable looks there.
void Instance::report_problems(const VkInstanceCreateInfo& info) {
  for (const std::string& problem : settings_.problems) {
    std::fprintf(stderr, "spalt: %s\n", problem.c_str());
    DebugMessage message;
    message.severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
    message.id = "spalt-settings";
    message.text = problem;
    send_to_chain(info, message);
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
