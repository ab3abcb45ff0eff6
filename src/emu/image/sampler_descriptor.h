// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "emu/image/texel_read.h"

namespace spalt::emu {

class Wave;

/// A sampler descriptor (S#), whatever the layout of its bits. Levels of detail have 8 fraction bits.
struct SamplerDescriptor {
  /// Values of `clamp`.
  enum Clamp : uint8_t {
    kWrap,
    kMirror,
    kClampToEdge,
    kMirrorOnceToEdge,
    kClampHalfBorder,  ///< like kClampToBorder here: nothing makes it
    kMirrorOnceHalfBorder,
    kClampToBorder,
    kMirrorOnceToBorder
  };
  enum class MipFilter : uint8_t { none, nearest, linear };

  std::array<uint8_t, 3> clamp{};
  unsigned max_anisotropy = 1;
  uint8_t compare = 0;
  bool unnormalized = false;
  bool truncates = false;  ///< TRUNC_COORD
  bool seamless = true;
  TexelRead::Reduction reduction = TexelRead::Reduction::average;
  int32_t min_lod = 0, max_lod = 0, lod_bias = 0;
  bool magnifies_linear = false, minifies_linear = false;
  bool magnifies_anisotropic = false, minifies_anisotropic = false;
  uint8_t z_filter = 0;  ///< 0 as x and y, 1 nearest, 2 linear
  MipFilter mip_filter = MipFilter::none;
  bool isotropic_if_one_level = false;
  uint32_t border_index = 0;
  uint8_t border_type = 0;  ///< transparent black, opaque black, opaque white, an entry of the palette
};

/// The descriptor in four scalar registers.
SamplerDescriptor read_sampler_descriptor(const Wave& wave, unsigned reg);

}  // namespace spalt::emu
