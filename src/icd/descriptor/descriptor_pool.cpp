// SPDX-License-Identifier: MIT
#include "icd/descriptor/descriptor_pool.h"

#include <algorithm>
#include <cstring>

#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

/// Every set has a place of its own, also one without descriptors.
constexpr uint32_t kMinTableBytes = 16;
/// More than the window of tables has.
constexpr uint64_t kMaxSlabBytes = uint64_t{1} << 40;

uint32_t place_bytes(uint32_t table_bytes) {
  return std::max(table_bytes, kMinTableBytes);
}

DescriptorCounts counts_of(const VkDescriptorPoolCreateInfo& info) {
  DescriptorCounts counts;
  for (uint32_t i = 0; i < info.poolSizeCount; ++i) {
    const VkDescriptorPoolSize& size = info.pPoolSizes[i];
    if (is_known(size.type)) counts.add(size.type, size.descriptorCount);
  }
  return counts;
}

/// Throws VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY} for what no pool can have.
uint64_t slab_bytes(const VkDescriptorPoolCreateInfo& info) {
  uint64_t bytes = uint64_t{info.maxSets} * kMinTableBytes;
  for (uint32_t i = 0; i < info.poolSizeCount; ++i) {
    const VkDescriptorPoolSize& size = info.pPoolSizes[i];
    if (is_known(size.type)) bytes += table_bytes_of(size.type, size.descriptorCount);
    if (bytes > kMaxSlabBytes) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};  // before a sum can wrap around
  }
  if (const auto* blocks = find_in_chain<VkDescriptorPoolInlineUniformBlockCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO)) {
    bytes += uint64_t{blocks->maxInlineUniformBlockBindings} * kMinTableBytes;  // each may end inside of 16 bytes
  }
  return bytes;
}

}  // namespace

DescriptorCounts DescriptorCounts::of_layout(const SetLayoutContents& layout, uint32_t variable_count) {
  DescriptorCounts counts;
  for (const SetBinding& binding : layout.bindings) {
    const bool variable = &binding == layout.variable();
    counts.add(binding.type, variable ? std::min(variable_count, binding.count) : binding.count);
  }
  return counts;
}

bool DescriptorCounts::contains(const DescriptorCounts& other) const {
  return std::equal(counts_.begin(), counts_.end(), other.counts_.begin(),
                    [](uint64_t mine, uint64_t wanted) { return mine >= wanted; });
}

void DescriptorCounts::add(const DescriptorCounts& other) {
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] += other.counts_[i];
}

void DescriptorCounts::remove(const DescriptorCounts& other) {
  for (size_t i = 0; i < counts_.size(); ++i) counts_[i] -= other.counts_[i];
}

DescriptorPool::DescriptorPool(Device& device, const VkDescriptorPoolCreateInfo& info, const HostMemory& memory)
    : memory_(memory),
      max_sets_(info.maxSets),
      describes_images_(device.settings().check_layouts),
      left_(counts_of(info)) {
  const uint64_t bytes = slab_bytes(info);
  if (bytes == 0) return;
  DeviceSpace& space = device.space();
  slab_ = OwnedBlock(space, space.allocate(Range::tables, bytes, "descriptor pool"));
}

uint64_t DescriptorPool::end_of(size_t index) const {
  if (index == 0) return 0;
  const DescriptorSet& before = *sets_[index - 1];
  return static_cast<uint64_t>(before.host - slab_->host) + place_bytes(before.table_bytes);
}

size_t DescriptorPool::find_gap(uint32_t bytes) {
  const auto begin_of = [&](size_t index) {
    return index == sets_.size() ? slab_->size : static_cast<uint64_t>(sets_[index]->host - slab_->host);
  };
  while (dense_ < sets_.size() && end_of(dense_) == begin_of(dense_)) ++dense_;
  for (size_t i = dense_; i <= sets_.size(); ++i) {
    if (begin_of(i) - end_of(i) >= bytes) return i;
  }
  throw VulkanError{VK_ERROR_FRAGMENTED_POOL};
}

DescriptorSet* DescriptorPool::allocate(const SetLayoutRef& layout, uint32_t variable_count) {
  const DescriptorCounts wanted = DescriptorCounts::of_layout(*layout, variable_count);
  if (sets_.size() == max_sets_ || !left_.contains(wanted)) throw VulkanError{VK_ERROR_OUT_OF_POOL_MEMORY};
  const uint32_t table_bytes = layout->table_bytes_with(variable_count);
  const size_t index = find_gap(place_bytes(table_bytes));
  if (sets_.size() == sets_.capacity()) sets_.reserve(2 * sets_.size() + 4);
  auto* set = create_object<DescriptorSet>(memory_, VK_SYSTEM_ALLOCATION_SCOPE_OBJECT);
  try {
    set->dynamic.resize(layout->dynamic_count);
    if (describes_images_) set->images = std::make_shared<DescribedImages>();
  } catch (...) {
    destroy_object(memory_, set);
    throw;
  }
  set->layout = layout;
  set->pool = this;
  set->host = slab_->host + end_of(index);
  set->address = slab_->address + end_of(index);
  set->table_bytes = table_bytes;
  set->variable_count = variable_count;
  std::memset(set->host, 0, place_bytes(table_bytes));
  layout->write_immutable_samplers(set->host, table_bytes);
  left_.remove(wanted);
  sets_.insert(sets_.begin() + static_cast<std::ptrdiff_t>(index), set);
  return set;
}

void DescriptorPool::free(DescriptorSet* set) {
  const auto found = std::lower_bound(sets_.begin(), sets_.end(), set,
                                      [](const DescriptorSet* a, const DescriptorSet* b) { return a->host < b->host; });
  left_.add(DescriptorCounts::of_layout(*set->layout, set->variable_count));
  dense_ = std::min(dense_, static_cast<size_t>(found - sets_.begin()));
  sets_.erase(found);
  destroy_object(memory_, set);
}

void DescriptorPool::reset() {
  while (!sets_.empty()) free(sets_.back());
}

}  // namespace spalt::icd
