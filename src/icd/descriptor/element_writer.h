// SPDX-License-Identifier: MIT
//
// Descriptors as bits, from the structs in which applications hand them over.
#pragma once

#include "icd/descriptor/descriptor_set.h"

namespace spalt::icd {

/// Structs of the application, one for each element: VkDescriptorBufferInfo, VkDescriptorImageInfo or VkBufferView as
/// the type of descriptor asks for; bytes for inline uniform blocks.
struct ElementSource {
  const std::byte* first = nullptr;
  size_t stride = 0;  // bytes between elements
};

/// An empty range becomes the null descriptor, as no view and no sampler do.
void write_buffer_words(const Device& device, uint64_t address, uint64_t size, std::byte* place);
void write_image(VkImageView view, VkDescriptorType type, std::byte* place);
/// Into a descriptor of that type.
void write_sampler(VkSampler sampler, VkDescriptorType type, std::byte* place);

/// Writes `count` elements from there on, in following bindings, too. `type` is that of the application's structs,
/// which mutable elements become.
void write_elements(const Device& device, const DescriptorTable& table, VkDescriptorType type, uint32_t binding,
                    uint32_t element, uint32_t count, const ElementSource& source);

}  // namespace spalt::icd
