// SPDX-License-Identifier: MIT
//
// Who is right when the reference and the driver draw something else. The reference is wrong about lanes of different
// paths ("llvmpipe: values that leave a loop" in docs/isa-errata.md), so it draws again without such lanes:
//
//   vertices  each vertex runs alone, in a turn of its own of a loop around the vertex shader
//   pixels    moreover one draw for each pixel, in which all other pixels are demoted at once
//
// Pixels do not depend on each other, but for atomic operations. These commute, and what vertices do with them changes
// nothing the second time, so that each draw goes on with the atomic words of the one before.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "draw_shape.h"
#include "scenes/scene.h"
#include "scenes/scene_shaders.h"

namespace spalt::random_programs {

class DrawJudge {
 public:
  using Draw = std::function<scenes::Pictures(const scenes::Scene&, const scenes::ShaderWords&)>;
  /// Whether the pictures of all processors are these.
  using Agrees = std::function<bool(const scenes::Pictures&)>;

  /// `draw` draws with the reference.
  DrawJudge(const scenes::Scene& scene, const DrawProgram& program, Draw draw);

  /// How the reference came to agree, or nothing.
  std::optional<std::string> excuse(const Agrees& agrees) const;

 private:
  scenes::Pictures draw_pixels() const;

  const scenes::Scene& scene_;
  scenes::ShaderWords shaders_;
  bool has_serial_vertices_ = false;
  Draw draw_;
};

}  // namespace spalt::random_programs
