// SPDX-License-Identifier: MIT
// Internal to src/amdgpu/lower: where the direction of a cube sample meets the cube.
#pragma once
#include <span>

#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

struct FacePlace {
  ir::Value s, t;
};

struct CubeFace {
  ir::Value id;
  /// Each coordinate in [1, 2]: the unit takes 1 off, and so sees 0 and what is below apart from what is on the face.
  FacePlace place;
  // What gradients need:
  FacePlace centered;       ///< the place in [-0.5, 0.5]
  ir::Value major;          ///< twice the major component of the direction
  ir::Value inverse_major;  ///< 1 / |major|
};

/// Projects the direction (x, y, z).
CubeFace cube_face(Inserter& insert, std::span<const ir::Value> direction);

/// The gradient of the place on the face for `along`, the gradient of the direction.
FacePlace face_gradient(Inserter& insert, const CubeFace& face, std::span<const ir::Value> along);

}  // namespace spalt::lower
