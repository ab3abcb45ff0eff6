// SPDX-License-Identifier: MIT
// SOPP: program control and waits (RDNA 2 ISA guide, section 12.5).
#include <atomic>

#include "amdgpu/isa/waitcnt.h"
#include "base/bits.h"
#include "emu/caches/memory_hierarchy.h"
#include "emu/launch/program.h"
#include "emu/scalar/salu.h"
#include "emu/wave/graphics_link.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

void nothing(Wave&, const Step&) {}

void take_branch(Wave& wave, const Step& step) {
  wave.branch_to(step.target);
}

template <auto Condition>
void branch_if(Wave& wave, const Step& step) {
  if (Condition(wave)) take_branch(wave, step);
}
constexpr auto scc0 = [](const Wave& wave) { return !wave.scc; };
constexpr auto scc1 = [](const Wave& wave) { return wave.scc; };
constexpr auto vccz = [](const Wave& wave) { return wave.vcc() == 0; };
constexpr auto vccnz = [](const Wave& wave) { return wave.vcc() != 0; };
constexpr auto execz = [](const Wave& wave) { return wave.exec() == 0; };
constexpr auto execnz = [](const Wave& wave) { return wave.exec() != 0; };

/// Without a trap handler, as PAL has none, a trap ends the wave too.
void end_program(Wave& wave, const Step&) {
  if (wave.graphics != nullptr) {
    if (std::string violation = wave.graphics->end(wave); !violation.empty()) {
      wave.fault(FaultKind::graphics, std::move(violation));
      return;
    }
  }
  if (wave.group().hierarchy != nullptr) wave.group().hierarchy->leave_stores(wave);
  wave.waits.finish(wave);
  wave.set_state(WaveState::ended);
}

void sleep(Wave& wave, const Step&) {
  wave.set_state(WaveState::yielded);
}

void wait_idle(Wave& wave, const Step&) {
  wave.waits.finish(wave);
}

/// Guest memory that other host threads write is now expected to be seen.
void guest_memory_fence() {
  std::atomic_thread_fence(std::memory_order_acq_rel);
}

unsigned field(const Step& step, unsigned first, unsigned bits) {
  return static_cast<unsigned>(bits_of(static_cast<uint32_t>(step.imm), first, bits));
}

void waitcnt(Wave& wave, const Step& step) {
  const isa::Target& target = wave.program().target();
  // Waits for everything where it has no counters to name (RDNA 4 ISA guide, S_WAITCNT).
  if (target.has_kmcnt) return wait_idle(wave, step);
  const isa::WaitCounts counts = isa::decode_waitcnt(target, static_cast<uint16_t>(step.imm));
  if (counts.vm < target.vmcnt_max) wave.waits.wait_loads(wave, counts.vm);
  if (counts.lgkm < target.lgkmcnt_max) wave.waits.wait_lgkm(wave, counts.lgkm);
  if (counts.exp < target.expcnt_max) wave.waits.wait_exports(wave, counts.exp);
  guest_memory_fence();
}

/// One counter each, or two. Bits above a counter's width are not there (RDNA 4 ISA guide, section 16.5).
void wait_loadcnt(Wave& wave, const Step& step) {
  wave.waits.wait_loads(wave, field(step, 0, 6));
  guest_memory_fence();
}
void wait_storecnt(Wave& wave, const Step& step) {
  wave.waits.wait_stores(wave, field(step, 0, 6));
}
void wait_samplecnt(Wave& wave, const Step& step) {
  wave.waits.wait_samples(wave, field(step, 0, 6));
  guest_memory_fence();
}
void wait_dscnt(Wave& wave, const Step& step) {
  wave.waits.wait_lds(wave, field(step, 0, 6));
}
void wait_expcnt(Wave& wave, const Step& step) {
  wave.waits.wait_exports(wave, field(step, 0, 3));
}
void wait_kmcnt(Wave& wave, const Step& step) {
  wave.waits.wait_scalar(wave, field(step, 0, 5));
  guest_memory_fence();
}
void wait_loadcnt_dscnt(Wave& wave, const Step& step) {
  wave.waits.wait_loads(wave, field(step, 8, 6));
  wait_dscnt(wave, step);
  guest_memory_fence();
}
void wait_storecnt_dscnt(Wave& wave, const Step& step) {
  wave.waits.wait_stores(wave, field(step, 8, 6));
  wait_dscnt(wave, step);
}

