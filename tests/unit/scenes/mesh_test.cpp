// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "scenes/matrix.h"
#include "scenes/meshes.h"
#include "scenes/scene.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;

Vector3 place(const MeshVertex& vertex) {
  return {vertex.position[0], vertex.position[1], vertex.position[2]};
}

Vector3 minus(const Vector3& a, const Vector3& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Triangles are counter-clockwise where their normals point to the eye.
TEST(Meshes, TrianglesFaceWhereTheirNormalsPoint) {
  for (const char* shape : {"quad", "floor", "cube", "sphere", "torus", "cylinder"}) {
    const MeshData mesh = make_mesh({{"shape", shape}});
    ASSERT_EQ(mesh.indices.size() % 3, 0u);
    for (size_t i = 0; i < mesh.indices.size(); i += 3) {
      const MeshVertex& a = mesh.vertices.at(mesh.indices[i]);
      const MeshVertex& b = mesh.vertices.at(mesh.indices[i + 1]);
      const MeshVertex& c = mesh.vertices.at(mesh.indices[i + 2]);
      const Vector3 face = cross(minus(place(b), place(a)), minus(place(c), place(a)));
      if (dot(face, face) < 1e-9) continue;  // at a pole
      for (const MeshVertex* corner : {&a, &b, &c}) {
        const Vector3 normal = {corner->normal[0], corner->normal[1], corner->normal[2]};
        EXPECT_GT(dot(face, normal), 0.0) << shape << " triangle " << i / 3;
        EXPECT_NEAR(dot(normal, normal), 1.0, 1e-6);
        const Vector3 tangent = {corner->tangent[0], corner->tangent[1], corner->tangent[2]};
        EXPECT_NEAR(dot(normal, tangent), 0.0, 1e-6);
      }
    }
  }
}

TEST(Meshes, SizesAreCheckedAndCounted) {
  EXPECT_EQ(make_mesh({{"shape", "quad"}, {"columns", 3}, {"rows", 2}}).indices.size(), 36u);
  EXPECT_EQ(make_mesh({{"shape", "triangles"}, {"count", 5}, {"seed", 1}}).vertices.size(), 15u);
  EXPECT_THROW(make_mesh({{"shape", "quad"}, {"columns", 0}}), Error);
  EXPECT_THROW(make_mesh({{"shape", "sphere"}, {"rows", 3}}), Error);
  EXPECT_THROW(make_mesh({{"shape", "teapot"}}), Error);
}

/// What a point becomes in clip space.
std::array<double, 4> clip(const json& camera, const std::array<double, 3>& point) {
  std::vector<uint8_t> bytes;
  append_buffer_bytes({{"view_projection", camera}}, bytes);
  EXPECT_EQ(bytes.size(), 64u);
  float matrix[16];
  std::memcpy(matrix, bytes.data(), sizeof(matrix));
  std::array<double, 4> result{};
  for (size_t row = 0; row < 4; ++row) {
    for (size_t k = 0; k < 4; ++k) result[row] += double(matrix[k * 4 + row]) * (k < 3 ? point[k] : 1.0);
  }
  return result;
}

TEST(Matrices, CameraLooksAtItsTarget) {
  for (const json& lens : {json{{"fov", 90}}, json{{"ortho", {4, 4}}}}) {
    json camera = {{"eye", {0, 0, 5}}, {"target", {0, 0, 0}}, {"near", 1}, {"far", 9}};
    camera.update(lens);
    const auto near = clip(camera, {0, 0, 4});
    EXPECT_NEAR(near[2] / near[3], 0.0, 1e-6);
    const auto far = clip(camera, {0, 0, -4});
    EXPECT_NEAR(far[2] / far[3], 1.0, 1e-6);
    const auto above = clip(camera, {0, 1, 0});
    EXPECT_NEAR(above[0], 0.0, 1e-6);
    EXPECT_LT(above[1], 0.0) << "y of clip space goes down";
    EXPECT_GT(clip(camera, {1, 0, 0})[0], 0.0);
  }
}

}  // namespace
}  // namespace spalt::scenes
