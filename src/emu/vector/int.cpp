// SPDX-License-Identifier: MIT
// 32-bit integer and bit instructions with one or two sources (RDNA 2 ISA guide, sections 12.7 to 12.9).
#include <bit>

#include "base/bits.h"
#include "emu/vector/valu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;
using U = uint32_t;
using I = int32_t;

constexpr U kMaxU = 0xffffffffu;

constexpr I as_int(U value) {
  return static_cast<I>(value);
}
constexpr U saturate_i32(int64_t value) {
  return static_cast<U>(std::clamp<int64_t>(value, std::numeric_limits<I>::min(), std::numeric_limits<I>::max()));
}
constexpr int64_t low24_i(U value) {
  return sign_extend(value, 24);
}
constexpr uint64_t low24_u(U value) {
  return value & 0xffffffu;
}

constexpr auto mov = [](U a) { return a; };
constexpr auto op_not = [](U a) { return ~a; };
constexpr auto bfrev = [](U a) {
  a = (a >> 1 & 0x55555555u) | (a & 0x55555555u) << 1;
  a = (a >> 2 & 0x33333333u) | (a & 0x33333333u) << 2;
  a = (a >> 4 & 0x0f0f0f0fu) | (a & 0x0f0f0f0fu) << 4;
  a = (a >> 8 & 0x00ff00ffu) | (a & 0x00ff00ffu) << 8;
  return a >> 16 | a << 16;
};
constexpr auto ffbh_u32 = [](U a) { return a == 0 ? kMaxU : static_cast<U>(std::countl_zero(a)); };
constexpr auto ffbl_b32 = [](U a) { return a == 0 ? kMaxU : static_cast<U>(std::countr_zero(a)); };
constexpr auto ffbh_i32 = [](U a) {
  const U flipped = as_int(a) < 0 ? ~a : a;
  return flipped == 0 ? kMaxU : static_cast<U>(std::countl_zero(flipped));
};

constexpr auto add = [](U a, U b) { return a + b; };
constexpr auto sub = [](U a, U b) { return a - b; };
constexpr auto subrev = [](U a, U b) { return b - a; };
constexpr auto add_sat = [](U a, U b) { return a + b < a ? kMaxU : a + b; };
constexpr auto sub_sat = [](U a, U b) { return a < b ? 0u : a - b; };
constexpr auto subrev_sat = [](U a, U b) { return b < a ? 0u : b - a; };
constexpr auto add_i32_sat = [](U a, U b) { return saturate_i32(int64_t{as_int(a)} + as_int(b)); };
constexpr auto sub_i32_sat = [](U a, U b) { return saturate_i32(int64_t{as_int(a)} - as_int(b)); };

constexpr auto min_i32 = [](U a, U b) { return as_int(a) < as_int(b) ? a : b; };
constexpr auto max_i32 = [](U a, U b) { return as_int(a) > as_int(b) ? a : b; };
constexpr auto min_u32 = [](U a, U b) { return a < b ? a : b; };
constexpr auto max_u32 = [](U a, U b) { return a > b ? a : b; };

// "rev" shifts: source 0 is the amount.
constexpr auto lshrrev = [](U a, U b) { return b >> (a & 31); };
constexpr auto ashrrev = [](U a, U b) { return static_cast<U>(as_int(b) >> (a & 31)); };
constexpr auto lshlrev = [](U a, U b) { return b << (a & 31); };
constexpr auto op_and = [](U a, U b) { return a & b; };
constexpr auto op_or = [](U a, U b) { return a | b; };
constexpr auto op_xor = [](U a, U b) { return a ^ b; };
constexpr auto op_xnor = [](U a, U b) { return ~(a ^ b); };

constexpr auto mul_i24 = [](U a, U b) { return static_cast<U>(low24_i(a) * low24_i(b)); };
constexpr auto mul_hi_i24 = [](U a, U b) { return static_cast<U>(low24_i(a) * low24_i(b) >> 32); };
constexpr auto mul_i24_sat = [](U a, U b) { return saturate_i32(low24_i(a) * low24_i(b)); };
constexpr auto mul_u24 = [](U a, U b) { return static_cast<U>(low24_u(a) * low24_u(b)); };
constexpr auto mul_u24_sat = [](U a, U b) {
  return static_cast<U>(std::min<uint64_t>(low24_u(a) * low24_u(b), kMaxU));
};
constexpr auto mul_hi_u24 = [](U a, U b) { return static_cast<U>(low24_u(a) * low24_u(b) >> 32); };
constexpr auto mul_lo = [](U a, U b) { return a * b; };
constexpr auto mul_hi_u32 = [](U a, U b) { return static_cast<U>(uint64_t{a} * b >> 32); };
constexpr auto mul_hi_i32 = [](U a, U b) { return static_cast<U>(int64_t{as_int(a)} * as_int(b) >> 32); };

constexpr auto bfm = [](U a, U b) { return ((1u << (a & 31)) - 1) << (b & 31); };
constexpr auto bcnt = [](U a, U b) { return static_cast<U>(std::popcount(a)) + b; };
constexpr auto cvt_pk_u16 = [](U a, U b) { return std::min(a, 0xffffu) | std::min(b, 0xffffu) << 16; };
constexpr auto cvt_pk_i16 = [](U a, U b) {
  const I low = std::clamp(as_int(a), -32768, 32767), high = std::clamp(as_int(b), -32768, 32767);
  return (static_cast<U>(low) & 0xffffu) | static_cast<U>(high) << 16;
};

