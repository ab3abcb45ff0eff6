// SPDX-License-Identifier: MIT
// Expected values are written by hand from the definitions in SPIR-V and IEEE 754, or computed by another method
// (128-bit integers, exact midpoints).
#include "ir/evaluate.h"

#include <gtest/gtest.h>

#include <array>
#include <cfenv>
#include <cmath>
#include <random>

#include "base/half.h"

namespace spalt::ir {
namespace {

__extension__ typedef __int128 Wide;
__extension__ typedef unsigned __int128 UnsignedWide;

uint64_t f32(float value) {
  return std::bit_cast<uint32_t>(value);
}
uint64_t f64(double value) {
  return std::bit_cast<uint64_t>(value);
}
constexpr uint64_t kNaN32 = 0x7fc00000, kInf32 = 0x7f800000, kMinusInf32 = 0xff800000;

/// Evaluates with all operands of one type and a result of the type that the operation's row says.
uint64_t eval(Op op, Type type, std::initializer_list<uint64_t> operands, Type result = kVoid,
              FloatControls controls = {}) {
  std::array<Type, 4> types;  // no operation that is evaluated has more operands
  types.fill(type);
  if (op == Op::fldexp) types[1] = kI32;
  if (op == Op::select) types[0] = kBool;
  if (result.is_none()) result = info(op).result == ResultRule::boolean ? kBool : type;
  const std::vector<uint64_t> values(operands);
  const std::optional<uint64_t> bits =
      evaluate(op, result, std::span<const Type>(types).first(values.size()), values, controls);
  EXPECT_TRUE(bits.has_value()) << info(op).name;
  return bits.value_or(0xdead);
}

TEST(EvaluateInteger, AgreesWithWideArithmeticOnEveryWidth) {
  std::mt19937_64 random(1);
  const uint64_t corners[] = {0,
                              1,
                              2,
                              3,
                              7,
                              0x7f,
                              0x80,
                              0xff,
                              0x7fff,
                              0x8000,
                              0x7fffffff,
                              0x80000000,
                              0xffffffff,
                              uint64_t{1} << 63,
                              ~uint64_t{0},
                              ~uint64_t{0} >> 1};
  for (const Type type : {kI8, kI16, kI32, kI64}) {
    const unsigned width = type.scalar_bits();
    const uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
    const auto wide = [&](uint64_t v) {
      const Wide value = v;
      return (v >> (width - 1)) != 0 ? value - (static_cast<Wide>(1) << width) : value;
    };
    for (int i = 0; i < 4000; ++i) {
      const uint64_t a = (i % 3 == 0 ? corners[random() % 16] : random()) & mask;
      const uint64_t b = (i % 2 == 0 ? corners[random() % 16] : random()) & mask;
      const Wide sa = wide(a), sb = wide(b);
      const UnsignedWide ua = a, ub = b;
      const auto low = [&](auto v) { return static_cast<uint64_t>(v) & mask; };
      EXPECT_EQ(eval(Op::iadd, type, {a, b}), low(ua + ub));
      EXPECT_EQ(eval(Op::isub, type, {a, b}), low(ua - ub));
      EXPECT_EQ(eval(Op::uadd_carry, type, {a, b}), (ua + ub) >> width != 0 ? 1u : 0u);
      EXPECT_EQ(eval(Op::usub_borrow, type, {a, b}), ua < ub ? 1u : 0u);
      EXPECT_EQ(eval(Op::imul, type, {a, b}), low(ua * ub));
      EXPECT_EQ(eval(Op::umul_hi, type, {a, b}), low((ua * ub) >> width));
      EXPECT_EQ(eval(Op::smul_hi, type, {a, b}), low((sa * sb) >> width));
      EXPECT_EQ(eval(Op::slt, type, {a, b}), sa < sb ? 1u : 0u);
      EXPECT_EQ(eval(Op::sle, type, {a, b}), sa <= sb ? 1u : 0u);
      EXPECT_EQ(eval(Op::ult, type, {a, b}), ua < ub ? 1u : 0u);
      EXPECT_EQ(eval(Op::ule, type, {a, b}), ua <= ub ? 1u : 0u);
      EXPECT_EQ(eval(Op::smin, type, {a, b}), low(sa < sb ? sa : sb));
      EXPECT_EQ(eval(Op::umax, type, {a, b}), low(ua > ub ? ua : ub));
      EXPECT_EQ(eval(Op::sshr, type, {a, b}), low(sa >> static_cast<int>(b % width)));
      EXPECT_EQ(eval(Op::ushr, type, {a, b}), low(ua >> static_cast<int>(b % width)));
      EXPECT_EQ(eval(Op::ishl, type, {a, b}), low(ua << static_cast<int>(b % width)));
      if (b == 0) continue;
      EXPECT_EQ(eval(Op::udiv, type, {a, b}), low(ua / ub));
      EXPECT_EQ(eval(Op::umod, type, {a, b}), low(ua % ub));
      EXPECT_EQ(eval(Op::sdiv, type, {a, b}), low(sa / sb));
      EXPECT_EQ(eval(Op::srem, type, {a, b}), low(sa % sb));
      const Wide floored = (sa % sb + sb) % sb;  // the sign of b, or 0
      EXPECT_EQ(eval(Op::smod, type, {a, b}), low(floored));
    }
  }
}

TEST(EvaluateInteger, ChosenResultsWhereTheSpecificationLeavesThemOpen) {
  EXPECT_EQ(eval(Op::udiv, kI32, {7, 0}), 0xffffffffu);
  EXPECT_EQ(eval(Op::sdiv, kI32, {7, 0}), 0xffffffffu);
  EXPECT_EQ(eval(Op::sdiv, kI32, {0x80000000, 0xffffffff}), 0x80000000u);
  EXPECT_EQ(eval(Op::srem, kI32, {0x80000000, 0xffffffff}), 0u);
  EXPECT_EQ(eval(Op::smod, kI64, {uint64_t{1} << 63, ~uint64_t{0}}), 0u);
  for (const Op op : {Op::umod, Op::srem, Op::smod}) EXPECT_EQ(eval(op, kI16, {0x8001, 0}), 0x8001u);
}

TEST(EvaluateInteger, BitOperations) {
  EXPECT_EQ(eval(Op::bit_count, kI32, {0xf0f0f0f1}), 17u);
  EXPECT_EQ(eval(Op::bit_reverse, kI32, {0x00000001}), 0x80000000u);
  EXPECT_EQ(eval(Op::bit_reverse, kI8, {0x13}), 0xc8u);
  EXPECT_EQ(eval(Op::find_lsb, kI32, {0x00000500}), 8u);
  EXPECT_EQ(eval(Op::find_lsb, kI16, {0}), 0xffffu);
  EXPECT_EQ(eval(Op::find_msb_u, kI32, {0x00000500}), 10u);
  EXPECT_EQ(eval(Op::find_msb_u, kI32, {0}), 0xffffffffu);
  EXPECT_EQ(eval(Op::find_msb_s, kI32, {0xffffffff}), 0xffffffffu);
  EXPECT_EQ(eval(Op::find_msb_s, kI32, {0xfffffffe}), 0u);
  EXPECT_EQ(eval(Op::find_msb_s, kI32, {0x80000000}), 30u);
  EXPECT_EQ(eval(Op::find_msb_s, kI32, {0x40000000}), 30u);
  EXPECT_EQ(eval(Op::bfe_u, kI32, {0x12345678, 8, 12}), 0x456u);
  EXPECT_EQ(eval(Op::bfe_s, kI32, {0x00000f00, 8, 4}), 0xffffffffu);
  EXPECT_EQ(eval(Op::bfe_s, kI32, {0x00000700, 8, 4}), 7u);
  EXPECT_EQ(eval(Op::bfe_u, kI32, {0x12345678, 5, 0}), 0u);
  EXPECT_EQ(eval(Op::bfe_u, kI32, {0x12345678, 0, 32}), 0x12345678u);
  EXPECT_EQ(eval(Op::bfe_s, kI64, {~uint64_t{0} << 60, 60, 4}), ~uint64_t{0});
  EXPECT_EQ(eval(Op::bfe_u, kI32, {0xf0000000, 28, 99}), 0xfu);  // the count is cut
  EXPECT_EQ(eval(Op::bfe_u, kI32, {0xf0000000, 99, 4}), 0u);
  EXPECT_EQ(eval(Op::bfi, kI32, {0xaaaaaaaa, 0xffff, 4, 8}), 0xaaaaaffau);
  EXPECT_EQ(eval(Op::bfi, kI32, {0xaaaaaaaa, 5, 0, 32}), 5u);
  EXPECT_EQ(eval(Op::bfi, kI32, {0xaaaaaaaa, 5, 7, 0}), 0xaaaaaaaau);
  // 4 * 8 + 3 * 7 + 2 * 6 + 1 * 5, and 255 * 128 or -1 * -128 as the signs say.
  EXPECT_EQ(eval(Op::dot4_s, kI32, {0x01020304, 0x05060708, 30}), 100u);
  EXPECT_EQ(eval(Op::dot4_s, kI32, {0xff, 0x80, 1}), 129u);
  EXPECT_EQ(eval(Op::dot4_u, kI32, {0xff, 0x80, 1}), 32641u);
  EXPECT_EQ(eval(Op::dot4_su, kI32, {0xff, 0x80, 1}), 0xffffff81u);
  EXPECT_EQ(eval(Op::dot4_su, kI32, {0x80, 0xff, 0}), 0xffff8080u);
  EXPECT_EQ(eval(Op::dot4_u, kI32, {0xffffffff, 0xffffffff, 0xffffffff}), 260099u);
}

TEST(EvaluateInteger, Booleans) {
  EXPECT_EQ(eval(Op::inot, kBool, {0}), 1u);
  EXPECT_EQ(eval(Op::inot, kBool, {1}), 0u);
  EXPECT_EQ(eval(Op::ixor, kBool, {1, 1}), 0u);
  EXPECT_EQ(eval(Op::ieq, kBool, {0, 0}), 1u);
}

TEST(Half, EveryPatternSurvivesTheRoundTrip) {
  for (uint32_t bits = 0; bits < 0x10000; ++bits) {
    const bool nan = (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) != 0;
    EXPECT_EQ(double_to_half(half_to_double(static_cast<uint16_t>(bits))), nan ? kHalfNaN : bits);
  }
}

TEST(Half, KnownValues) {
  EXPECT_EQ(half_to_double(0x3c00), 1.0);
  EXPECT_EQ(half_to_double(0xc000), -2.0);
  EXPECT_EQ(half_to_double(0x7bff), 65504.0);
  EXPECT_EQ(half_to_double(0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(half_to_double(0x0400), std::ldexp(1.0, -14));
  EXPECT_EQ(double_to_half(65519.999), 0x7bff);
  EXPECT_EQ(double_to_half(65520.0), 0x7c00);
  EXPECT_EQ(double_to_half(std::ldexp(1.0, -25)), 0x0000);  // half of the smallest: tie to even
  EXPECT_EQ(double_to_half(std::nextafter(std::ldexp(1.0, -25), 1.0)), 0x0001);
  EXPECT_EQ(double_to_half(-1e-300), 0x8000);
}

TEST(Half, RoundsToNearestEvenBetweenAllNeighbours) {
  for (uint16_t bits = 0; bits < 0x7bff; ++bits) {
    const double low = half_to_double(bits), high = half_to_double(static_cast<uint16_t>(bits + 1));
    const double middle = (low + high) / 2;  // exact
    const uint16_t even = static_cast<uint16_t>(bits + (bits & 1));
    EXPECT_EQ(double_to_half(middle), even);
    EXPECT_EQ(double_to_half(std::nextafter(middle, 0.0)), bits);
    EXPECT_EQ(double_to_half(std::nextafter(middle, 1e9)), bits + 1);
    EXPECT_EQ(double_to_half(-middle), even | 0x8000);
  }
}

TEST(EvaluateFloat, ArithmeticAndSpecialValues) {
  EXPECT_EQ(eval(Op::fadd, kF32, {f32(0.1f), f32(0.2f)}), f32(0.1f + 0.2f));
  EXPECT_EQ(eval(Op::fadd, kF32, {kInf32, kMinusInf32}), kNaN32);
  EXPECT_EQ(eval(Op::fsub, kF32, {f32(1), 0xffc12345}), kNaN32);  // NaN results are canonical
  EXPECT_EQ(eval(Op::fmul, kF32, {1, f32(2)}), 2u);               // denormals are kept
  EXPECT_EQ(eval(Op::fdiv, kF32, {f32(-1), 0}), kMinusInf32);
  EXPECT_EQ(eval(Op::fneg, kF32, {0xffc12345}), 0x7fc12345u);  // moves the sign bit only
  EXPECT_EQ(eval(Op::fabs, kF32, {0xffc12345}), 0x7fc12345u);
  EXPECT_EQ(eval(Op::fneg, kF16, {0x3c00}), 0xbc00u);
  EXPECT_EQ(eval(Op::fneg, kF64, {f64(0)}), f64(-0.0));
  EXPECT_EQ(eval(Op::fsqrt, kF32, {f32(2)}), f32(std::sqrt(2.0f)));
  EXPECT_EQ(eval(Op::fsqrt, kF32, {f32(-1)}), kNaN32);
  EXPECT_EQ(eval(Op::frcp, kF32, {f32(3)}), f32(1.0f / 3.0f));
  EXPECT_EQ(eval(Op::frsq, kF32, {f32(4)}), f32(0.5f));
  EXPECT_EQ(eval(Op::fdiv, kF64, {f64(1), f64(3)}), f64(1.0 / 3.0));
}

TEST(EvaluateFloat, RemaindersTakeTheSignOfTheirOperand) {
  const float inf = INFINITY;
  EXPECT_EQ(eval(Op::frem, kF32, {f32(-5.5f), f32(2)}), f32(-1.5f));
  EXPECT_EQ(eval(Op::fmod, kF32, {f32(-5.5f), f32(2)}), f32(0.5f));
  EXPECT_EQ(eval(Op::frem, kF32, {f32(5.5f), f32(-2)}), f32(1.5f));
  EXPECT_EQ(eval(Op::fmod, kF32, {f32(5.5f), f32(-2)}), f32(-0.5f));
  EXPECT_EQ(eval(Op::frem, kF32, {f32(1), 0}), kNaN32);
  EXPECT_EQ(eval(Op::fmod, kF32, {f32(3), f32(inf)}), f32(3));
}

TEST(EvaluateFloat, MultiplyAddRoundsOnce) {
  // (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: the last term survives only without an intermediate rounding.
  const float a = 1.0f + std::ldexp(1.0f, -12);
  EXPECT_EQ(eval(Op::ffma, kF32, {f32(a), f32(a), f32(-1.0f - std::ldexp(1.0f, -11))}), f32(std::ldexp(1.0f, -24)));
  const uint64_t h1 = 0x3c00, h2048 = 0x6800, tiny = 0x0001;
  EXPECT_EQ(eval(Op::ffma, kF16, {h2048, h1, h1}), h2048);  // 2049 lies between 2048 and 2050: tie to even
  // 65504 * 2^-10 = 63.96875 = 0x53ff; adding the smallest denormal must not move it.
  EXPECT_EQ(eval(Op::ffma, kF16, {0x7bff, 0x1400, tiny}), 0x53ffu);
  EXPECT_EQ(eval(Op::ffma, kF16, {tiny, tiny, 0x7800}), 0x7800u);
  // 1.5 * 683 = 1024.5 is halfway between 1024 and 1025; the smallest denormal decides.
  const uint64_t a16 = double_to_half(1.5), b16 = double_to_half(683.0);
  EXPECT_EQ(eval(Op::ffma, kF16, {a16, b16, 0}), double_to_half(1024.0));
  EXPECT_EQ(eval(Op::ffma, kF16, {a16, b16, tiny}), double_to_half(1025.0));
  EXPECT_EQ(eval(Op::ffma, kF16, {a16, b16, 0x8001}), double_to_half(1024.0));
}

TEST(EvaluateFloat, MinimumAndMaximum) {
  EXPECT_EQ(eval(Op::fmin, kF32, {kNaN32, f32(2)}), f32(2));
  EXPECT_EQ(eval(Op::fmax, kF32, {f32(2), kNaN32}), f32(2));
  EXPECT_EQ(eval(Op::fmin, kF32, {kNaN32, 0xffc00001}), kNaN32);
  EXPECT_EQ(eval(Op::fmin, kF32, {0, f32(-0.0f)}), f32(-0.0f));
  EXPECT_EQ(eval(Op::fmin, kF32, {f32(-0.0f), 0}), f32(-0.0f));
  EXPECT_EQ(eval(Op::fmax, kF32, {f32(-0.0f), 0}), 0u);
  EXPECT_EQ(eval(Op::fmax, kF32, {0, f32(-0.0f)}), 0u);
  EXPECT_EQ(eval(Op::fmax, kF16, {0x3c00, 0x4000}), 0x4000u);
}

TEST(EvaluateFloat, RoundingFamily) {
  EXPECT_EQ(eval(Op::fround_even, kF32, {f32(2.5f)}), f32(2));
  EXPECT_EQ(eval(Op::fround_even, kF32, {f32(3.5f)}), f32(4));
  EXPECT_EQ(eval(Op::fround_even, kF32, {f32(-0.5f)}), f32(-0.0f));
  EXPECT_EQ(eval(Op::ffloor, kF32, {f32(-0.5f)}), f32(-1));
  EXPECT_EQ(eval(Op::fceil, kF32, {f32(-0.5f)}), f32(-0.0f));
  EXPECT_EQ(eval(Op::ftrunc, kF32, {f32(-1.75f)}), f32(-1));
  EXPECT_EQ(eval(Op::ffract, kF32, {f32(-1.25f)}), f32(0.75f));
  EXPECT_EQ(eval(Op::ffract, kF32, {f32(-1e-20f)}), 0x3f7fffffu);
  EXPECT_EQ(eval(Op::ffract, kF16, {0x8001}), 0x3bffu);
  EXPECT_EQ(eval(Op::fldexp, kF32, {f32(1.5f), 4}), f32(24));
  EXPECT_EQ(eval(Op::fldexp, kF32, {f32(1), static_cast<uint32_t>(-149)}), 1u);
  EXPECT_EQ(eval(Op::fldexp, kF32, {f32(1), 0x7fffffff}), kInf32);
  EXPECT_EQ(eval(Op::frexp_mantissa, kF32, {f32(-24)}), f32(-0.75f));
  EXPECT_EQ(eval(Op::frexp_exponent, kF32, {f32(-24)}, kI32), 5u);
  EXPECT_EQ(eval(Op::frexp_exponent, kF32, {f32(0.25f)}, kI32), 0xffffffffu);
  EXPECT_EQ(eval(Op::frexp_mantissa, kF32, {0}), 0u);
  EXPECT_EQ(eval(Op::frexp_exponent, kF32, {0}, kI32), 0u);
  EXPECT_EQ(eval(Op::frexp_exponent, kF32, {kInf32}, kI32), 0u);
}

TEST(EvaluateFloat, Transcendentals) {
  EXPECT_EQ(eval(Op::fexp2, kF32, {f32(10)}), f32(1024));
  EXPECT_EQ(eval(Op::flog2, kF32, {f32(1024)}), f32(10));
  EXPECT_EQ(eval(Op::flog2, kF32, {0}), kMinusInf32);
  EXPECT_EQ(eval(Op::flog2, kF32, {f32(-1)}), kNaN32);
  EXPECT_EQ(eval(Op::fsin, kF32, {0}), 0u);
  EXPECT_EQ(eval(Op::fcos, kF32, {0}), f32(1));
  EXPECT_EQ(eval(Op::fsin, kF32, {kInf32}), kNaN32);
  EXPECT_EQ(eval(Op::fsin_turns, kF32, {f32(0.25f)}), f32(1));
  EXPECT_EQ(eval(Op::fsin_turns, kF32, {f32(1048576.25f)}), f32(1));  // the whole turns go exactly
  EXPECT_EQ(eval(Op::fcos_turns, kF32, {f32(-0.5f)}), f32(-1));
  // Multiples of a quarter are exact, and only -0 has a negative zero for its sine.
  EXPECT_EQ(eval(Op::fcos_turns, kF32, {f32(0.25f)}), f32(0));
  EXPECT_EQ(eval(Op::fcos_turns, kF32, {f32(-0.75f)}), f32(0));
  EXPECT_EQ(eval(Op::fsin_turns, kF32, {f32(0.5f)}), f32(0));
  EXPECT_EQ(eval(Op::fsin_turns, kF32, {f32(-3.0f)}), f32(0));
  EXPECT_EQ(eval(Op::fsin_turns, kF32, {f32(-0.0f)}), f32(-0.0f));
  EXPECT_EQ(eval(Op::fsin_turns, kF32, {f32(0.75f)}), f32(-1));
  EXPECT_EQ(eval(Op::fsin_turns, kF32, {kInf32}), kNaN32);
  EXPECT_FALSE(evaluate(Op::fsin, kF64, std::array{kF64}, std::array<uint64_t, 1>{0}).has_value());
}

TEST(EvaluateFloat, ComparisonsAndNaN) {
  const uint64_t one = f32(1), two = f32(2);
  const Op ordered[] = {Op::foeq, Op::fone, Op::folt, Op::fole, Op::fordered};
  const Op unordered[] = {Op::fueq, Op::fune, Op::fult, Op::fule, Op::funordered};
  for (const Op op : ordered) EXPECT_EQ(eval(op, kF32, {one, kNaN32}), 0u) << info(op).name;
  for (const Op op : unordered) EXPECT_EQ(eval(op, kF32, {kNaN32, one}), 1u) << info(op).name;
  for (const Op op : {Op::folt, Op::fole, Op::fone, Op::fult, Op::fule, Op::fune, Op::fordered}) {
    EXPECT_EQ(eval(op, kF32, {one, two}), 1u) << info(op).name;
  }
  for (const Op op : {Op::folt, Op::fole, Op::fult, Op::fule, Op::foeq, Op::fueq, Op::funordered}) {
    EXPECT_EQ(eval(op, kF32, {two, one}), 0u) << info(op).name;
  }
  for (const Op op : {Op::foeq, Op::fueq, Op::fole, Op::fule}) {
    EXPECT_EQ(eval(op, kF32, {0, f32(-0.0f)}), 1u) << info(op).name;
  }
}

/// Any bits, often with an exponent near that of `near`, so that sums cancel and products stay in range.
uint32_t random_f32(std::mt19937_64& random, uint32_t near) {
  const auto bits = static_cast<uint32_t>(random());
  const auto shift = static_cast<uint32_t>(random() % 64);
  if (shift < 24) return (bits & 0x807fffffu) | (near & 0x7f800000u);
  if (shift < 48) return (bits & 0x80000000u) | ((near ^ bits >> (shift % 23)) & 0x7fffffffu);
  return bits;
}

/// The processor of the host is the judge.
TEST(EvaluateControls, RoundsTowardZeroAsTheHostDoes) {
  std::mt19937_64 random(7);
  FloatControls controls;
  controls.f32.toward_zero = true;
  for (int i = 0; i < 200000; ++i) {
    const auto near = static_cast<uint32_t>(random());
    const uint32_t x = random_f32(random, near), y = random_f32(random, near), z = random_f32(random, near);
    const volatile float a = std::bit_cast<float>(x), b = std::bit_cast<float>(y), c = std::bit_cast<float>(z);
    const volatile double wide = std::bit_cast<double>(random());
    const volatile auto integer = static_cast<int64_t>(random() >> (i % 64));
    std::fesetround(FE_TOWARDZERO);
    const volatile float sum = a + b, difference = a - b, product = a * b, quotient = a / b;
    const volatile float fused = std::fma(a, b, c), root = std::sqrt(a), cut = static_cast<float>(wide);
    const volatile auto of_signed = static_cast<float>(integer);
    const volatile auto of_small = static_cast<float>(static_cast<uint32_t>(integer));
    std::fesetround(FE_TONEAREST);
    const auto expect = [&](float expected, uint64_t found, const char* what) {
      const uint64_t bits = std::isnan(expected) ? kNaN32 : f32(expected);
      EXPECT_EQ(bits, found) << what << std::hex << " of " << x << ", " << y << ", " << z;
    };
    expect(sum, eval(Op::fadd, kF32, {x, y}, kF32, controls), "sum");
    expect(difference, eval(Op::fsub, kF32, {x, y}, kF32, controls), "difference");
    expect(product, eval(Op::fmul, kF32, {x, y}, kF32, controls), "product");
    expect(quotient, eval(Op::fdiv, kF32, {x, y}, kF32, controls), "quotient");
    expect(fused, eval(Op::ffma, kF32, {x, y, z}, kF32, controls), "fused");
    expect(root, eval(Op::fsqrt, kF32, {x}, kF32, controls), "root");
    expect(cut, eval(Op::f_to_f, kF64, {f64(wide)}, kF32, controls), "narrowed");
    expect(of_signed, eval(Op::s_to_f, kI64, {static_cast<uint64_t>(integer)}, kF32, controls), "from i64");
    expect(of_small, eval(Op::u_to_f, kI32, {static_cast<uint32_t>(integer)}, kF32, controls), "from i32");
  }
}

TEST(EvaluateControls, FlushesOperandsAndResults) {
  constexpr uint64_t kDenormal = 0x3f0, kMinusDenormal = 0x800003f0, kMinusZero = 0x80000000, kLeast = 0x00800000;
  for (const bool toward_zero : {false, true}) {
    FloatControls controls;
    controls.f32 = {true, toward_zero};
    const auto flushed = [&](Op op, std::initializer_list<uint64_t> operands, Type result = kVoid) {
      return eval(op, kF32, operands, result, controls);
    };
    EXPECT_EQ(flushed(Op::fadd, {kDenormal, kDenormal}), 0u);
    EXPECT_EQ(flushed(Op::fadd, {kLeast, 0x80c00000}), kMinusZero);  // the difference is denormal
    EXPECT_EQ(flushed(Op::fmul, {kLeast, f32(-0.5f)}), kMinusZero);
    EXPECT_EQ(flushed(Op::fmul, {kMinusDenormal, f32(1)}), kMinusZero);
    EXPECT_EQ(flushed(Op::fmul, {kDenormal, f32(1e30f)}), 0u);
    EXPECT_EQ(flushed(Op::fdiv, {f32(1), kMinusDenormal}), kMinusInf32);
    EXPECT_EQ(flushed(Op::fmin, {kDenormal, kInf32}), 0u);
    EXPECT_EQ(flushed(Op::fmax, {kDenormal, kNaN32}), 0u);
    EXPECT_EQ(flushed(Op::ffract, {kDenormal}), 0u);
    EXPECT_EQ(flushed(Op::fsin_turns, {kMinusDenormal}), kMinusZero);
    EXPECT_EQ(flushed(Op::fldexp, {kDenormal, 20}), 0u);
    EXPECT_EQ(flushed(Op::frexp_exponent, {kDenormal}, kI32), 0u);
    EXPECT_EQ(flushed(Op::foeq, {kDenormal, kMinusDenormal}), 1u);
    EXPECT_EQ(flushed(Op::folt, {0, kDenormal}), 0u);
    EXPECT_EQ(flushed(Op::flog2, {kDenormal}), kMinusInf32);
    // Moves of bits do not flush; other widths keep their denormals.
    EXPECT_EQ(flushed(Op::fneg, {kDenormal}), kMinusDenormal);
    EXPECT_EQ(flushed(Op::fabs, {kMinusDenormal}), kDenormal);
    EXPECT_EQ(flushed(Op::select, {1, kDenormal, 0}), kDenormal);
    EXPECT_EQ(eval(Op::fadd, kF16, {1, 1}, kF16, controls), 2u);
    EXPECT_EQ(eval(Op::f_to_f, kF64, {f64(1e-40)}, kF32, controls), 0u);
    EXPECT_EQ(eval(Op::f_to_f, kF32, {kDenormal}, kF64, controls), 0u);
  }
  EXPECT_EQ(eval(Op::fmin, kF32, {kDenormal, kInf32}), kDenormal);
}

/// Errors of sums and products are doubles themselves, where nothing is denormal or overflows.
double cut_by_error(double nearest, double error) {
  return error != 0 && std::signbit(error) != std::signbit(nearest) ? std::nextafter(nearest, 0.0) : nearest;
}

TEST(EvaluateControls, CutsDoubles) {
  std::mt19937_64 random(8);
  FloatControls controls;
  controls.f64.toward_zero = true;
  for (int i = 0; i < 100000; ++i) {
    const auto number = [&] { return std::bit_cast<double>((random() & 0x807fffffffffffffu) + 0x3fc0000000000000u); };
    const double a = number(), b = number(), c = number();
    const double large = std::max(std::fabs(a), std::fabs(b)), small = std::min(std::fabs(a), std::fabs(b));
    const double sum = large + small, product = a * b, quotient = a / b, root = std::sqrt(large);
    const auto check = [&](double expected, uint64_t found, const char* what) {
      EXPECT_EQ(f64(expected), found) << what << " of " << a << ", " << b << ", " << c;
    };
    check(cut_by_error(sum, small - (sum - large)), eval(Op::fadd, kF64, {f64(large), f64(small)}, kF64, controls),
          "sum");
    check(cut_by_error(product, std::fma(a, b, -product)), eval(Op::fmul, kF64, {f64(a), f64(b)}, kF64, controls),
          "product");
    const double rest = std::fma(-quotient, b, a);
    check(cut_by_error(quotient, std::signbit(b) ? -rest : rest),
          eval(Op::fdiv, kF64, {f64(a), f64(b)}, kF64, controls), "quotient");
    check(cut_by_error(root, std::fma(-root, root, large)), eval(Op::fsqrt, kF64, {f64(large)}, kF64, controls),
          "root");
    const uint64_t integer = random() >> (i % 64);
    const int excess = 11 - std::countl_zero(integer);
    const uint64_t kept = excess > 0 ? integer >> excess << excess : integer;
    check(static_cast<double>(kept), eval(Op::u_to_f, kI64, {integer}, kF64, controls), "integer");
  }
  const uint64_t largest = 0x7fefffffffffffff;
  EXPECT_EQ(eval(Op::fadd, kF64, {largest, largest}, kF64, controls), largest);
  EXPECT_EQ(eval(Op::fmul, kF64, {f64(1e-200), f64(-1e-200)}, kF64, controls), f64(-0.0));
  EXPECT_EQ(eval(Op::ffma, kF64, {f64(1), f64(1), f64(-1e-300)}, kF64, controls), f64(1) - 1);
  EXPECT_EQ(eval(Op::fdiv, kF64, {f64(1), f64(0)}, kF64, controls), f64(HUGE_VAL));
  EXPECT_EQ(eval(Op::fadd, kF64, {f64(1), f64(1)}, kF64), f64(2));  // the host rounds as before
  EXPECT_EQ(eval(Op::fadd, kF64, {f64(1), f64(-1e-300)}, kF64), f64(1));
}

TEST(EvaluateControls, CutsHalves) {
  std::mt19937_64 random(9);
  FloatControls controls;
  controls.f16.toward_zero = true;
  const auto exact = [](uint64_t bits) { return half_to_double(static_cast<uint16_t>(bits)); };
  // The result is no further from zero than the number, and the half after it is.
  const auto check = [&](double number, uint64_t found, const char* what) {
    const double magnitude = std::fabs(exact(found));
    EXPECT_LE(magnitude, std::fabs(number)) << what;
    EXPECT_EQ(std::signbit(exact(found)), std::signbit(number)) << what;
    const bool is_last = (found & 0x7fff) == 0x7bff;
    if (!is_last) {
      EXPECT_GT(std::fabs(exact(found + 1)), std::fabs(number)) << what;
    }
  };
  for (int i = 0; i < 100000; ++i) {
    const auto half = [&] {
      const uint64_t bits = random() & 0xffff;
      return (bits & 0x7c00) == 0x7c00 ? bits & 0x83ff : bits;
    };
    const uint64_t a = half(), b = half();
    check(exact(a) + exact(b), eval(Op::fadd, kF16, {a, b}, kF16, controls), "sum");
    check(exact(a) * exact(b), eval(Op::fmul, kF16, {a, b}, kF16, controls), "product");
    const auto single = std::bit_cast<float>(static_cast<uint32_t>(random()) & 0xc77fffffu);
    check(static_cast<double>(single), eval(Op::f_to_f, kF32, {f32(single)}, kF16, controls), "narrowed");
    const auto integer = static_cast<int32_t>(random()) >> (i % 32);
    check(integer, eval(Op::s_to_f, kI32, {static_cast<uint32_t>(integer)}, kF16, controls), "integer");
  }
  // The last sum has more bits than a double.
  EXPECT_EQ(eval(Op::ffma, kF16, {0x0001, 0x0001, 0x3c00}, kF16, controls), 0x3c00u);
  EXPECT_EQ(eval(Op::ffma, kF16, {0x8001, 0x0001, 0x3c00}, kF16, controls), 0x3bffu);
  EXPECT_EQ(eval(Op::ffma, kF16, {0x8001, 0x0001, 0x7bff}, kF16, controls), 0x7bfeu);
  EXPECT_EQ(eval(Op::pack_half, kF32, {f32(1.9999f), f32(-1e6f)}, kI32, controls), 0xfbff3fffu);
  EXPECT_EQ(eval(Op::quantize_f16, kF32, {f32(1.9999f)}, kF32, controls), f32(1.9990234375f));
}

TEST(EvaluateControls, FlushesHalvesAndDoubles) {
  constexpr uint64_t kSmall64 = 0x000fffffffffffff, kSign64 = uint64_t{1} << 63, kLeast64 = 0x0010000000000000;
  for (const bool toward_zero : {false, true}) {
    FloatControls controls;
    controls.f16 = controls.f64 = {true, toward_zero};
    const auto half = [&](Op op, std::initializer_list<uint64_t> operands, Type result = kVoid) {
      return eval(op, kF16, operands, result, controls);
    };
    const auto wide = [&](Op op, std::initializer_list<uint64_t> operands, Type result = kVoid) {
      return eval(op, kF64, operands, result, controls);
    };
    EXPECT_EQ(half(Op::fadd, {1, 0x3ff}), 0u);
    EXPECT_EQ(half(Op::fmul, {0x8400, 0x3800}), 0x8000u);
    EXPECT_EQ(half(Op::fmax, {0x3ff, 0x8000}), 0u);
    EXPECT_EQ(half(Op::foeq, {0x3ff, 0}), 1u);
    EXPECT_EQ(half(Op::fneg, {1}), 0x8001u);
    EXPECT_EQ(half(Op::f_to_f, {0x83ff}, kF32), 0x80000000u);
    EXPECT_EQ(half(Op::f_to_f, {0x3ff}, kF64), 0u);
    EXPECT_EQ(half(Op::fadd, {0x7e01, 1}), 0x7e00u);
    EXPECT_EQ(eval(Op::f_to_f, kF32, {f32(5e-5f)}, kF16, controls), 0u);
    EXPECT_EQ(eval(Op::unpack_half_hi, kI32, {0x83ff3c00}, kF32, controls), 0x80000000u);
    EXPECT_EQ(eval(Op::pack_half, kF32, {f32(5e-5f), f32(-5e-5f)}, kI32, controls), 0x80000000u);
    EXPECT_EQ(wide(Op::fadd, {kSmall64, kSmall64}), 0u);
    EXPECT_EQ(wide(Op::fsub, {kLeast64, kLeast64 | 0x8000000000000}), kSign64);
    EXPECT_EQ(wide(Op::fdiv, {f64(-1), kSmall64}), f64(-HUGE_VAL));
    EXPECT_EQ(wide(Op::fmin, {kSmall64, f64(1)}), 0u);
    EXPECT_EQ(wide(Op::folt, {0, kSmall64}), 0u);
    EXPECT_EQ(wide(Op::fabs, {kSign64 | 1}), 1u);
    // Floats of 32 bits keep theirs.
    EXPECT_EQ(eval(Op::fadd, kF32, {1, 1}, kF32, controls), 2u);
    EXPECT_EQ(wide(Op::f_to_f, {f64(0x1p-140)}, kF32), 0x200u);
  }
}

TEST(EvaluateConversion, FloatToIntegerSaturates) {
  EXPECT_EQ(eval(Op::f_to_s, kF32, {f32(-1.9f)}, kI32), 0xffffffffu);
  EXPECT_EQ(eval(Op::f_to_s, kF32, {kNaN32}, kI32), 0u);
  EXPECT_EQ(eval(Op::f_to_s, kF32, {f32(3e9f)}, kI32), 0x7fffffffu);
  EXPECT_EQ(eval(Op::f_to_s, kF32, {kMinusInf32}, kI32), 0x80000000u);
  EXPECT_EQ(eval(Op::f_to_s, kF32, {f32(200)}, kI8), 0x7fu);
  EXPECT_EQ(eval(Op::f_to_s, kF64, {f64(-9.3e18)}, kI64), uint64_t{1} << 63);
  EXPECT_EQ(eval(Op::f_to_u, kF32, {f32(-1)}, kI32), 0u);
  EXPECT_EQ(eval(Op::f_to_u, kF32, {f32(4294967040.0f)}, kI32), 4294967040u);
  EXPECT_EQ(eval(Op::f_to_u, kF32, {f32(4294967296.0f)}, kI32), 0xffffffffu);
  EXPECT_EQ(eval(Op::f_to_u, kF64, {f64(1.8446744073709550e19)}, kI64), 18446744073709549568u);
  EXPECT_EQ(eval(Op::f_to_u, kF32, {kNaN32}, kI64), 0u);
}

TEST(EvaluateConversion, IntegerToFloatRoundsToNearestEven) {
  EXPECT_EQ(eval(Op::s_to_f, kI32, {0xffffffff}, kF32), f32(-1));
  EXPECT_EQ(eval(Op::u_to_f, kI32, {0xffffffff}, kF32), f32(4294967296.0f));
  EXPECT_EQ(eval(Op::u_to_f, kI32, {16777217}, kF32), f32(16777216));
  EXPECT_EQ(eval(Op::u_to_f, kI32, {16777219}, kF32), f32(16777220));
  EXPECT_EQ(eval(Op::s_to_f, kI64, {uint64_t{1} << 63}, kF64), f64(-9223372036854775808.0));
  EXPECT_EQ(eval(Op::u_to_f, kI32, {70000}, kF16), kHalfInfinity);
  EXPECT_EQ(eval(Op::s_to_f, kI16, {0xfffe}, kF16), 0xc000u);
}

TEST(EvaluateConversion, WidthsAndPacking) {
  EXPECT_EQ(eval(Op::trunc, kI32, {0x12345678}, kI8), 0x78u);
  EXPECT_EQ(eval(Op::zext, kI8, {0xff}, kI64), 0xffu);
  EXPECT_EQ(eval(Op::sext, kI8, {0x80}, kI32), 0xffffff80u);
  EXPECT_EQ(eval(Op::sext, kBool, {1}, kI32), 0xffffffffu);
  EXPECT_EQ(eval(Op::f_to_f, kF64, {f64(0.1)}, kF32), f32(0.1f));
  EXPECT_EQ(eval(Op::f_to_f, kF32, {f32(1.5f)}, kF16), 0x3e00u);
  EXPECT_EQ(eval(Op::f_to_f, kF16, {0x3e00}, kF64), f64(1.5));
  // Straight from f64: by way of f32 this value would round to the tie and then to even, 1.0.
  const double above_tie = 1.0 + std::ldexp(1.0, -11) + std::ldexp(1.0, -40);
  EXPECT_EQ(eval(Op::f_to_f, kF64, {f64(above_tie)}, kF16), 0x3c01u);
  EXPECT_EQ(eval(Op::pack_half, kF32, {f32(1), f32(-2)}, kI32), 0xc0003c00u);
  EXPECT_EQ(eval(Op::unpack_half_lo, kI32, {0xc0003c00}, kF32), f32(1));
  EXPECT_EQ(eval(Op::unpack_half_hi, kI32, {0xc0003c00}, kF32), f32(-2));
  EXPECT_EQ(eval(Op::quantize_f16, kF32, {f32(1.0f + std::ldexp(1.0f, -12))}), f32(1));
  EXPECT_EQ(eval(Op::quantize_f16, kF32, {f32(-std::ldexp(1.0f, -15))}), f32(-0.0f));
  EXPECT_EQ(eval(Op::quantize_f16, kF32, {f32(1e6f)}), kInf32);
}

TEST(Evaluate, FacesOfACube) {
  const auto cube = [](Op op, float x, float y, float z) { return eval(op, kF32, {f32(x), f32(y), f32(z)}); };
  const struct {
    float x, y, z, id, sc, tc, ma;
  } faces[] = {{4, 1, 2, 0, -2, -1, 8},  {-4, 1, 2, 1, 2, -1, -8}, {1, 4, 2, 2, 1, 2, 8},
               {1, -4, 2, 3, 1, -2, -8}, {1, 2, 4, 4, 1, -2, 8},   {1, 2, -4, 5, -1, -2, -8},  // z wins ties, then y
               {3, -3, 3, 4, 3, 3, 6},   {3, -3, 1, 3, 3, -1, -6}, {-3, 1, -3, 5, 3, -1, -6}};
  for (const auto& face : faces) {
    EXPECT_EQ(cube(Op::cube_id, face.x, face.y, face.z), f32(face.id));
    EXPECT_EQ(cube(Op::cube_sc, face.x, face.y, face.z), f32(face.sc));
    EXPECT_EQ(cube(Op::cube_tc, face.x, face.y, face.z), f32(face.tc));
    EXPECT_EQ(cube(Op::cube_ma, face.x, face.y, face.z), f32(face.ma));
  }
}

TEST(Evaluate, Moves) {
  EXPECT_EQ(eval(Op::select, kF32, {1, 10, 20}), 10u);
  EXPECT_EQ(eval(Op::select, kF32, {0, 10, 20}), 20u);
  EXPECT_EQ(eval(Op::bitcast, kF32, {0xffc12345}, kI32), 0xffc12345u);
  EXPECT_EQ(eval(Op::pack64, kI32, {0x55667788, 0x11223344}, kI64), 0x1122334455667788u);
  EXPECT_EQ(eval(Op::read_first_lane, kI32, {5}), 5u);
  EXPECT_EQ(eval(Op::shuffle, kI32, {5, 1}), 5u);
  EXPECT_EQ(eval(Op::quad_permute, kI32, {5}), 5u);
}

TEST(Evaluate, RefusesWhatItDoesNotCover) {
  const std::array<uint64_t, 2> two{1, 2};
  EXPECT_FALSE(evaluate(Op::iadd, kI32, std::array{kI32}, two).has_value());
  EXPECT_FALSE(evaluate(Op::iadd, kI32.vector(2), std::array{kI32.vector(2), kI32.vector(2)}, two).has_value());
  EXPECT_FALSE(evaluate(Op::fadd, kI32, std::array{kI32, kI32}, two).has_value());
  EXPECT_FALSE(evaluate(Op::load, kI32, std::array{kI32}, std::array<uint64_t, 1>{0}).has_value());
  EXPECT_FALSE(evaluate(Op::bitcast, kI64, std::array{kI32}, std::array<uint64_t, 1>{0}).has_value());
  EXPECT_FALSE(evaluate(Op::builtin, kI32, {}, {}).has_value());
}

/// Every pure operation between scalars has a meaning; a new row in ops.def without one fails here.
TEST(Evaluate, CoversTheTable) {
  for (unsigned i = 0; i < static_cast<unsigned>(Op::count); ++i) {
    const Op op = static_cast<Op>(i);
    switch (group(op)) {
      case OpGroup::integer:
      case OpGroup::integer_compare:
      case OpGroup::floating:
      case OpGroup::float_compare:
      case OpGroup::integer_convert:
      case OpGroup::float_convert:
        break;
      default:
        continue;
    }
    bool covered = false;
    for (const Type type : {kI8, kI32, kI64, kF16, kF32}) {
      for (const Type result : {type, kBool, kI16, kI32, kI64, kF32, kF64}) {
        const std::vector<Type> types(info(op).operand_count, type);
        covered |= find_evaluator(op, result, types) != nullptr;
      }
    }
    EXPECT_TRUE(covered) << info(op).name;
  }
}

}  // namespace
}  // namespace spalt::ir
