// SPDX-License-Identifier: MIT
#include "meshes.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <string>

#include "base/random.h"
#include "matrix.h"
#include "scene.h"
#include "vkrun/image_manifest.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;

constexpr uint32_t kMostParts = 512;

MeshVertex vertex(const Vector3& position, const Vector3& normal, double u, double v, const Vector3& tangent) {
  const auto number = [](double value) { return static_cast<float>(value); };
  return {{number(position[0]), number(position[1]), number(position[2])},
          {number(normal[0]), number(normal[1]), number(normal[2])},
          {number(u), number(v)},
          {number(tangent[0]), number(tangent[1]), number(tangent[2]), 1.0f}};
}

uint32_t parts(const json& object, const char* name, uint32_t otherwise) {
  const uint32_t count = object.value(name, otherwise);
  if (count == 0 || count > kMostParts) throw Error(std::string("a mesh has no such number of ") + name);
  return count;
}

/// A lattice of columns x rows cells; `at(s, t)` with s and t from 0 to 1 makes its vertices. Counter-clockwise where s
/// goes right and t goes up.
template <typename At>
void add_lattice(MeshData& mesh, uint32_t columns, uint32_t rows, At at) {
  const auto base = static_cast<uint32_t>(mesh.vertices.size());
  for (uint32_t row = 0; row <= rows; ++row) {
    for (uint32_t column = 0; column <= columns; ++column) {
      mesh.vertices.push_back(at(double(column) / columns, double(row) / rows));
    }
  }
  for (uint32_t row = 0; row < rows; ++row) {
    for (uint32_t column = 0; column < columns; ++column) {
      const uint32_t corner = base + row * (columns + 1) + column;
      const uint32_t above = corner + columns + 1;
      for (const uint32_t index : {corner, corner + 1, above + 1, corner, above + 1, above}) {
        mesh.indices.push_back(index);
      }
    }
  }
}

/// A rectangle around `center`; `right` and `up` are half its sides.
void add_rectangle(MeshData& mesh, const Vector3& center, const Vector3& right, const Vector3& up, uint32_t columns,
                   uint32_t rows) {
  const Vector3 normal = normalized(cross(right, up));
  const Vector3 tangent = normalized(right);
  add_lattice(mesh, columns, rows, [&](double s, double t) {
    Vector3 position;
    for (size_t i = 0; i < 3; ++i) position[i] = center[i] + right[i] * (2 * s - 1) + up[i] * (2 * t - 1);
    return vertex(position, normal, s, 1 - t, tangent);
  });
}

MeshData make_quad(const json& object) {
  vkrun::expect_members(object, "a quad", {"shape", "size", "columns", "rows"});
  const double half = object.value("size", 2.0) / 2;
  MeshData mesh;
  add_rectangle(mesh, {0, 0, 0}, {half, 0, 0}, {0, half, 0}, parts(object, "columns", 1), parts(object, "rows", 1));
  return mesh;
}

MeshData make_floor(const json& object) {
  vkrun::expect_members(object, "a floor", {"shape", "size", "columns", "rows"});
  const double half = object.value("size", 2.0) / 2;
  MeshData mesh;
  add_rectangle(mesh, {0, 0, 0}, {half, 0, 0}, {0, 0, -half}, parts(object, "columns", 1), parts(object, "rows", 1));
  return mesh;
}

MeshData make_cube(const json& object) {
  vkrun::expect_members(object, "a cube", {"shape", "size"});
  const double half = object.value("size", 2.0) / 2;
  MeshData mesh;
  for (size_t axis = 0; axis < 3; ++axis) {
    for (const double side : {-half, half}) {
      Vector3 center{}, right{}, up{};
      center[axis] = side;
      right[(axis + 1) % 3] = side;  // the product of the axes' directions must point outwards
      up[(axis + 2) % 3] = half;
      add_rectangle(mesh, center, right, up, 1, 1);
    }
  }
  return mesh;
}

