// SPDX-License-Identifier: MIT
//
// Blits. For the center of each texel of the destination's box, the place in the source's box is computed as Vulkan
// says ("Image Copies with Scaling"), in double precision; it is floored, or the texels around it are weighted.
// Places outside of the source's level count as its edge. Texels are converted in batches along a row of the
// destination; where both formats are the same and nothing is weighted, their bytes are moved.
#include "icd/transfer/image_blit.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace spalt::icd {
namespace {

/// Two texels next to each other, and the weight of the second one.
struct Tap {
  uint32_t first = 0, second = 0;
  float weight = 0;
};

/// One direction of a blit.
class Axis {
 public:
  Axis(int32_t source_begin, int32_t source_end, uint32_t source_size, int32_t begin, int32_t end, uint32_t size)
      : source_begin_(source_begin), begin_(begin), last_(static_cast<double>(source_size) - 1) {
    if (begin == end || source_size == 0) return;
    scale_ = (static_cast<double>(source_end) - source_begin) / (static_cast<double>(end) - begin);
    const int64_t low = std::max<int64_t>(std::min(begin, end), 0);
    const int64_t high = std::min<int64_t>(std::max(begin, end), size);
    first = static_cast<uint32_t>(low);
    count = static_cast<uint32_t>(std::max<int64_t>(high - low, 0));
  }

  uint32_t nearest(uint32_t texel) const { return at_edge(std::floor(place(texel))); }
  Tap linear(uint32_t texel) const {
    const double between = place(texel) - 0.5;
    const double lower = std::floor(between);
    return {at_edge(lower), at_edge(lower + 1), static_cast<float>(between - lower)};
  }

  uint32_t first = 0, count = 0;  // texels of the destination

 private:
  double place(uint32_t texel) const { return (texel + 0.5 - begin_) * scale_ + source_begin_; }
  uint32_t at_edge(double texel) const { return static_cast<uint32_t>(std::clamp(texel, 0.0, last_)); }

  double source_begin_, begin_, last_;
  double scale_ = 0;
};

Axis make_axis(const ImageBlit& blit, int32_t VkOffset3D::*direction, uint32_t source_size, uint32_t size) {
  const BlitSide& from = blit.source;
  const BlitSide& to = blit.destination;
  return {from.corners[0].*direction, from.corners[1].*direction, source_size,
          to.corners[0].*direction,   to.corners[1].*direction,   size};
}

/// A row of the destination.
class RowBlit {
 public:
  RowBlit(const ImageBlit& blit, uint32_t layer)
      : blit_(blit),
        layer_(layer),
        x_(make_axis(blit, &VkOffset3D::x, blit.source.image.width, blit.destination.image.width)),
        y_(make_axis(blit, &VkOffset3D::y, blit.source.image.height, blit.destination.image.height)),
        z_(make_axis(blit, &VkOffset3D::z, blit.source.depth, blit.destination.depth)) {}

  void run() const {
    for (uint32_t z = z_.first; z < z_.first + z_.count; ++z) {
      for (uint32_t y = y_.first; y < y_.first + y_.count; ++y) {
        for (uint32_t done = 0; done < x_.count; done += kTexelBatch) {
          run_batch(x_.first + done, std::min(kTexelBatch, x_.count - done), y, z);
        }
      }
    }
  }

 private:
  uint32_t source_slice(uint32_t z) const { return blit_.source.first_slice + layer_ + z; }

  void run_batch(uint32_t x, uint32_t count, uint32_t y, uint32_t z) const {
    const TexelImage& to = blit_.destination.image;
    const uint32_t slice = blit_.destination.first_slice + layer_ + z;
    if (!blit_.linear && to.format == blit_.source.image.format && !to.is_compressed()) {
      move_bytes(x, count, y, z, to.grid.row(x, y, slice, count));
      return;
    }
    spalt_texel texels[kTexelBatch];
    if (blit_.linear) {
      weigh(x, count, y, z, texels);
    } else {
      uint32_t places[kTexelBatch];
      for (uint32_t i = 0; i < count; ++i) places[i] = x_.nearest(x + i);
      read_texels(blit_.source.image, y_.nearest(y), source_slice(z_.nearest(z)), places, count, texels);
    }
    write_texels(to, x, y, slice, texels, count);
  }

  void move_bytes(uint32_t x, uint32_t count, uint32_t y, uint32_t z, std::byte* written) const {
    const BlockGrid& from = blit_.source.image.grid;
    const std::byte* row = from.row(0, y_.nearest(y), source_slice(z_.nearest(z)), from.width);
    if (row == nullptr || written == nullptr) return;
    for (uint32_t i = 0; i < count; ++i) {
      std::memmove(written + size_t{i} * from.block_bytes, row + size_t{x_.nearest(x + i)} * from.block_bytes,
                   from.block_bytes);
    }
  }

  void weigh(uint32_t x, uint32_t count, uint32_t y, uint32_t z, spalt_texel* texels) const {
    std::array<Tap, kTexelBatch> columns;
    for (uint32_t i = 0; i < count; ++i) columns[i] = x_.linear(x + i);
    const Tap rows = y_.linear(y), slices = z_.linear(z);
    float sums[kTexelBatch][4] = {};
    add_row(columns, count, rows.first, slices.first, (1 - rows.weight) * (1 - slices.weight), sums);
    add_row(columns, count, rows.second, slices.first, rows.weight * (1 - slices.weight), sums);
    add_row(columns, count, rows.first, slices.second, (1 - rows.weight) * slices.weight, sums);
    add_row(columns, count, rows.second, slices.second, rows.weight * slices.weight, sums);
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t c = 0; c < 4; ++c) texels[i].rgba[c] = std::bit_cast<uint32_t>(sums[i][c]);
    }
  }

  void add_row(const std::array<Tap, kTexelBatch>& columns, uint32_t count, uint32_t y, uint32_t z, float weight,
               float (&sums)[kTexelBatch][4]) const {
    if (weight == 0) return;  // what has no weight may be infinite
    uint32_t places[kTexelBatch];
    float weights[kTexelBatch];
    for (uint32_t i = 0; i < count; ++i) {
      places[i] = columns[i].first;
      weights[i] = (1 - columns[i].weight) * weight;
    }
    add_texels(places, weights, count, y, z, sums);
    for (uint32_t i = 0; i < count; ++i) {
      places[i] = columns[i].second;
      weights[i] = columns[i].weight * weight;
    }
    add_texels(places, weights, count, y, z, sums);
  }

  void add_texels(const uint32_t* places, const float* weights, uint32_t count, uint32_t y, uint32_t z,
                  float (&sums)[kTexelBatch][4]) const {
    spalt_texel texels[kTexelBatch];
    read_texels(blit_.source.image, y, source_slice(z), places, count, texels);
    for (uint32_t i = 0; i < count; ++i) {
      if (weights[i] == 0) continue;
      for (uint32_t c = 0; c < 4; ++c) sums[i][c] += weights[i] * std::bit_cast<float>(texels[i].rgba[c]);
    }
  }

  const ImageBlit& blit_;
  uint32_t layer_;
  Axis x_, y_, z_;
};

}  // namespace

void ImageBlit::run() const {
  for (uint32_t layer = 0; layer < layers; ++layer) RowBlit(*this, layer).run();
}

}  // namespace spalt::icd
