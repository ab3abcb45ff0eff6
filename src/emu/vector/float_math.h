// SPDX-License-Identifier: MIT
#pragma once
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <limits>

#include "emu/wave/lanes.h"

namespace spalt::emu {

constexpr uint64_t kQuietNan64 = 0x7ff8000000000000u;
constexpr uint32_t kQuietNan32 = 0x7fc00000u;
constexpr uint32_t kQuietNan16 = 0x7e00u;

/// The NaN that an operation makes of numbers, whatever the host makes. A NaN among the sources comes through instead,
/// quiet. Negative is what the guides' examples of roots, logarithms and sines show (docs/isa-errata.md, "The NaN of a
/// root").
enum class MadeNan : uint8_t { positive, negative };
template <class F, class... In>
bool makes_nan(F result, In... in) {
  return result != result && !(false || ... || (in != in));
}

/// Host rounding mode of a MODE rounding field (0 nearest even, 1 +inf, 2 -inf, 3 zero) for the life of the object.
class RoundScope {
 public:
  explicit RoundScope(unsigned mode) : changed_(mode != 0) {
    static constexpr int kModes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
    if (changed_) std::fesetround(kModes[mode & 3]);
  }
  ~RoundScope() {
    if (changed_) std::fesetround(FE_TONEAREST);
  }
  RoundScope(const RoundScope&) = delete;
  RoundScope& operator=(const RoundScope&) = delete;

 private:
  bool changed_;
};

inline bool is_nan32(uint32_t bits) {
  return (bits & 0x7fffffffu) > 0x7f800000u;
}
inline bool is_denormal32(uint32_t bits) {
  return (bits & 0x7f800000u) == 0;
}
inline uint32_t flush32(uint32_t bits) {
  return is_denormal32(bits) ? bits & 0x80000000u : bits;
}

/// a + b rounded to odd: a later rounding to a shorter format then gives what one rounding would have given
/// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008). Assumes the host rounds to nearest.
inline double add_to_odd(double a, double b) {
  const double sum = a + b;
  const double a_part = sum - b, b_part = sum - a_part;
  const double error = (a - a_part) + (b - b_part);
  const uint64_t bits = as_bits(sum);
  const bool adjust = (error > 0 || error < 0) && (bits & 1) == 0 && std::isfinite(sum);
  const bool away = (error > 0) == (sum > 0);
  return as_double(adjust ? (away ? bits + 1 : bits - 1) : bits);
}

/// Fused multiply-add, rounded to nearest: the product of two floats is exact in double.
inline float fma_nearest(float a, float b, float c) {
  return static_cast<float>(add_to_odd(static_cast<double>(a) * b, c));
}

// ---- 16-bit floats ----

/// A NaN keeps sign and payload.
float half_to_float(uint32_t half);
/// Rounds by a MODE rounding field. A NaN keeps its sign and the high bits of its payload, and becomes quiet.
uint32_t float_to_half(double value, unsigned rounding);

inline bool is_nan16(uint32_t bits) {
  return (bits & 0x7fffu) > 0x7c00u;
}
inline uint32_t flush16(uint32_t bits) {
  return (bits & 0x7c00u) == 0 ? bits & 0x8000u : bits;
}

}  // namespace spalt::emu
