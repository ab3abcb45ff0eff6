// SPDX-License-Identifier: MIT
// SOP1 (RDNA 2 ISA guide, section 12.3).
#include <bit>

#include "base/bits.h"
#include "emu/scalar/salu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

enum class Scc : uint8_t { keep, nonzero };

template <class R, class A, Scc S, auto F>
void sop1(Wave& wave, const Step& step) {
  const R result = static_cast<R>(F(scalar_source<A>(wave, step, 0)));
  if constexpr (S == Scc::nonzero) wave.scc = result != 0;
  scalar_write<R>(wave, step, result);
}

template <auto F>
constexpr Handler kKeep32 = sop1<uint32_t, uint32_t, Scc::keep, F>;
template <auto F>
constexpr Handler kKeep64 = sop1<uint64_t, uint64_t, Scc::keep, F>;
template <auto F>
constexpr Handler kTest32 = sop1<uint32_t, uint32_t, Scc::nonzero, F>;
template <auto F>
constexpr Handler kTest64 = sop1<uint64_t, uint64_t, Scc::nonzero, F>;
/// 64-bit source, 32-bit result.
template <auto F>
constexpr Handler kCount64 = sop1<uint32_t, uint64_t, Scc::keep, F>;

constexpr auto mov = [](auto a) { return a; };
constexpr auto op_not = [](auto a) { return ~a; };

template <class T>
T quad_mask_spread(T a) {
  T result = 0;
  for (unsigned quad = 0; quad < sizeof(T) * 2; ++quad) {
    if ((a >> (4 * quad) & 15) != 0) result |= T{15} << (4 * quad);
  }
  return result;
}
template <class T>
T quad_mask(T a) {
  T result = 0;
  for (unsigned quad = 0; quad < sizeof(T) * 2; ++quad) {
    if ((a >> (4 * quad) & 15) != 0) result |= T{1} << quad;
  }
  return result;
}
template <class T>
T reverse_bits(T a) {
  T result = 0;
  for (unsigned i = 0; i < sizeof(T) * 8; ++i) result = static_cast<T>(result << 1 | (a >> i & 1));
  return result;
}
constexpr auto count_ones = [](auto a) { return static_cast<uint32_t>(std::popcount(a)); };
constexpr auto count_zeros = [](auto a) { return static_cast<uint32_t>(std::popcount(~a)); };
constexpr auto first_one = [](auto a) { return a == 0 ? 0xffffffffu : static_cast<uint32_t>(std::countr_zero(a)); };
constexpr auto first_zero = [](auto a) { return ~a == 0 ? 0xffffffffu : static_cast<uint32_t>(std::countr_one(a)); };
constexpr auto leading_zeros = [](auto a) { return a == 0 ? 0xffffffffu : static_cast<uint32_t>(std::countl_zero(a)); };
/// Distance from the top to the first bit unlike the sign bit.
constexpr auto leading_signs = [](auto a) {
  constexpr unsigned kTop = sizeof(a) * 8 - 1;
  const auto flipped = (a >> kTop & 1) != 0 ? ~a : a;
  return flipped == 0 ? 0xffffffffu : static_cast<uint32_t>(std::countl_zero(flipped));
};
constexpr auto sext8 = [](uint32_t a) { return static_cast<uint32_t>(sign_extend(a, 8)); };
constexpr auto sext16 = [](uint32_t a) { return static_cast<uint32_t>(sign_extend(a, 16)); };
constexpr auto absolute = [](uint32_t a) { return (a & 0x80000000u) != 0 ? 0u - a : a; };
constexpr auto replicate = [](uint32_t a) {
  uint64_t result = 0;
  for (unsigned i = 0; i < 32; ++i) result |= static_cast<uint64_t>((a >> i & 1) * 3) << (2 * i);
  return result;
};

template <class T>
void cmov(Wave& wave, const Step& step) {
  if (wave.scc) scalar_write<T>(wave, step, scalar_source<T>(wave, step, 0));
}

template <class T, bool Set>
void bitset(Wave& wave, const Step& step) {
  constexpr unsigned kMask = sizeof(T) * 8 - 1;
  const T bit = T{1} << (scalar_source<uint32_t>(wave, step, 0) & kMask);
  const T old = sizeof(T) == 8 ? static_cast<T>(wave.read_s64(step.dst)) : static_cast<T>(wave.read_s32(step.dst));
  scalar_write<T>(wave, step, Set ? static_cast<T>(old | bit) : static_cast<T>(old & ~bit));
}

