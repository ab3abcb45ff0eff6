// SPDX-License-Identifier: MIT
#include "layout.h"

#include <algorithm>
#include <map>
#include <utility>

namespace spalt::run {
namespace {

using vkrun::BufferDesc;
using vkrun::BufferKind;

constexpr uint32_t kDescriptorBytes = 16;

bool is_inline(const BufferDesc& buffer) {
  return buffer.kind == BufferKind::Inline;
}

}  // namespace

bool needs_own_layout(const vkrun::Manifest& manifest) {
  return std::any_of(manifest.buffers.begin(), manifest.buffers.end(),
                     [](const BufferDesc& buffer) { return is_inline(buffer) || buffer.is_root; });
}

Layout::Layout(const vkrun::Manifest& manifest) {
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    layout_.push_constant_dwords = std::max(layout_.push_constant_dwords, static_cast<uint32_t>(dispatch.push.size()));
  }
  uint32_t next_entry = layout_.push_constant_dwords;
  add_in_user_data(manifest, next_entry);
  add_tables(manifest, next_entry);
  layout_.struct_size = sizeof layout_;
  layout_.bindings = bindings_.data();
  layout_.binding_count = bindings_.size();
  layout_.binding_size = sizeof(spalt_binding_location);
}

void Layout::add_in_user_data(const vkrun::Manifest& manifest, uint32_t& next_entry) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> counts;
  for (const BufferDesc& buffer : manifest.buffers) {
    if (!buffer.is_root) continue;
    uint32_t& count = counts[{buffer.set, buffer.binding}];
    count = std::max(count, buffer.element + 1);
  }
  for (const auto& [place, count] : counts) {
    bindings_.push_back({place.first, place.second, count, next_entry, 0, 0, SPALT_BINDING_USER_DATA_BUFFER, nullptr});
    next_entry += count * kDescriptorBytes / 4;
  }
}

/// Inline blocks lie at odd multiples of 4, which is all that a layout owes the compiler.
void Layout::add_tables(const vkrun::Manifest& manifest, uint32_t& next_entry) {
  struct Table {
    std::map<uint32_t, std::pair<uint32_t, bool>> bindings;  // by number: count, whether it is inline
  };
  std::map<uint32_t, Table> tables;
  for (const BufferDesc& buffer : manifest.buffers) {
    if (buffer.is_root) continue;
    auto& [count, in_table] = tables[buffer.set].bindings[buffer.binding];
    in_table = is_inline(buffer);
    count = std::max(count, in_table ? static_cast<uint32_t>(buffer.initial.size()) : buffer.element + 1);
  }
  for (const auto& [set, table] : tables) {
    uint32_t offset = 0;
    for (const auto& [number, binding] : table.bindings) {
      const auto [count, in_table] = binding;
      if (in_table) {
        bindings_.push_back({set, number, count, next_entry, offset + 4, 0, SPALT_BINDING_INLINE_DATA, nullptr});
        offset += (4 + count + kDescriptorBytes - 1) / kDescriptorBytes * kDescriptorBytes;
      } else {
        bindings_.push_back(
            {set, number, count, next_entry, offset, kDescriptorBytes, SPALT_BINDING_RAW_BUFFER, nullptr});
        offset += count * kDescriptorBytes;
      }
    }
    ++next_entry;
  }
}

}  // namespace spalt::run
