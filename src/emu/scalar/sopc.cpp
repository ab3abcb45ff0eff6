// SPDX-License-Identifier: MIT
// SOPC (RDNA 2 ISA guide, section 12.4): only SCC changes, but for s_setvskip.
#include "base/bits.h"
#include "emu/scalar/salu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

template <class T, auto F>
void sopc(Wave& wave, const Step& step) {
  wave.scc = F(scalar_source<T>(wave, step, 0), scalar_source<T>(wave, step, 1));
}

template <class T, bool Value>
void bitcmp(Wave& wave, const Step& step) {
  const uint32_t bit = scalar_source<uint32_t>(wave, step, 1) & (sizeof(T) * 8 - 1);
  wave.scc = (scalar_source<T>(wave, step, 0) >> bit & 1) == (Value ? 1 : 0);
}

/// The Vega guide's way to pass over code without branches (S_SETVSKIP).
void setvskip(Wave& wave, const Step& step) {
  constexpr unsigned kVskipBit = 28;
  const uint32_t bit = scalar_source<uint32_t>(wave, step, 1) & 31;
  const uint32_t value = scalar_source<uint32_t>(wave, step, 0) >> bit & 1;
  wave.set_mode(static_cast<uint32_t>(with_bits(wave.mode.bits, kVskipBit, 1, value)));
}

constexpr auto eq = [](auto a, auto b) { return a == b; };
constexpr auto lg = [](auto a, auto b) { return a != b; };
constexpr auto gt = [](auto a, auto b) { return a > b; };
constexpr auto ge = [](auto a, auto b) { return a >= b; };
constexpr auto lt = [](auto a, auto b) { return a < b; };
constexpr auto le = [](auto a, auto b) { return a <= b; };

constexpr HandlerRow kRows[] = {
    {Op::s_cmp_eq_i32, sopc<int32_t, eq>},
    {Op::s_cmp_lg_i32, sopc<int32_t, lg>},
    {Op::s_cmp_gt_i32, sopc<int32_t, gt>},
    {Op::s_cmp_ge_i32, sopc<int32_t, ge>},
    {Op::s_cmp_lt_i32, sopc<int32_t, lt>},
    {Op::s_cmp_le_i32, sopc<int32_t, le>},
    {Op::s_cmp_eq_u32, sopc<uint32_t, eq>},
    {Op::s_cmp_lg_u32, sopc<uint32_t, lg>},
    {Op::s_cmp_gt_u32, sopc<uint32_t, gt>},
    {Op::s_cmp_ge_u32, sopc<uint32_t, ge>},
    {Op::s_cmp_lt_u32, sopc<uint32_t, lt>},
    {Op::s_cmp_le_u32, sopc<uint32_t, le>},
    {Op::s_bitcmp0_b32, bitcmp<uint32_t, false>},
    {Op::s_bitcmp1_b32, bitcmp<uint32_t, true>},
    {Op::s_bitcmp0_b64, bitcmp<uint64_t, false>},
    {Op::s_bitcmp1_b64, bitcmp<uint64_t, true>},
    {Op::s_setvskip, setvskip},
    {Op::s_cmp_eq_u64, sopc<uint64_t, eq>},
    {Op::s_cmp_lg_u64, sopc<uint64_t, lg>},
};

}  // namespace

void add_sopc(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
