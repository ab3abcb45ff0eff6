// SPDX-License-Identifier: MIT
//
// Descriptor set layouts. Their contents never change and are shared by everything that is made from them, so that the
// layout object may be destroyed first.
//
// A set has a table in device memory, with the bindings in order of their numbers, each at a multiple of 16 bytes.
// Dynamic buffers are not in it: their descriptors depend on the offsets that are bound, and each bind writes a table
// of them alone.
#pragma once

#include <memory>
#include <vector>

#include "icd/resource/sampler.h"

namespace spalt::icd {

/// Descriptors of one set, and bytes of its table; no layout has more. 2^20 of the largest kind fit.
inline constexpr uint32_t kMaxSetDescriptors = 1 << 20;
inline constexpr uint32_t kMaxTableBytes = 1 << 26;
inline constexpr uint32_t kMaxInlineUniformBlockBytes = 4096;

struct SetBinding {
  uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  uint32_t count = 0;  // elements, or bytes of an inline uniform block; 0: reserved, has no descriptor
  VkDescriptorBindingFlags flags = 0;
  uint32_t offset = 0;         // of element 0: in the table of the set, or of a dynamic buffer in the dynamic table
  uint32_t stride = 0;         // bytes between elements
  uint32_t dynamic_index = 0;  // of a dynamic buffer: which of the set's dynamic offsets element 0 takes
  std::vector<SamplerWords> immutable_samplers;  // of each element; none: sets choose them
  std::vector<VkDescriptorType> mutable_types;   // that an element of type MUTABLE may become

  /// An inline uniform block is one.
  uint32_t descriptors() const { return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? 1 : count; }
  bool has_variable_count() const { return (flags & VK_DESCRIPTOR_BINDING_VARIABLE_DESCRIPTOR_COUNT_BIT) != 0; }
};

bool is_dynamic(VkDescriptorType type);
/// Types that this driver knows.
bool is_known(VkDescriptorType type);
/// Bytes of one descriptor in a table; 1 for inline uniform blocks, for mutable ones the most that they can have.
uint32_t descriptor_bytes(VkDescriptorType type);
/// Where in a descriptor of that type the sampler is.
uint32_t sampler_offset(VkDescriptorType type);
/// Bytes of a table that `count` descriptors of that type take at most.
uint64_t table_bytes_of(VkDescriptorType type, uint64_t count);

struct SetLayoutContents {
  std::vector<SetBinding> bindings;  // in order of their numbers
  uint32_t table_bytes = 0;          // with all elements of a variable-count binding
  uint32_t dynamic_count = 0;        // dynamic buffers, elements counted
  bool push = false;                 // of push descriptors
  VkDescriptorSetLayoutCreateFlags flags = 0;

  /// nullptr: there is no such binding.
  const SetBinding* find(uint32_t binding) const;
  /// The binding whose count each set chooses, which is the last one; nullptr: none.
  const SetBinding* variable() const;
  /// Bytes of the table of a set that has `variable_count` elements of that binding.
  uint32_t table_bytes_with(uint32_t variable_count) const;
  /// Into a table of that many bytes, which is else zero.
  void write_immutable_samplers(std::byte* table, uint32_t bytes) const;
};
using SetLayoutRef = std::shared_ptr<const SetLayoutContents>;

/// Throws VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY} for what is beyond the limits above, and
/// VulkanError{VK_ERROR_FEATURE_NOT_PRESENT} for types that are not known.
SetLayoutContents make_set_layout(const VkDescriptorSetLayoutCreateInfo& info);

class DescriptorSetLayout : public Object {
 public:
  using Handle = VkDescriptorSetLayout;
  explicit DescriptorSetLayout(const VkDescriptorSetLayoutCreateInfo& info)
      : contents(std::make_shared<SetLayoutContents>(make_set_layout(info))) {}
  SetLayoutRef contents;
};

}  // namespace spalt::icd
