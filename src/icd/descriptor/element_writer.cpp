// SPDX-License-Identifier: MIT
#include "icd/descriptor/element_writer.h"

#include <algorithm>
#include <cstring>

#include "icd/descriptor/element_cursor.h"

namespace spalt::icd {
namespace {

constexpr size_t kBufferDescriptorBytes = 16;
constexpr uint64_t kMaxDescribedBytes = UINT32_MAX;

/// An empty range becomes the null descriptor.
void write_buffer_words(const Device& device, uint64_t address, uint64_t size, std::byte* place) {
  const auto words = device.compiler().buffer_descriptor(address, std::min(size, kMaxDescribedBytes));
  std::memcpy(place, words.data(), kBufferDescriptorBytes);
}

void write_buffer(const Device& device, const VkDescriptorBufferInfo& info, std::byte* place) {
  const BufferRange range = buffer_range(from_nullable<Buffer>(info.buffer), info.offset, info.range);
  write_buffer_words(device, range.address, range.size, place);
}

DynamicBuffer dynamic_buffer(const VkDescriptorBufferInfo& info) {
  const auto* buffer = from_nullable<Buffer>(info.buffer);
  return {buffer_range(buffer, info.offset, info.range), buffer_range(buffer, info.offset, VK_WHOLE_SIZE).size};
}

/// Images, samplers and texel buffers are null: no format can be used for one (format_properties).
void write_element(const Device& device, const DescriptorTable& table, const SetBinding& binding, uint32_t element,
                   const std::byte* source) {
  if (is_dynamic(binding.type)) {
    if (table.dynamic == nullptr) return;
    (*table.dynamic)[binding.dynamic_index + element] =
        dynamic_buffer(*reinterpret_cast<const VkDescriptorBufferInfo*>(source));
    return;
  }
  std::byte* place = table.host + binding.offset + size_t{element} * binding.stride;
  switch (binding.type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      write_buffer(device, *reinterpret_cast<const VkDescriptorBufferInfo*>(source), place);
      break;
    default:
      std::memset(place, 0, binding.stride);
  }
}

}  // namespace

void write_elements(const Device& device, const DescriptorTable& table, uint32_t binding, uint32_t element,
                    uint32_t count, const ElementSource& source) {
  const std::byte* next = source.first;
  for (ElementCursor cursor(*table.layout, binding, element); count > 0 && !cursor.at_end();) {
    const SetBinding& target = cursor.binding();
    uint32_t step = 1;
    if (target.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      step = std::min(count, cursor.rest());
      std::memcpy(table.host + target.offset + cursor.element(), next, step);
      next += step;
    } else {
      write_element(device, table, target, cursor.element(), next);
      next += source.stride;
    }
    count -= step;
    cursor.advance(step);
  }
}

void write_dynamic_table(const Device& device, const DescriptorSet& set, const uint32_t* offsets, std::byte* host) {
  for (size_t i = 0; i < set.dynamic.size(); ++i) {
    const DynamicBuffer& buffer = set.dynamic[i];
    const uint64_t rest = buffer.rest - std::min<uint64_t>(buffer.rest, offsets[i]);
    write_buffer_words(device, buffer.range.address + offsets[i], std::min(buffer.range.size, rest),
                       host + i * kBufferDescriptorBytes);
  }
}

}  // namespace spalt::icd
