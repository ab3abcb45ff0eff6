// SPDX-License-Identifier: MIT
#include "inline_layout.h"

#include <algorithm>
#include <charconv>
#include <spalt/spalt.hpp>
#include <tuple>

#include "compiler.h"

namespace spalt_tool {
namespace {

constexpr uint32_t kAlignment = 16;
/// Elements of a runtime array that is not the last binding of its set.
constexpr uint32_t kRuntimeElements = 1024;

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

uint32_t descriptor_bytes(uint32_t kind) {
  if (kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER) return 48;
  return kind == SPALT_BINDING_IMAGE ? 32 : 16;
}

/// Images and samplers, which one combined descriptor serves.
bool is_sampled(uint32_t kind) {
  return kind == SPALT_BINDING_IMAGE || kind == SPALT_BINDING_SAMPLER || kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER;
}

uint32_t align_up(uint32_t value) {
  return (value + kAlignment - 1) / kAlignment * kAlignment;
}

bool contains(const std::vector<uint64_t>& places, const spalt_reflected_binding& binding) {
  return std::find(places.begin(), places.end(), key_of(binding.set, binding.binding)) != places.end();
}

bool comes_before(const spalt_reflected_binding& a, const spalt_reflected_binding& b) {
  return std::tie(a.set, a.binding, a.type) < std::tie(b.set, b.binding, b.type);
}

}  // namespace

void InlineLayout::place(const std::vector<spalt_reflected_binding>& declared,
                         const std::vector<uint64_t>& inline_places) {
  uint32_t next_entry = layout_.push_constant_dwords, offset = 0;
  for (size_t i = 0; i < declared.size();) {
    const spalt_reflected_binding& binding = declared[i];
    if (bindings_.empty() || bindings_.back().set != binding.set) {
      ++next_entry;
      offset = 0;
    }
    const bool is_inline = contains(inline_places, binding);
    uint32_t kind = is_inline ? uint32_t{SPALT_BINDING_INLINE_DATA} : binding.kind;
    uint32_t count = is_inline ? binding.bytes : binding.count;
    // What else is at the same binding shares its descriptors.
    for (++i; i < declared.size(); ++i) {
      const spalt_reflected_binding& other = declared[i];
      if (other.set != binding.set || other.binding != binding.binding) break;
      if (is_inline) {
        count = std::max(count, other.bytes);
        continue;
      }
      if (other.kind != kind && !(is_sampled(other.kind) && is_sampled(kind))) break;
      if (other.kind != kind) kind = SPALT_BINDING_COMBINED_IMAGE_SAMPLER;
      count = count == 0 || other.count == 0 ? 0 : std::max(count, other.count);
    }
    const uint32_t bytes = descriptor_bytes(kind);
    bindings_.push_back({binding.set, binding.binding, count, next_entry - 1, offset, bytes, kind, nullptr});
    offset += is_inline ? align_up(count) : (count == 0 ? kRuntimeElements : count) * bytes;
  }
}

bool InlineLayout::make(const std::vector<std::string>& names, std::span<const spalt_compile_info> infos,
                        std::string& error) {
  bindings_.clear();
  layout_ = {};
  known_ = !names.empty() || infos.size() > 1;
  if (!known_) return true;
  std::vector<uint64_t> places;
  for (const std::string& name : names) {
    if (parse_place(name, places.emplace_back())) continue;
    error = "--inline " + name + ": expected SET:BINDING, for example 0:2";
    return false;
  }
  std::vector<spalt_reflected_binding> declared;
  bool readable = true;  // else compiling says why
  for (const spalt_compile_info& info : infos) {
    const spalt_api::Reflection reflection(reflect_info(info));
    readable = readable && reflection.ok();
    if (!reflection.ok()) continue;
    const spalt_reflection_info found = reflection.info();
    for (size_t k = 0; k < found.binding_count; ++k) declared.push_back(reflected_binding(found, k));
    const uint32_t dwords = (found.push_constant_offset + found.push_constant_bytes + 3) / 4;
    layout_.push_constant_dwords = std::max(layout_.push_constant_dwords, dwords);
  }
  std::stable_sort(declared.begin(), declared.end(), comes_before);
  for (size_t i = 0; i < places.size(); ++i) {
    const bool is_uniform = std::any_of(declared.begin(), declared.end(), [&](const spalt_reflected_binding& binding) {
      return contains({places[i]}, binding) && binding.type == SPALT_RESOURCE_UNIFORM_BUFFER;
    });
    if (is_uniform || !readable) continue;
    error = "--inline " + names[i] + ": the shader has no uniform block there";
    return false;
  }
  place(declared, places);
  layout_.struct_size = sizeof layout_;
  layout_.bindings = bindings_.data();
  layout_.binding_count = bindings_.size();
  layout_.binding_size = sizeof(spalt_binding_location);
  return true;
}

}  // namespace spalt_tool
