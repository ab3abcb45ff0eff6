// SPDX-License-Identifier: MIT
//
// The same shader, in which one invocation runs after the other: a loop around main, in whose turn n only invocation n
// takes part. No lane then runs beside one that takes another path, so that a driver which is wrong about lanes of
// different paths computes what each invocation alone computes. What invocations exchange (barriers, derivatives) is
// lost.
#pragma once

#include <optional>

#include "spirv_builder.h"

namespace spalt::random_programs {

/// The vertices of a draw: number `first_vertex` of instance `first_instance` is the first invocation.
struct VertexNumbers {
  uint32_t first_vertex = 0, vertices = 1;
  uint32_t first_instance = 0, instances = 1;
};

/// Nothing when the vertex shader does not declare VertexIndex and InstanceIndex as signed integers.
std::optional<Words> one_vertex_at_a_time(const Words& words, const VertexNumbers& numbers);

/// Of a compute shader: one invocation of a workgroup at a time. Nothing when it does not declare LocalInvocationIndex
/// as an unsigned integer, or has a barrier.
std::optional<Words> one_invocation_at_a_time(const Words& words, uint32_t invocations);

}  // namespace spalt::random_programs
