// SPDX-License-Identifier: MIT
//
// Who is right when the reference and the driver draw something else. The reference is wrong about lanes of different
// paths ("llvmpipe: values that leave a loop" in docs/isa-errata.md), so it draws again without such lanes:
//
//   lanes    each vertex runs alone, and each pixel where the fragment shader has no derivatives (serial_shader.h)
//   pixels   else there is a draw for each pixel, in which a specialization constant demotes all others at once
//
// Pixels do not depend on each other, but for atomic operations. These commute, and what vertices do with them changes
// nothing the second time, so that each draw goes on with the atomic words of the one before. Pixels that are demoted
// may still run through the loops of their quad, and mislead the reference there.
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

  /// What the reference has to draw one at a time to agree, or nothing.
  std::optional<std::string> excuse(const Agrees& agrees) const;

 private:
  scenes::Pictures draw_pixels() const;

  const scenes::Scene& scene_;
  scenes::ShaderWords shaders_;
  bool has_serial_fragments_ = false;
  Draw draw_;
};

}  // namespace spalt::random_programs
