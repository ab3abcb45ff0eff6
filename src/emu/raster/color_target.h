// SPDX-License-Identifier: MIT
//
// Colours into one attachment: blending or a logic operation, conversion to the format, write mask.
#pragma once
#include <array>
#include <cstdint>

#include "emu/raster/blend.h"
#include "texel/codec.h"

namespace spalt::emu {

/// A colour that a shader exports: R, G, B, A, floats or integers by the format of the target; and the second one of
/// dual-source blending.
struct SourceColor {
  texel::Texel color{}, color1{};
};

class ColorTarget {
 public:
  ColorTarget(const RasterSurface& surface, const BlendState& blend, const ColorState& state);

  /// Integers have no alpha that could be one.
  bool is_integer() const { return format_ != nullptr && texel::is_integer(format_->layout.number); }

  /// Writes the samples of a pixel that are in `coverage`.
  void write(int32_t x, int32_t y, uint32_t layer, uint16_t coverage, const SourceColor& source) const;

 private:
  using Bytes = std::array<uint8_t, 16>;  ///< of a texel in memory, as many as the format has

  Bytes encoded(const texel::Texel& rgba) const;
  Bytes blended(const BlendInputs& inputs, const std::byte* at) const;
  void store(const Bytes& bytes, std::byte* at) const;
  void clamp(BlendColor& color) const;

  RasterSurface surface_;
  BlendState blend_;
  ColorState state_;
  const texel::Codec* codec_ = nullptr;  ///< nullptr: nothing can be written
  const texel::Format* format_ = nullptr;
  texel::Swizzle inverse_{};
  Bytes keep_{};  ///< the bits that the write mask protects
  bool blends_ = false, combines_ = false;
  unsigned bytes_ = 0;
};

/// A bit of the result for each pair of bits.
uint8_t apply_logic_op(LogicOp op, uint8_t source, uint8_t destination);

}  // namespace spalt::emu
