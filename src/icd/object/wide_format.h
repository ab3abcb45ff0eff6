// SPDX-License-Identifier: MIT
#pragma once
#include <vulkan/vulkan.h>

#include <cstdint>

namespace spalt::icd {

/// Bytes of a format whose components have 64 bits, 0 of any other. Vertex attributes may have them, which the compiler
/// reads as words; the library's formats are those of images, which have one such component at most.
constexpr uint32_t wide_format_bytes(VkFormat format) {
  constexpr uint32_t kNumberKinds = 3;  // UINT, SINT, SFLOAT of each number of components
  if (format < VK_FORMAT_R64_UINT || format > VK_FORMAT_R64G64B64A64_SFLOAT) return 0;
  return 8 * ((static_cast<uint32_t>(format) - VK_FORMAT_R64_UINT) / kNumberKinds + 1);
}

}  // namespace spalt::icd
