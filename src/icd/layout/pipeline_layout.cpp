// SPDX-License-Identifier: MIT
#include "icd/layout/pipeline_layout.h"

#include <algorithm>

#include "icd/device/printf_log.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

spalt_binding_kind kind_of(VkDescriptorType type) {
  switch (type) {
    case VK_DESCRIPTOR_TYPE_SAMPLER:
      return SPALT_BINDING_SAMPLER;
    case VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER:
      return SPALT_BINDING_COMBINED_IMAGE_SAMPLER;
    case VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE:
    case VK_DESCRIPTOR_TYPE_STORAGE_IMAGE:
    case VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT:
      return SPALT_BINDING_IMAGE;
    case VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER:
    case VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER:
      return SPALT_BINDING_TYPED_BUFFER;
    case VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK:
      return SPALT_BINDING_INLINE_DATA;
    default:
      return SPALT_BINDING_RAW_BUFFER;
  }
}

spalt_binding_location location_of(const SetBinding& binding, uint32_t set, const SetEntries& entries) {
  spalt_binding_location location{};
  location.set = set;
  location.binding = binding.binding;
  location.count = binding.count;
  location.user_data_entry = is_dynamic(binding.type) ? entries.dynamic_table : entries.table;
  location.offset = binding.offset;
  location.stride = binding.stride;
  location.kind = kind_of(binding.type);
  if (!binding.immutable_samplers.empty()) location.immutable_samplers = binding.immutable_samplers[0].data();
  return location;
}

