// SPDX-License-Identifier: MIT
//
// Which levels a sample reads, and how long its footprint is (docs/texture-unit.md, "Level of detail").
#pragma once
#include <array>
#include <cstdint>

#include "emu/image/image_descriptor.h"
#include "emu/image/sampler_descriptor.h"

namespace spalt::emu {

/// How coordinates in units of the whole image change from one lane to the next, in two directions.
struct Gradients {
  std::array<double, 3> by_x{}, by_y{};
};

/// The footprint of a lane.
struct PixelFootprint {
  double lambda = 0;             ///< log2 of its size in texels, before bias and clamps; may be -infinity
  unsigned samples = 1;          ///< along the longer axis
  std::array<double, 3> axis{};  ///< that axis, in units of the whole image
};

/// The size of the footprint in texels of the view's first level. `anisotropy` is the most that the sampler allows.
PixelFootprint footprint_of(const ImageDescriptor& image, const Gradients& gradients, unsigned axes,
                            unsigned anisotropy);

/// Levels of detail of the sampler and the instruction, to clamp with.
struct LodLimits {
  double bias = 0;     ///< of the instruction
  double min_lod = 0;  ///< likewise
};

/// Before clamps: with the bias of sampler and instruction.
double raw_lod(const SamplerDescriptor& sampler, double lambda, const LodLimits& limits);
/// With 8 fraction bits, relative to the view's first level, after bias and clamps of sampler and instruction. Not yet
/// within the levels of the view.
int32_t biased_lod(const SamplerDescriptor& sampler, double lambda, const LodLimits& limits);
/// The same within the levels of the view, and not below the least one that the view allows.
int32_t clamped_lod(const ImageDescriptor& image, int32_t lod);

/// The one or two levels of a sample, absolute, and the weight of the second one in 1/256.
struct Levels {
  uint32_t first = 0, second = 0;
  unsigned second_weight = 0;
};
Levels levels_of(const ImageDescriptor& image, SamplerDescriptor::MipFilter filter, int32_t lod);

}  // namespace spalt::emu
