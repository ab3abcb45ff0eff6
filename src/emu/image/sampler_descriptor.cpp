// SPDX-License-Identifier: MIT
#include "emu/image/sampler_descriptor.h"

#include <algorithm>

#include "amdgpu/abi/descriptor_fields.h"
#include "base/bits.h"
#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

/// Bits of a filter field.
constexpr uint32_t kLinear = 1, kAnisotropic = 2;
constexpr uint32_t kMaxAnisotropyLog2 = 4;

TexelRead::Reduction reduction_of(uint32_t filter_mode) {
  using enum TexelRead::Reduction;
  return filter_mode == 1 ? minimum : filter_mode == 2 ? maximum : average;
}

/// Value 3, nearest with an adjustment for anisotropy, is nearest.
SamplerDescriptor::MipFilter mip_filter_of(uint32_t field) {
  using enum SamplerDescriptor::MipFilter;
  return field == 0 ? none : field == 2 ? linear : nearest;
}

}  // namespace

SamplerDescriptor read_sampler_descriptor(const Wave& wave, unsigned reg) {
  const abi::SamplerFields& fields = abi::sampler_fields(wave.program().target());
  std::array<uint32_t, 4> words;
  for (unsigned i = 0; i < words.size(); ++i) words[i] = wave.read_s32(reg + i);
  const auto get = [&words](const abi::DescriptorField& field) { return static_cast<uint32_t>(field.get(words)); };

  SamplerDescriptor s;
  for (unsigned i = 0; i < 3; ++i) s.clamp[i] = static_cast<uint8_t>(get(fields.clamp[i]));
  s.max_anisotropy = 1u << std::min(get(fields.max_aniso_ratio), kMaxAnisotropyLog2);
  s.compare = static_cast<uint8_t>(get(fields.compare));
  s.unnormalized = get(fields.force_unnormalized) != 0;
  s.truncates = get(fields.trunc_coord) != 0;
  s.seamless = get(fields.disable_cube_wrap) == 0;
  s.reduction = reduction_of(get(fields.filter_mode));
  s.min_lod = static_cast<int32_t>(get(fields.min_lod));
  s.max_lod = static_cast<int32_t>(get(fields.max_lod));
  s.lod_bias = static_cast<int32_t>(sign_extend(get(fields.lod_bias), fields.lod_bias.bits));
  s.magnifies_linear = (get(fields.xy_mag) & kLinear) != 0;
  s.minifies_linear = (get(fields.xy_min) & kLinear) != 0;
  s.magnifies_anisotropic = (get(fields.xy_mag) & kAnisotropic) != 0;
  s.minifies_anisotropic = (get(fields.xy_min) & kAnisotropic) != 0;
  s.z_filter = static_cast<uint8_t>(get(fields.z_filter));
  s.mip_filter = mip_filter_of(get(fields.mip_filter));
  s.isotropic_if_one_level = get(fields.aniso_override) != 0;
  s.border_index = get(fields.border_color_index);
  s.border_type = static_cast<uint8_t>(get(fields.border_color_type));
  return s;
}

}  // namespace spalt::emu
