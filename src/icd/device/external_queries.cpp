// SPDX-License-Identifier: MIT
//
// Handles of other processes and drivers. None is supported, but for host memory of the application.
#include "commands.h"

namespace spalt::icd {

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceExternalBufferProperties(
    VkPhysicalDevice, const VkPhysicalDeviceExternalBufferInfo* pExternalBufferInfo,
    VkExternalBufferProperties* pExternalBufferProperties) {
  VkExternalMemoryProperties& memory = pExternalBufferProperties->externalMemoryProperties;
  memory = {};
  memory.compatibleHandleTypes = pExternalBufferInfo->handleType;
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
