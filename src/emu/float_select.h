// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::emu {

/// Minimum, maximum and median on the bits of floats with M stored mantissa bits. A number wins over a NaN, and -0 is
/// below +0. In IEEE mode a signaling NaN wins and becomes quiet (RDNA 3 ISA guide, V_MIN_F32).
template <class Bits, unsigned M>
struct FloatSelect {
  static constexpr Bits kSign = Bits{1} << (sizeof(Bits) == 8 ? 63 : M == 10 ? 15 : 31);
  static constexpr Bits kInfinity = kSign - (Bits{1} << M);
  static constexpr Bits kQuiet = Bits{1} << (M - 1);

  static bool is_nan(Bits x) { return (x & (kSign - 1)) > kInfinity; }
  static bool is_signaling(Bits x) { return is_nan(x) && (x & kQuiet) == 0; }
  /// Unsigned numbers in the order of the floats.
  static Bits key(Bits x) { return (x & kSign) != 0 ? 2 * kSign - 1 - x : x | kSign; }

  template <bool Larger>
  static Bits pick(Bits a, Bits b, bool ieee) {
    if (ieee && is_signaling(a)) return a | kQuiet;
    if (ieee && is_signaling(b)) return b | kQuiet;
    if (is_nan(b)) return a;
    if (is_nan(a)) return b;
    return (key(a) < key(b)) != Larger ? a : b;
  }
  static Bits minimum(Bits a, Bits b, bool ieee) { return pick<false>(a, b, ieee); }
  static Bits maximum(Bits a, Bits b, bool ieee) { return pick<true>(a, b, ieee); }

  static bool equal(Bits a, Bits b) { return a == b || ((a | b) & (kSign - 1)) == 0; }
  static Bits median(Bits a, Bits b, Bits c, bool ieee) {
    if (is_nan(a) || is_nan(b) || is_nan(c)) return minimum(minimum(a, b, ieee), c, ieee);
    const Bits largest = maximum(maximum(a, b, ieee), c, ieee);
    if (equal(largest, a)) return maximum(b, c, ieee);
    return equal(largest, b) ? maximum(a, c, ieee) : maximum(a, b, ieee);
  }
};
using SelectF16 = FloatSelect<uint32_t, 10>;
using SelectF32 = FloatSelect<uint32_t, 23>;
using SelectF64 = FloatSelect<uint64_t, 52>;

}  // namespace spalt::emu
