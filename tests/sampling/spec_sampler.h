// SPDX-License-Identifier: MIT
//
// Vulkan's image operations ("Image Operations" of the specification) in double precision, without the quantization
// that devices may do: weights, coordinates and levels of detail are exact. Where the specification leaves a choice,
// the one that it prefers is taken. One texel after another, for judging, not for speed.
#pragma once

#include <array>
#include <functional>
#include <limits>
#include <optional>

#include "vkrun/image_desc.h"

namespace spalt::sampling {

using Vec4 = std::array<double, 4>;
using vkrun::SamplerDesc;

/// What a view of an image shows. Sizes are those of its first level.
struct View {
  int axes = 2;          // 1, 2 or 3; 2 for cubes
  bool is_cube = false;  // six layers for each cube
  std::array<int, 3> size = {1, 1, 1};
  int levels = 1;
  int layers = 1;  // of cubes: faces
  /// Components that the format has; of others texels and borders have 0, or 1 in alpha.
  std::array<bool, 4> has_component = {true, true, true, true};
  bool has_integers = false, has_signed_integers = false;
  bool clamps_reference = false;         // to [0, 1]: depths are normalized numbers
  std::array<uint32_t, 4> swizzle = {};  // VkComponentSwizzle
  /// A decoded texel inside of a level, before the swizzle; `slice` is the layer or, with three axes, z.
  std::function<Vec4(int level, int x, int y, int slice)> texel;
};

/// Operands of one operation.
struct Access {
  std::array<double, 3> coordinates = {};  // normalized unless the sampler says otherwise; of cubes a direction
  double layer = 0.0;                      // of arrays; of cube arrays the number of the cube
  std::array<int, 3> offset = {};
  std::array<std::array<int, 2>, 4> four_offsets = {};  // of gathers that have four
  double lod = 0.0;
  double bias = 0.0;
  double min_lod = -std::numeric_limits<double>::infinity();
  /// Derivatives along x and y of the screen; they take the place of `lod`.
  std::optional<std::array<std::array<double, 3>, 2>> gradients = std::nullopt;
  /// Coordinates of the four invocations of a quad, whose differences are the derivatives.
  std::optional<std::array<std::array<double, 3>, 4>> quad = std::nullopt;
  std::optional<double> reference = std::nullopt;  // of a depth comparison
  /// Texels to move coordinates by, on levels with even and with odd numbers: what a device that rounds them may do.
  std::array<std::array<double, 3>, 2> moved = {};
  /// Coordinates that are nearer to the center of a texel are there, on levels likewise: what is half a step off may be
  /// rounded to it.
  std::array<std::array<double, 3>, 2> snap = {};
};

/// How far coordinates change from one invocation to the next, along x and y of the screen, in units of the image or,
/// of cubes, of the face.
using Gradients = std::array<std::array<double, 3>, 2>;
/// Of the access's derivatives; on cubes by "Cube Map Derivative Transformation".
Gradients image_gradients(const View& view, const Access& access,
                          const std::array<std::array<double, 3>, 2>& derivatives);

/// What follows from gradients: lengths in texels of the first level, and the longer one itself.
struct Footprint {
  double longer = 0.0, shorter = 0.0;
  std::array<double, 3> axis = {};
};
Footprint footprint_of(const View& view, const Gradients& gradients);

/// The level of detail is the access's or, where it has derivatives, that of their footprint, without anisotropy.
Vec4 sample(const View& view, const SamplerDesc& sampler, const Access& access);
/// The components of the four texels in the order of Vulkan: (i0, j1), (i1, j1), (i1, j0), (i0, j0). A comparison takes
/// component 0. `each`: with four offsets, each result is texel (i0, j0) of one of them.
Vec4 gather(const View& view, const SamplerDesc& sampler, const Access& access, int component, bool each = false);
/// The texel that integer coordinates name, on the level `lod`.
Vec4 fetch(const View& view, const Access& access);
/// The level of detail after clamps, within the levels of the view. Above 0 is where minification begins.
double selected_lod(const View& view, const SamplerDesc& sampler, const Access& access);
/// The level that would be accessed, and the level of detail with bias and without clamps.
std::array<double, 2> query_lod(const View& view, const SamplerDesc& sampler, const Access& access);
/// A border texel, after the swizzle.
Vec4 border_color(const View& view, const SamplerDesc& sampler);

/// A direction on a face: its number and two coordinates from 0 to 1.
struct FacePoint {
  int face;
  double s, t;
};
FacePoint face_of(const std::array<double, 3>& direction);
/// The direction of a point of a face.
std::array<double, 3> direction_of(const FacePoint& point);

}  // namespace spalt::sampling
