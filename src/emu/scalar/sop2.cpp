// SPDX-License-Identifier: MIT
// SOP2 (RDNA 2 ISA guide, section 12.1). What SCC becomes is part of each operation.
#include <algorithm>
#include <cstdlib>

#include "base/bits.h"
#include "emu/scalar/salu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

/// F returns the result and sets scc itself.
template <class R, class A, class B, auto F>
void sop2(Wave& wave, const Step& step) {
  const A a = scalar_source<A>(wave, step, 0);
  const B b = scalar_source<B>(wave, step, 1);
  scalar_write<R>(wave, step, static_cast<R>(F(a, b, wave.scc)));
}

/// Bit operations: scc = result is not zero.
template <class T, auto F>
void bitwise(Wave& wave, const Step& step) {
  const T result = static_cast<T>(F(scalar_source<T>(wave, step, 0), scalar_source<T>(wave, step, 1)));
  wave.scc = result != 0;
  scalar_write<T>(wave, step, result);
}

/// 64-bit arithmetic that leaves scc alone.
template <auto F>
void wide_arithmetic(Wave& wave, const Step& step) {
  scalar_write<uint64_t>(wave, step, F(scalar_source<uint64_t>(wave, step, 0), scalar_source<uint64_t>(wave, step, 1)));
}
constexpr auto wide_add = [](uint64_t a, uint64_t b) { return a + b; };
constexpr auto wide_sub = [](uint64_t a, uint64_t b) { return a - b; };
constexpr auto wide_mul = [](uint64_t a, uint64_t b) { return a * b; };

template <auto F>
constexpr Handler kBits32 = bitwise<uint32_t, F>;
template <auto F>
constexpr Handler kBits64 = bitwise<uint64_t, F>;

template <auto F>
constexpr Handler kU32 = sop2<uint32_t, uint32_t, uint32_t, F>;
template <auto F>
constexpr Handler kI32 = sop2<int32_t, int32_t, int32_t, F>;
/// A 64-bit value and a 32-bit amount.
template <class T, auto F>
constexpr Handler kWide = sop2<T, T, uint32_t, F>;

constexpr auto add_u32 = [](uint32_t a, uint32_t b, bool& scc) {
  const uint64_t sum = uint64_t{a} + b;
  scc = sum >> 32 != 0;
  return static_cast<uint32_t>(sum);
};
constexpr auto addc_u32 = [](uint32_t a, uint32_t b, bool& scc) {
  const uint64_t sum = uint64_t{a} + b + (scc ? 1 : 0);
  scc = sum >> 32 != 0;
  return static_cast<uint32_t>(sum);
};
constexpr auto sub_u32 = [](uint32_t a, uint32_t b, bool& scc) {
  scc = b > a;
  return a - b;
};
constexpr auto subb_u32 = [](uint32_t a, uint32_t b, bool& scc) {
  const uint64_t taken = uint64_t{b} + (scc ? 1 : 0);
  scc = taken > a;
  return static_cast<uint32_t>(a - taken);
};
constexpr auto add_i32 = [](int32_t a, int32_t b, bool& scc) {
  const int64_t sum = int64_t{a} + b;
  scc = sum != static_cast<int32_t>(sum);
  return static_cast<int32_t>(sum);
};
constexpr auto sub_i32 = [](int32_t a, int32_t b, bool& scc) {
  const int64_t difference = int64_t{a} - b;
  scc = difference != static_cast<int32_t>(difference);
  return static_cast<int32_t>(difference);
};
constexpr auto minimum = [](auto a, auto b, bool& scc) {
  scc = a < b;
  return a < b ? a : b;
};
constexpr auto maximum = [](auto a, auto b, bool& scc) {
  scc = a > b;
  return a > b ? a : b;
};
constexpr auto cselect = [](auto a, auto b, bool& scc) { return scc ? a : b; };

template <class T>
T shl(T a, uint32_t b, bool& scc) {
  const T result = static_cast<T>(a << (b & (sizeof(T) * 8 - 1)));
  scc = result != 0;
  return result;
}
/// Logical or arithmetic by the signedness of T.
template <class T>
T shr(T a, uint32_t b, bool& scc) {
  const T result = static_cast<T>(a >> (b & (sizeof(T) * 8 - 1)));
  scc = result != 0;
  return result;
}

/// Operand 1: offset in the low bits, width in bits 22:16.
template <class T>
T bfe(T a, uint32_t b, bool& scc) {
  constexpr unsigned kBits = sizeof(T) * 8;
  const unsigned offset = b & (kBits - 1), width = b >> 16 & 127;
  T result = static_cast<T>(a >> offset);
  if (width == 0) {
    result = 0;
  } else if (width < kBits) {
    const auto field = bits_of(static_cast<uint64_t>(result), 0, width);
    result = std::is_signed_v<T> ? static_cast<T>(sign_extend(field, width)) : static_cast<T>(field);
  }
  scc = result != 0;
  return result;
}

template <class T>
void bfm(Wave& wave, const Step& step) {
  constexpr unsigned kMask = sizeof(T) * 8 - 1;
  const uint32_t width = scalar_source<uint32_t>(wave, step, 0) & kMask;
  const uint32_t offset = scalar_source<uint32_t>(wave, step, 1) & kMask;
  scalar_write<T>(wave, step, static_cast<T>(((T{1} << width) - 1) << offset));
}

