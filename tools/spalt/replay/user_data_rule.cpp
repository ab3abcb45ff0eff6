// SPDX-License-Identifier: MIT
#include "replay/user_data_rule.h"

#include <algorithm>
#include <string>

#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay {
namespace {

constexpr uint32_t kBufferBytes = 16;
constexpr uint32_t kImageBytes = 32;
constexpr uint32_t kSamplerBytes = 16;
constexpr uint32_t kUnknownType = UINT32_MAX;

struct Descriptor {
  uint32_t kind = kUnknownType;  ///< spalt_binding_kind
  uint32_t bytes = 0;
};

Descriptor descriptor_of(uint32_t type) {
  switch (type) {
    case vulkan::kSampler:
      return {SPALT_BINDING_SAMPLER, kSamplerBytes};
    case vulkan::kCombinedImageSampler:
      return {SPALT_BINDING_COMBINED_IMAGE_SAMPLER, kImageBytes + kSamplerBytes};
    case vulkan::kSampledImage:
    case vulkan::kStorageImage:
    case vulkan::kInputAttachment:
      return {SPALT_BINDING_IMAGE, kImageBytes};
    case vulkan::kUniformTexelBuffer:
    case vulkan::kStorageTexelBuffer:
      return {SPALT_BINDING_TYPED_BUFFER, kBufferBytes};
    case vulkan::kUniformBuffer:
    case vulkan::kStorageBuffer:
    case vulkan::kUniformBufferDynamic:
    case vulkan::kStorageBufferDynamic:
      return {SPALT_BINDING_RAW_BUFFER, kBufferBytes};
    default:
      return {};
  }
}

bool is_dynamic(uint32_t type) {
  return type == vulkan::kUniformBufferDynamic || type == vulkan::kStorageBufferDynamic;
}

/// The bindings of one set on their way into its tables.
class SetTables {
 public:
  /// Takes entries from `entry` on.
  SetTables(uint32_t set, const SetLayoutState& layout, uint32_t& entry, UserDataLayout& result, Problem& problem);
  bool add(const SetBindingState& binding);

 private:
  bool add_mutable(const SetBindingState& binding);
  bool take(uint64_t& table_bytes, const SetBindingState& binding, uint32_t stride, uint32_t count, uint32_t& offset);
  void place(const SetBindingState& binding, uint32_t kind, uint32_t entry, uint32_t offset, uint32_t stride,
             uint32_t count);
  bool unsupported(const SetBindingState& binding, const std::string& what);

