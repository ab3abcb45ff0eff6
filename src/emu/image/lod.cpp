// SPDX-License-Identifier: MIT
#include "emu/image/lod.h"

#include <algorithm>
#include <cmath>

namespace spalt::emu {
namespace {

constexpr double kLodSteps = 256, kMaxBias = 16, kMaxLod = 64;

double length(const std::array<double, 3>& gradient, const std::array<double, 3>& size) {
  double sum = 0;
  for (unsigned axis = 0; axis < 3; ++axis) {
    const double texels = gradient[axis] * size[axis];
    sum += texels * texels;
  }
  return std::sqrt(sum);
}

}  // namespace

PixelFootprint footprint_of(const ImageDescriptor& image, const Gradients& gradients, unsigned axes,
                            unsigned anisotropy) {
  const unsigned level = image.base_level;
  std::array<double, 3> size{};
  const double sizes[] = {static_cast<double>(image.level_width(level)), static_cast<double>(image.level_height(level)),
                          static_cast<double>(image.level_depth(level))};
  std::copy_n(sizes, axes, size.begin());
  const double by_x = length(gradients.by_x, size), by_y = length(gradients.by_y, size);
  const double longer = std::max(by_x, by_y), shorter = std::min(by_x, by_y);
  PixelFootprint footprint;
  if (!std::isfinite(longer) || !std::isfinite(shorter)) return footprint;
  double ratio = 1;
  if (anisotropy > 1 && longer > 0) ratio = std::min(longer / shorter, static_cast<double>(anisotropy));
  footprint.lambda = std::log2(longer / ratio);
  footprint.samples = static_cast<unsigned>(std::ceil(ratio));
  footprint.axis = by_x >= by_y ? gradients.by_x : gradients.by_y;
  return footprint;
}

double raw_lod(const SamplerDescriptor& sampler, double lambda, const LodLimits& limits) {
  return lambda + std::clamp(sampler.lod_bias / kLodSteps + limits.bias, -kMaxBias, kMaxBias);
}

int32_t biased_lod(const SamplerDescriptor& sampler, double lambda, const LodLimits& limits) {
  const double lod = raw_lod(sampler, lambda, limits);
  const double least = std::fmax(sampler.min_lod / kLodSteps, limits.min_lod), most = sampler.max_lod / kLodSteps;
  const double clamped = std::fmin(std::fmax(std::isnan(lod) ? 0 : lod, least), most);
  return static_cast<int32_t>(std::floor(std::clamp(clamped, -kMaxLod, kMaxLod) * kLodSteps + 0.5));
}

int32_t clamped_lod(const ImageDescriptor& image, int32_t lod) {
  const auto last = static_cast<int32_t>(image.last_level - image.base_level) << 8;
  const int32_t least = static_cast<int32_t>(image.min_lod) - (static_cast<int32_t>(image.base_level) << 8);
  return std::clamp(std::max(std::clamp(lod, 0, last), least), 0, last);
}

Levels levels_of(const ImageDescriptor& image, SamplerDescriptor::MipFilter filter, int32_t lod) {
  using enum SamplerDescriptor::MipFilter;
  // Halfway between two levels, the finer one is the nearest. Without a filter only a limit of the view leads away from
  // the first level.
  constexpr int32_t kHalf = 127;
  const int32_t d = clamped_lod(image, filter == none ? 0 : lod);
  Levels levels;
  const int32_t first = filter == linear ? d >> 8 : (d + kHalf) >> 8;
  levels.first = levels.second = image.base_level + static_cast<uint32_t>(first);
  if (filter != linear || levels.first == image.last_level) return levels;
  levels.second = levels.first + 1;
  levels.second_weight = static_cast<unsigned>(d & 255);
  return levels;
}

}  // namespace spalt::emu
