// SPDX-License-Identifier: MIT
#include "emu/raster/coverage.h"

#include <algorithm>

#include "emu/raster/viewport.h"

namespace spalt::emu {
namespace {

constexpr int32_t kBlock = 64, kTile = 8;
constexpr int64_t kSampleStep = kSubpixels / 16;

/// An edge with what its function is at each sample, relative to the upper left corner of the pixel.
struct SampledEdge {
  RasterEdge edge;
  std::array<int64_t, kMaxSamples> at_sample{};

  int64_t at_pixel(int32_t x, int32_t y) const {
    return edge.at_origin + edge.by_x * (int64_t{x} * kSubpixels) + edge.by_y * (int64_t{y} * kSubpixels);
  }
  /// Of all samples of the square of pixels from (x, y) on; the corners of pixels bound them.
  int64_t least(int32_t x, int32_t y, int32_t size) const { return at_pixel(x, y) + extreme(size, false); }
  int64_t greatest(int32_t x, int32_t y, int32_t size) const { return at_pixel(x, y) + extreme(size, true); }

 private:
  int64_t extreme(int32_t size, bool most) const {
    const int64_t across = int64_t{size} * kSubpixels;
    int64_t sum = 0;
    for (const int64_t slope : {edge.by_x, edge.by_y}) {
      if ((slope > 0) == most) sum += slope * across;
    }
    return sum;
  }
};

struct SampledPart {
  std::array<SampledEdge, 4> edges;
  uint32_t count = 0;

  bool misses(int32_t x, int32_t y, int32_t size) const {
    for (uint32_t i = 0; i < count; ++i) {
      if (edges[i].greatest(x, y, size) < 0) return true;
    }
    return count == 0;
  }
};

/// The first even or aligned coordinate that is not greater.
int32_t align_down(int32_t value, int32_t alignment) {
  return value & -alignment;
}

class Walker {
 public:
  Walker(const RasterShape& shape, const SampleGrid& samples, const PixelRect& bounds, QuadSink& sink)
      : samples_(samples), sink_(sink) {
    GridPoint low{INT32_MAX, INT32_MAX}, high{INT32_MIN, INT32_MIN};
    for (const RasterPart& part : shape) {
      if (part.edge_count == 0) continue;
      low = {std::min(low.x, part.low.x), std::min(low.y, part.low.y)};
      high = {std::max(high.x, part.high.x), std::max(high.y, part.high.y)};
      parts_.push_back(sampled(part));
    }
    if (parts_.empty()) return;
    box_ = {std::max({bounds.x0, low.x >> 8, 0}), std::max({bounds.y0, low.y >> 8, 0}),
            std::min({bounds.x1, (high.x >> 8) + 1, kMaxExtent}), std::min({bounds.y1, (high.y >> 8) + 1, kMaxExtent})};
  }

  void walk() {
    if (box_.is_empty()) return;
    for (int32_t y = align_down(box_.y0, kBlock); y < box_.y1; y += kBlock) {
      for (int32_t x = align_down(box_.x0, kBlock); x < box_.x1; x += kBlock) walk_block(x, y);
    }
  }

 private:
  SampledPart sampled(const RasterPart& part) const {
    SampledPart result;
    result.count = part.edge_count;
    for (uint32_t i = 0; i < part.edge_count; ++i) {
      SampledEdge& edge = result.edges[i];
      edge.edge = part.edges[i];
      for (unsigned s = 0; s < samples_.count; ++s) {
        edge.at_sample[s] = edge.edge.by_x * (samples_.positions[s].x * kSampleStep) +
                            edge.edge.by_y * (samples_.positions[s].y * kSampleStep);
      }
    }
    return result;
  }

  bool all_miss(int32_t x, int32_t y, int32_t size) const {
    return std::all_of(parts_.begin(), parts_.end(), [&](const SampledPart& part) { return part.misses(x, y, size); });
  }

  void walk_block(int32_t x0, int32_t y0) {
    if (all_miss(x0, y0, kBlock)) return;
    const int32_t y1 = std::min(y0 + kBlock, box_.y1), x1 = std::min(x0 + kBlock, box_.x1);
    for (int32_t y = std::max(y0, align_down(box_.y0, kTile)); y < y1; y += kTile) {
      for (int32_t x = std::max(x0, align_down(box_.x0, kTile)); x < x1; x += kTile) walk_tile(x, y);
    }
  }

  void walk_tile(int32_t x0, int32_t y0) {
    masks_.fill(0);
    bool any = false;
    for (const SampledPart& part : parts_) {
      if (part.misses(x0, y0, kTile)) continue;
      add_part(part, x0, y0);
      any = true;
    }
    if (any) emit(x0, y0);
  }

  /// Adds a part to the samples of a tile, as far as it is in the box: those that are in an odd number of parts remain.
  void add_part(const SampledPart& part, int32_t x0, int32_t y0) {
    std::array<const SampledEdge*, 4> crossing{};
    uint32_t count = 0;
    for (uint32_t i = 0; i < part.count; ++i) {
      if (part.edges[i].least(x0, y0, kTile) < 0) crossing[count++] = &part.edges[i];
    }
    const int32_t x_begin = std::max(x0, box_.x0), x_end = std::min(x0 + kTile, box_.x1);
    const int32_t y_begin = std::max(y0, box_.y0), y_end = std::min(y0 + kTile, box_.y1);
    for (int32_t y = y_begin; y < y_end; ++y) {
      std::array<int64_t, 4> at_pixel{};
      for (uint32_t i = 0; i < count; ++i) at_pixel[i] = crossing[i]->at_pixel(x_begin, y);
      uint16_t* const row = &masks_[static_cast<size_t>((y - y0) * kTile)];
      for (int32_t x = x_begin; x < x_end; ++x) {
        uint32_t mask = samples_.all();
        for (uint32_t i = 0; i < count; ++i) {
          mask &= inside(*crossing[i], at_pixel[i]);
          at_pixel[i] += crossing[i]->edge.by_x * kSubpixels;
        }
        row[x - x0] ^= static_cast<uint16_t>(mask);
      }
    }
  }

  uint32_t inside(const SampledEdge& edge, int64_t at_pixel) const {
    uint32_t mask = 0;
    for (unsigned s = 0; s < samples_.count; ++s) {
      mask |= static_cast<uint32_t>(at_pixel + edge.at_sample[s] >= 0) << s;
    }
    return mask;
  }

  void emit(int32_t x0, int32_t y0) {
    std::array<RasterQuad, kTile * kTile / 4> found;
    size_t count = 0;
    for (int32_t y = 0; y < kTile; y += 2) {
      for (int32_t x = 0; x < kTile; x += 2) {
        const uint16_t* const upper = &masks_[static_cast<size_t>(y * kTile + x)];
        const uint16_t* const lower = upper + kTile;
        if ((upper[0] | upper[1] | lower[0] | lower[1]) == 0) continue;
        found[count++] = {x0 + x, y0 + y, {upper[0], upper[1], lower[0], lower[1]}};
      }
    }
    if (count != 0) sink_.quads({found.data(), count});
  }

  const SampleGrid& samples_;
  QuadSink& sink_;
  SmallVector<SampledPart, 1> parts_;
  PixelRect box_;
  std::array<uint16_t, kTile * kTile> masks_{};
};

}  // namespace

void cover(const RasterShape& shape, const SampleGrid& samples, const PixelRect& bounds, QuadSink& sink) {
  Walker(shape, samples, bounds, sink).walk();
}

}  // namespace spalt::emu
