// SPDX-License-Identifier: MIT
//
// Clipping against the view volume (Vulkan, "Primitive Clipping").
//
// A clipped primitive is described by weights: each of its vertices is b0 P0 + b1 P1 + b2 P2 of the vertices that the
// shader made. All plane distances, positions and perspective attributes are linear in them, so that only the weights
// are computed at a cut, in double precision. Two triangles with a common edge cut it at the same point, bit by bit: a
// cut is always computed from its vertex inside to its vertex outside.
//
// Planes: w > 0, near and far (unless depth clipping is off), user clip distances, and the guard band: the range of
// positions that the rasterizer can take. What is outside the viewport and inside the guard band is left to the
// scissor.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "emu/raster/state.h"
#include "emu/raster/viewport.h"

namespace spalt::emu {

constexpr unsigned kMaxDistances = 8;

/// What the last vertex stage gives for a vertex.
struct ShadedVertex {
  std::array<float, 4> position{};  ///< clip coordinates
  float point_size = 1;
  std::array<float, kMaxDistances> distances{};  ///< clip distances, then cull distances
};

struct ClippedVertex {
  std::array<double, 3> weights{};  ///< of the vertices of the primitive; their sum is 1
  bool edge_is_original = true;     ///< the edge to the next vertex is part of an edge of the primitive
};

constexpr unsigned kMaxPlanes = 1 + 2 + kMaxDistances + 4;
/// Each plane may add one vertex; the last step wants room for two.
constexpr unsigned kMaxClippedVertices = 3 + kMaxPlanes + 1;

struct ClippedPrimitive {
  std::array<ClippedVertex, kMaxClippedVertices> vertices;
  uint32_t count = 0;       ///< 0: nothing is left
  bool is_clipped = false;  ///< the vertices are not those of the primitive
};

/// What w of a clipped position is at least: one with w = 0 has no place on the screen. It is so close to 0 that what
/// is lost cannot be seen, and so far that quotients stay finite. 0: no vertex has a positive w.
double least_w(std::span<const ShadedVertex> vertices);

/// A primitive of 1 to 3 vertices. Nothing is left of one with a position or a clip distance that is no number or
/// infinite, of one that a cull distance or a plane rejects, and of points whose centre is outside the view volume.
ClippedPrimitive clip(std::span<const ShadedVertex> vertices, const RasterizationState& state,
                      const ViewportTransform& viewport);

}  // namespace spalt::emu
