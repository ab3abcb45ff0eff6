// SPDX-License-Identifier: MIT
#include "emu/raster/depth_stencil.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "texel/channel.h"

namespace spalt::emu {
namespace {

bool has_sample(const RasterSurface& surface, const PixelSamples& pixel, unsigned sample) {
  return surface.exists() && sample < surface.samples && surface.has(pixel.x, pixel.y, pixel.layer);
}

}  // namespace

DepthStencilUnit::DepthStencilUnit(const DepthStencilState& state, const DepthClamp& clamp, const RasterSurface& depth,
                                   const RasterSurface& stencil)
    : state_(state), clamp_(clamp), depth_(depth), stencil_(stencil) {
  const texel::Format* format = depth.exists() ? texel::find_format(depth.format) : nullptr;
  if (format == nullptr || (format->aspects & texel::kDepth) == 0) {
    depth_.bytes = nullptr;
    return;
  }
  codec_ = &texel::codec_of(format->layout);
  depth_bytes_ = format->shape().bytes;
  depth_mask_ = texel::all_ones(format->shape().bits[0]);
  is_float_ = format->layout.number == texel::Number::floating;
}

uint16_t DepthStencilUnit::test(const PixelSamples& pixel, std::optional<uint8_t> reference) const {
  if (!state_.depth_test && !state_.stencil_test && !state_.bounds_test) return pixel.coverage;
  uint16_t passed = 0;
  for (unsigned s = 0; s < kMaxSamples; ++s) {
    if ((pixel.coverage >> s & 1) != 0 && test_sample(pixel, s, reference))
      passed = static_cast<uint16_t>(passed | 1u << s);
  }
  return passed;
}

bool DepthStencilUnit::test_sample(const PixelSamples& pixel, unsigned sample, std::optional<uint8_t> reference) const {
  std::byte* const depth =
      has_sample(depth_, pixel, sample) ? depth_.at(pixel.x, pixel.y, pixel.layer, sample, depth_bytes_) : nullptr;
  if (state_.bounds_test && depth != nullptr && !is_in_bounds(depth)) return false;

  std::byte* const stencil = state_.stencil_test && has_sample(stencil_, pixel, sample)
                                 ? stencil_.at(pixel.x, pixel.y, pixel.layer, sample, 1)
                                 : nullptr;
  const StencilFace& face = pixel.front_facing ? state_.front : state_.back;
  const auto stored = stencil != nullptr ? static_cast<uint8_t>(*stencil) : uint8_t{0};
  const uint8_t given = reference.value_or(face.reference);
  const bool stencil_passes =
      stencil == nullptr || compare<unsigned>(face.compare, given & face.compare_mask, stored & face.compare_mask);
  const bool tests_depth = state_.depth_test && depth != nullptr;
  const DepthCode z = tests_depth && stencil_passes ? encode(pixel.z[sample]) : 0;
  const bool depth_passes = !tests_depth || !stencil_passes || passes_depth(z, load_depth(depth));

  if (stencil != nullptr) {
    const StencilOp op = !stencil_passes ? face.fail : depth_passes ? face.pass : face.depth_fail;
    const uint8_t value = apply_stencil_op(op, stored, given);
    *stencil = static_cast<std::byte>((stored & ~face.write_mask) | (value & face.write_mask));
  }
  if (!stencil_passes || !depth_passes) return false;
  if (tests_depth && state_.depth_write) std::memcpy(depth, &z, depth_bytes_);
  return true;
}

bool DepthStencilUnit::passes_depth(DepthCode given, DepthCode stored) const {
  if (!is_float_) return compare(state_.depth_compare, given, stored);
  return compare(state_.depth_compare, std::bit_cast<float>(given), std::bit_cast<float>(stored));
}

bool DepthStencilUnit::is_in_bounds(const std::byte* at) const {
  texel::Texel texel;
  codec_->decode(at, texel);
  const auto z = std::bit_cast<float>(texel[0]);
  return z >= state_.min_bounds && z <= state_.max_bounds;
}

DepthStencilUnit::DepthCode DepthStencilUnit::encode(float z) const {
  const float clamped = clamp_.enabled ? std::clamp(z, clamp_.low, clamp_.high) : z;
  DepthCode code = 0;
  codec_->encode({std::bit_cast<uint32_t>(clamped)}, reinterpret_cast<std::byte*>(&code));
  return code;
}

DepthStencilUnit::DepthCode DepthStencilUnit::load_depth(const std::byte* at) const {
  DepthCode code = 0;
  std::memcpy(&code, at, depth_bytes_);
  return code & depth_mask_;
}

uint8_t apply_stencil_op(StencilOp op, uint8_t stored, uint8_t reference) {
  switch (op) {
    case StencilOp::keep:
      return stored;
    case StencilOp::zero:
      return 0;
    case StencilOp::replace:
      return reference;
    case StencilOp::increment_and_clamp:
      return stored == 0xff ? stored : static_cast<uint8_t>(stored + 1);
    case StencilOp::decrement_and_clamp:
      return stored == 0 ? stored : static_cast<uint8_t>(stored - 1);
    case StencilOp::invert:
      return static_cast<uint8_t>(~stored);
    case StencilOp::increment_and_wrap:
      return static_cast<uint8_t>(stored + 1);
    case StencilOp::decrement_and_wrap:
      return static_cast<uint8_t>(stored - 1);
  }
  return stored;
}

}  // namespace spalt::emu
