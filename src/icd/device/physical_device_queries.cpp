// SPDX-License-Identifier: MIT
//
// What an application asks a physical device before it makes a device.
#include <algorithm>

#include "commands.h"
#include "icd/device/capabilities.h"
#include "icd/device/instance.h"
#include "icd/device/physical_device.h"
#include "icd/device/queue_families.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

template <typename Write>
void for_each_struct(void* first, Write&& write) {
  for (auto* link = static_cast<VkBaseOutStructure*>(first); link != nullptr; link = link->pNext) write(link);
}

VkQueueFamilyProperties queue_family(const PhysicalDevice& device, uint32_t index) {
  VkQueueFamilyProperties family{};
  family.queueFlags = kQueueFamilies[index].flags;
  const bool graphics = device.instance().settings().graphics && index == kGraphicsQueueFamily;
  if (graphics) family.queueFlags |= VK_QUEUE_GRAPHICS_BIT;
  family.queueCount = kQueueFamilies[index].queues;
  family.timestampValidBits = 64;
  family.minImageTransferGranularity = {1, 1, 1};
  return family;
}

VkPhysicalDeviceMemoryProperties memory_properties(PhysicalDevice& device) {
  VkPhysicalDeviceMemoryProperties memory{};
  memory.memoryTypeCount = device.memory_type_count();
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    memory.memoryTypes[i].propertyFlags =
        VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT | VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    if (device.is_coherent(i)) memory.memoryTypes[i].propertyFlags |= VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  }
  memory.memoryHeapCount = 1;
  memory.memoryHeaps[0] = {device.heap().bytes(), VK_MEMORY_HEAP_DEVICE_LOCAL_BIT};
  return memory;
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceFeatures(VkPhysicalDevice physicalDevice,
                                                            VkPhysicalDeviceFeatures* pFeatures) {
  write_core_features(from_handle<PhysicalDevice>(physicalDevice).features(), *pFeatures);
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceFeatures2(VkPhysicalDevice physicalDevice,
                                                             VkPhysicalDeviceFeatures2* pFeatures) {
  const FeatureSet& features = from_handle<PhysicalDevice>(physicalDevice).features();
  for_each_struct(pFeatures, [&](VkBaseOutStructure* link) { write_features(features, link); });
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceProperties(VkPhysicalDevice physicalDevice,
                                                              VkPhysicalDeviceProperties* pProperties) {
  *pProperties = from_handle<PhysicalDevice>(physicalDevice).properties().core;
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceProperties2(VkPhysicalDevice physicalDevice,
                                                               VkPhysicalDeviceProperties2* pProperties) {
  const PropertySet& properties = from_handle<PhysicalDevice>(physicalDevice).properties();
  pProperties->properties = properties.core;
  for_each_struct(pProperties->pNext, [&](VkBaseOutStructure* link) { write_properties(properties, link); });
}

VKAPI_ATTR void VKAPI_CALL
entry::GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physicalDevice, uint32_t* pQueueFamilyPropertyCount,
                                              VkQueueFamilyProperties* pQueueFamilyProperties) {
  const auto& device = from_handle<PhysicalDevice>(physicalDevice);
  write_array(kQueueFamilyCount, pQueueFamilyPropertyCount, pQueueFamilyProperties,
              [&](VkQueueFamilyProperties& family, uint32_t i) { family = queue_family(device, i); });
}

VKAPI_ATTR void VKAPI_CALL
entry::GetPhysicalDeviceQueueFamilyProperties2(VkPhysicalDevice physicalDevice, uint32_t* pQueueFamilyPropertyCount,
                                               VkQueueFamilyProperties2* pQueueFamilyProperties) {
  const auto& device = from_handle<PhysicalDevice>(physicalDevice);
  write_array(kQueueFamilyCount, pQueueFamilyPropertyCount, pQueueFamilyProperties,
              [&](VkQueueFamilyProperties2& family, uint32_t i) {
                family.queueFamilyProperties = queue_family(device, i);
                if (auto* priorities = find_in_chain<VkQueueFamilyGlobalPriorityPropertiesKHR>(
                        family.pNext, VK_STRUCTURE_TYPE_QUEUE_FAMILY_GLOBAL_PRIORITY_PROPERTIES_KHR)) {
                  priorities->priorityCount = 2;
                  priorities->priorities[0] = VK_QUEUE_GLOBAL_PRIORITY_LOW_KHR;
                  priorities->priorities[1] = VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_KHR;
                }
              });
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceMemoryProperties(
    VkPhysicalDevice physicalDevice, VkPhysicalDeviceMemoryProperties* pMemoryProperties) {
  *pMemoryProperties = memory_properties(from_handle<PhysicalDevice>(physicalDevice));
}

VKAPI_ATTR void VKAPI_CALL entry::GetPhysicalDeviceMemoryProperties2(
    VkPhysicalDevice physicalDevice, VkPhysicalDeviceMemoryProperties2* pMemoryProperties) {
  auto& device = from_handle<PhysicalDevice>(physicalDevice);
  pMemoryProperties->memoryProperties = memory_properties(device);
  if (auto* budget = find_in_chain<VkPhysicalDeviceMemoryBudgetPropertiesEXT>(
          pMemoryProperties->pNext, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT)) {
    std::fill(std::begin(budget->heapBudget), std::end(budget->heapBudget), 0);
    std::fill(std::begin(budget->heapUsage), std::end(budget->heapUsage), 0);
    budget->heapBudget[0] = device.heap().bytes();
    budget->heapUsage[0] = device.heap().used();
  }
}

VKAPI_ATTR VkResult VKAPI_CALL entry::GetPhysicalDeviceToolProperties(VkPhysicalDevice, uint32_t* pToolCount,
                                                                      VkPhysicalDeviceToolProperties*) {
  *pToolCount = 0;
  return VK_SUCCESS;
}

}  // namespace spalt::icd
