// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/graphics.h>

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace spalt_tool {

/// A spalt_graphics_state with the arrays that it points to, read from a JSON file (docs/graphics-state.md).
class GraphicsState {
 public:
  GraphicsState() = default;
  GraphicsState(const GraphicsState&) = delete;
  GraphicsState& operator=(const GraphicsState&) = delete;

  /// Reads nothing when `path` is empty. On failure returns false and says why in `error`.
  bool read(const std::string& path, std::string& error);
  /// The same from a document that is part of another one; `place` says where, for `error`.
  bool read(const nlohmann::json& document, const std::string& place, std::string& error);
  /// What the compiler assumes without a state, as a state: each input of the vertex shader is four components of 32
  /// bits in a binding of its own, targets take what the fragment shader writes (as floats: RGBA8). Either may be
  /// empty.
  bool derive(std::span<const uint32_t> vertex, std::span<const uint32_t> fragment, std::string& error);
  /// NULL when nothing was read. Valid as long as this object.
  const spalt_graphics_state* get() const { return known_ ? &state_ : nullptr; }

 private:
  friend class StateReader;

  std::vector<spalt_vertex_binding> bindings_;
  std::vector<spalt_vertex_attribute> attributes_;
  std::vector<spalt_color_target> targets_;
  spalt_graphics_state state_{};
  bool known_ = false;
};

}  // namespace spalt_tool
