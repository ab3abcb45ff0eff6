// SPDX-License-Identifier: MIT
#include "emu/image/texel_value.h"

#include <algorithm>

#include "base/bits.h"
#include "emu/vector/float_math.h"

namespace spalt::emu {
namespace {

using texel::Number;

constexpr unsigned kNearestEven = 0, kTowardZero = 3;  ///< rounding fields of MODE

bool is_float(Number number) {
  return number == Number::floating || number == Number::ufloat;
}

uint32_t narrow_float(uint32_t bits, unsigned rounding) {
  if (!is_nan32(bits)) return float_to_half(as_float(bits), rounding);
  const uint32_t payload = bits >> 13 & 0x3ffu;
  return (bits >> 16 & 0x8000u) | 0x7c00u | (payload != 0 ? payload : 0x200u);
}

uint32_t narrow(uint32_t value, Number number) {
  if (number == Number::uint) return std::min(value, 0xffffu);
  if (number == Number::sint) {
    return static_cast<uint32_t>(std::clamp(static_cast<int32_t>(value), -0x8000, 0x7fff)) & 0xffffu;
  }
  return narrow_float(value, is_float(number) ? kTowardZero : kNearestEven);
}

}  // namespace

void write_components(uint32_t* dst, unsigned lane, const std::array<uint32_t, 4>& values, unsigned count, bool halves,
                      Number number) {
  for (unsigned i = 0; i < count; ++i) {
    if (!halves) {
      dst[i * kMaxLanes + lane] = values[i];
      continue;
    }
    uint32_t& reg = dst[i / 2 * kMaxLanes + lane];
    reg = static_cast<uint32_t>(with_bits(reg, i % 2 * 16, 16, narrow(values[i], number)));
  }
}

}  // namespace spalt::emu