MeshData make_sphere(const json& object) {
  vkrun::expect_members(object, "a sphere", {"shape", "radius", "segments", "rings"});
  const double radius = object.value("radius", 1.0);
  MeshData mesh;
  add_lattice(mesh, parts(object, "segments", 24), parts(object, "rings", 12), [&](double s, double t) {
    const double longitude = 2 * std::numbers::pi * s;
    const double latitude = std::numbers::pi * (t - 0.5);
    const double around = std::cos(latitude);
    const Vector3 normal = {around * std::sin(longitude), std::sin(latitude), around * std::cos(longitude)};
    return vertex({radius * normal[0], radius * normal[1], radius * normal[2]}, normal, s, 1 - t,
                  {std::cos(longitude), 0, -std::sin(longitude)});
  });
  return mesh;
}

/// Around the y axis.
MeshData make_torus(const json& object) {
  vkrun::expect_members(object, "a torus", {"shape", "radius", "tube", "segments", "rings"});
  const double radius = object.value("radius", 1.0);
  const double tube = object.value("tube", 0.4);
  MeshData mesh;
  add_lattice(mesh, parts(object, "segments", 32), parts(object, "rings", 16), [&](double s, double t) {
    const double around = 2 * std::numbers::pi * s;
    const double across = 2 * std::numbers::pi * t;
    const Vector3 out = {std::sin(around), 0, std::cos(around)};
    const Vector3 normal = {std::cos(across) * out[0], std::sin(across), std::cos(across) * out[2]};
    return vertex({radius * out[0] + tube * normal[0], tube * normal[1], radius * out[2] + tube * normal[2]}, normal, s,
                  1 - t, {std::cos(around), 0, -std::sin(around)});
  });
  return mesh;
}

/// Around the y axis, open at both ends.
MeshData make_cylinder(const json& object) {
  vkrun::expect_members(object, "a cylinder", {"shape", "radius", "height", "segments", "rings"});
  const double radius = object.value("radius", 1.0);
  const double height = object.value("height", 2.0);
  MeshData mesh;
  add_lattice(mesh, parts(object, "segments", 24), parts(object, "rings", 8), [&](double s, double t) {
    const double around = 2 * std::numbers::pi * s;
    const Vector3 normal = {std::sin(around), 0, std::cos(around)};
    return vertex({radius * normal[0], height * (t - 0.5), radius * normal[2]}, normal, s, 1 - t,
                  {std::cos(around), 0, -std::sin(around)});
  });
  return mesh;
}

/// Separate triangles in the clip volume, with three corners about a middle; the normal is a colour from 0 to 1.
MeshData make_triangles(const json& object) {
  vkrun::expect_members(object, "triangles", {"shape", "count", "seed", "size"});
  Random random(object.at("seed").get<uint64_t>());
  const double size = object.value("size", 0.5);
  MeshData mesh;
  for (uint32_t i = parts(object, "count", 16); i > 0; --i) {
    const Vector3 middle = {random.unit() * 2 - 1, random.unit() * 2 - 1, random.unit()};
    Vector3 color;
    for (double& component : color) component = random.unit();
    for (uint32_t corner = 0; corner < 3; ++corner) {
      const double dx = random.unit() * 2 - 1;
      const double dy = random.unit() * 2 - 1;
      mesh.indices.push_back(static_cast<uint32_t>(mesh.vertices.size()));
      mesh.vertices.push_back(vertex({middle[0] + size * dx, middle[1] + size * dy, middle[2]}, color,
                                     corner == 1 ? 1 : 0, corner == 2 ? 1 : 0, {1, 0, 0}));
    }
  }
  return mesh;
}

struct Shape {
  const char* name;
  MeshData (*make)(const json&);
};

constexpr Shape kShapes[] = {
    {"quad", make_quad},   {"floor", make_floor},       {"cube", make_cube},           {"sphere", make_sphere},
    {"torus", make_torus}, {"cylinder", make_cylinder}, {"triangles", make_triangles},
};

}  // namespace

MeshData make_mesh(const json& object) {
  const auto name = object.at("shape").get<std::string>();
  for (const Shape& shape : kShapes) {
    if (name == shape.name) return shape.make(object);
  }
  throw Error("unknown shape '" + name + "'");
}

}  // namespace spalt::scenes