/// Shaders may also use the two halves of a combined image sampler as an image and a sampler.
void add_halves(const spalt_binding_location& combined, std::vector<spalt_binding_location>& locations) {
  spalt_binding_location half = combined;
  half.kind = SPALT_BINDING_IMAGE;
  half.immutable_samplers = nullptr;
  locations.push_back(half);
  half.kind = SPALT_BINDING_SAMPLER;
  half.immutable_samplers = combined.immutable_samplers;
  half.offset += sampler_offset(VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  locations.push_back(half);
}

void add_location(const spalt_binding_location& location, std::vector<spalt_binding_location>& locations) {
  locations.push_back(location);
  if (location.kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER) add_halves(location, locations);
}

/// Shaders may use each kind that the elements may become.
void add_mutable(const SetBinding& binding, const spalt_binding_location& location,
                 std::vector<spalt_binding_location>& locations) {
  uint32_t added = 0;  // bits of kinds
  for (const VkDescriptorType type : binding.mutable_types) {
    spalt_binding_location one = location;
    one.kind = kind_of(type);
    if ((added >> one.kind & 1) == 0) locations.push_back(one);
    added |= 1u << one.kind;
  }
}

/// Where that depends on no set.
uint32_t first_entry_of_set(const PipelineLayoutContents& contents, uint32_t number) {
  return contents.push_constant_entry + contents.push_constant_dwords + 2 * number;
}

void add_set(const SetLayoutContents& set, uint32_t number, PipelineLayoutContents& contents) {
  SetEntries& entries = contents.entries[number];
  if (contents.independent_sets) contents.entry_count = first_entry_of_set(contents, number);
  if (set.table_bytes > 0) entries.table = contents.entry_count++;
  if (set.dynamic_count > 0) entries.dynamic_table = contents.entry_count++;
  for (const SetBinding& binding : set.bindings) {
    if (binding.count == 0) continue;
    const spalt_binding_location location = location_of(binding, number, entries);
    if (binding.type == VK_DESCRIPTOR_TYPE_MUTABLE_EXT) {
      add_mutable(binding, location, contents.locations);
    } else {
      add_location(location, contents.locations);
    }
  }
}

uint32_t push_constant_dwords(const VkPipelineLayoutCreateInfo& info) {
  uint64_t end = 0;
  for (uint32_t i = 0; i < info.pushConstantRangeCount; ++i) {
    const VkPushConstantRange& range = info.pPushConstantRanges[i];
    end = std::max(end, uint64_t{range.offset} + range.size);
  }
  if (end > kMaxPushConstantBytes) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  return static_cast<uint32_t>((end + 3) / 4);
}

void add_printf(PipelineLayoutContents& contents) {
  spalt_binding_location location{};
  location.set = PrintfLog::kSet;
  location.binding = PrintfLog::kBinding;
  location.count = 1;
  location.user_data_entry = contents.entry_count++;
  location.stride = descriptor_bytes(VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
  location.kind = SPALT_BINDING_RAW_BUFFER;
  contents.locations.push_back(location);
}

/// From sets and push constants.
void place(PipelineLayoutContents& contents) {
  contents.entries.resize(contents.sets.size());
  if (contents.prints) {
    add_printf(contents);
    contents.push_constant_entry = contents.entry_count;
  }
  for (uint32_t i = 0; i < contents.sets.size(); ++i) {
    if (contents.sets[i] != nullptr) add_set(*contents.sets[i], i, contents);
  }
  if (contents.independent_sets) {
    contents.entry_count = first_entry_of_set(contents, static_cast<uint32_t>(contents.sets.size()));
  } else {
    contents.push_constant_entry = contents.entry_count;
    contents.entry_count += contents.push_constant_dwords;
  }
}

}  // namespace

spalt_user_data_layout PipelineLayoutContents::user_data() const {
  spalt_user_data_layout layout{};
  layout.struct_size = sizeof layout;
  layout.bindings = locations.data();
  layout.binding_count = locations.size();
  layout.binding_size = sizeof(spalt_binding_location);
  layout.push_constant_entry = push_constant_entry;
  layout.push_constant_dwords = push_constant_dwords;
  return layout;
}

PipelineLayoutContents make_pipeline_layout(const VkPipelineLayoutCreateInfo& info, bool prints) {
  if (info.setLayoutCount > kMaxBoundSets) throw VulkanError{VK_ERROR_OUT_OF_DEVICE_MEMORY};
  PipelineLayoutContents contents;
  contents.prints = prints;
  for (uint32_t i = 0; i < info.setLayoutCount; ++i) {
    const auto* set = from_nullable<DescriptorSetLayout>(info.pSetLayouts[i]);
    contents.sets.push_back(set == nullptr ? nullptr : set->contents);
  }
  contents.independent_sets = (info.flags & VK_PIPELINE_LAYOUT_CREATE_INDEPENDENT_SETS_BIT_EXT) != 0;
  contents.push_constant_dwords = push_constant_dwords(info);
  place(contents);
  return contents;
}

PipelineLayoutContents merge_pipeline_layouts(const PipelineLayoutContents& a, const PipelineLayoutContents& b) {
  PipelineLayoutContents contents;
  contents.sets.resize(std::max(a.sets.size(), b.sets.size()));
  for (size_t i = 0; i < contents.sets.size(); ++i) {
    if (i < b.sets.size()) contents.sets[i] = b.sets[i];
    if (i < a.sets.size() && a.sets[i] != nullptr) contents.sets[i] = a.sets[i];
  }
  contents.independent_sets = a.independent_sets || b.independent_sets;
  contents.prints = a.prints || b.prints;
  contents.push_constant_dwords = std::max(a.push_constant_dwords, b.push_constant_dwords);
  place(contents);
  return contents;
}

bool is_part_of(const PipelineLayoutContents& part, const PipelineLayoutContents& whole) {
  if (&part == &whole) return true;
  const bool has_constants = part.push_constant_dwords != 0;
  if (has_constants && part.push_constant_entry != whole.push_constant_entry) return false;
  if (part.push_constant_dwords > whole.push_constant_dwords || part.sets.size() > whole.sets.size()) return false;
  for (size_t i = 0; i < part.sets.size(); ++i) {
    if (part.sets[i] != nullptr && part.entries[i] != whole.entries[i]) return false;
  }
  return true;
}

}  // namespace spalt::icd
