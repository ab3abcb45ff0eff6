// SPDX-License-Identifier: MIT
#include "emu/raster/color_target.h"

#include <bit>
#include <cstring>

#include "texel/channel.h"

namespace spalt::emu {
namespace {

using texel::Number;
using texel::Texel;

/// The number whose bit, from the lowest one, is the component that a channel in memory gets; 0 if it gets none.
unsigned component_bit(texel::Select select) {
  return select < texel::Select::x ? 0
                                   : 1u << (static_cast<unsigned>(select) - static_cast<unsigned>(texel::Select::x));
}

BlendColor floats(const Texel& texel) {
  BlendColor color;
  for (size_t c = 0; c < color.size(); ++c) color[c] = std::bit_cast<float>(texel[c]);
  return color;
}

bool can_blend(Number number) {
  return !texel::is_integer(number);
}

/// Floats and sRGB are written as if there were no logic operation.
bool can_combine(Number number) {
  return number != Number::floating && number != Number::srgb;
}

}  // namespace

ColorTarget::ColorTarget(const RasterSurface& surface, const BlendState& blend, const ColorState& state)
    : surface_(surface), blend_(blend), state_(state) {
  format_ = surface.exists() ? texel::find_format(surface.format) : nullptr;
  if (format_ == nullptr || format_->aspects != texel::kColor || format_->shape().is_compressed()) return;
  const texel::ShapeFacts& shape = format_->shape();
  codec_ = &texel::codec_of(format_->layout);
  bytes_ = shape.bytes;
  inverse_ = texel::inverse(format_->swizzle);
  for (size_t channel = 0; channel < 4; ++channel) {
    if ((blend.write_mask & component_bit(inverse_[channel])) != 0) continue;
    for (unsigned bit = 0; bit < shape.bits[channel]; ++bit) {
      const unsigned at = shape.offset[channel] + bit;
      keep_[at / 8] = static_cast<uint8_t>(keep_[at / 8] | 1u << at % 8);
    }
  }
  blends_ = blend.enabled && !state.logic_op_enabled && can_blend(format_->layout.number);
  combines_ = state.logic_op_enabled && can_combine(format_->layout.number);
}

void ColorTarget::write(int32_t x, int32_t y, uint32_t layer, uint16_t coverage, const SourceColor& source) const {
  if (codec_ == nullptr || coverage == 0 || !surface_.has(x, y, layer)) return;
  BlendInputs inputs;
  Bytes bytes{};
  if (blends_) {
    inputs = {floats(source.color), floats(source.color1), {}, state_.blend_constants};
    for (BlendColor* color : {&inputs.source, &inputs.source1, &inputs.constants}) clamp(*color);
  } else {
    bytes = encoded(source.color);
  }
  for (unsigned s = 0; s < kMaxSamples && s < surface_.samples; ++s) {
    if ((coverage >> s & 1) == 0) continue;
    std::byte* const at = surface_.at(x, y, layer, s, bytes_);
    store(blends_ ? blended(inputs, at) : bytes, at);
  }
}

ColorTarget::Bytes ColorTarget::encoded(const Texel& rgba) const {
  Bytes bytes{};
  codec_->encode(texel::swizzled(rgba, inverse_, Number::uint), reinterpret_cast<std::byte*>(bytes.data()));
  return bytes;
}

ColorTarget::Bytes ColorTarget::blended(const BlendInputs& inputs, const std::byte* at) const {
  Texel channels;
  codec_->decode(at, channels);
  BlendInputs all = inputs;
  all.destination = floats(texel::swizzled(channels, format_->swizzle, format_->layout.number));
  const BlendColor result = blend(blend_, all);
  Texel rgba;
  for (size_t c = 0; c < result.size(); ++c) rgba[c] = std::bit_cast<uint32_t>(result[c]);
  return encoded(rgba);
}

void ColorTarget::store(const Bytes& bytes, std::byte* at) const {
  for (unsigned i = 0; i < bytes_; ++i) {
    const auto old = static_cast<uint8_t>(at[i]);
    const uint8_t value = combines_ ? apply_logic_op(state_.logic_op, bytes[i], old) : bytes[i];
    at[i] = static_cast<std::byte>((old & keep_[i]) | (value & ~keep_[i]));
  }
}

/// Colours of fixed-point targets are in their range before they are blended; what is no number becomes 0.
void ColorTarget::clamp(BlendColor& color) const {
  const Number number = format_->layout.number;
  if (number == Number::floating) return;
  const double least = number == Number::snorm ? -1 : 0;
  for (float& component : color) component = static_cast<float>(texel::clamp_number(component, least, 1));
}

uint8_t apply_logic_op(LogicOp op, uint8_t source, uint8_t destination) {
  // Vulkan numbers the operations by what they give for (s, d) = (1, 1), (1, 0), (0, 1), (0, 0), from the lowest bit
  // up.
  const auto table = static_cast<unsigned>(op);
  const unsigned s = source, d = destination;
  const unsigned terms[] = {s & d, s & ~d, ~s & d, ~s & ~d};
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    if ((table >> i & 1) != 0) result |= terms[i];
  }
  return static_cast<uint8_t>(result);
}

}  // namespace spalt::emu
