// SPDX-License-Identifier: MIT
//
// The tests of samples against the depth and stencil attachments: depth bounds, stencil, depth, in Vulkan's order, each
// with what it writes. Depth is compared as it would be stored.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "emu/raster/state.h"
#include "texel/codec.h"

namespace spalt::emu {

/// What depth values are clamped to before the test, if at all.
struct DepthClamp {
  bool enabled = false;
  float low = 0, high = 1;
};

/// The samples of one pixel of a primitive.
struct PixelSamples {
  int32_t x = 0, y = 0;
  uint32_t layer = 0;
  uint16_t coverage = 0;
  bool front_facing = true;
  std::array<float, kMaxSamples> z{};  ///< of each covered sample
};

class DepthStencilUnit {
 public:
  /// A surface may be missing: then its test passes and writes nothing. The memory of surfaces is not owned.
  DepthStencilUnit(const DepthStencilState& state, const DepthClamp& clamp, const RasterSurface& depth,
                   const RasterSurface& stencil);

  /// Tests the covered samples and updates the attachments. The samples that pass. `reference`: what a shader exports
  /// in the place of the stencil reference.
  uint16_t test(const PixelSamples& pixel, std::optional<uint8_t> reference = std::nullopt) const;

 private:
  /// A depth as it is stored: an integer, or the bits of a float.
  using DepthCode = uint32_t;

  bool test_sample(const PixelSamples& pixel, unsigned sample, std::optional<uint8_t> reference) const;
  bool passes_depth(DepthCode given, DepthCode stored) const;
  bool is_in_bounds(const std::byte* at) const;
  DepthCode encode(float z) const;
  DepthCode load_depth(const std::byte* at) const;

  DepthStencilState state_;
  DepthClamp clamp_;
  RasterSurface depth_, stencil_;
  const texel::Codec* codec_ = nullptr;  ///< of the depth
  unsigned depth_bytes_ = 0;
  DepthCode depth_mask_ = 0;
  bool is_float_ = false;
};

/// The value that an operation gives, before the write mask.
uint8_t apply_stencil_op(StencilOp op, uint8_t stored, uint8_t reference);

template <class T>
bool compare(Compare op, T a, T b) {
  switch (op) {
    case Compare::never:
      return false;
    case Compare::less:
      return a < b;
    case Compare::equal:
      return a == b;
    case Compare::less_or_equal:
      return a <= b;
    case Compare::greater:
      return a > b;
    case Compare::not_equal:
      return a != b;
    case Compare::greater_or_equal:
      return a >= b;
    case Compare::always:
      return true;
  }
  return true;
}

}  // namespace spalt::emu
