// SPDX-License-Identifier: MIT
#include "amdgpu/abi/sampler_descriptor.h"

#include <algorithm>
#include <cmath>

namespace spalt::abi {
namespace {

/// What differs between generations beyond the fields.
struct SamplerRules {
  bool truncates_nearest_only;  ///< TRUNC_COORD concerns point filters only, so that it is always set
  float max_lod;                ///< largest level of detail that is written
};
constexpr SamplerRules kGfx9{false, 15}, kGfx11{true, 15}, kGfx12{true, 17};
constexpr SamplerRules kRules[isa::kGenerationCount] = {kGfx9, kGfx9, kGfx9, kGfx11, kGfx11, kGfx12};

constexpr float kLodSteps = 256;   ///< 8 fraction bits
constexpr unsigned kMaxRatio = 4;  ///< log2 of 16

/// NaN becomes `low`.
float clamp_number(float value, float low, float high) {
  return value > low ? std::min(value, high) : low;
}

uint64_t unsigned_lod(float lod, float max) {
  return static_cast<uint64_t>(clamp_number(lod, 0, max) * kLodSteps);
}

/// Two's complement, as far as the field reaches.
uint64_t signed_lod(float lod, const DescriptorField& field) {
  const uint64_t steps = field.max() / 2 + 1;
  const float limit = static_cast<float>(steps) / kLodSteps;
  const float clamped = std::isnan(lod) ? 0 : clamp_number(lod, -limit, limit - 1 / kLodSteps);
  return static_cast<uint64_t>(static_cast<int64_t>(std::nearbyint(clamped * kLodSteps))) & field.max();
}

/// log2 of the anisotropy, rounded down.
unsigned anisotropy_ratio(float max_anisotropy) {
  unsigned ratio = 0;
  while (ratio < kMaxRatio && max_anisotropy >= static_cast<float>(2u << ratio)) ++ratio;
  return ratio;
}

/// The choices that Mesa's RADV makes: threshold, bias and mip performance follow from the ratio.
void write_anisotropy(unsigned ratio, const SamplerFields& fields, SamplerWords& words) {
  if (ratio == 0) return;
  constexpr unsigned kPerfMipOfRatio = 6;
  fields.max_aniso_ratio.set(words, ratio);
  fields.aniso_threshold.set(words, ratio / 2);
  fields.aniso_bias.set(words, ratio);
  fields.perf_mip.set(words, ratio + kPerfMipOfRatio);
}

void write_filters(const Sampler& sampler, unsigned ratio, const SamplerFields& fields, SamplerWords& words) {
  const unsigned anisotropic = ratio == 0 ? 0 : 2;
  fields.xy_mag.set(words, (sampler.mag_linear ? 1u : 0u) + anisotropic);
  fields.xy_min.set(words, (sampler.min_linear ? 1u : 0u) + anisotropic);
  if (!sampler.unnormalized) fields.mip_filter.set(words, sampler.mip_linear ? 2 : 1);
}

}  // namespace

SamplerWords write_sampler_descriptor(const Sampler& sampler, const isa::Target& target) {
  const SamplerFields& fields = sampler_fields(target);
  const SamplerRules& rules = kRules[static_cast<size_t>(target.generation)];
  const unsigned ratio = anisotropy_ratio(sampler.max_anisotropy);
  SamplerWords words{};
  for (size_t axis = 0; axis < std::size(fields.clamp); ++axis) {
    fields.clamp[axis].set(words, static_cast<uint64_t>(sampler.clamp[axis]));
  }
  write_anisotropy(ratio, fields, words);
  write_filters(sampler, ratio, fields, words);
  fields.compare.set(words, sampler.compare);
  fields.force_unnormalized.set(words, sampler.unnormalized ? 1 : 0);
  const bool all_nearest = !sampler.mag_linear && !sampler.min_linear;
  fields.trunc_coord.set(words, all_nearest || rules.truncates_nearest_only ? 1 : 0);
  fields.disable_cube_wrap.set(words, sampler.seamless_cube ? 0 : 1);
  fields.filter_mode.set(words, static_cast<uint64_t>(sampler.reduction));
  fields.compat_mode.set(words, 1);
  fields.filter_prec_fix.set(words, 1);
  fields.min_lod.set(words, unsigned_lod(sampler.min_lod, rules.max_lod));
  fields.max_lod.set(words, unsigned_lod(sampler.max_lod, rules.max_lod));
  fields.lod_bias.set(words, signed_lod(sampler.lod_bias, fields.lod_bias));
  fields.border_color_type.set(words, static_cast<uint64_t>(sampler.border));
  if (sampler.border == BorderColor::palette) fields.border_color_index.set(words, sampler.palette_index);
  return words;
}

}  // namespace spalt::abi
