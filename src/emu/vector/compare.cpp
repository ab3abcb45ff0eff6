// SPDX-License-Identifier: MIT
// VOPC (RDNA 2 ISA guide, section 12.10). v_cmp writes a lane mask with zeros for inactive lanes; v_cmpx writes exec.
#include "base/bits.h"
#include "emu/vector/double_operands.h"
#include "emu/vector/half_operands.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

enum class Into : uint8_t { mask, exec };

template <Into Where>
void write_result(Wave& wave, const Step& step, uint64_t bits) {
  bits &= wave.writable_lanes();
  if constexpr (Where == Into::exec) {
    if (step.has_dst) wave.write_mask(step.dst, bits);  // GFX9 names a mask besides
    wave.set_exec(bits);
  } else {
    wave.write_mask(step.dst, bits);
  }
}

// Operand readers: one per type, giving host values that compare alike.
struct ReadI32 {
  static int32_t get(const Wave&, uint32_t bits) { return static_cast<int32_t>(bits); }
};
struct ReadU32 {
  static uint32_t get(const Wave&, uint32_t bits) { return bits; }
};
struct ReadI16 {
  static int32_t get(const Wave&, uint32_t bits) { return static_cast<int16_t>(bits); }
};
struct ReadU16 {
  static uint32_t get(const Wave&, uint32_t bits) { return bits & 0xffff; }
};
struct ReadF32 {
  static float get(const Wave& wave, uint32_t bits) { return input_f32(bits, wave.mode.keep_input_denorm32()); }
};
struct ReadF16 {
  static float get(const Wave& wave, uint32_t bits) {
    return half_to_float(wave.mode.keep_input_denorm16_64() ? bits : flush16(bits));
  }
};
struct ReadI64 {
  static int64_t get(const Wave&, uint64_t bits) { return static_cast<int64_t>(bits); }
};
struct ReadU64 {
  static uint64_t get(const Wave&, uint64_t bits) { return bits; }
};
struct ReadF64 {
  static double get(const Wave& wave, uint64_t bits) {
    return as_double(wave.mode.keep_input_denorm16_64() ? bits : flush64(bits));
  }
};

template <class Read, Into Where, auto F>
void compare(Wave& wave, const Step& step) {
  LaneBuffer ta, tb;
  const uint32_t* a = wave.fetch32(step, 0, ta);
  const uint32_t* b = wave.fetch32(step, 1, tb);
  uint64_t bits = 0;
  for (unsigned i = 0; i < wave.size(); ++i) {
    bits |= static_cast<uint64_t>(F(Read::get(wave, a[i]), Read::get(wave, b[i]))) << i;
  }
  write_result<Where>(wave, step, bits);
}

template <class Read, Into Where, auto F>
void compare_wide(Wave& wave, const Step& step) {
  LaneBuffer64 a, b;
  wave.fetch64(step, 0, a);
  wave.fetch64(step, 1, b);
  uint64_t bits = 0;
  for (unsigned i = 0; i < wave.size(); ++i) {
    bits |= static_cast<uint64_t>(F(Read::get(wave, a.lane[i]), Read::get(wave, b.lane[i]))) << i;
  }
  write_result<Where>(wave, step, bits);
}

constexpr auto cmp_f = [](auto, auto) { return false; };
constexpr auto cmp_t = [](auto, auto) { return true; };
constexpr auto cmp_lt = [](auto a, auto b) { return a < b; };
constexpr auto cmp_eq = [](auto a, auto b) { return a == b; };
constexpr auto cmp_le = [](auto a, auto b) { return a <= b; };
constexpr auto cmp_gt = [](auto a, auto b) { return a > b; };
constexpr auto cmp_ne = [](auto a, auto b) { return a != b; };
constexpr auto cmp_lg = [](auto a, auto b) { return a < b || a > b; };
constexpr auto cmp_ge = [](auto a, auto b) { return a >= b; };
constexpr auto cmp_o = [](auto a, auto b) { return a == a && b == b; };
constexpr auto cmp_u = [](auto a, auto b) { return a != a || b != b; };
constexpr auto cmp_nge = [](auto a, auto b) { return !(a >= b); };
constexpr auto cmp_nlg = [](auto a, auto b) { return !(a < b || a > b); };
constexpr auto cmp_ngt = [](auto a, auto b) { return !(a > b); };
constexpr auto cmp_nle = [](auto a, auto b) { return !(a <= b); };
constexpr auto cmp_neq = [](auto a, auto b) { return !(a == b); };
constexpr auto cmp_nlt = [](auto a, auto b) { return !(a < b); };

/// Bit number of a value's class in the mask operand: sNaN, qNaN, -inf, -normal, -denormal, -0, +0, +denormal, +normal,
/// +inf.
template <unsigned MantissaBits, unsigned ExponentBits>
unsigned float_class(uint64_t bits) {
  const bool negative = (bits >> (MantissaBits + ExponentBits) & 1) != 0;
  const uint64_t exponent = bits_of(bits, MantissaBits, ExponentBits), mantissa = bits_of(bits, 0, MantissaBits);
  if (exponent == (1u << ExponentBits) - 1) {
    if (mantissa != 0) return (mantissa >> (MantissaBits - 1) & 1) != 0 ? 1 : 0;
    return negative ? 2 : 9;
  }
  if (exponent != 0) return negative ? 3 : 8;
  if (mantissa != 0) return negative ? 4 : 7;
  return negative ? 5 : 6;
}

