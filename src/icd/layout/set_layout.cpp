// SPDX-License-Identifier: MIT
#include "icd/layout/set_layout.h"

#include <algorithm>
#include <cstring>

#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

constexpr uint32_t kTableAlignment = 16;

uint64_t aligned(uint64_t bytes) {
  return (bytes + kTableAlignment - 1) / kTableAlignment * kTableAlignment;
}

/// Bytes between elements.
uint32_t stride_of(const SetBinding& binding) {
  if (binding.type != VK_DESCRIPTOR_TYPE_MUTABLE_EXT) return descriptor_bytes(binding.type);
  uint32_t stride = kTableAlignment;
  for (const VkDescriptorType type : binding.mutable_types) stride = std::max(stride, descriptor_bytes(type));
  return stride;
}

uint64_t table_bytes_of(const SetBinding& binding, uint64_t count) {
  return is_dynamic(binding.type) ? 0 : aligned(count * binding.stride);
}

/// Of an element in the order of the application's bindings.
std::vector<VkDescriptorType> mutable_types(const VkMutableDescriptorTypeCreateInfoEXT* lists, uint32_t index) {
  if (lists == nullptr || index >= lists->mutableDescriptorTypeListCount) return {};
  const VkMutableDescriptorTypeListEXT& list = lists->pMutableDescriptorTypeLists[index];
  return {list.pDescriptorTypes, list.pDescriptorTypes + list.descriptorTypeCount};
}

bool has_sampler(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_SAMPLER || type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER;
}

/// In order of their numbers, with their flags, without places.
std::vector<SetBinding> sorted_bindings(const VkDescriptorSetLayoutCreateInfo& info) {
  const auto* flags = find_in_chain<VkDescriptorSetLayoutBindingFlagsCreateInfo>(
      info.pNext, VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_BINDING_FLAGS_CREATE_INFO);
  const auto* mutable_lists = find_in_chain<VkMutableDescriptorTypeCreateInfoEXT>(
      info.pNext, VK_STRUCTURE_TYPE_MUTABLE_DESCRIPTOR_TYPE_CREATE_INFO_EXT);
  std::vector<SetBinding> bindings;
  bindings.reserve(info.bindingCount);
  for (uint32_t i = 0; i < info.bindingCount; ++i) {
    const VkDescriptorSetLayoutBinding& given = info.pBindings[i];
    SetBinding binding;
    binding.binding = given.binding;
    binding.type = given.descriptorType;
    binding.count = given.descriptorCount;
    if (flags != nullptr && i < flags->bindingCount) binding.flags = flags->pBindingFlags[i];
    if (binding.type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT) binding.mutable_types = mutable_types(mutable_lists, i);
    if (given.pImmutableSamplers != nullptr && has_sampler(given.descriptorType)) {
      for (uint32_t element = 0; element < given.descriptorCount; ++element) {
        const auto* sampler = from_nullable<Sampler>(given.pImmutableSamplers[element]);
        binding.immutable_samplers.push_back(sampler != nullptr ? sampler->words() : SamplerWords{});
      }
    }
    bindings.push_back(std::move(binding));
  }
  std::sort(bindings.begin(), bindings.end(),
            [](const SetBinding& a, const SetBinding& b) { return a.binding < b.binding; });
  return bindings;
}

void check_limits(uint64_t descriptors, uint64_t table_bytes) {
  if (descriptors > kMaxSetDescriptors || table_bytes > kMaxTableBytes) {
    throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  }
}

/// Gives a binding its place after those before it.
void place(SetBinding& binding, SetLayoutContents& contents) {
  if (is_dynamic(binding.type)) {
    binding.dynamic_index = contents.dynamic_count;
    binding.offset = binding.dynamic_index * binding.stride;
    contents.dynamic_count += binding.count;
  } else {
    binding.offset = contents.table_bytes;
    contents.table_bytes += static_cast<uint32_t>(table_bytes_of(binding, binding.count));
  }
}

}  // namespace

bool is_dynamic(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC || type == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC;
}

bool is_known(VkDescriptorType type) {
  static_assert(VK_DESCRIPTOR_TYPE_SAMPLER == 0);
  return type <= VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT || type == VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK ||
         type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT;
}

uint32_t descriptor_bytes(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
    case VK_DESCRIPTOR_TYPE_MUTABLE_EXT:
      return 48;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return 32;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      return 1;
    default:  // samplers and buffers
      return 16;
  }
}

uint32_t sampler_offset(VkDescriptorType type) {
  return type == VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER ? descriptor_bytes(VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE) : 0;
}

uint64_t table_bytes_of(VkDescriptorType type, uint64_t count) {
  return is_dynamic(type) ? 0 : aligned(count * descriptor_bytes(type));
}

const SetBinding* SetLayoutContents::find(uint32_t binding) const {
  const auto found =
      std::lower_bound(bindings.begin(), bindings.end(), binding,
                       [](const SetBinding& candidate, uint32_t number) { return candidate.binding < number; });
  return found != bindings.end() && found->binding == binding ? &*found : nullptr;
}

const SetBinding* SetLayoutContents::variable() const {
  return !bindings.empty() && bindings.back().has_variable_count() ? &bindings.back() : nullptr;
}

uint32_t SetLayoutContents::table_bytes_with(uint32_t variable_count) const {
  const SetBinding* last = variable();
  if (last == nullptr) return table_bytes;
  return last->offset + static_cast<uint32_t>(table_bytes_of(*last, std::min(variable_count, last->count)));
}

void SetLayoutContents::write_immutable_samplers(std::byte* table, uint32_t bytes) const {
  for (const SetBinding& binding : bindings) {
    uint32_t offset = binding.offset + sampler_offset(binding.type);
    for (const SamplerWords& words : binding.immutable_samplers) {
      if (offset + sizeof words > bytes) break;
      std::memcpy(table + offset, words.data(), sizeof words);
      offset += binding.stride;
    }
  }
}

SetLayoutContents make_set_layout(const VkDescriptorSetLayoutCreateInfo& info) {
  SetLayoutContents contents;
  contents.flags = info.flags;
  contents.push = (info.flags & VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR) != 0;
  contents.bindings = sorted_bindings(info);
  uint64_t descriptors = 0, table_bytes = 0;
  for (SetBinding& binding : contents.bindings) {
    if (!is_known(binding.type)) throw VulkanError{VK_ERROR_FEATURE_NOT_PRESENT};
    descriptors += binding.descriptors();
    binding.stride = stride_of(binding);
    table_bytes += table_bytes_of(binding, binding.count);
    check_limits(descriptors, table_bytes);
    place(binding, contents);
  }
  return contents;
}

}  // namespace spalt::icd