/// Counts the lanes below the own one in a mask half; First is the half's first lane.
template <unsigned First>
void mbcnt(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const unsigned below = i <= First ? 0 : std::min(i - First, 32u);
    out.lane[i] = static_cast<U>(std::popcount(static_cast<U>(bits_of(a[i], 0, below == 0 ? 1 : below)) &
                                               (below == 0 ? 0u : kMaxU))) +
                  b[i];
  }
  wave.write32(step, out.lane);
}

/// The lane mask is source 2: set lanes take source 1.
void cndmask(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const uint64_t mask = wave.read_mask(step.src[2].index);
  for (unsigned i = 0; i < wave.size(); ++i) {
    const U take = static_cast<U>(-static_cast<I>(mask >> i & 1));
    out.lane[i] = (b[i] & take) | (a[i] & ~take);
  }
  wave.write32(step, out.lane);
}

void nothing(Wave&, const Step&) {}

/// Which of four shader engines the rectangle of tiles (x0, y0) to (x1, y1) touches, given modulo 4 (Vega ISA guide,
/// V_SCREEN_PARTITION_4SE_B32: the engine of a tile is {x[0] ^ y[1], y[0] ^ x[1]}, its table follows).
uint32_t screen_partition(uint32_t rectangle) {
  const auto field = [rectangle](unsigned shift) { return rectangle >> shift & 3u; };
  const uint32_t x0 = field(6), y0 = field(4), width = (field(2) - x0) & 3u, height = (field(0) - y0) & 3u;
  uint32_t engines = 0;
  for (uint32_t x = x0; x <= x0 + width; ++x) {
    for (uint32_t y = y0; y <= y0 + height; ++y) {
      const uint32_t engine = ((x ^ y >> 1) & 1u) << 1 | ((y ^ x >> 1) & 1u);
      engines |= 1u << engine;
    }
  }
  return engines;
}

constexpr HandlerRow kRows[] = {
    {Op::v_nop, nothing},
    {Op::v_pipeflush, nothing},
    {Op::v_clrexcp, nothing},
    {Op::v_mov_b32, unary32<mov>},
    {Op::v_not_b32, unary32<op_not>},
    {Op::v_bfrev_b32, unary32<bfrev>},
    {Op::v_ffbh_u32, unary32<ffbh_u32>},
    {Op::v_ffbl_b32, unary32<ffbl_b32>},
    {Op::v_ffbh_i32, unary32<ffbh_i32>},
    {Op::v_cndmask_b32, cndmask},
    {Op::v_add_nc_u32, binary32_clamp<add, add_sat>},
    {Op::v_sub_nc_u32, binary32_clamp<sub, sub_sat>},
    {Op::v_subrev_nc_u32, binary32_clamp<subrev, subrev_sat>},
    {Op::v_add_nc_i32, binary32_clamp<add, add_i32_sat>},
    {Op::v_sub_nc_i32, binary32_clamp<sub, sub_i32_sat>},
    {Op::v_min_i32, binary32<min_i32>},
    {Op::v_max_i32, binary32<max_i32>},
    {Op::v_min_u32, binary32<min_u32>},
    {Op::v_max_u32, binary32<max_u32>},
    {Op::v_lshrrev_b32, binary32<lshrrev>},
    {Op::v_ashrrev_i32, binary32<ashrrev>},
    {Op::v_lshlrev_b32, binary32<lshlrev>},
    {Op::v_and_b32, binary32<op_and>},
    {Op::v_or_b32, binary32<op_or>},
    {Op::v_xor_b32, binary32<op_xor>},
    {Op::v_xnor_b32, binary32<op_xnor>},
    {Op::v_mul_i32_i24, binary32_clamp<mul_i24, mul_i24_sat>},
    {Op::v_mul_hi_i32_i24, binary32<mul_hi_i24>},
    {Op::v_mul_u32_u24, binary32_clamp<mul_u24, mul_u24_sat>},
    {Op::v_mul_hi_u32_u24, binary32<mul_hi_u24>},
    {Op::v_mul_lo_u32, binary32<mul_lo>},
    {Op::v_mul_lo_i32, binary32<mul_lo>},
    {Op::v_mul_hi_u32, binary32<mul_hi_u32>},
    {Op::v_mul_hi_i32, binary32<mul_hi_i32>},
    {Op::v_bfm_b32, binary32<bfm>},
    {Op::v_bcnt_u32_b32, binary32<bcnt>},
    {Op::v_mbcnt_lo_u32_b32, mbcnt<0>},
    {Op::v_mbcnt_hi_u32_b32, mbcnt<32>},
    {Op::v_cvt_pk_u16_u32, binary32<cvt_pk_u16>},
    {Op::v_cvt_pk_i16_i32, binary32<cvt_pk_i16>},
    {Op::v_screen_partition_4se_b32, unary32<screen_partition>},
};

}  // namespace

void add_valu_int(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
