// SPDX-License-Identifier: MIT
//
// Descriptor set layouts. Their contents never change and are shared by everything that is made from them, so that the
// layout object may be destroyed first.
#pragma once

#include <memory>
#include <vector>

#include "icd/device/device.h"

namespace spalt::icd {

struct SetBinding {
  uint32_t binding = 0;
  VkDescriptorType type = VK_DESCRIPTOR_TYPE_SAMPLER;
  uint32_t count = 0;  // elements, or bytes of an inline uniform block; 0: reserved, has no descriptor
  VkDescriptorBindingFlags flags = 0;
  uint32_t offset = 0;         // of element 0: in the table of the set, or of a dynamic buffer in the dynamic table
  uint32_t stride = 0;         // bytes between elements
  uint32_t dynamic_index = 0;  // of a dynamic buffer: which of the set's dynamic offsets element 0 takes
};

bool is_dynamic(VkDescriptorType type);
/// Bytes of one descriptor in a table; 1 for inline uniform blocks.
uint32_t descriptor_bytes(VkDescriptorType type);

struct SetLayoutContents {
  std::vector<SetBinding> bindings;  // in order of their numbers
  uint32_t table_bytes = 0;          // with all elements of a variable-count binding
  uint32_t dynamic_count = 0;        // dynamic buffers, elements counted
  bool push = false;                 // of push descriptors
  VkDescriptorSetLayoutCreateFlags flags = 0;

  /// nullptr: there is no such binding.
  const SetBinding* find(uint32_t binding) const;
};
using SetLayoutRef = std::shared_ptr<const SetLayoutContents>;

/// Throws VulkanError for what is not supported.
SetLayoutContents make_set_layout(const VkDescriptorSetLayoutCreateInfo& info);

class DescriptorSetLayout : public Object {
 public:
  using Handle = VkDescriptorSetLayout;
  explicit DescriptorSetLayout(const VkDescriptorSetLayoutCreateInfo& info)
      : contents(std::make_shared<SetLayoutContents>(make_set_layout(info))) {}
  SetLayoutRef contents;
};

}  // namespace spalt::icd
