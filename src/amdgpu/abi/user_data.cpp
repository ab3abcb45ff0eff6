// SPDX-License-Identifier: MIT
#include "amdgpu/abi/user_data.h"

#include <algorithm>
#include <tuple>

namespace spalt::abi {

const char* kind_name(BindingKind kind) {
  constexpr const char* kNames[] = {"raw buffer",  "typed buffer",       "image", "sampler", "combined image sampler",
                                    "inline data", "buffer in user data"};
  return kNames[static_cast<unsigned>(kind)];
}

uint32_t descriptor_bytes(BindingKind kind) {
  switch (kind) {
    case BindingKind::image:
      return kImageDescriptorBytes;
    case BindingKind::combined_image_sampler:
      return kImageDescriptorBytes + kSamplerDescriptorBytes;
    case BindingKind::sampler:
      return kSamplerDescriptorBytes;
    default:
      return kBufferDescriptorBytes;
  }
}

bool comes_before(const BindingLocation& a, const BindingLocation& b) {
  return std::tie(a.set, a.binding, a.kind) < std::tie(b.set, b.binding, b.kind);
}

const BindingLocation* UserDataLayout::find_any(uint32_t set, uint32_t binding) const {
  const auto before = [](const BindingLocation& b, const std::pair<uint32_t, uint32_t>& key) {
    return b.set != key.first ? b.set < key.first : b.binding < key.second;
  };
  const auto* at = std::lower_bound(bindings.begin(), bindings.end(), std::pair(set, binding), before);
  return at != bindings.end() && at->set == set && at->binding == binding ? at : nullptr;
}

const BindingLocation* UserDataLayout::find_binding(uint32_t set, uint32_t binding, BindingKind kind) const {
  const BindingLocation* at = find_any(set, binding);
  if (at == nullptr) return nullptr;
  for (; at != bindings.end(); ++at) {
    if (at->set != set || at->binding != binding) break;
    if (at->kind == kind) return at;
  }
  return nullptr;
}

namespace {

/// The kind that serves both at one binding, if any does.
bool merge_kinds(BindingKind& kind, BindingKind other) {
  if (kind == other) return true;
  const auto sampled = [](BindingKind k) {
    return k == BindingKind::image || k == BindingKind::sampler || k == BindingKind::combined_image_sampler;
  };
  if (!sampled(kind) || !sampled(other)) return false;
  kind = BindingKind::combined_image_sampler;
  return true;
}

}  // namespace

UserDataLayout default_user_data_layout(std::span<const BindingShape> shapes, uint32_t push_constant_bytes,
                                        Arena* arena) {
  UserDataLayout layout(arena);
  layout.bindings.reserve(shapes.size());
  layout.push_constant_dwords = (push_constant_bytes + 3) / 4;
  layout.entry_count = layout.push_constant_dwords;
  uint32_t offset = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const BindingShape& shape = shapes[i];
    if (layout.bindings.empty() || layout.bindings.back().set != shape.set) {
      ++layout.entry_count;
      offset = 0;
    }
    BindingLocation location{shape.set, shape.binding, offset};
    location.entry = layout.entry_count - 1;
    location.count = shape.count;
    location.kind = shape.kind;
    for (; i + 1 < shapes.size() && shapes[i + 1].set == shape.set && shapes[i + 1].binding == shape.binding; ++i) {
      if (!merge_kinds(location.kind, shapes[i + 1].kind)) break;
      const uint32_t other = shapes[i + 1].count;
      location.count = location.count == 0 || other == 0 ? 0 : std::max(location.count, other);
    }
    location.stride = descriptor_bytes(location.kind);
    layout.bindings.push_back(location);
    offset += (location.count == 0 ? kDefaultRuntimeArrayElements : location.count) * location.stride;
  }
  return layout;
}

}  // namespace spalt::abi
