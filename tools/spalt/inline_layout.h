// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/spalt.h>

#include <string>
#include <vector>

namespace spalt_tool {

/// A user-data layout in which some uniform buffers lie inline in the tables of their sets, for what the compiler would
/// not choose by itself. The rest is as in its own layout: push constants, then one pointer for each set, descriptors
/// in the order of the bindings.
class InlineLayout {
 public:
  /// `names` are SET:BINDING. Reads the module's declarations, and does nothing without names. On failure returns false
  /// and says why in `error`.
  bool make(const std::vector<std::string>& names, const spalt_compile_info& info, std::string& error);
  /// NULL without names. Valid as long as this object, and until it is made again.
  const spalt_user_data_layout* get() const { return bindings_.empty() ? nullptr : &layout_; }

 private:
  void place(const spalt_reflection_info& reflection, const std::vector<uint64_t>& inline_places);

  std::vector<spalt_binding_location> bindings_;
  spalt_user_data_layout layout_{};
};

}  // namespace spalt_tool