void sendmsg(Wave& wave, const Step& step) {
  constexpr unsigned kAllocate = 9;  // GS_ALLOC_REQ
  wave.waits.issue_message();
  if (wave.graphics == nullptr || field(step, 0, 8) != kAllocate) return;
  if (std::string violation = wave.graphics->allocate(wave); !violation.empty()) {
    wave.fault(FaultKind::graphics, std::move(violation));
  }
}

void code_end(Wave& wave, const Step&) {
  wave.fault(FaultKind::invalid_jump, "runs past the end of the code");
}

void round_mode(Wave& wave, const Step& step) {
  wave.mode.bits = static_cast<uint32_t>(with_bits(wave.mode.bits, 0, 4, static_cast<uint32_t>(step.imm)));
}
void denorm_mode(Wave& wave, const Step& step) {
  wave.mode.bits = static_cast<uint32_t>(with_bits(wave.mode.bits, 4, 4, static_cast<uint32_t>(step.imm)));
}

void halt(Wave& wave, const Step& step) {
  if ((step.imm & 1) != 0) wave.fault(FaultKind::never_ends, "halts the wave for ever");
}

void send_and_halt(Wave& wave, const Step&) {
  wave.fault(FaultKind::never_ends, "halts the wave for ever");
}

constexpr HandlerRow kRows[] = {
    {Op::s_nop, nothing},
    {Op::s_endpgm, end_program},
    {Op::s_endpgm_saved, end_program},
    {Op::s_endpgm_ordered_ps_done, end_program},
    {Op::s_trap, end_program},
    {Op::s_branch, take_branch},
    {Op::s_cbranch_scc0, branch_if<scc0>},
    {Op::s_cbranch_scc1, branch_if<scc1>},
    {Op::s_cbranch_vccz, branch_if<vccz>},
    {Op::s_cbranch_vccnz, branch_if<vccnz>},
    {Op::s_cbranch_execz, branch_if<execz>},
    {Op::s_cbranch_execnz, branch_if<execnz>},
    {Op::s_cbranch_cdbgsys, nothing},
    {Op::s_cbranch_cdbguser, nothing},
    {Op::s_cbranch_cdbgsys_or_user, nothing},
    {Op::s_cbranch_cdbgsys_and_user, nothing},
    {Op::s_waitcnt, waitcnt},
    {Op::s_wait_idle, wait_idle},
    {Op::s_wait_loadcnt, wait_loadcnt},
    {Op::s_wait_storecnt, wait_storecnt},
    {Op::s_wait_dscnt, wait_dscnt},
    {Op::s_wait_kmcnt, wait_kmcnt},
    {Op::s_wait_loadcnt_dscnt, wait_loadcnt_dscnt},
    {Op::s_wait_storecnt_dscnt, wait_storecnt_dscnt},
    {Op::s_wait_samplecnt, wait_samplecnt},
    // Ray tracing is not executed.
    {Op::s_wait_bvhcnt, nothing},
    {Op::s_wait_expcnt, wait_expcnt},
    {Op::s_wait_event, nothing},
    {Op::s_waitcnt_depctr, nothing},
    {Op::s_sleep, sleep},
    {Op::s_sleep_var, sleep},
    {Op::s_wakeup, nothing},
    {Op::s_sethalt, halt},
    {Op::s_setprio, nothing},
    {Op::s_sendmsg, sendmsg},
    {Op::s_sendmsghalt, send_and_halt},
    {Op::s_wait_event, nothing},  // of exports
    {Op::s_icache_inv, nothing},
    {Op::s_incperflevel, nothing},
    {Op::s_decperflevel, nothing},
    {Op::s_ttracedata, nothing},
    {Op::s_ttracedata_imm, nothing},
    {Op::s_code_end, code_end},
    {Op::s_inst_prefetch, nothing},
    {Op::s_clause, nothing},
    {Op::s_delay_alu, nothing},
    {Op::s_singleuse_vdst, nothing},  // a hint about the register cache
    {Op::s_round_mode, round_mode},
    {Op::s_denorm_mode, denorm_mode},
};

}  // namespace

void add_sopp(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
