// SPDX-License-Identifier: MIT
//
// A user-data layout for a manifest with buffers that the compiler's own layout has no place for: inline blocks, and
// descriptors in user data.
#pragma once

#include <spalt/spalt.h>

#include <vector>

#include "vkrun/manifest.h"

namespace spalt::run {

bool needs_own_layout(const vkrun::Manifest& manifest);

/// Push constants first, then the descriptors in user data, then one pointer per set.
class Layout {
 public:
  explicit Layout(const vkrun::Manifest& manifest);
  Layout(const Layout&) = delete;
  Layout& operator=(const Layout&) = delete;

  const spalt_user_data_layout* get() const { return &layout_; }

 private:
  void add_in_user_data(const vkrun::Manifest& manifest, uint32_t& next_entry);
  void add_tables(const vkrun::Manifest& manifest, uint32_t& next_entry);

  std::vector<spalt_binding_location> bindings_;
  spalt_user_data_layout layout_{};
};

}  // namespace spalt::run
