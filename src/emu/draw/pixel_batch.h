// SPDX-License-Identifier: MIT
//
// Quads of fragments that are shaded together: what the rasterizer finds, and what the waves make of it. Quads are in
// the order of their primitives, and waves take them in that order, so that a wave may have several primitives, also
// the same pixel of two of them.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "amdgpu/object/pipeline_object.h"
#include "emu/draw/vertex_batch.h"
#include "emu/raster/interpolation.h"

namespace spalt::emu {

/// A primitive with some fragments.
struct PixelPrimitive {
  FragmentPlanes planes;
  std::array<uint32_t, 3> corners{};  ///< in the vertex batch
  uint8_t count = 0, provoking = 0;
  PrimitivePlace place;
};

struct PixelQuad {
  static constexpr uint8_t kAllSamples = 0xff;
  uint32_t primitive = 0;
  int32_t x = 0, y = 0;
  std::array<uint16_t, 4> coverage{};  ///< that is left before shading
  std::array<uint16_t, 4> mask_in{};   ///< that the shader is told
  uint8_t sample = kAllSamples;        ///< the one that an invocation is for
};

class PixelBatch {
 public:
  PixelBatch(const VertexBatch& vertices, std::span<const object::ParameterSource> sources)
      : vertices_(vertices), sources_(sources) {}

  std::vector<PixelPrimitive>& primitives() { return primitives_; }
  const std::vector<PixelPrimitive>& primitives() const { return primitives_; }
  std::vector<PixelQuad>& quads() { return quads_; }
  const std::vector<PixelQuad>& quads() const { return quads_; }
  unsigned attributes() const { return static_cast<unsigned>(sources_.size()); }

  /// What a primitive has of a channel of a pixel stage's parameter.
  ParameterPoints points(const PixelPrimitive& primitive, unsigned attribute, unsigned channel) const;

 private:
  uint32_t at_corner(const PixelPrimitive& primitive, unsigned corner, const object::ParameterSource& source,
                     unsigned channel) const;

  const VertexBatch& vertices_;
  std::span<const object::ParameterSource> sources_;
  std::vector<PixelPrimitive> primitives_;
  std::vector<PixelQuad> quads_;
};

/// I and J as a pixel wave gets them: those of points say where in the point a fragment is, which is what point
/// coordinates are interpolated with; what else a point has is the same everywhere.
Barycentrics wave_perspective(const FragmentPlanes& planes, const FragmentPlace& place);
Barycentrics wave_linear(const FragmentPlanes& planes, const FragmentPlace& place);
std::array<float, 3> wave_pull_model(const FragmentPlanes& planes, const FragmentPlace& place);

}  // namespace spalt::emu
