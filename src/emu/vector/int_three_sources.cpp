// SPDX-License-Identifier: MIT
// 32-bit integer and bit instructions with three sources (RDNA 2 ISA guide, section 12.11, VOP3).
#include "base/bits.h"
#include "emu/vector/valu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;
using U = uint32_t;
using I = int32_t;

constexpr I as_int(U value) {
  return static_cast<I>(value);
}

constexpr auto min_i = [](U a, U b) { return as_int(a) < as_int(b) ? a : b; };
constexpr auto max_i = [](U a, U b) { return as_int(a) > as_int(b) ? a : b; };
constexpr auto min_u = [](U a, U b) { return a < b ? a : b; };
constexpr auto max_u = [](U a, U b) { return a > b ? a : b; };

constexpr auto min3_i = [](U a, U b, U c) { return min_i(min_i(a, b), c); };
constexpr auto max3_i = [](U a, U b, U c) { return max_i(max_i(a, b), c); };
constexpr auto med3_i = [](U a, U b, U c) { return max_i(min_i(a, b), min_i(max_i(a, b), c)); };
constexpr auto min3_u = [](U a, U b, U c) { return min_u(min_u(a, b), c); };
constexpr auto max3_u = [](U a, U b, U c) { return max_u(max_u(a, b), c); };
constexpr auto med3_u = [](U a, U b, U c) { return max_u(min_u(a, b), min_u(max_u(a, b), c)); };
constexpr auto maxmin_i = [](U a, U b, U c) { return min_i(max_i(a, b), c); };
constexpr auto minmax_i = [](U a, U b, U c) { return max_i(min_i(a, b), c); };
constexpr auto maxmin_u = [](U a, U b, U c) { return min_u(max_u(a, b), c); };
constexpr auto minmax_u = [](U a, U b, U c) { return max_u(min_u(a, b), c); };

constexpr auto bfe_u = [](U a, U b, U c) {
  return static_cast<U>(bits_of(uint64_t{a} >> (b & 31), 0, 32)) & ((c & 31) == 0 ? 0 : 0xffffffffu >> (32 - (c & 31)));
};
constexpr auto bfe_i = [](U a, U b, U c) {
  const unsigned width = c & 31;
  if (width == 0) return 0u;
  return static_cast<U>(sign_extend(static_cast<U>(as_int(a) >> (b & 31)), width));
};
constexpr auto bfi = [](U a, U b, U c) { return (a & b) | (~a & c); };
constexpr auto alignbit = [](U a, U b, U c) { return static_cast<U>((uint64_t{a} << 32 | b) >> (c & 31)); };
constexpr auto alignbyte = [](U a, U b, U c) { return static_cast<U>((uint64_t{a} << 32 | b) >> (8 * (c & 3))); };
constexpr auto xor3 = [](U a, U b, U c) { return a ^ b ^ c; };
constexpr auto or3 = [](U a, U b, U c) { return a | b | c; };
constexpr auto and_or = [](U a, U b, U c) { return (a & b) | c; };
constexpr auto add3 = [](U a, U b, U c) { return a + b + c; };
constexpr auto xad = [](U a, U b, U c) { return (a ^ b) + c; };
constexpr auto lshl_add = [](U a, U b, U c) { return (a << (b & 31)) + c; };
constexpr auto add_lshl = [](U a, U b, U c) { return (a + b) << (c & 31); };
constexpr auto lshl_or = [](U a, U b, U c) { return (a << (b & 31)) | c; };

constexpr auto mad_i24 = [](U a, U b, U c) { return static_cast<U>(sign_extend(a, 24) * sign_extend(b, 24)) + c; };
constexpr auto mad_u24 = [](U a, U b, U c) { return (a & 0xffffffu) * (b & 0xffffffu) + c; };
constexpr auto mad_i24_sat = [](U a, U b, U c) {
  const int64_t sum = sign_extend(a, 24) * sign_extend(b, 24) + as_int(c);
  return static_cast<U>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
};
constexpr auto mad_u24_sat = [](U a, U b, U c) {
  const uint64_t sum = uint64_t{a & 0xffffffu} * (b & 0xffffffu) + c;
  return static_cast<U>(std::min<uint64_t>(sum, 0xffffffffu));
};
// Sources 0 and 1 have 16 bits, source 2 and the result 32.
constexpr auto mad_u16 = [](U a, U b, U c) { return a * b + c; };
constexpr auto mad_i16 = [](U a, U b, U c) { return static_cast<U>(sign_extend(a, 16) * sign_extend(b, 16)) + c; };

