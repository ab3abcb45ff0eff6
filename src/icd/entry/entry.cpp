// SPDX-License-Identifier: MIT
//
// The symbols that the loader looks for, and the look-up of commands by name
// (Vulkan-Loader, "Driver interface to the Vulkan Loader").
#include <vulkan/vk_icd.h>

#include <algorithm>
#include <cstring>

#include "commands.h"
#include "icd/device/device.h"
#include "icd/device/instance.h"
#include "icd/entry/command_table.h"

#define SPALT_ICD_EXPORT extern "C" __attribute__((visibility("default"))) VKAPI_ATTR

SPALT_ICD_EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char* name);
SPALT_ICD_EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name);
SPALT_ICD_EXPORT VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version);

namespace spalt::icd {
namespace {

constexpr uint32_t kNewestInterface = 7;
constexpr uint32_t kOldestInterface = 5;  // Vulkan 1.1 drivers must speak it

/// From interface 7 on, the loader may reach its own functions by name only.
PFN_vkVoidFunction interface_function(const char* name) {
  if (std::strcmp(name, "vk_icdGetInstanceProcAddr") == 0) {
    return reinterpret_cast<PFN_vkVoidFunction>(&vk_icdGetInstanceProcAddr);
  }
  if (std::strcmp(name, "vk_icdGetPhysicalDeviceProcAddr") == 0) {
    return reinterpret_cast<PFN_vkVoidFunction>(&vk_icdGetPhysicalDeviceProcAddr);
  }
  if (std::strcmp(name, "vk_icdNegotiateLoaderICDInterfaceVersion") == 0) {
    return reinterpret_cast<PFN_vkVoidFunction>(&vk_icdNegotiateLoaderICDInterfaceVersion);
  }
  return nullptr;
}

/// Device extensions are not known yet when an instance is asked, so that all of them count.
PFN_vkVoidFunction instance_function(const Instance& instance, const CommandRow& row) {
  if (row.level == Level::global) return row.function;
  const ExtensionSet device_extensions = extensions_of(ExtensionKind::device);
  return is_revealed(row, kApiVersion, instance.extensions(), device_extensions) ? row.function : nullptr;
}

}  // namespace

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL entry::GetInstanceProcAddr(VkInstance instance, const char* pName) {
  if (pName == nullptr) return nullptr;
  if (PFN_vkVoidFunction function = interface_function(pName)) return function;
  const CommandRow* row = find_command(pName);
  if (row == nullptr) return nullptr;
  if (instance == VK_NULL_HANDLE) return row->level == Level::global ? row->function : nullptr;
  return instance_function(from_handle<Instance>(instance), *row);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL entry::GetDeviceProcAddr(VkDevice device, const char* pName) {
  const CommandRow* row = pName == nullptr ? nullptr : find_command(pName);
  if (row == nullptr || row->level != Level::device) return nullptr;
  auto& owner = from_handle<Device>(device);
  const ExtensionSet& instance_extensions = owner.instance().extensions();
  return is_revealed(*row, kApiVersion, owner.extensions(), instance_extensions) ? row->function : nullptr;
}

}  // namespace spalt::icd

SPALT_ICD_EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetInstanceProcAddr(VkInstance instance, const char* name) {
  return spalt::icd::entry::GetInstanceProcAddr(instance, name);
}

SPALT_ICD_EXPORT PFN_vkVoidFunction VKAPI_CALL vk_icdGetPhysicalDeviceProcAddr(VkInstance instance, const char* name) {
  const spalt::icd::CommandRow* row = name == nullptr ? nullptr : spalt::icd::find_command(name);
  if (row == nullptr || row->level != spalt::icd::Level::physical_device) return nullptr;
  return spalt::icd::entry::GetInstanceProcAddr(instance, name);
}

SPALT_ICD_EXPORT VkResult VKAPI_CALL vk_icdNegotiateLoaderICDInterfaceVersion(uint32_t* version) {
  if (*version < spalt::icd::kOldestInterface) return VK_ERROR_INCOMPATIBLE_DRIVER;
  *version = std::min(*version, spalt::icd::kNewestInterface);
  return VK_SUCCESS;
}
