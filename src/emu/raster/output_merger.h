// SPDX-License-Identifier: MIT
//
// What happens to a fragment besides its shader, in Vulkan's order (chapter "Fragment Operations"):
//
//   before shading  sample mask; with early tests also depth bounds, stencil, depth and the count of samples
//   after shading   the shader's sample mask, alpha to coverage; with late tests those; alpha to one, colours
//
// Fragments must come in primitive order; what overlaps then ends as Vulkan wants it. Both halves are for one pixel of
// one primitive, or, where a shader runs for each sample, for the samples of one invocation.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>

#include "base/small_vector.h"
#include "emu/raster/color_target.h"
#include "emu/raster/depth_stencil.h"

namespace spalt::emu {

constexpr unsigned kMaxColorTargets = 8;

/// What a fragment shader exports for a pixel.
struct FragmentOutputs {
  std::array<texel::Texel, kMaxColorTargets> colors{};  ///< by location
  texel::Texel source1{};                               ///< the second source of target 0
  uint8_t written = 0;                                  ///< a bit for each location that the shader writes
  std::optional<float> depth;
  std::optional<uint8_t> stencil_reference;
  std::optional<uint16_t> sample_mask;
  std::optional<float> coverage_alpha;  ///< for alpha to coverage, in the place of that of target 0
};

/// Of an occlusion query.
struct SampleCount {
  uint64_t passed = 0;
};

class OutputMerger {
 public:
  struct Settings {
    MultisampleState multisample;
    unsigned samples = 1;
    bool early_tests = false;
  };

  /// `targets` by location; they and the surfaces must outlive this.
  OutputMerger(const Settings& settings, const DepthStencilUnit& tests, std::span<const ColorTarget> targets)
      : settings_(settings), tests_(tests), targets_(targets) {}

  /// The samples that are left before shading; 0: the fragment need not be shaded but as a helper.
  uint16_t before_shading(const PixelSamples& pixel, SampleCount& count) const;
  /// `pixel` has the coverage that before_shading gave, without what the shader has discarded.
  void after_shading(const PixelSamples& pixel, const FragmentOutputs& outputs, SampleCount& count) const;

 private:
  uint16_t test(const PixelSamples& pixel, std::optional<uint8_t> reference, SampleCount& count) const;
  void write_colors(const PixelSamples& pixel, const FragmentOutputs& outputs) const;

  Settings settings_;
  const DepthStencilUnit& tests_;
  std::span<const ColorTarget> targets_;
};

/// As many of the samples, from the first one on, as alpha has of them, to the nearest.
uint16_t alpha_coverage(float alpha, unsigned samples);

}  // namespace spalt::emu