constexpr auto mad_u16_sat = [](U a, U b, U c) {
  return static_cast<U>(std::min<uint64_t>(uint64_t{a} * b + c, 0xffffffffu));
};
constexpr auto mad_i16_sat = [](U a, U b, U c) {
  const int64_t sum = sign_extend(a, 16) * sign_extend(b, 16) + as_int(c);
  return static_cast<U>(std::clamp<int64_t>(sum, INT32_MIN, INT32_MAX));
};

constexpr auto byte_of = [](U value, unsigned index) { return value >> (8 * index) & 255u; };
constexpr auto distance = [](U a, U b) { return a > b ? a - b : b - a; };

constexpr auto sad_u8 = [](U a, U b, U c) {
  for (unsigned i = 0; i < 4; ++i) c += distance(byte_of(a, i), byte_of(b, i));
  return c;
};
constexpr auto sad_hi_u8 = [](U a, U b, U c) { return (sad_u8(a, b, 0) << 16) + c; };
constexpr auto sad_u16 = [](U a, U b, U c) {
  return distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16) + c;
};
constexpr auto sad_u32 = [](U a, U b, U c) { return distance(a, b) + c; };
/// Bytes whose reference (source 1) is zero do not count.
constexpr auto msad_u8 = [](U a, U b, U c) {
  for (unsigned i = 0; i < 4; ++i) c += byte_of(b, i) == 0 ? 0 : distance(byte_of(a, i), byte_of(b, i));
  return c;
};
constexpr auto lerp_u8 = [](U a, U b, U c) {
  U result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    result |= ((byte_of(a, i) + byte_of(b, i) + (byte_of(c, i) & 1)) >> 1) << (8 * i);
  }
  return result;
};

/// Selector bytes: 0-3 bytes of source 1, 4-7 of source 0, 8-11 sign bytes, 12 zero, above all ones.
constexpr auto perm = [](U a, U b, U c) {
  const uint64_t both = uint64_t{a} << 32 | b;
  U result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const U sel = byte_of(c, i);
    U value = 0xff;
    if (sel < 8) {
      value = static_cast<U>(both >> (8 * sel) & 255);
    } else if (sel < 12) {
      value = (both >> (16 * (sel - 8) + 15) & 1) != 0 ? 0xff : 0;
    } else if (sel == 12) {
      value = 0;
    }
    result |= value << (8 * i);
  }
  return result;
};

constexpr HandlerRow kRows[] = {
    {Op::v_min3_i32, ternary32<min3_i>},
    {Op::v_max3_i32, ternary32<max3_i>},
    {Op::v_med3_i32, ternary32<med3_i>},
    {Op::v_min3_u32, ternary32<min3_u>},
    {Op::v_max3_u32, ternary32<max3_u>},
    {Op::v_med3_u32, ternary32<med3_u>},
    {Op::v_maxmin_i32, ternary32<maxmin_i>},
    {Op::v_minmax_i32, ternary32<minmax_i>},
    {Op::v_maxmin_u32, ternary32<maxmin_u>},
    {Op::v_minmax_u32, ternary32<minmax_u>},
    {Op::v_bfe_u32, ternary32<bfe_u>},
    {Op::v_bfe_i32, ternary32<bfe_i>},
    {Op::v_bfi_b32, ternary32<bfi>},
    {Op::v_alignbit_b32, ternary32<alignbit>},
    {Op::v_alignbyte_b32, ternary32<alignbyte>},
    {Op::v_xor3_b32, ternary32<xor3>},
    {Op::v_or3_b32, ternary32<or3>},
    {Op::v_and_or_b32, ternary32<and_or>},
    {Op::v_add3_u32, ternary32<add3>},
    {Op::v_xad_u32, ternary32<xad>},
    {Op::v_lshl_add_u32, ternary32<lshl_add>},
    {Op::v_add_lshl_u32, ternary32<add_lshl>},
    {Op::v_lshl_or_b32, ternary32<lshl_or>},
    {Op::v_mad_i32_i24, ternary32_clamp<mad_i24, mad_i24_sat>},
    {Op::v_mad_u32_u24, ternary32_clamp<mad_u24, mad_u24_sat>},
    {Op::v_mad_u32_u16, ternary32_clamp<mad_u16, mad_u16_sat>},
    {Op::v_mad_i32_i16, ternary32_clamp<mad_i16, mad_i16_sat>},
    {Op::v_sad_u8, ternary32<sad_u8>},
    {Op::v_sad_hi_u8, ternary32<sad_hi_u8>},
    {Op::v_sad_u16, ternary32<sad_u16>},
    {Op::v_sad_u32, ternary32<sad_u32>},
    {Op::v_msad_u8, ternary32<msad_u8>},
    {Op::v_lerp_u8, ternary32<lerp_u8>},
    {Op::v_perm_b32, ternary32<perm>},
};

}  // namespace

void add_valu_int3(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
