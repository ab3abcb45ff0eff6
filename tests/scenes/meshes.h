// SPDX-License-Identifier: MIT
//
// Meshes that a manifest names: triangles with outsides counter-clockwise, in a right-handed space with y up.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace spalt::scenes {

/// What a vertex buffer holds, tightly packed.
struct MeshVertex {
  std::array<float, 3> position, normal;
  std::array<float, 2> uv;
  std::array<float, 4> tangent;  // w: the sign of the bitangent
};
static_assert(sizeof(MeshVertex) == 48);

struct MeshData {
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;
};

/// Throws Error.
MeshData make_mesh(const nlohmann::json& object);

}  // namespace spalt::scenes
