// SPDX-License-Identifier: MIT
#include "inline_layout.h"

#include <algorithm>
#include <charconv>
#include <memory>

namespace spalt_tool {
namespace {

constexpr uint32_t kDescriptorBytes = 16;
/// Elements of a runtime array that is not the last binding of its set.
constexpr uint32_t kRuntimeElements = 1024;

struct ReflectionDeleter {
  void operator()(spalt_reflection* reflection) const { spalt_reflection_destroy(reflection); }
};

uint64_t key_of(uint32_t set, uint32_t binding) {
  return uint64_t{set} << 32 | binding;
}

bool parse_place(const std::string& name, uint64_t& key) {
  const char* const end = name.data() + name.size();
  uint32_t set = 0, binding = 0;
  const auto first = std::from_chars(name.data(), end, set);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ':') return false;
  const auto second = std::from_chars(first.ptr + 1, end, binding);
  key = key_of(set, binding);
  return second.ec == std::errc() && second.ptr == end;
}

spalt_reflect_info reflect_info(const spalt_compile_info& info) {
  spalt_reflect_info reflect{};
  reflect.struct_size = sizeof reflect;
  reflect.words = info.words;
  reflect.word_count = info.word_count;
  reflect.entry_point = info.entry_point;
  reflect.stage = SPALT_STAGE_COMPUTE;
  reflect.has_stage = 1;
  reflect.specialization_entries = info.specialization_entries;
  reflect.specialization_entry_count = info.specialization_entry_count;
  reflect.specialization_entry_size = info.specialization_entry_size;
  reflect.specialization_data = info.specialization_data;
  reflect.specialization_data_size = info.specialization_data_size;
  return reflect;
}

/// Element `i` of an array whose elements may be larger than this header's.
const spalt_reflected_binding& binding_at(const spalt_reflection_info& info, size_t i) {
  const char* const bytes = reinterpret_cast<const char*>(info.bindings) + i * info.binding_size;
  return *reinterpret_cast<const spalt_reflected_binding*>(bytes);
}

uint32_t align_up(uint32_t value) {
  return (value + kDescriptorBytes - 1) / kDescriptorBytes * kDescriptorBytes;
}

bool contains(const std::vector<uint64_t>& places, const spalt_reflected_binding& binding) {
  return std::find(places.begin(), places.end(), key_of(binding.set, binding.binding)) != places.end();
}

}  // namespace

void InlineLayout::place(const spalt_reflection_info& reflection, const std::vector<uint64_t>& inline_places) {
  layout_.push_constant_dwords = (reflection.push_constant_offset + reflection.push_constant_bytes + 3) / 4;
  uint32_t next_entry = layout_.push_constant_dwords, offset = 0;
  for (size_t i = 0; i < reflection.binding_count; ++i) {
    const spalt_reflected_binding& binding = binding_at(reflection, i);
    const bool same_set = !bindings_.empty() && bindings_.back().set == binding.set;
    if (same_set && bindings_.back().binding == binding.binding) continue;
    if (!same_set) {
      ++next_entry;
      offset = 0;
    }
    const bool is_inline = contains(inline_places, binding);
    const uint32_t count = is_inline ? binding.bytes : binding.count;
    const uint32_t kind = is_inline ? SPALT_BINDING_INLINE_DATA : SPALT_BINDING_RAW_BUFFER;
    bindings_.push_back({binding.set, binding.binding, count, next_entry - 1, offset, kDescriptorBytes, kind, nullptr});
    offset += is_inline ? align_up(count) : (count == 0 ? kRuntimeElements : count) * kDescriptorBytes;
  }
}

bool InlineLayout::make(const std::vector<std::string>& names, const spalt_compile_info& info, std::string& error) {
  bindings_.clear();
  if (names.empty()) return true;
  std::vector<uint64_t> places;
  for (const std::string& name : names) {
    if (parse_place(name, places.emplace_back())) continue;
    error = "--inline " + name + ": expected SET:BINDING, for example 0:2";
    return false;
  }
  const spalt_reflect_info reflect = reflect_info(info);
  spalt_reflection* raw = nullptr;
  const spalt_result result = spalt_reflect(&reflect, &raw);
  const std::unique_ptr<spalt_reflection, ReflectionDeleter> reflection(raw);
  spalt_reflection_info found{};
  found.struct_size = sizeof found;
  if (result != SPALT_SUCCESS || spalt_reflection_get(raw, &found) != SPALT_SUCCESS) return true;  // compiling says why
  for (size_t i = 0; i < places.size(); ++i) {
    bool is_uniform = false;
    for (size_t k = 0; k < found.binding_count; ++k) {
      const spalt_reflected_binding& binding = binding_at(found, k);
      is_uniform |= contains({places[i]}, binding) && binding.type == SPALT_RESOURCE_UNIFORM_BUFFER;
    }
    if (is_uniform) continue;
    error = "--inline " + names[i] + ": the shader has no uniform block there";
    return false;
  }
  place(found, places);
  layout_.struct_size = sizeof layout_;
  layout_.bindings = bindings_.data();
  layout_.binding_count = bindings_.size();
  layout_.binding_size = sizeof(spalt_binding_location);
  return true;
}

}  // namespace spalt_tool
