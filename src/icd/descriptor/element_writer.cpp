// SPDX-License-Identifier: MIT
#include "icd/descriptor/element_writer.h"

#include <algorithm>
#include <cstring>

#include "icd/descriptor/element_cursor.h"
#include "icd/resource/buffer_view.h"
#include "icd/resource/image_view.h"

namespace spalt::icd {
namespace {

constexpr size_t kBufferDescriptorBytes = 16;
constexpr uint64_t kMaxDescribedBytes = UINT32_MAX;

template <size_t count>
void write_words(const std::array<uint32_t, count>& words, std::byte* place) {
  std::memcpy(place, words.data(), sizeof words);
}

const ImageWords& image_words(const ImageView& view, VkDescriptorType type) {
  if (type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE) return view.storage();
  return type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT ? view.input_attachment() : view.sampled();
}

}  // namespace

void write_buffer_words(const Device& device, uint64_t address, uint64_t size, std::byte* place) {
  const auto words = device.compiler().buffer_descriptor(address, std::min(size, kMaxDescribedBytes));
  std::memcpy(place, words.data(), kBufferDescriptorBytes);
}

void write_image(VkImageView handle, VkDescriptorType type, std::byte* place) {
  const auto* view = from_nullable<ImageView>(handle);
  if (view == nullptr) {
    write_words(ImageWords{}, place);
  } else {
    write_words(image_words(*view, type), place);
  }
}

void write_sampler(VkSampler handle, VkDescriptorType type, std::byte* place) {
  const auto* sampler = from_nullable<Sampler>(handle);
  write_words(sampler == nullptr ? SamplerWords{} : sampler->words(), place + sampler_offset(type));
}

namespace {

void write_buffer(const Device& device, const VkDescriptorBufferInfo& info, std::byte* place) {
  const MemoryRange range = buffer_range(from_nullable<Buffer>(info.buffer), info.offset, info.range);
  write_buffer_words(device, range.address, range.size, place);
}

DynamicBuffer dynamic_buffer(const VkDescriptorBufferInfo& info) {
  const auto* buffer = from_nullable<Buffer>(info.buffer);
  return {buffer_range(buffer, info.offset, info.range), buffer_range(buffer, info.offset, VK_WHOLE_SIZE).size};
}

DescribedImage described(const VkDescriptorImageInfo& info, VkDescriptorType type) {
  const auto* view = from_nullable<ImageView>(info.imageView);
  if (view == nullptr) return {};
  return {view->viewed(), info.imageLayout, type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE};
}

bool has_image(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE || type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE ||
         type == VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

void write_texel_buffer(VkBufferView handle, std::byte* place) {
  const auto* view = from_nullable<BufferView>(handle);
  write_words(view == nullptr ? std::array<uint32_t, 4>{} : view->words(), place);
}

void write_element(const Device& device, const DescriptorTable& table, const SetBinding& binding, VkDescriptorType type,
                   uint32_t element, const std::byte* source) {
  if (is_dynamic(binding.type)) {
    if (table.dynamic == nullptr) return;
    (*table.dynamic)[binding.dynamic_index + element] =
        dynamic_buffer(*reinterpret_cast<const VkDescriptorBufferInfo*>(source));
    return;
  }
  const uint32_t offset = binding.offset + element * binding.stride;
  std::byte* place = table.host + offset;
  if (table.images != nullptr) {
    const auto* info = reinterpret_cast<const VkDescriptorImageInfo*>(source);
    table.images->set(offset, has_image(type) ? described(*info, type) : DescribedImage{});
  }
  const auto& image = *reinterpret_cast<const VkDescriptorImageInfo*>(source);
  const bool has_sampler = !binding.immutable_samplers.empty();  // it is in the table already
  switch (type) {
    case VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_BUFFER:
      write_buffer(device, *reinterpret_cast<const VkDescriptorBufferInfo*>(source), place);
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      write_image(image.imageView, type, place);
      break;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      write_image(image.imageView, type, place);
      if (!has_sampler) write_sampler(image.sampler, type, place);
      break;
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      if (!has_sampler) write_sampler(image.sampler, type, place);
      break;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      write_texel_buffer(*reinterpret_cast<const VkBufferView*>(source), place);
      break;
    default:
      break;
  }
}

}  // namespace

void write_elements(const Device& device, const DescriptorTable& table, VkDescriptorType type, uint32_t binding,
                    uint32_t element, uint32_t count, const ElementSource& source) {
  const std::byte* next = source.first;
  for (ElementCursor cursor(*table.layout, binding, element); count > 0 && !cursor.at_end();) {
    const SetBinding& target = cursor.binding();
    uint32_t step = 1;
    if (target.type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK) {
      step = std::min(count, cursor.rest());
      std::memcpy(table.host + target.offset + cursor.element(), next, step);
      next += step;
    } else {
      const bool is_mutable = target.type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
      write_element(device, table, target, is_mutable ? type : target.type, cursor.element(), next);
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
