// SPDX-License-Identifier: MIT
#include "emu/raster/blend.h"

#include <algorithm>

namespace spalt::emu {
namespace {

constexpr size_t kAlpha = 3;

/// The factor of component `c`. Those that name a colour give alpha its own component.
float factor(BlendFactor name, const BlendInputs& in, size_t c) {
  switch (name) {
    case BlendFactor::zero:
      return 0;
    case BlendFactor::one:
      return 1;
    case BlendFactor::src_color:
      return in.source[c];
    case BlendFactor::one_minus_src_color:
      return 1 - in.source[c];
    case BlendFactor::dst_color:
      return in.destination[c];
    case BlendFactor::one_minus_dst_color:
      return 1 - in.destination[c];
    case BlendFactor::src_alpha:
      return in.source[kAlpha];
    case BlendFactor::one_minus_src_alpha:
      return 1 - in.source[kAlpha];
    case BlendFactor::dst_alpha:
      return in.destination[kAlpha];
    case BlendFactor::one_minus_dst_alpha:
      return 1 - in.destination[kAlpha];
    case BlendFactor::constant_color:
      return in.constants[c];
    case BlendFactor::one_minus_constant_color:
      return 1 - in.constants[c];
    case BlendFactor::constant_alpha:
      return in.constants[kAlpha];
    case BlendFactor::one_minus_constant_alpha:
      return 1 - in.constants[kAlpha];
    case BlendFactor::src_alpha_saturate:
      return c == kAlpha ? 1 : std::min(in.source[kAlpha], 1 - in.destination[kAlpha]);
    case BlendFactor::src1_color:
      return in.source1[c];
    case BlendFactor::one_minus_src1_color:
      return 1 - in.source1[c];
    case BlendFactor::src1_alpha:
      return in.source1[kAlpha];
    case BlendFactor::one_minus_src1_alpha:
      return 1 - in.source1[kAlpha];
  }
  return 0;
}

/// The factor zero takes nothing, even of what is infinite or no number.
float product(float value, BlendFactor name, const BlendInputs& in, size_t c) {
  return name == BlendFactor::zero ? 0 : value * factor(name, in, c);
}

float blend_component(const BlendEquation& equation, const BlendInputs& in, size_t c) {
  const float source = in.source[c], destination = in.destination[c];
  if (equation.op == BlendOp::minimum) return std::min(source, destination);
  if (equation.op == BlendOp::maximum) return std::max(source, destination);
  const float a = product(source, equation.source, in, c), b = product(destination, equation.destination, in, c);
  if (equation.op == BlendOp::subtract) return a - b;
  if (equation.op == BlendOp::reverse_subtract) return b - a;
  return a + b;
}

}  // namespace

BlendColor blend(const BlendState& state, const BlendInputs& inputs) {
  BlendColor result;
  for (size_t c = 0; c < result.size(); ++c) {
    result[c] = blend_component(c == kAlpha ? state.alpha : state.color, inputs, c);
  }
  return result;
}

}  // namespace spalt::emu