template <unsigned MantissaBits, unsigned ExponentBits, Into Where>
void compare_class(Wave& wave, const Step& step) {
  LaneBuffer ta, tb;
  LaneBuffer64 wide;
  const uint32_t* mask = wave.fetch32(step, 1, tb);
  const uint32_t* narrow = nullptr;
  if constexpr (MantissaBits == 52) {
    wave.fetch64(step, 0, wide);
  } else {
    narrow = wave.fetch32(step, 0, ta);
  }
  uint64_t bits = 0;
  for (unsigned i = 0; i < wave.size(); ++i) {
    const uint64_t value = MantissaBits == 52 ? wide.lane[i] : narrow[i];
    bits |= static_cast<uint64_t>(mask[i] >> float_class<MantissaBits, ExponentBits>(value) & 1) << i;
  }
  write_result<Where>(wave, step, bits);
}

// One row per predicate: v_cmp and v_cmpx.
#define SPALT_CMP(predicate, type, shape, read, function)                \
  {Op::v_cmp_##predicate##_##type, shape<read, Into::mask, function>}, { \
    Op::v_cmpx_##predicate##_##type, shape<read, Into::exec, function>   \
  }
#define SPALT_CMP_SIX(type, shape, read)                                                  \
  SPALT_CMP(lt, type, shape, read, cmp_lt), SPALT_CMP(eq, type, shape, read, cmp_eq),     \
      SPALT_CMP(le, type, shape, read, cmp_le), SPALT_CMP(gt, type, shape, read, cmp_gt), \
      SPALT_CMP(ge, type, shape, read, cmp_ge)
#define SPALT_CMP_INT(type, shape, read) SPALT_CMP_SIX(type, shape, read), SPALT_CMP(ne, type, shape, read, cmp_ne)
#define SPALT_CMP_INT_ALL(type, shape, read) \
  SPALT_CMP_INT(type, shape, read), SPALT_CMP(f, type, shape, read, cmp_f), SPALT_CMP(t, type, shape, read, cmp_t)
#define SPALT_CMP_FLOAT(type, shape, read)                                                                            \
  SPALT_CMP_SIX(type, shape, read), SPALT_CMP(f, type, shape, read, cmp_f), SPALT_CMP(lg, type, shape, read, cmp_lg), \
      SPALT_CMP(o, type, shape, read, cmp_o), SPALT_CMP(u, type, shape, read, cmp_u),                                 \
      SPALT_CMP(nge, type, shape, read, cmp_nge), SPALT_CMP(nlg, type, shape, read, cmp_nlg),                         \
      SPALT_CMP(ngt, type, shape, read, cmp_ngt), SPALT_CMP(nle, type, shape, read, cmp_nle),                         \
      SPALT_CMP(neq, type, shape, read, cmp_neq), SPALT_CMP(nlt, type, shape, read, cmp_nlt),                         \
      SPALT_CMP(tru, type, shape, read, cmp_t)

constexpr HandlerRow kIntRows[] = {
    SPALT_CMP_INT_ALL(i32, compare, ReadI32),      SPALT_CMP_INT_ALL(u32, compare, ReadU32),
    SPALT_CMP_INT_ALL(i64, compare_wide, ReadI64), SPALT_CMP_INT_ALL(u64, compare_wide, ReadU64),
    SPALT_CMP_INT_ALL(i16, compare, ReadI16),      SPALT_CMP_INT_ALL(u16, compare, ReadU16),
};
constexpr HandlerRow kFloatRows[] = {
    SPALT_CMP_FLOAT(f32, compare, ReadF32),
    SPALT_CMP_FLOAT(f16, compare, ReadF16),
    SPALT_CMP_FLOAT(f64, compare_wide, ReadF64),
    {Op::v_cmp_class_f32, compare_class<23, 8, Into::mask>},
    {Op::v_cmpx_class_f32, compare_class<23, 8, Into::exec>},
    {Op::v_cmp_class_f16, compare_class<10, 5, Into::mask>},
    {Op::v_cmpx_class_f16, compare_class<10, 5, Into::exec>},
    {Op::v_cmp_class_f64, compare_class<52, 11, Into::mask>},
    {Op::v_cmpx_class_f64, compare_class<52, 11, Into::exec>},
};
#undef SPALT_CMP
#undef SPALT_CMP_SIX
#undef SPALT_CMP_INT
#undef SPALT_CMP_INT_ALL
#undef SPALT_CMP_FLOAT

}  // namespace

void add_valu_compare(HandlerTable& table) {
  add_rows(table, kIntRows);
  add_rows(table, kFloatRows);
}

}  // namespace spalt::emu
