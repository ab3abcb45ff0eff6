// SPDX-License-Identifier: MIT
#include "emu/raster/output_merger.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace spalt::emu {
namespace {

constexpr uint32_t kOne = 0x3f800000u;

}  // namespace

uint16_t OutputMerger::before_shading(const PixelSamples& pixel, SampleCount& count) const {
  PixelSamples left = pixel;
  left.coverage = static_cast<uint16_t>(pixel.coverage & settings_.multisample.sample_mask);
  return settings_.early_tests ? test(left, std::nullopt, count) : left.coverage;
}

void OutputMerger::after_shading(const PixelSamples& pixel, const FragmentOutputs& outputs, SampleCount& count) const {
  PixelSamples left = pixel;
  if (outputs.sample_mask) left.coverage = static_cast<uint16_t>(left.coverage & *outputs.sample_mask);
  if (settings_.multisample.alpha_to_coverage) {
    const float alpha = outputs.coverage_alpha.value_or(std::bit_cast<float>(outputs.colors[0][3]));
    left.coverage = static_cast<uint16_t>(left.coverage & alpha_coverage(alpha, settings_.samples));
  }
  if (!settings_.early_tests) {
    if (outputs.depth) left.z.fill(*outputs.depth);
    left.coverage = test(left, outputs.stencil_reference, count);
  }
  if (left.coverage != 0) write_colors(left, outputs);
}

uint16_t OutputMerger::test(const PixelSamples& pixel, std::optional<uint8_t> reference, SampleCount& count) const {
  const uint16_t passed = tests_.test(pixel, reference);
  count.passed += static_cast<unsigned>(std::popcount(passed));
  return passed;
}

void OutputMerger::write_colors(const PixelSamples& pixel, const FragmentOutputs& outputs) const {
  for (size_t i = 0; i < targets_.size() && i < kMaxColorTargets; ++i) {
    if ((outputs.written >> i & 1) == 0) continue;
    SourceColor source{outputs.colors[i], outputs.source1};
    if (settings_.multisample.alpha_to_one && !targets_[i].is_integer()) source.color[3] = source.color1[3] = kOne;
    targets_[i].write(pixel.x, pixel.y, pixel.layer, pixel.coverage, source);
  }
}

uint16_t alpha_coverage(float alpha, unsigned samples) {
  if (!(alpha > 0)) return 0;
  const auto covered = static_cast<unsigned>(std::nearbyint(std::min(alpha, 1.0f) * static_cast<float>(samples)));
  return static_cast<uint16_t>((1u << covered) - 1);
}

}  // namespace spalt::emu
