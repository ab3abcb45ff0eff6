// SPDX-License-Identifier: MIT
// 16-bit integer instructions. Results keep the other half of the register.
#include "base/bits.h"
#include "emu/vector/valu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;
using U = uint32_t;

constexpr int32_t s16(U value) {
  return static_cast<int32_t>(sign_extend(value & 0xffff, 16));
}
constexpr U sat_i(int32_t value) {
  return static_cast<U>(std::clamp(value, -32768, 32767));
}

template <auto F, auto Clamped, unsigned Sources = 2>
void op16_clamp(Wave& wave, const Step& step) {
  step.clamp ? op16<Clamped, Sources>(wave, step) : op16<F, Sources>(wave, step);
}

constexpr auto add = [](U a, U b) { return a + b; };
constexpr auto sub = [](U a, U b) { return a - b; };
constexpr auto subrev = [](U a, U b) { return b - a; };
constexpr auto subrev_u_sat = [](U a, U b) { return b < a ? 0u : b - a; };
constexpr auto add_u_sat = [](U a, U b) { return std::min(a + b, 0xffffu); };
constexpr auto sub_u_sat = [](U a, U b) { return a < b ? 0u : a - b; };
constexpr auto add_i_sat = [](U a, U b) { return sat_i(s16(a) + s16(b)); };
constexpr auto sub_i_sat = [](U a, U b) { return sat_i(s16(a) - s16(b)); };
constexpr auto mul_lo = [](U a, U b) { return a * b; };
constexpr auto mul_lo_sat = [](U a, U b) { return std::min(a * b, 0xffffu); };
constexpr auto min_i = [](U a, U b) { return s16(a) < s16(b) ? a : b; };
constexpr auto max_i = [](U a, U b) { return s16(a) > s16(b) ? a : b; };
constexpr auto min_u = [](U a, U b) { return a < b ? a : b; };
constexpr auto max_u = [](U a, U b) { return a > b ? a : b; };
constexpr auto min3_i = [](U a, U b, U c) { return min_i(min_i(a, b), c); };
constexpr auto max3_i = [](U a, U b, U c) { return max_i(max_i(a, b), c); };
constexpr auto med3_i = [](U a, U b, U c) { return max_i(min_i(a, b), min_i(max_i(a, b), c)); };
constexpr auto min3_u = [](U a, U b, U c) { return min_u(min_u(a, b), c); };
constexpr auto max3_u = [](U a, U b, U c) { return max_u(max_u(a, b), c); };
constexpr auto med3_u = [](U a, U b, U c) { return max_u(min_u(a, b), min_u(max_u(a, b), c)); };
constexpr auto lshrrev = [](U a, U b) { return b >> (a & 15); };
constexpr auto ashrrev = [](U a, U b) { return static_cast<U>(s16(b) >> (a & 15)); };
constexpr auto lshlrev = [](U a, U b) { return b << (a & 15); };
constexpr auto mad = [](U a, U b, U c) { return a * b + c; };
constexpr auto mad_u_sat = [](U a, U b, U c) {
  return static_cast<U>(std::min<uint64_t>(uint64_t{a} * b + c, 0xffffu));
};
constexpr auto mad_i_sat = [](U a, U b, U c) { return sat_i(s16(a) * s16(b) + s16(c)); };
constexpr auto mov = [](U a) { return a; };
constexpr auto op_not = [](U a) { return ~a; };
constexpr auto op_and = [](U a, U b) { return a & b; };
constexpr auto op_or = [](U a, U b) { return a | b; };
constexpr auto op_xor = [](U a, U b) { return a ^ b; };
/// 16-bit source, 32-bit result.
constexpr auto sign_extended = [](U a) { return s16(a); };

/// The lane mask is source 2: set lanes take source 1.
void cndmask(Wave& wave, const Step& step) {
  LaneBuffer ta, tb, out;
  const U* a = wave.fetch32(step, 0, ta);
  const U* b = wave.fetch32(step, 1, tb);
  const uint64_t mask = wave.read_mask(step.src[2].index);
  for (unsigned i = 0; i < wave.size(); ++i) out.lane[i] = (mask >> i & 1) != 0 ? b[i] : a[i];
  wave.write16(step, out.lane);
}

/// Two signed words to two unsigned bytes.
constexpr auto sat_pk_u8 = [](U a) {
  const auto byte = [](int32_t value) { return static_cast<U>(std::clamp(value, 0, 255)); };
  return byte(s16(a)) | byte(s16(a >> 16)) << 8;
};

constexpr HandlerRow kRows[] = {
    {Op::v_add_nc_u16, op16_clamp<add, add_u_sat>},
    {Op::v_sub_nc_u16, op16_clamp<sub, sub_u_sat>},
    {Op::v_add_nc_i16, op16_clamp<add, add_i_sat>},
    {Op::v_sub_nc_i16, op16_clamp<sub, sub_i_sat>},
    {Op::v_subrev_u16, op16_clamp<subrev, subrev_u_sat>},
    {Op::v_mul_lo_u16, op16_clamp<mul_lo, mul_lo_sat>},
    {Op::v_min_i16, op16<min_i, 2>},
    {Op::v_max_i16, op16<max_i, 2>},
    {Op::v_min_u16, op16<min_u, 2>},
    {Op::v_max_u16, op16<max_u, 2>},
    {Op::v_min3_i16, op16<min3_i, 3>},
    {Op::v_max3_i16, op16<max3_i, 3>},
    {Op::v_med3_i16, op16<med3_i, 3>},
    {Op::v_min3_u16, op16<min3_u, 3>},
    {Op::v_max3_u16, op16<max3_u, 3>},
    {Op::v_med3_u16, op16<med3_u, 3>},
    {Op::v_lshrrev_b16, op16<lshrrev, 2>},
    {Op::v_ashrrev_i16, op16<ashrrev, 2>},
    {Op::v_lshlrev_b16, op16<lshlrev, 2>},
    {Op::v_mad_legacy_u16, op16_clamp<mad, mad_u_sat, 3>},
    {Op::v_mad_legacy_i16, op16_clamp<mad, mad_i_sat, 3>},
    {Op::v_mad_u16, op16_clamp<mad, mad_u_sat, 3>},
    {Op::v_mad_i16, op16_clamp<mad, mad_i_sat, 3>},
    {Op::v_mov_b16, op16<mov, 1>},
    {Op::v_not_b16, op16<op_not, 1>},
    {Op::v_and_b16, op16<op_and, 2>},
    {Op::v_or_b16, op16<op_or, 2>},
    {Op::v_xor_b16, op16<op_xor, 2>},
    {Op::v_cndmask_b16, cndmask},
    {Op::v_cvt_i32_i16, unary32<sign_extended>},
    {Op::v_cvt_u32_u16, unary32<mov>},
    {Op::v_sat_pk_u8_i16, op16<sat_pk_u8, 1>},
};

}  // namespace

void add_valu_int16(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
