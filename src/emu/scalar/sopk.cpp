// SPDX-License-Identifier: MIT
// SOPK (RDNA 2 ISA guide, section 12.2) with s_getreg and s_setreg.
#include <algorithm>

#include "base/bits.h"
#include "emu/scalar/salu.h"
#include "emu/wave/hardware_registers.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

void movk(Wave& wave, const Step& step) {
  wave.write_s32(step.dst, static_cast<uint32_t>(step.imm));
}
void cmovk(Wave& wave, const Step& step) {
  if (wave.scc) movk(wave, step);
}
void addk(Wave& wave, const Step& step) {
  const int64_t sum = int64_t{static_cast<int32_t>(wave.read_s32(step.dst))} + step.imm;
  wave.scc = sum != static_cast<int32_t>(sum);
  wave.write_s32(step.dst, static_cast<uint32_t>(sum));
}
void mulk(Wave& wave, const Step& step) {
  wave.write_s32(step.dst, wave.read_s32(step.dst) * static_cast<uint32_t>(step.imm));
}

/// The immediate is sign extended for i32 and zero extended for u32.
template <class T, auto F>
void cmpk(Wave& wave, const Step& step) {
  const T b = std::is_signed_v<T> ? static_cast<T>(step.imm) : static_cast<T>(step.imm & 0xffff);
  wave.scc = F(scalar_source<T>(wave, step, 0), b);
}
constexpr auto eq = [](auto a, auto b) { return a == b; };
constexpr auto lg = [](auto a, auto b) { return a != b; };
constexpr auto gt = [](auto a, auto b) { return a > b; };
constexpr auto ge = [](auto a, auto b) { return a >= b; };
constexpr auto lt = [](auto a, auto b) { return a < b; };
constexpr auto le = [](auto a, auto b) { return a <= b; };

struct HwRegField {
  unsigned id, offset, width;
};
HwRegField field_of(const Step& step) {
  const auto imm = static_cast<uint32_t>(step.imm);
  return {static_cast<unsigned>(bits_of(imm, 0, 6)), static_cast<unsigned>(bits_of(imm, 6, 5)),
          static_cast<unsigned>(bits_of(imm, 11, 5)) + 1};
}

void getreg(Wave& wave, const Step& step) {
  const HwRegField field = field_of(step);
  uint32_t value = 0;
  if (!read_hardware_register(wave, field.id, value)) {
    wave.fault(FaultKind::invalid_instruction,
               "reads hardware register " + std::to_string(field.id) + ", which the emulator does not have");
    return;
  }
  wave.write_s32(step.dst, static_cast<uint32_t>(bits_of(value, field.offset, field.width)));
}

void set_field(Wave& wave, const Step& step, uint32_t bits) {
  const HwRegField field = field_of(step);
  uint32_t value = 0;
  if (!read_hardware_register(wave, field.id, value) ||
      !write_hardware_register(wave, field.id,
                               static_cast<uint32_t>(with_bits(value, field.offset, field.width, bits)))) {
    wave.fault(FaultKind::invalid_instruction,
               "writes hardware register " + std::to_string(field.id) + ", which the emulator does not have");
  }
}
/// Sources in assembler order: the register name stands for an operand slot of its own.
void setreg(Wave& wave, const Step& step) {
  for (const Source& source : step.src) {
    if (source.kind != SourceKind::none) return set_field(wave, step, wave.scalar32(source));
  }
}

void call(Wave& wave, const Step& step) {
  wave.write_s64(step.dst, wave.code_address(step.pc + step.inst.size_bytes));
  wave.branch_to(step.target);
}

// Subvector loops run a piece of code for the low half of a wave64, then for the high half; the register keeps the half
// of exec whose turn it is not.

bool has_halves(Wave& wave) {
  if (wave.size() == 64) return true;
  wave.fault(FaultKind::invalid_instruction, "there are no halves of a wave32");
  return false;
}
void subvector_begin(Wave& wave, const Step& step) {
  if (!has_halves(wave)) return;
  if (wave.exec() == 0) return wave.branch_to(step.target);
  const uint32_t low = wave.read_s32(isa::kExec.number);
  wave.write_s32(step.dst, low == 0 ? 0 : wave.read_s32(isa::kExecHi.number));
  if (low != 0) wave.write_s32(isa::kExecHi.number, 0);
}
void subvector_end(Wave& wave, const Step& step) {
  if (!has_halves(wave)) return;
  const uint32_t saved = wave.read_s32(step.dst);
  if (wave.read_s32(isa::kExecHi.number) != 0) return wave.write_s32(isa::kExec.number, saved);
  if (saved == 0) return;
  wave.write_s32(step.dst, wave.read_s32(isa::kExec.number));
  wave.set_exec(static_cast<uint64_t>(saved) << 32);
  wave.branch_to(step.target);
}

/// The count is the sum of a register and the immediate.
unsigned wait_count(Wave& wave, const Step& step) {
  const uint64_t count = uint64_t{wave.scalar32(step.src[0])} + static_cast<uint32_t>(step.imm & 0xffff);
  return static_cast<unsigned>(std::min<uint64_t>(count, 1000));
}
void waitcnt_vscnt(Wave& wave, const Step& step) {
  wave.waits.wait_stores(wave, wait_count(wave, step));
}
void waitcnt_vmcnt(Wave& wave, const Step& step) {
  wave.waits.wait_loads(wave, wait_count(wave, step));
}
void waitcnt_lgkmcnt(Wave& wave, const Step& step) {
  wave.waits.wait_lgkm(wave, wait_count(wave, step));
}
void waitcnt_expcnt(Wave& wave, const Step& step) {
  wave.waits.wait_exports(wave, wait_count(wave, step));
}
void nothing(Wave&, const Step&) {}

constexpr HandlerRow kRows[] = {
    {Op::s_movk_i32, movk},
    {Op::s_version, nothing},
    {Op::s_cmovk_i32, cmovk},
    {Op::s_cmpk_eq_i32, cmpk<int32_t, eq>},
    {Op::s_cmpk_lg_i32, cmpk<int32_t, lg>},
    {Op::s_cmpk_gt_i32, cmpk<int32_t, gt>},
    {Op::s_cmpk_ge_i32, cmpk<int32_t, ge>},
    {Op::s_cmpk_lt_i32, cmpk<int32_t, lt>},
    {Op::s_cmpk_le_i32, cmpk<int32_t, le>},
    {Op::s_cmpk_eq_u32, cmpk<uint32_t, eq>},
    {Op::s_cmpk_lg_u32, cmpk<uint32_t, lg>},
    {Op::s_cmpk_gt_u32, cmpk<uint32_t, gt>},
    {Op::s_cmpk_ge_u32, cmpk<uint32_t, ge>},
    {Op::s_cmpk_lt_u32, cmpk<uint32_t, lt>},
    {Op::s_cmpk_le_u32, cmpk<uint32_t, le>},
    {Op::s_addk_i32, addk},
    {Op::s_mulk_i32, mulk},
    {Op::s_getreg_b32, getreg},
    {Op::s_setreg_b32, setreg},
    {Op::s_setreg_imm32_b32, setreg},
    {Op::s_call_b64, call},
    {Op::s_subvector_loop_begin, subvector_begin},
    {Op::s_subvector_loop_end, subvector_end},
    {Op::s_waitcnt_vscnt, waitcnt_vscnt},
    {Op::s_waitcnt_vmcnt, waitcnt_vmcnt},
    {Op::s_waitcnt_expcnt, waitcnt_expcnt},
    {Op::s_waitcnt_lgkmcnt, waitcnt_lgkmcnt},
};

}  // namespace

void add_sopk(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
