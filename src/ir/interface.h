// SPDX-License-Identifier: MIT
// Inputs and outputs of graphics shaders: what the immediates of `input` and `output` say.
#pragma once
#include <bit>
#include <cstdint>

namespace spalt::ir {

/// What a value that passes between stages, or between a stage and the fixed functions, means.
enum class Semantic : uint8_t {
  location,  ///< a number that the shader gives: vertex attribute, varying, colour target
  // Vertex outputs; distances and those after them also as fragment inputs
  position,
  point_size,
  clip_distance,
  cull_distance,
  layer,
  viewport_index,
  // Fragment outputs
  depth,
  stencil_reference,
  sample_mask,
  // Fragment inputs
  barycentric  ///< the share that each vertex of the primitive has in an interpolated value
};
constexpr unsigned kSemantics = static_cast<unsigned>(Semantic::barycentric) + 1;

/// How a fragment's value comes from those of the vertices of its primitive.
enum class Interpolation : uint8_t {
  none,         ///< not at all: vertex attributes, outputs
  perspective,  ///< linear before the division by w
  linear,       ///< linear on the screen
  flat,         ///< the value of the provoking vertex
  per_vertex,   ///< the value of the vertex `index`
  equal         ///< all vertices of the primitive have the same value
};
constexpr unsigned kInterpolations = static_cast<unsigned>(Interpolation::equal) + 1;
/// Whether the value may be another at each place in the primitive.
constexpr bool is_interpolated(Interpolation interpolation) {
  return interpolation == Interpolation::perspective || interpolation == Interpolation::linear;
}

/// Where in the pixel an input is interpolated.
enum class SamplePlace : uint8_t {
  center,
  centroid,   ///< where the primitive covers the pixel
  each,       ///< at the sample that the invocation is for, which makes the shader run once per sample
  at_offset,  ///< operands: x and y, f32, from the centre in pixels
  at_sample   ///< operand: the number of a sample, i32
};
constexpr unsigned kSamplePlaces = static_cast<unsigned>(SamplePlace::at_sample) + 1;

/// Operands that an input interpolated there has.
constexpr unsigned place_operands(SamplePlace place) {
  return place == SamplePlace::at_offset ? 2 : place == SamplePlace::at_sample ? 1 : 0;
}

/// The immediate of `input` and `output`: one component.
struct InterfaceAccess {
  Semantic semantic = Semantic::location;
  uint8_t number = 0;     ///< location, or which clip or cull distance
  uint8_t component = 0;  ///< of the location or position, 0 to 3
  uint8_t index = 0;      ///< outputs of fragments: 1 for the second source of a blend; per_vertex: 0 to 2
  Interpolation interpolation = Interpolation::none;
  SamplePlace place = SamplePlace::center;
  uint16_t reserved = 0;

  uint64_t pack() const { return std::bit_cast<uint64_t>(*this); }
  static InterfaceAccess unpack(uint64_t bits) { return std::bit_cast<InterfaceAccess>(bits); }
  bool operator==(const InterfaceAccess&) const = default;
};
static_assert(sizeof(InterfaceAccess) == sizeof(uint64_t));

/// Locations that a shader may name: more than any implementation has, so that the stages decide.
constexpr unsigned kMaxLocations = 128;
/// Clip and cull distances of one vertex together.
constexpr unsigned kMaxDistances = 8;

/// True where `number` tells one of several.
constexpr bool is_numbered(Semantic semantic) {
  return semantic == Semantic::location || semantic == Semantic::clip_distance || semantic == Semantic::cull_distance;
}
/// Components that a value of this meaning has at each number.
constexpr unsigned semantic_components(Semantic semantic) {
  if (semantic == Semantic::barycentric) return 3;
  return semantic == Semantic::location || semantic == Semantic::position ? 4 : 1;
}

}  // namespace spalt::ir
