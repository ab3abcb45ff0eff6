// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::emu {

/// Minimum and maximum on the bits of a float, with the signed zeros in order (RDNA 4 ISA guide, V_MIN_NUM_F32 and
/// V_MINIMUM_F32 and their relatives; IEEE 754-2019, section 9.6).
template <unsigned MantissaBits, unsigned ExponentBits>
struct FloatOrder {
  static constexpr uint64_t kSign = uint64_t{1} << (MantissaBits + ExponentBits);
  static constexpr uint64_t kQuiet = uint64_t{1} << (MantissaBits - 1);
  static constexpr uint64_t kInfinity = ((uint64_t{1} << ExponentBits) - 1) << MantissaBits;

  static constexpr bool is_nan(uint64_t a) { return (a & (kSign - 1)) > kInfinity; }
  static constexpr bool is_signaling(uint64_t a) { return is_nan(a) && (a & kQuiet) == 0; }
  static constexpr bool less(uint64_t a, uint64_t b) { return key(a) < key(b); }
  static constexpr uint64_t lesser(uint64_t a, uint64_t b) { return less(a, b) ? a : b; }
  static constexpr uint64_t greater(uint64_t a, uint64_t b) { return less(b, a) ? a : b; }

  /// A NaN wins, a signaling one first, and becomes quiet.
  template <bool Max>
  static constexpr uint64_t propagating(uint64_t a, uint64_t b) {
    if (is_signaling(a)) return a | kQuiet;
    if (is_signaling(b)) return b | kQuiet;
    if (is_nan(a)) return a;
    if (is_nan(b)) return b;
    return Max ? greater(a, b) : lesser(a, b);
  }

  /// A number wins over a NaN; two NaNs give the first, quiet.
  template <bool Max>
  static constexpr uint64_t number(uint64_t a, uint64_t b) {
    if (is_nan(b)) return is_nan(a) ? a | kQuiet : a;
    if (is_nan(a)) return b;
    return Max ? greater(a, b) : lesser(a, b);
  }

  /// The rule up to GFX11: as before, but in IEEE mode a signaling NaN wins.
  template <bool Max>
  static constexpr uint64_t number_by_mode(uint64_t a, uint64_t b, bool ieee) {
    if (ieee && is_signaling(a)) return a | kQuiet;
    if (ieee && is_signaling(b)) return b | kQuiet;
    if (is_nan(b)) return a;
    if (is_nan(a)) return b;
    return Max ? greater(a, b) : lesser(a, b);
  }

  static constexpr uint64_t minimum(uint64_t a, uint64_t b, bool ieee) { return number_by_mode<false>(a, b, ieee); }
  static constexpr uint64_t maximum(uint64_t a, uint64_t b, bool ieee) { return number_by_mode<true>(a, b, ieee); }

  /// The larger of the other two beside a largest one, which may be equal to it but for the sign of a zero (RDNA 3 ISA
  /// guide, V_MED3_F32).
  static constexpr uint64_t median(uint64_t a, uint64_t b, uint64_t c, bool ieee) {
    if (is_nan(a) || is_nan(b) || is_nan(c)) return minimum(minimum(a, b, ieee), c, ieee);
    const uint64_t largest = maximum(maximum(a, b, ieee), c, ieee);
    if (equal(largest, a)) return maximum(b, c, ieee);
    return equal(largest, b) ? maximum(a, c, ieee) : maximum(a, b, ieee);
  }

 private:
  static constexpr bool equal(uint64_t a, uint64_t b) { return a == b || ((a | b) & (kSign - 1)) == 0; }
  static constexpr uint64_t key(uint64_t a) { return (a & kSign) != 0 ? (kSign << 1) - 1 - a : a | kSign; }
};

using Order16 = FloatOrder<10, 5>;
using Order32 = FloatOrder<23, 8>;
using Order64 = FloatOrder<52, 11>;

}  // namespace spalt::emu
