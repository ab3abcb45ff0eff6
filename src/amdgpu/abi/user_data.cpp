// SPDX-License-Identifier: MIT
#include "amdgpu/abi/user_data.h"

#include <algorithm>

namespace spalt::abi {

const SetLocation* UserDataLayout::find_set(uint32_t set) const {
  const auto at = std::lower_bound(sets.begin(), sets.end(), set,
                                   [](const SetLocation& s, uint32_t value) { return s.set < value; });
  return at != sets.end() && at->set == set ? &*at : nullptr;
}

const BindingLocation* UserDataLayout::find_binding(uint32_t set, uint32_t binding) const {
  const auto before = [](const BindingLocation& b, const std::pair<uint32_t, uint32_t>& key) {
    return b.set != key.first ? b.set < key.first : b.binding < key.second;
  };
  const auto at = std::lower_bound(bindings.begin(), bindings.end(), std::pair(set, binding), before);
  return at != bindings.end() && at->set == set && at->binding == binding ? &*at : nullptr;
}

UserDataLayout default_user_data_layout(std::span<const BindingShape> bindings, uint32_t push_constant_bytes) {
  UserDataLayout layout;
  layout.push_constant_dwords = (push_constant_bytes + 3) / 4;
  layout.entry_count = layout.push_constant_dwords;
  uint32_t offset = 0;
  for (const BindingShape& shape : bindings) {
    if (layout.sets.empty() || layout.sets.back().set != shape.set) {
      layout.sets.push_back({shape.set, layout.entry_count++});
      offset = 0;
    }
    layout.bindings.push_back({shape.set, shape.binding, offset, kBufferDescriptorBytes});
    offset += (shape.count == 0 ? kDefaultRuntimeArrayElements : shape.count) * kBufferDescriptorBytes;
  }
  return layout;
}

}  // namespace spalt::abi