void getpc(Wave& wave, const Step& step) {
  wave.write_s64(step.dst, wave.code_address(step.pc + step.inst.size_bytes));
}
void setpc(Wave& wave, const Step& step) {
  wave.jump_to_address(scalar_source<uint64_t>(wave, step, 0));
}
void swappc(Wave& wave, const Step& step) {
  const uint64_t target = scalar_source<uint64_t>(wave, step, 0);
  getpc(wave, step);
  wave.jump_to_address(target);
}

template <class T>
T read_exec(const Wave& wave) {
  if constexpr (sizeof(T) == 8) {
    return wave.read_s64(isa::kExec.number);
  } else {
    return wave.read_s32(isa::kExec.number);
  }
}

/// D = EXEC, then EXEC = F(S0, EXEC); with WriteNew, D is the new EXEC.
template <class T, auto F, bool WriteNew = false>
void save_exec(Wave& wave, const Step& step) {
  const T old = read_exec<T>(wave);
  const T next = static_cast<T>(F(scalar_source<T>(wave, step, 0), old));
  scalar_write<T>(wave, step, WriteNew ? next : old);
  if constexpr (sizeof(T) == 8) {
    wave.write_s64(isa::kExec.number, next);
  } else {
    wave.write_s32(isa::kExec.number, next);
  }
  wave.scc = next != 0;
}

constexpr auto op_and = [](auto s, auto exec) { return s & exec; };
constexpr auto op_or = [](auto s, auto exec) { return s | exec; };
constexpr auto op_xor = [](auto s, auto exec) { return s ^ exec; };
constexpr auto op_andn2 = [](auto s, auto exec) { return s & ~exec; };
constexpr auto op_orn2 = [](auto s, auto exec) { return s | ~exec; };
constexpr auto op_nand = [](auto s, auto exec) { return ~(s & exec); };
constexpr auto op_nor = [](auto s, auto exec) { return ~(s | exec); };
constexpr auto op_xnor = [](auto s, auto exec) { return ~(s ^ exec); };
constexpr auto op_andn1 = [](auto s, auto exec) { return ~s & exec; };
constexpr auto op_orn1 = [](auto s, auto exec) { return ~s | exec; };

/// Register numbers that M0 moves must stay inside the SGPRs, and what a load still writes must not be touched.
bool may_access(Wave& wave, uint64_t reg, unsigned dwords, bool write) {
  if (reg + dwords > 106) {
    wave.fault(FaultKind::register_bounds, "indexes a scalar register that does not exist");
    return false;
  }
  wave.waits.check_indexed_scalars(wave, static_cast<unsigned>(reg), dwords, write);
  return wave.state() == WaveState::running;
}

template <class T>
void movrels(Wave& wave, const Step& step) {
  const uint64_t reg = uint64_t{step.src[0].index} + wave.m0();
  if (!may_access(wave, reg, sizeof(T) / 4, false)) return;
  const auto number = static_cast<unsigned>(reg);
  scalar_write<T>(wave, step, static_cast<T>(sizeof(T) == 8 ? wave.read_s64(number) : wave.read_s32(number)));
}
template <class T>
void movreld(Wave& wave, const Step& step) {
  const uint64_t reg = uint64_t{step.dst} + wave.m0();
  if (!may_access(wave, reg, sizeof(T) / 4, true)) return;
  const T value = scalar_source<T>(wave, step, 0);
  if constexpr (sizeof(T) == 8) {
    wave.write_s64(static_cast<unsigned>(reg), value);
  } else {
    wave.write_s32(static_cast<unsigned>(reg), value);
  }
}
void movrelsd2(Wave& wave, const Step& step) {
  const uint64_t from = step.src[0].index + bits_of(wave.m0(), 0, 10);
  const uint64_t to = step.dst + bits_of(wave.m0(), 16, 10);
  if (!may_access(wave, from, 1, false) || !may_access(wave, to, 1, true)) return;
  wave.write_s32(static_cast<unsigned>(to), wave.read_s32(static_cast<unsigned>(from)));
}

