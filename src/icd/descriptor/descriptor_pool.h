// SPDX-License-Identifier: MIT
//
// Descriptor pools. All tables of a pool come from one slab of device memory, which is large enough for what the pool
// was made for, in whatever layouts: every binding takes a multiple of 16 bytes.
//
// Tables lie first fit in the slab. Allocation appends as long as no set was freed; then it looks at the sets after the
// lowest gap. Freeing takes no memory, so that it cannot fail.
#pragma once

#include <array>
#include <vector>

#include "icd/descriptor/descriptor_set.h"

namespace spalt::icd {

/// Descriptors by their type; inline uniform blocks by their bytes.
class DescriptorCounts {
 public:
  static DescriptorCounts of_layout(const SetLayoutContents& layout, uint32_t variable_count);
  void add(VkDescriptorType type, uint64_t count) { counts_[index(type)] += count; }
  uint64_t get(VkDescriptorType type) const { return counts_[index(type)]; }
  bool contains(const DescriptorCounts& other) const;
  void add(const DescriptorCounts& other);
  void remove(const DescriptorCounts& other);

 private:
  static constexpr size_t kTypes = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT + 3;
  static size_t index(VkDescriptorType type) {
    if (type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT) return kTypes - 2;
    return type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ? kTypes - 1 : static_cast<size_t>(type);
  }
  std::array<uint64_t, kTypes> counts_{};
};

class DescriptorPool : public Object {
 public:
  using Handle = VkDescriptorPool;
  /// `memory` is for the sets.
  DescriptorPool(Device& device, const VkDescriptorPoolCreateInfo& info, const HostMemory& memory);
  ~DescriptorPool() { reset(); }

  /// A set whose table is zero. Throws VulkanError{VK_ERROR_OUT_OF_POOL_MEMORY} when the pool was not made for that
  /// many sets or descriptors of a type, VulkanError{VK_ERROR_FRAGMENTED_POOL} when no gap is large enough.
  DescriptorSet* allocate(const SetLayoutRef& layout, uint32_t variable_count);
  void free(DescriptorSet* set);
  void reset();

 private:
  /// Index in sets_ before which there is room for that many bytes.
  size_t find_gap(uint32_t bytes);
  uint64_t end_of(size_t index) const;  // of the table of the set before it, in the slab

  HostMemory memory_;
  uint32_t max_sets_;
  bool describes_images_;  // SPALT_ICD_LAYOUTS
  DescriptorCounts left_;
  OwnedBlock slab_;
  std::vector<DescriptorSet*> sets_;  // in the order of their tables
  size_t dense_ = 0;                  // that many from the start have no gap between them
};

}  // namespace spalt::icd
