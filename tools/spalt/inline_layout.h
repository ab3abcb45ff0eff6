// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/spalt.h>

#include <span>
#include <string>
#include <vector>

namespace spalt_tool {

/// A user-data layout that the compiler would not choose by itself: one in which some uniform buffers lie inline in the
/// tables of their sets, or one that several shaders share. The rest is as in its own layout: push constants, then one
/// pointer for each set, descriptors in the order of the bindings.
class InlineLayout {
 public:
  /// `names` are SET:BINDING. Reads the module's declarations, and does nothing without names. On failure returns false
  /// and says why in `error`.
  bool make(const std::vector<std::string>& names, const spalt_compile_info& info, std::string& error) {
    return make(names, std::span(&info, 1), error);
  }
  /// The same for the shaders of a pipeline, which share a layout.
  bool make(const std::vector<std::string>& names, std::span<const spalt_compile_info> infos, std::string& error);
  /// NULL where the compiler's own choice will do. Valid as long as this object, and until it is made again.
  const spalt_user_data_layout* get() const { return known_ ? &layout_ : nullptr; }

 private:
  void place(const std::vector<spalt_reflected_binding>& declared, const std::vector<uint64_t>& inline_places);

  std::vector<spalt_binding_location> bindings_;
  bool known_ = false;
  spalt_user_data_layout layout_{};
};

}  // namespace spalt_tool
