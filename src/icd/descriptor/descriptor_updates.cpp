// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "commands.h"
#include "icd/descriptor/element_cursor.h"
#include "icd/descriptor/element_writer.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

template <typename T>
ElementSource array_of(const T* first) {
  // T may be a handle. NOLINTNEXTLINE(bugprone-sizeof-expression)
  return {reinterpret_cast<const std::byte*>(first), sizeof(T)};
}

/// The array that counts for the type; the others may be anything.
ElementSource source_of(const VkWriteDescriptorSet& write) {
  switch (write.descriptorType) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC:
      return array_of(write.pBufferInfo);
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return array_of(write.pTexelBufferView);
    default:
      return array_of(write.pImageInfo);
  }
}

/// Else the bits would be of another kind.
bool can_copy(VkDescriptorType from, VkDescriptorType to) {
  const bool is_mutable = from == VK_DESCRIPTOR_TYPE_MUTABLE_EXT || to == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
  return from == to || (is_mutable && from != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK && !is_dynamic(from) &&
                        to != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK && !is_dynamic(to));
}

void copy_step(const DescriptorTable& source, const ElementCursor& from, const DescriptorTable& target,
               const ElementCursor& to, uint32_t count) {
  if (is_dynamic(to.binding().type)) {
    if (source.dynamic == nullptr || target.dynamic == nullptr) return;
    (*target.dynamic)[to.binding().dynamic_index + to.element()] =
        (*source.dynamic)[from.binding().dynamic_index + from.element()];
    return;
  }
  const auto offset = [](const ElementCursor& cursor) {
    return cursor.binding().offset + cursor.element() * cursor.binding().stride;
  };
  const auto place = [&](const DescriptorTable& table, const ElementCursor& cursor) {
    return table.host + offset(cursor);
  };
  if (source.images != nullptr && target.images != nullptr &&
      to.binding().type != VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    target.images->set(offset(to), source.images->get(offset(from)));
  }
  std::byte* written = place(target, to);
  // Strides differ where one side is mutable: then it is one element.
  std::memmove(written, place(source, from), size_t{count} * std::min(from.binding().stride, to.binding().stride));
  if (to.binding().immutable_samplers.empty()) return;
  const SamplerWords& words = to.binding().immutable_samplers[to.element()];
  std::memcpy(written + sampler_offset(to.binding().type), words.data(), sizeof words);
}

}  // namespace

void write_descriptors(const Device& device, const DescriptorTable& table, const VkWriteDescriptorSet& write) {
  ElementSource source;
  if (write.descriptorType == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
    const auto* block = find_in_chain<VkWriteDescriptorSetInlineUniformBlock>(
        write.pNext, VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK);
    if (block == nullptr) return;
    source = {static_cast<const std::byte*>(block->pData), 1};
  } else {
    source = source_of(write);
  }
  write_elements(device, table, write.descriptorType, write.dstBinding, write.dstArrayElement, write.descriptorCount,
                 source);
}

void copy_descriptors(const DescriptorTable& source, const DescriptorTable& target, const VkCopyDescriptorSet& copy) {
  ElementCursor from(*source.layout, copy.srcBinding, copy.srcArrayElement);
  ElementCursor to(*target.layout, copy.dstBinding, copy.dstArrayElement);
  for (uint32_t left = copy.descriptorCount; left > 0 && !from.at_end() && !to.at_end();) {
    if (!can_copy(from.binding().type, to.binding().type)) return;
    const bool in_bytes = to.binding().type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
    const uint32_t step = in_bytes ? std::min({left, from.rest(), to.rest()}) : 1;
    copy_step(source, from, target, to, step);
    left -= step;
    from.advance(step);
    to.advance(step);
  }
}

VKAPI_ATTR void VKAPI_CALL entry::UpdateDescriptorSets(VkDevice device, uint32_t descriptorWriteCount,
                                                       const VkWriteDescriptorSet* pDescriptorWrites,
                                                       uint32_t descriptorCopyCount,
                                                       const VkCopyDescriptorSet* pDescriptorCopies) {
  const auto& owner = from_handle<Device>(device);
  for (uint32_t i = 0; i < descriptorWriteCount; ++i) {
    const VkWriteDescriptorSet& write = pDescriptorWrites[i];
    write_descriptors(owner, from_handle<DescriptorSet>(write.dstSet).table(), write);
  }
  for (uint32_t i = 0; i < descriptorCopyCount; ++i) {
    const VkCopyDescriptorSet& copy = pDescriptorCopies[i];
    copy_descriptors(from_handle<DescriptorSet>(copy.srcSet).table(), from_handle<DescriptorSet>(copy.dstSet).table(),
                     copy);
  }
}

}  // namespace spalt::icd
