// SPDX-License-Identifier: MIT
#include "amdgpu/abi/export_format.h"

#include <algorithm>

#include "texel/format.h"

namespace spalt::abi {
namespace {

using texel::Number;

/// Halves hold unorm, snorm and floats of so many bits exactly enough: what hardware drivers do.
constexpr unsigned kHalfBits = 10;

/// What channels of 16 bits go in without blending.
ExportFormat by_number(Number number) {
  switch (number) {
    case Number::unorm:
      return ExportFormat::unorm16;
    case Number::snorm:
      return ExportFormat::snorm16;
    default:
      return ExportFormat::fp16;
  }
}

/// Floats or integers of 32 bits.
ExportFormat by_dwords(unsigned channels, bool needs_alpha) {
  if (channels == 1) return needs_alpha ? ExportFormat::ar32 : ExportFormat::r32;
  return channels == 2 && !needs_alpha ? ExportFormat::gr32 : ExportFormat::abgr32;
}

}  // namespace

ColorExport choose_color_export(const ColorTarget& target, bool needs_alpha) {
  if (target.format == 0) return {needs_alpha ? ExportFormat::ar32 : ExportFormat::none};
  const texel::Format* format = texel::find_format(target.format);
  if (format == nullptr || format->aspects != texel::kColor || format->shape().is_compressed()) return {};
  const auto& bits = format->shape().bits;
  const unsigned widest = *std::max_element(bits.begin(), bits.end());
  const auto channels =
      static_cast<unsigned>(bits.size() - static_cast<size_t>(std::count(bits.begin(), bits.end(), 0)));
  const Number number = format->layout.number;
  if (format->has_64_bit_texels() || widest > 32) return {};
  if (widest == 32) return {by_dwords(channels, needs_alpha), number == Number::sint};
  if (number == Number::uint) return {ExportFormat::uint16, false};
  if (number == Number::sint) return {ExportFormat::sint16, true};
  const bool is_float = number == Number::floating || number == Number::ufloat;
  if (is_float || widest <= kHalfBits) return {ExportFormat::fp16};
  // Blending is done with more bits than an export of 16 has.
  return {target.blend ? by_dwords(channels, needs_alpha) : by_number(number)};
}

bool needs_alpha(const GraphicsState& state, unsigned location) {
  return state.targets[location].blend_reads_alpha || (location == 0 && state.alpha_to_coverage);
}

uint8_t wanted_channels(const GraphicsState& state, unsigned location) {
  constexpr unsigned kAlpha = 3;
  const ColorTarget& target = state.targets[location];
  unsigned wanted = target.format == 0 ? 0 : target.write_mask;
  const bool is_known = wanted != 0 && choose_color_export(target, false).format != ExportFormat::none;
  const texel::Format* format = is_known ? texel::find_format(target.format) : nullptr;
  for (unsigned i = 0; format != nullptr && i <= kAlpha; ++i) {
    const texel::Select channel = format->swizzle[i];
    if (channel == texel::Select::zero || channel == texel::Select::one) wanted &= ~(1u << i);
  }
  if (needs_alpha(state, location)) wanted |= 1u << kAlpha;
  return static_cast<uint8_t>(wanted);
}

uint8_t export_mask(ExportFormat format) {
  switch (format) {
    case ExportFormat::none:
      return 0;
    case ExportFormat::r32:
      return 1;
    case ExportFormat::gr32:
      return 3;
    case ExportFormat::ar32:
      return 9;
    default:
      return 0xf;
  }
}

}  // namespace spalt::abi
