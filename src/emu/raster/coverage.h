// SPDX-License-Identifier: MIT
//
// Which samples of which pixels a shape covers, as 2 x 2 quads.
//
// The bounding box is walked in blocks of 64 x 64 pixels and these in tiles of 8 x 8. A block or tile that is wholly
// outside of an edge is left out, and the edges that a tile is wholly inside of are not looked at again. The cost is
// bounded by the pixels of `bounds`, whatever the coordinates are.
#pragma once
#include <array>
#include <cstdint>
#include <span>

#include "emu/raster/edges.h"
#include "emu/raster/state.h"

namespace spalt::emu {

/// 2 x 2 pixels at even coordinates: upper left, upper right, lower left, lower right.
struct RasterQuad {
  int32_t x = 0, y = 0;                ///< of the first pixel
  std::array<uint16_t, 4> coverage{};  ///< a bit for each sample; 0: a helper
};

/// Takes the quads of a primitive as they are found, each one once. A quad has at least one covered sample.
class QuadSink {
 public:
  virtual ~QuadSink() = default;
  virtual void quads(std::span<const RasterQuad> quads) = 0;
};

struct SampleGrid {
  unsigned count = 1;
  SamplePositions positions;
  uint16_t all() const { return static_cast<uint16_t>((1u << count) - 1); }
};

void cover(const RasterShape& shape, const SampleGrid& samples, const PixelRect& bounds, QuadSink& sink);

}  // namespace spalt::emu