  uint32_t set_;
  uint32_t table_entry_ = 0;
  uint32_t dynamic_entry_ = 0;
  UserDataLayout& result_;
  Problem& problem_;
  uint64_t table_bytes_ = 0;
  uint64_t dynamic_bytes_ = 0;
};

SetTables::SetTables(uint32_t set, const SetLayoutState& layout, uint32_t& entry, UserDataLayout& result,
                     Problem& problem)
    : set_(set), result_(result), problem_(problem) {
  const auto has = [&](bool dynamic) {
    return std::any_of(layout.bindings.begin(), layout.bindings.end(), [&](const SetBindingState& binding) {
      return binding.count > 0 && is_dynamic(binding.type) == dynamic;
    });
  };
  if (has(false)) table_entry_ = entry++;
  if (has(true)) dynamic_entry_ = entry++;
}

bool SetTables::unsupported(const SetBindingState& binding, const std::string& what) {
  return fail(problem_, Cause::unsupported,
              "set " + std::to_string(set_) + " binding " + std::to_string(binding.binding) + " " + what);
}

bool SetTables::take(uint64_t& table_bytes, const SetBindingState& binding, uint32_t stride, uint32_t count,
                     uint32_t& offset) {
  offset = static_cast<uint32_t>(table_bytes);
  table_bytes += uint64_t{stride} * count;
  return table_bytes <= UINT32_MAX || unsupported(binding, "ends beyond 4 GiB of the set's table");
}

void SetTables::place(const SetBindingState& binding, uint32_t kind, uint32_t entry, uint32_t offset, uint32_t stride,
                      uint32_t count) {
  spalt_binding_location location{};
  location.set = set_;
  location.binding = binding.binding;
  location.count = count;
  location.user_data_entry = entry;
  location.offset = offset;
  location.stride = stride;
  location.kind = kind;
  result_.bindings.push_back(location);
}

/// A mutable descriptor has a place as each of its types.
bool SetTables::add_mutable(const SetBindingState& binding) {
  uint32_t stride = 0;
  std::vector<uint32_t> kinds;
  for (const uint32_t type : binding.mutable_types) {
    const Descriptor descriptor = descriptor_of(type);
    if (descriptor.kind == kUnknownType || is_dynamic(type)) {
      return unsupported(binding, "may be of descriptor type " + std::to_string(type) + ", which is not supported");
    }
    stride = std::max(stride, descriptor.bytes);
    if (std::find(kinds.begin(), kinds.end(), descriptor.kind) == kinds.end()) kinds.push_back(descriptor.kind);
  }
  uint32_t offset = 0;
  if (!take(table_bytes_, binding, stride, binding.count, offset)) return false;
  for (const uint32_t kind : kinds) place(binding, kind, table_entry_, offset, stride, binding.count);
  return true;
}

bool SetTables::add(const SetBindingState& binding) {
  if (binding.count == 0) return true;
  if (binding.type == vulkan::kMutable) return add_mutable(binding);
  uint32_t offset = 0;
  if (binding.type == vulkan::kInlineUniformBlock) {
    if (binding.count > UINT32_MAX - 15) return unsupported(binding, "has more bytes than a table can have");
    if (!take(table_bytes_, binding, (binding.count + 15) / 16 * 16, 1, offset)) return false;
    place(binding, SPALT_BINDING_INLINE_DATA, table_entry_, offset, 1, binding.count);
    return true;
  }
  const Descriptor descriptor = descriptor_of(binding.type);
  if (descriptor.kind == kUnknownType) {
    return unsupported(binding, "is of descriptor type " + std::to_string(binding.type) + ", which is not supported");
  }
  const bool dynamic = is_dynamic(binding.type);
  if (!take(dynamic ? dynamic_bytes_ : table_bytes_, binding, descriptor.bytes, binding.count, offset)) return false;
  place(binding, descriptor.kind, dynamic ? dynamic_entry_ : table_entry_, offset, descriptor.bytes, binding.count);
  if (descriptor.kind == SPALT_BINDING_COMBINED_IMAGE_SAMPLER) {
    place(binding, SPALT_BINDING_IMAGE, table_entry_, offset, descriptor.bytes, binding.count);
    place(binding, SPALT_BINDING_SAMPLER, table_entry_, offset + kImageBytes, descriptor.bytes, binding.count);
  }
  return true;
}

}  // namespace

spalt_user_data_layout UserDataLayout::info() const {
  spalt_user_data_layout layout{};
  layout.struct_size = sizeof layout;
  layout.bindings = bindings.data();
  layout.binding_count = bindings.size();
  layout.binding_size = sizeof(spalt_binding_location);
  layout.push_constant_entry = push_constant_entry;
  layout.push_constant_dwords = push_constant_dwords;
  return layout;
}

bool lay_out_user_data(const ResolvedLayout& layout, uint32_t max_entries, UserDataLayout& result, Problem& problem) {
  uint32_t entry = 0;
  for (size_t set = 0; set < layout.sets.size(); ++set) {
    if (layout.sets[set] == nullptr) continue;
    SetTables tables(static_cast<uint32_t>(set), *layout.sets[set], entry, result, problem);
    for (const SetBindingState& binding : layout.sets[set]->bindings) {
      if (!tables.add(binding)) return false;
    }
  }
  const uint64_t dwords = (uint64_t{layout.push_constant_bytes} + 3) / 4;
  if (entry + dwords > max_entries) {
    return fail(problem, Cause::unsupported,
                "the pipeline layout needs " + std::to_string(entry + dwords) + " user-data entries of " +
                    std::to_string(max_entries));
  }
  result.push_constant_entry = entry;
  result.push_constant_dwords = static_cast<uint32_t>(dwords);
  return true;
}

}  // namespace spalt_tool::replay