constexpr auto mul_i32 = [](uint32_t a, uint32_t b, bool&) { return a * b; };
constexpr auto mul_hi_u32 = [](uint32_t a, uint32_t b, bool&) { return static_cast<uint32_t>(uint64_t{a} * b >> 32); };
constexpr auto mul_hi_i32 = [](int32_t a, int32_t b, bool&) { return static_cast<int32_t>(int64_t{a} * b >> 32); };
constexpr auto absdiff = [](uint32_t a, uint32_t b, bool& scc) {
  const auto difference = static_cast<int32_t>(a - b);
  const uint32_t result = difference < 0 ? 0u - static_cast<uint32_t>(difference) : static_cast<uint32_t>(difference);
  scc = result != 0;
  return result;
};
template <unsigned Shift>
uint32_t shift_add(uint32_t a, uint32_t b, bool& scc) {
  const uint64_t sum = (uint64_t{a} << Shift) + b;
  scc = sum >> 32 != 0;
  return static_cast<uint32_t>(sum);
}
constexpr auto pack_ll = [](uint32_t a, uint32_t b, bool&) { return (a & 0xffff) | b << 16; };
constexpr auto pack_lh = [](uint32_t a, uint32_t b, bool&) { return (a & 0xffff) | (b & 0xffff0000); };
constexpr auto pack_hl = [](uint32_t a, uint32_t b, bool&) { return a >> 16 | b << 16; };
constexpr auto pack_hh = [](uint32_t a, uint32_t b, bool&) { return a >> 16 | (b & 0xffff0000); };

constexpr auto op_and = [](auto a, auto b) { return a & b; };
constexpr auto op_or = [](auto a, auto b) { return a | b; };
constexpr auto op_xor = [](auto a, auto b) { return a ^ b; };
constexpr auto op_andn2 = [](auto a, auto b) { return a & ~b; };
constexpr auto op_orn2 = [](auto a, auto b) { return a | ~b; };
constexpr auto op_nand = [](auto a, auto b) { return ~(a & b); };
constexpr auto op_nor = [](auto a, auto b) { return ~(a | b); };
constexpr auto op_xnor = [](auto a, auto b) { return ~(a ^ b); };

constexpr HandlerRow kRows[] = {
    {Op::s_add_u32, kU32<add_u32>},
    {Op::s_sub_u32, kU32<sub_u32>},
    {Op::s_add_i32, kI32<add_i32>},
    {Op::s_sub_i32, kI32<sub_i32>},
    {Op::s_addc_u32, kU32<addc_u32>},
    {Op::s_subb_u32, kU32<subb_u32>},
    {Op::s_min_i32, kI32<minimum>},
    {Op::s_min_u32, kU32<minimum>},
    {Op::s_max_i32, kI32<maximum>},
    {Op::s_max_u32, kU32<maximum>},
    {Op::s_cselect_b32, kU32<cselect>},
    {Op::s_cselect_b64, sop2<uint64_t, uint64_t, uint64_t, cselect>},
    {Op::s_and_b32, kBits32<op_and>},
    {Op::s_and_b64, kBits64<op_and>},
    {Op::s_or_b32, kBits32<op_or>},
    {Op::s_or_b64, kBits64<op_or>},
    {Op::s_xor_b32, kBits32<op_xor>},
    {Op::s_xor_b64, kBits64<op_xor>},
    {Op::s_andn2_b32, kBits32<op_andn2>},
    {Op::s_andn2_b64, kBits64<op_andn2>},
    {Op::s_orn2_b32, kBits32<op_orn2>},
    {Op::s_orn2_b64, kBits64<op_orn2>},
    {Op::s_nand_b32, kBits32<op_nand>},
    {Op::s_nand_b64, kBits64<op_nand>},
    {Op::s_nor_b32, kBits32<op_nor>},
    {Op::s_nor_b64, kBits64<op_nor>},
    {Op::s_xnor_b32, kBits32<op_xnor>},
    {Op::s_xnor_b64, kBits64<op_xnor>},
    {Op::s_lshl_b32, kU32<shl<uint32_t>>},
    {Op::s_lshl_b64, kWide<uint64_t, shl<uint64_t>>},
    {Op::s_lshr_b32, kU32<shr<uint32_t>>},
    {Op::s_lshr_b64, kWide<uint64_t, shr<uint64_t>>},
    {Op::s_ashr_i32, kWide<int32_t, shr<int32_t>>},
    {Op::s_ashr_i64, kWide<int64_t, shr<int64_t>>},
    {Op::s_bfm_b32, bfm<uint32_t>},
    {Op::s_bfm_b64, bfm<uint64_t>},
    {Op::s_mul_i32, kU32<mul_i32>},
    {Op::s_mul_hi_u32, kU32<mul_hi_u32>},
    {Op::s_mul_hi_i32, kI32<mul_hi_i32>},
    {Op::s_bfe_u32, kWide<uint32_t, bfe<uint32_t>>},
    {Op::s_bfe_i32, kWide<int32_t, bfe<int32_t>>},
    {Op::s_bfe_u64, kWide<uint64_t, bfe<uint64_t>>},
    {Op::s_bfe_i64, kWide<int64_t, bfe<int64_t>>},
    {Op::s_add_nc_u64, wide_arithmetic<wide_add>},
    {Op::s_sub_nc_u64, wide_arithmetic<wide_sub>},
    {Op::s_mul_u64, wide_arithmetic<wide_mul>},
    {Op::s_absdiff_i32, kU32<absdiff>},
    {Op::s_lshl1_add_u32, kU32<shift_add<1>>},
    {Op::s_lshl2_add_u32, kU32<shift_add<2>>},
    {Op::s_lshl3_add_u32, kU32<shift_add<3>>},
    {Op::s_lshl4_add_u32, kU32<shift_add<4>>},
    {Op::s_pack_ll_b32_b16, kU32<pack_ll>},
    {Op::s_pack_lh_b32_b16, kU32<pack_lh>},
    {Op::s_pack_hl_b32_b16, kU32<pack_hl>},
    {Op::s_pack_hh_b32_b16, kU32<pack_hh>},
};

}  // namespace

void add_sop2(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
