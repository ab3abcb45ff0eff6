// SPDX-License-Identifier: MIT
#include "emu/raster/resolve.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "texel/codec.h"

namespace spalt::emu {
namespace {

using texel::Number;
using texel::Texel;

template <class T>
T least_or_greatest(T a, T b, ResolveMode mode) {
  return mode == ResolveMode::minimum ? std::min(a, b) : std::max(a, b);
}

uint32_t extreme(Number number, uint32_t a, uint32_t b, ResolveMode mode) {
  if (number == Number::uint) return least_or_greatest(a, b, mode);
  if (number == Number::sint) {
    return static_cast<uint32_t>(least_or_greatest(static_cast<int32_t>(a), static_cast<int32_t>(b), mode));
  }
  return std::bit_cast<uint32_t>(least_or_greatest(std::bit_cast<float>(a), std::bit_cast<float>(b), mode));
}

class PixelResolver {
 public:
  PixelResolver(const RasterSurface& source, texel::Layout layout, ResolveMode mode)
      : source_(source),
        codec_(texel::codec_of(layout)),
        number_(layout.number),
        bytes_(texel::facts(layout.shape).bytes),
        mode_(mode) {}

  void resolve(int32_t x, int32_t y, uint32_t layer, std::byte* to) const {
    if (mode_ == ResolveMode::sample_zero) {
      std::memcpy(to, source_.at(x, y, layer, 0, bytes_), bytes_);
      return;
    }
    codec_.encode(mode_ == ResolveMode::average ? average(x, y, layer) : extremes(x, y, layer), to);
  }

 private:
  Texel sample(int32_t x, int32_t y, uint32_t layer, unsigned index) const {
    Texel texel;
    codec_.decode(source_.at(x, y, layer, index, bytes_), texel);
    return texel;
  }

  /// Summed in double precision, and rounded once to a float.
  Texel average(int32_t x, int32_t y, uint32_t layer) const {
    std::array<double, 4> sums{};
    for (unsigned s = 0; s < source_.samples; ++s) {
      const Texel texel = sample(x, y, layer, s);
      for (size_t c = 0; c < sums.size(); ++c) sums[c] += std::bit_cast<float>(texel[c]);
    }
    Texel result;
    for (size_t c = 0; c < sums.size(); ++c) {
      result[c] = std::bit_cast<uint32_t>(static_cast<float>(sums[c] / source_.samples));
    }
    return result;
  }

  Texel extremes(int32_t x, int32_t y, uint32_t layer) const {
    Texel result = sample(x, y, layer, 0);
    for (unsigned s = 1; s < source_.samples; ++s) {
      const Texel texel = sample(x, y, layer, s);
      for (size_t c = 0; c < result.size(); ++c) result[c] = extreme(number_, result[c], texel[c], mode_);
    }
    return result;
  }

  const RasterSurface& source_;
  const texel::Codec& codec_;
  Number number_;
  unsigned bytes_;
  ResolveMode mode_;
};

}  // namespace

ResolveMode color_resolve_mode(uint32_t format) {
  const texel::Format* known = texel::find_format(format);
  return known != nullptr && texel::is_integer(known->layout.number) ? ResolveMode::sample_zero : ResolveMode::average;
}

void resolve(const RasterSurface& source, const RasterSurface& destination, const ResolveRegion& region,
             ResolveMode mode) {
  const texel::Format* format = texel::find_format(source.format);
  if (!source.exists() || !destination.exists() || format == nullptr || format->shape().is_compressed()) return;
  if (destination.format != source.format || source.samples == 0) return;
  // Integers have no average.
  if (texel::is_integer(format->layout.number) && mode == ResolveMode::average) mode = ResolveMode::sample_zero;
  const PixelResolver resolver(source, format->layout, mode);
  const PixelRect& area = region.source;
  const int32_t x1 = static_cast<int32_t>(std::min<int64_t>(area.x1, source.width));
  const int32_t y1 = static_cast<int32_t>(std::min<int64_t>(area.y1, source.height));
  for (int32_t y = std::max(area.y0, 0); y < y1; ++y) {
    for (int32_t x = std::max(area.x0, 0); x < x1; ++x) {
      const int64_t to_x = int64_t{x} - area.x0 + region.x, to_y = int64_t{y} - area.y0 + region.y;
      if (to_x != static_cast<int32_t>(to_x) || to_y != static_cast<int32_t>(to_y)) continue;
      const auto left = static_cast<int32_t>(to_x), top = static_cast<int32_t>(to_y);
      if (!source.has(x, y, region.source_layer) || !destination.has(left, top, region.layer)) continue;
      resolver.resolve(x, y, region.source_layer, destination.at(left, top, region.layer, 0, format->shape().bytes));
    }
  }
}

}  // namespace spalt::emu
