// SPDX-License-Identifier: MIT
//
// The matrices of cameras and objects, computed once on the host so that all drivers start from the same bits.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <vector>

namespace spalt::scenes {

using Vector3 = std::array<double, 3>;
/// Columns of four, as GLSL has them.
using Matrix = std::array<double, 16>;

Vector3 normalized(const Vector3& v);
Vector3 cross(const Vector3& a, const Vector3& b);

/// Appends the bytes of an "init": the matrices of README.md, and what vkrun/data_init.h knows. Throws Error.
void append_buffer_bytes(const nlohmann::json& init, std::vector<uint8_t>& out);

}  // namespace spalt::scenes
