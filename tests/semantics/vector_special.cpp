// SPDX-License-Identifier: MIT
// Transcendental functions, cube maps, division helpers, and multiply-add that rounds twice (RDNA 2 ISA guide,
// sections 12.8 and 12.11; Vega ISA guide, section 12.9).
#include <cmath>

#include "float_row.h"
#include "values.h"

namespace spalt::semantics {
namespace {

using Op = Opcode;

// ---- transcendental ----

/// The C library's functions on 80-bit numbers are right to within one of their last places, which is 2^-11 of one of a
/// double and less of the others.
long double to_long_double(const Real& x) {
  if (x.is_nan()) return NAN;
  if (x.is_infinite()) return x.negative ? -INFINITY : INFINITY;
  const long double magnitude = std::ldexp(static_cast<long double>(static_cast<uint64_t>(x.mantissa)), x.exponent);
  return x.negative ? -magnitude : magnitude;
}
Real from_long_double(long double x) {
  if (std::isnan(x)) return make_nan();
  if (std::isinf(x)) return make_infinity(x < 0);
  if (x == 0) return make_zero(std::signbit(x));
  int exponent = 0;
  const long double fraction = std::frexp(std::fabs(x), &exponent);
  return make_real(x < 0, static_cast<uint64_t>(std::ldexp(fraction, 64)), exponent - 64);
}

constexpr long double kTwoPi = 6.283185307179586476925286766559005768L;

/// 32-bit forms take and give no denormals.
template <class F>
Row approximation(Op opcode, const FloatFormat& format, F function) {
  Row row{opcode,
          [format, function](const Lane& in) {
            uint64_t bits = flushed_input(in.a, in, format);
            const bool single = format.exponent_bits == kF32.exponent_bits;
            if (single && format.is_denormal(bits)) bits &= format.sign_bit();
            const Real value = function(from_bits(bits, format));
            uint64_t result = rounded_to_nearest(value, in, format);
            // sqrt(-1), log(-1), sin(infinity): 0xffc00000 and 0xfe00 in the guides' examples.
            const bool makes_nan = value.is_nan() && !format.is_nan(bits);
            if (makes_nan) result |= format.sign_bit();
            if (single && format.is_denormal(result)) result &= format.sign_bit();
            Result out = finished(result, in, format);
            if (makes_nan) out.exact = format.sign_bit() | (format.sign_bit() - 1);
            // One place off may be on the other side of these limits.
            const uint64_t magnitude = format.magnitude(result);
            const uint64_t smallest = format.mantissa_mask() + 1;
            out.unknown = out.unknown || in.inst->mods.omod != 0 || in.clamp ||
                          (magnitude == format.infinity() - 1 && !float_mode(in, format).saturates) ||
                          (!single && magnitude <= smallest && magnitude + 1 >= smallest);
            return out;
          },
          Match::ulps};
  row.ulps = 1;
  return row;
}

template <class F>
auto by_library(F function) {
  return [function](const Real& x) { return from_long_double(function(to_long_double(x))); };
}
Real reciprocal(const Real& x) {
  return divide(make_real(false, 1, 0), x);
}
Real reciprocal_root(const Real& x) {
  return x.is_zero() ? make_infinity(x.negative) : reciprocal(square_root(x));
}

/// Whether the guides limit the argument: "valid input domain [-256, +256]", 0 and 1 beyond (Vega ISA guide); "full
/// range input is supported" (RDNA guides).
bool has_limit(const isa::Target& target) {
  return target.major == 9;
}
/// Sine and cosine of revolutions.
Row trigonometric(Op opcode, const FloatFormat& format, bool cosine) {
  Row row = approximation(opcode, format, by_library([cosine](long double x) {
                            if (!std::isfinite(x)) return static_cast<long double>(NAN);
                            const long double turn = std::remainder(x, 1.0L);
                            if (turn == 0) return cosine ? 1.0L : x == 0 ? x : 0.0L;
                            if (std::fabs(turn) == 0.5L) return cosine ? -1.0L : 0.0L;
                            if (std::fabs(turn) == 0.25L) return cosine ? 0.0L : std::copysign(1.0L, turn);
                            return cosine ? std::cos(turn * kTwoPi) : std::sin(turn * kTwoPi);
                          }));
  const auto reference = row.reference;
  row.reference = [reference, format, cosine](const Lane& in) {
    Result result = reference(in);
    const uint64_t bits = flushed_input(in.a, in, format);
    const Real x = from_bits(bits, format);
    if (x.kind != Real::Kind::finite || format.is_denormal(bits)) return result;
    const bool plain = in.inst->mods.omod == 0 && !in.clamp;
    if (has_limit(*in.target) && compare(absolute(x), from_integer(256)) == Order::greater) {
      result.value = cosine ? format.one() : 0;
      result.unknown = !plain;
      return result;
    }
    // Multiples of a quarter turn are exact; near other zeros of the function the error is absolute.
    const Real quarters = scale(x, 2);
    const bool exact = compare(round_to_integer(quarters, Rounding::down), quarters) == Order::equal;
    const int field = static_cast<int>(format.magnitude(result.value) >> format.mantissa_bits) - format.bias();
    result.unknown = !plain || (!exact && (format.magnitude(result.value) == 0 || field < -8));
    if (exact) result.exact = format.sign_bit() | (format.sign_bit() - 1);
    return result;
  };
  row.inputs = [format](unsigned, std::mt19937& random) -> uint64_t {
    const unsigned kind = random() % 16;
    if (kind == 0) return (random() % 2) * format.sign_bit() | format.infinity() | (random() % 2 == 0 ? 0 : 1);
    // Quarter turns; the whole range; 18 bits around the point.
    if (kind < 4) return to_bits(make_real(random() % 2 == 0, random() % 4096, -2), format, Rounding::toward_zero);
    if (kind < 7) return (uint64_t{random()} << 32 | random()) & (format.sign_bit() | (format.sign_bit() - 1));
    return to_bits(make_real(random() % 2 == 0, random() % 65536, -static_cast<int>(random() % 18)), format,
                   Rounding::toward_zero);
  };
  return row;
}

std::vector<Row> transcendental() {
  // Finite where the argument is: it overflows the formats, not the arithmetic.
  const auto exp2 = by_library([](long double x) { return std::exp2(std::isfinite(x) ? std::fmin(x, 16000.0L) : x); });
  const auto log2 = by_library([](long double x) { return std::log2(x); });
  const auto root = [](const Real& x) { return square_root(x); };
  return {
      approximation(Op::v_exp_f32, kF32, exp2),
      approximation(Op::v_exp_f16, kF16, exp2),
      approximation(Op::v_log_f32, kF32, log2),
      approximation(Op::v_exp_legacy_f32, kF32, exp2),
      approximation(Op::v_log_legacy_f32, kF32, log2),
      approximation(Op::v_log_f16, kF16, log2),
      approximation(Op::v_rcp_f32, kF32, reciprocal),
      approximation(Op::v_rcp_iflag_f32, kF32, reciprocal),
      approximation(Op::v_rcp_f16, kF16, reciprocal),
      approximation(Op::v_rcp_f64, kF64, reciprocal),
      approximation(Op::v_rsq_f32, kF32, reciprocal_root),
      approximation(Op::v_rsq_f16, kF16, reciprocal_root),
      approximation(Op::v_rsq_f64, kF64, reciprocal_root),
      approximation(Op::v_sqrt_f32, kF32, root),
      approximation(Op::v_sqrt_f16, kF16, root),
      approximation(Op::v_sqrt_f64, kF64, root),
      trigonometric(Op::v_sin_f32, kF32, false),
      trigonometric(Op::v_sin_f16, kF16, false),
      trigonometric(Op::v_cos_f32, kF32, true),
      trigonometric(Op::v_cos_f16, kF16, true),
  };
}

// ---- cube maps ----

struct CubeFace {
  unsigned axis;  ///< 0 to 2
  bool negative;
};
CubeFace cube_face(const Real& x, const Real& y, const Real& z) {
  const auto at_least = [](const Real& a, const Real& b) {
    const Order order = compare(absolute(a), absolute(b));
    return order == Order::greater || order == Order::equal;
  };
  const auto below_zero = [](const Real& a) { return compare(a, make_zero(false)) == Order::less; };
  if (at_least(z, x) && at_least(z, y)) return {2, below_zero(z)};
  if (at_least(y, x)) return {1, below_zero(y)};
  return {0, below_zero(x)};
}

std::vector<Row> cube_maps() {
  using C = const Real&;
  return {
      float_ternary(Op::v_cubeid_f32, kF32,
                    [](C x, C y, C z, Rounding) {
                      const CubeFace face = cube_face(x, y, z);
                      return from_integer(2 * static_cast<int>(face.axis) + (face.negative ? 1 : 0));
                    }),
      float_ternary(Op::v_cubesc_f32, kF32,
                    [](C x, C y, C z, Rounding) {
                      const CubeFace face = cube_face(x, y, z);
                      if (face.axis == 2) return face.negative ? negate(x) : x;
                      if (face.axis == 1) return x;
                      return face.negative ? z : negate(z);
                    }),
      float_ternary(Op::v_cubetc_f32, kF32,
                    [](C x, C y, C z, Rounding) {
                      const CubeFace face = cube_face(x, y, z);
                      if (face.axis != 1) return negate(y);
                      return face.negative ? negate(z) : z;
                    }),
      float_ternary(Op::v_cubema_f32, kF32,
                    [](C x, C y, C z, Rounding) {
                      const CubeFace face = cube_face(x, y, z);
                      return scale(face.axis == 2 ? z : face.axis == 1 ? y : x, 1);
                    }),
      float_ternary(Op::v_mullit_f32, kF32,
                    [](C a, C b, C c, Rounding) {
                      const Real lowest = negate(from_bits(kF32.infinity() - 1, kF32));
                      const Order to_lowest = compare(b, lowest), to_zero = compare(c, make_zero(false));
                      const bool kills = b.is_nan() || to_lowest == Order::equal || to_lowest == Order::less ||
                                         c.is_nan() || to_zero == Order::equal || to_zero == Order::less;
                      if (kills) return lowest;
                      return a.is_zero() || b.is_zero() ? make_zero(false) : multiply(a, b);
                    }),
  };
}

// ---- two roundings ----

Real flushed(const Real& x, const FloatFormat& format, Rounding rounding) {
  const uint64_t bits = to_bits(x, format, rounding);
  return format.is_denormal(bits) ? make_zero((bits & format.sign_bit()) != 0) : from_bits(bits, format);
}

Row multiply_add(Op opcode, const FloatFormat& format, bool legacy = false, Addend addend = Addend::source) {
  Row row = float_ternary(
      opcode, format,
      [format, legacy](const Real& a, const Real& b, const Real& c, Rounding rounding) {
        const Real x = flushed(a, format, rounding), y = flushed(b, format, rounding);
        const Real product =
            legacy && (x.is_zero() || y.is_zero()) ? make_zero(false) : flushed(multiply(x, y), format, rounding);
        return flushed(add(product, flushed(c, format, rounding), rounding), format, rounding);
      },
      addend);
  row.reference = [reference = row.reference, format](const Lane& in) {
    Result result = reference(in);
    // Whether FP16_OVFL is asked after the multiplication, too, is not written down.
    const bool finite = format.magnitude(result.value) < format.infinity() && !in.clamp;
    result.unknown = result.unknown || (float_mode(in, format).saturates && !finite);
    return result;
  };
  return row;
}

std::vector<Row> two_roundings() {
  return {
      multiply_add(Op::v_mad_f32, kF32),
      multiply_add(Op::v_madmk_f32, kF32),
      multiply_add(Op::v_madak_f32, kF32),
      multiply_add(Op::v_mac_f32, kF32, false, Addend::destination),
      multiply_add(Op::v_mad_legacy_f32, kF32, true),
      multiply_add(Op::v_mac_legacy_f32, kF32, true, Addend::destination),
      multiply_add(Op::v_mad_f16, kF16),
      multiply_add(Op::v_mad_legacy_f16, kF16),
      multiply_add(Op::v_madmk_f16, kF16),
      multiply_add(Op::v_madak_f16, kF16),
      multiply_add(Op::v_mac_f16, kF16, false, Addend::destination),
  };
}

}  // namespace

void add_vector_special(Proofs& proofs) {
  add_vector_rows(proofs, transcendental());
  add_vector_rows(proofs, cube_maps());
  add_vector_rows(proofs, two_roundings());
}

}  // namespace spalt::semantics
