// SPDX-License-Identifier: MIT
//
// Handles of other processes and drivers. None is supported, but for host memory of the application.
#include "commands.h"

namespace spalt::icd {
namespace {

constexpr VkExternalMemoryHandleTypeFlags kHostPointers =
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_ALLOCATION_BIT_EXT |
    VK_EXTERNAL_MEMORY_HANDLE_TYPE_HOST_MAPPED_FOREIGN_MEMORY_BIT_EXT;

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceExternalBufferProperties(
    VkPhysicalDevice, const VkPhysicalDeviceExternalBufferInfo* pExternalBufferInfo,
    VkExternalBufferProperties* pExternalBufferProperties) {
  VkExternalMemoryProperties& memory = pExternalBufferProperties->externalMemoryProperties;
  memory = {};
  memory.compatibleHandleTypes = pExternalBufferInfo->handleType;
  if ((pExternalBufferInfo->handleType & kHostPointers) != 0) {
    memory.externalMemoryFeatures = VK_EXTERNAL_MEMORY_FEATURE_IMPORTABLE_BIT;
  }
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceExternalFenceProperties(
    VkPhysicalDevice, const VkPhysicalDeviceExternalFenceInfo*, VkExternalFenceProperties* pExternalFenceProperties) {
  pExternalFenceProperties->exportFromImportedHandleTypes = 0;
  pExternalFenceProperties->compatibleHandleTypes = 0;
  pExternalFenceProperties->externalFenceFeatures = 0;
}

VKAPI_ATTR void VKAPI_CALL
entry::GetPhysicalDeviceExternalSemaphoreProperties(VkPhysicalDevice, const VkPhysicalDeviceExternalSemaphoreInfo*,
                                                    VkExternalSemaphoreProperties* pExternalSemaphoreProperties) {
  pExternalSemaphoreProperties->exportFromImportedHandleTypes = 0;
  pExternalSemaphoreProperties->compatibleHandleTypes = 0;
  pExternalSemaphoreProperties->externalSemaphoreFeatures = 0;
}

}  // namespace spalt::icd
