// SPDX-License-Identifier: MIT
#pragma once

#include <spalt/spalt.hpp>

namespace spalt::driver_test {

/// A state with so many attributes, from bindings of their own, and as many targets, and what points into it.
struct State {
  explicit State(size_t count = 1) {
    state.vertex_bindings = bindings;
    state.vertex_binding_count = count;
    state.vertex_binding_size = sizeof(spalt_vertex_binding);
    state.vertex_attributes = attributes;
    state.vertex_attribute_count = count;
    state.vertex_attribute_size = sizeof(spalt_vertex_attribute);
    state.color_targets = targets;
    state.color_target_count = count;
    state.color_target_size = sizeof(spalt_color_target);
    state.topology = 3;
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  spalt_vertex_binding bindings[2] = {{0, 16, 0, 1}, {1, 16, 0, 1}};
  spalt_vertex_attribute attributes[2] = {{0, 0, 109, 0}, {1, 1, 109, 0}};
  spalt_color_target targets[9] = {{37, 0xf, 0, 0}, {37, 0xf, 0, 0}};
  spalt_graphics_state state = spalt_api::sized<spalt_graphics_state>();
};

}  // namespace spalt::driver_test
