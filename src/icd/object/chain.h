// SPDX-License-Identifier: MIT
//
// pNext chains, and arrays that are asked for twice: for their length, then for their elements.
#pragma once

#include <vulkan/vulkan.h>

#include <algorithm>
#include <cstdint>

namespace spalt::icd {

/// The first struct of the chain that begins at `next` with that type, or nullptr. T is the struct's type.
template <typename T>
const T* find_in_chain(const void* next, VkStructureType type) {
  for (auto* link = static_cast<const VkBaseInStructure*>(next); link != nullptr; link = link->pNext) {
    if (link->sType == type) return reinterpret_cast<const T*>(link);
  }
  return nullptr;
}

template <typename T>
T* find_in_chain(void* next, VkStructureType type) {
  return const_cast<T*>(find_in_chain<T>(static_cast<const void*>(next), type));
}

/// Vulkan's two-call idiom: writes the count, or as many elements as fit. `write(element, index)` fills one.
template <typename T, typename Write>
VkResult write_array(uint32_t available, uint32_t* count, T* elements, Write&& write) {
  if (elements == nullptr) {
    *count = available;
    return VK_SUCCESS;
  }
  *count = std::min(*count, available);
  for (uint32_t i = 0; i < *count; ++i) write(elements[i], i);
  return *count < available ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace spalt::icd
