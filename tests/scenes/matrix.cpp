// SPDX-License-Identifier: MIT
#include "matrix.h"

#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "base/random.h"
#include "scene.h"
#include "vkrun/data_init.h"
#include "vkrun/image_manifest.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;

constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

double dot(const Vector3& a, const Vector3& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Matrix product(const Matrix& a, const Matrix& b) {
  Matrix result{};
  for (size_t column = 0; column < 4; ++column) {
    for (size_t row = 0; row < 4; ++row) {
      for (size_t k = 0; k < 4; ++k) result[column * 4 + row] += a[k * 4 + row] * b[column * 4 + k];
    }
  }
  return result;
}

Vector3 vector_of(const json& object, const char* name, const Vector3& otherwise) {
  return object.contains(name) ? object.at(name).get<Vector3>() : otherwise;
}

Matrix view_of(const json& object) {
  const Vector3 eye = vector_of(object, "eye", {0, 0, 0});
  const Vector3 target = vector_of(object, "target", {0, 0, -1});
  const Vector3 back = normalized({eye[0] - target[0], eye[1] - target[1], eye[2] - target[2]});
  const Vector3 right = normalized(cross(vector_of(object, "up", {0, 1, 0}), back));
  const Vector3 up = cross(back, right);
  return {right[0], up[0], back[0], 0, right[1],         up[1],         back[1],         0,
          right[2], up[2], back[2], 0, -dot(right, eye), -dot(up, eye), -dot(back, eye), 1};
}

/// Looks along -z, y up; y of Vulkan's clip space goes down, its z from 0 to w.
Matrix projection_of(const json& object) {
  const double near = object.value("near", 0.1);
  const double far = object.value("far", 100.0);
  Matrix result{};
  if (object.contains("ortho")) {
    const auto size = object.at("ortho").get<std::array<double, 2>>();
    result[0] = 2 / size[0];
    result[5] = -2 / size[1];
    result[10] = 1 / (near - far);
    result[14] = near / (near - far);
    result[15] = 1;
    return result;
  }
  const double scale = 1 / std::tan(object.value("fov", 45.0) * std::numbers::pi / 360);
  result[0] = scale / object.value("aspect", 1.0);
  result[5] = -scale;
  result[10] = far / (near - far);
  result[11] = -1;
  result[14] = near * far / (near - far);
  return result;
}

Matrix rotation(const Vector3& axis, double degrees) {
  const Vector3 a = normalized(axis);
  const double angle = degrees * std::numbers::pi / 180;
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const double d = 1 - c;
  return {a[0] * a[0] * d + c,
          a[0] * a[1] * d + a[2] * s,
          a[0] * a[2] * d - a[1] * s,
          0,
          a[0] * a[1] * d - a[2] * s,
          a[1] * a[1] * d + c,
          a[1] * a[2] * d + a[0] * s,
          0,
          a[0] * a[2] * d + a[1] * s,
          a[1] * a[2] * d - a[0] * s,
          a[2] * a[2] * d + c,
          0,
          0,
          0,
          0,
          1};
}

/// First scaled, then rotated, then moved.
Matrix transform(const Vector3& scale, const Matrix& rotated, const Vector3& translate) {
  Matrix scaled = kIdentity;
  for (size_t i = 0; i < 3; ++i) scaled[i * 5] = scale[i];
  Matrix result = product(rotated, scaled);
  for (size_t i = 0; i < 3; ++i) result[12 + i] = translate[i];
  return result;
}

Vector3 scale_of(const json& object) {
  if (!object.contains("scale")) return {1, 1, 1};
  const json& scale = object.at("scale");
  if (scale.is_array()) return scale.get<Vector3>();
  return {scale.get<double>(), scale.get<double>(), scale.get<double>()};
}

Matrix transform_of(const json& object) {
  vkrun::expect_members(object, "a transform", {"scale", "rotate", "translate"});
  Matrix rotated = kIdentity;
  if (object.contains("rotate")) {
    const auto turn = object.at("rotate").get<std::array<double, 4>>();
    rotated = rotation({turn[0], turn[1], turn[2]}, turn[3]);
  }
  return transform(scale_of(object), rotated, vector_of(object, "translate", {0, 0, 0}));
}

void append_float(double value, std::vector<uint8_t>& out) {
  const auto word = std::bit_cast<uint32_t>(static_cast<float>(value));
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<uint8_t>(word >> shift));
}

void append_matrix(const Matrix& matrix, std::vector<uint8_t>& out) {
  for (const double value : matrix) append_float(value, out);
}

#define SPALT_CAMERA_MEMBERS "eye", "target", "up", "fov", "aspect", "ortho", "near", "far"

/// Turned and placed at random within a box.
void append_scattered(const json& object, std::vector<uint8_t>& out) {
  vkrun::expect_members(object, "scattered transforms", {"count", "seed", "box", "scale"});
  Random random(object.at("seed").get<uint64_t>());
  const Vector3 box = vector_of(object, "box", {1, 1, 1});
  const auto scale = object.value("scale", std::array<double, 2>{1, 1});
  for (uint32_t i = object.at("count").get<uint32_t>(); i > 0; --i) {
    const auto spread = [&random] { return random.unit() * 2 - 1; };
    Vector3 place;
    for (size_t k = 0; k < 3; ++k) place[k] = box[k] * spread();
    Vector3 axis;
    for (double& component : axis) component = spread();
    const double size = scale[0] + (scale[1] - scale[0]) * random.unit();
    const Matrix turned = rotation(axis, random.unit() * 360);
    append_matrix(transform({size, size, size}, turned, place), out);
  }
}

bool append_matrices(const std::string& name, const json& value, std::vector<uint8_t>& out) {
  if (name == "view_projection" || name == "view" || name == "projection") {
    vkrun::expect_members(value, "a camera", {SPALT_CAMERA_MEMBERS});
    const Matrix view = name == "projection" ? kIdentity : view_of(value);
    append_matrix(name == "view" ? view : product(projection_of(value), view), out);
  } else if (name == "transform") {
    append_matrix(transform_of(value), out);
  } else if (name == "scattered_transforms") {
    append_scattered(value, out);
  } else {
    return false;
  }
  return true;
}

}  // namespace

Vector3 normalized(const Vector3& v) {
  const double length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}

Vector3 cross(const Vector3& a, const Vector3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

void append_buffer_bytes(const json& init, std::vector<uint8_t>& out) {
  for (const json& segment : init.is_array() ? init : json::array({init})) {
    const bool is_matrix = segment.is_object() && segment.size() == 1 &&
                           append_matrices(segment.begin().key(), segment.begin().value(), out);
    if (!is_matrix) vkrun::append_initial_bytes(segment, out);
  }
}

}  // namespace spalt::scenes