constexpr HandlerRow kRows[] = {
    {Op::s_mov_b32, kKeep32<mov>},
    {Op::s_mov_b64, kKeep64<mov>},
    {Op::s_cmov_b32, cmov<uint32_t>},
    {Op::s_cmov_b64, cmov<uint64_t>},
    {Op::s_not_b32, kTest32<op_not>},
    {Op::s_not_b64, kTest64<op_not>},
    {Op::s_wqm_b32, kTest32<quad_mask_spread<uint32_t>>},
    {Op::s_wqm_b64, kTest64<quad_mask_spread<uint64_t>>},
    {Op::s_brev_b32, kKeep32<reverse_bits<uint32_t>>},
    {Op::s_brev_b64, kKeep64<reverse_bits<uint64_t>>},
    {Op::s_bcnt0_i32_b32, kTest32<count_zeros>},
    {Op::s_bcnt0_i32_b64, sop1<uint32_t, uint64_t, Scc::nonzero, count_zeros>},
    {Op::s_bcnt1_i32_b32, kTest32<count_ones>},
    {Op::s_bcnt1_i32_b64, sop1<uint32_t, uint64_t, Scc::nonzero, count_ones>},
    {Op::s_ff0_i32_b32, kKeep32<first_zero>},
    {Op::s_ff0_i32_b64, kCount64<first_zero>},
    {Op::s_ff1_i32_b32, kKeep32<first_one>},
    {Op::s_ff1_i32_b64, kCount64<first_one>},
    {Op::s_flbit_i32_b32, kKeep32<leading_zeros>},
    {Op::s_flbit_i32_b64, kCount64<leading_zeros>},
    {Op::s_flbit_i32, kKeep32<leading_signs>},
    {Op::s_flbit_i32_i64, kCount64<leading_signs>},
    {Op::s_sext_i32_i8, kKeep32<sext8>},
    {Op::s_sext_i32_i16, kKeep32<sext16>},
    {Op::s_bitset0_b32, bitset<uint32_t, false>},
    {Op::s_bitset0_b64, bitset<uint64_t, false>},
    {Op::s_bitset1_b32, bitset<uint32_t, true>},
    {Op::s_bitset1_b64, bitset<uint64_t, true>},
    {Op::s_getpc_b64, getpc},
    {Op::s_setpc_b64, setpc},
    {Op::s_swappc_b64, swappc},
    {Op::s_and_saveexec_b32, save_exec<uint32_t, op_and>},
    {Op::s_and_saveexec_b64, save_exec<uint64_t, op_and>},
    {Op::s_or_saveexec_b32, save_exec<uint32_t, op_or>},
    {Op::s_or_saveexec_b64, save_exec<uint64_t, op_or>},
    {Op::s_xor_saveexec_b32, save_exec<uint32_t, op_xor>},
    {Op::s_xor_saveexec_b64, save_exec<uint64_t, op_xor>},
    {Op::s_andn2_saveexec_b32, save_exec<uint32_t, op_andn2>},
    {Op::s_andn2_saveexec_b64, save_exec<uint64_t, op_andn2>},
    {Op::s_orn2_saveexec_b32, save_exec<uint32_t, op_orn2>},
    {Op::s_orn2_saveexec_b64, save_exec<uint64_t, op_orn2>},
    {Op::s_nand_saveexec_b32, save_exec<uint32_t, op_nand>},
    {Op::s_nand_saveexec_b64, save_exec<uint64_t, op_nand>},
    {Op::s_nor_saveexec_b32, save_exec<uint32_t, op_nor>},
    {Op::s_nor_saveexec_b64, save_exec<uint64_t, op_nor>},
    {Op::s_xnor_saveexec_b32, save_exec<uint32_t, op_xnor>},
    {Op::s_xnor_saveexec_b64, save_exec<uint64_t, op_xnor>},
    {Op::s_andn1_saveexec_b32, save_exec<uint32_t, op_andn1>},
    {Op::s_andn1_saveexec_b64, save_exec<uint64_t, op_andn1>},
    {Op::s_orn1_saveexec_b32, save_exec<uint32_t, op_orn1>},
    {Op::s_orn1_saveexec_b64, save_exec<uint64_t, op_orn1>},
    {Op::s_andn1_wrexec_b32, save_exec<uint32_t, op_andn1, true>},
    {Op::s_andn1_wrexec_b64, save_exec<uint64_t, op_andn1, true>},
    {Op::s_andn2_wrexec_b32, save_exec<uint32_t, op_andn2, true>},
    {Op::s_andn2_wrexec_b64, save_exec<uint64_t, op_andn2, true>},
    {Op::s_quadmask_b32, kTest32<quad_mask<uint32_t>>},
    {Op::s_quadmask_b64, kTest64<quad_mask<uint64_t>>},
    {Op::s_movrels_b32, movrels<uint32_t>},
    {Op::s_movrels_b64, movrels<uint64_t>},
    {Op::s_movreld_b32, movreld<uint32_t>},
    {Op::s_movreld_b64, movreld<uint64_t>},
    {Op::s_movrelsd_2_b32, movrelsd2},
    {Op::s_abs_i32, kTest32<absolute>},
    {Op::s_bitreplicate_b64_b32, sop1<uint64_t, uint32_t, Scc::keep, replicate>},
};

}  // namespace

void add_sop1(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
