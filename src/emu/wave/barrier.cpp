// SPDX-License-Identifier: MIT
// Barriers of the workgroup: s_barrier, and the signal and the wait into which GFX12 splits it (RDNA 4 ISA guide,
// section 5.6). Workgroup::complete_barrier lets the waves go on.
#include "emu/scalar/salu.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

// Barrier numbers. 0 is none; the trap handler has one of its own, which others cannot touch.
constexpr int32_t kNoBarrier = 0, kWorkgroupBarrier = -1, kTrapBarrier = -2;
constexpr uint32_t kM0NumberMask = 31;

int32_t barrier_number(const Wave& wave, const Step& step) {
  const Source& source = step.src[0];
  const bool in_m0 = source.kind == SourceKind::scalar && source.index == isa::kM0.number;
  return static_cast<int32_t>(in_m0 ? wave.m0() & kM0NumberMask : wave.scalar32(source));
}

/// In a workgroup of one wave, barriers do nothing.
bool alone(Wave& wave) {
  return wave.group().barrier.members < 2;
}

bool is_workgroup_barrier(Wave& wave, int32_t number) {
  if (number != kNoBarrier && number != kWorkgroupBarrier && number != kTrapBarrier) {
    wave.fault(FaultKind::barrier, "names barrier " + std::to_string(number) + ", which the processor does not have");
  }
  return number == kWorkgroupBarrier && !alone(wave);
}

/// Whether this is the first wave to arrive.
bool arrive(Wave& wave) {
  wave.barrier_signaled = true;
  return wave.group().barrier.signaled++ == 0;
}

void barrier(Wave& wave, const Step&) {
  if (alone(wave)) return;
  arrive(wave);
  wave.set_state(WaveState::at_barrier);
}

bool signal_first(Wave& wave, const Step& step) {
  if (!is_workgroup_barrier(wave, barrier_number(wave, step))) return false;
  // The hardware counts signals, not waves: another one would let the others through too early.
  if (wave.barrier_signaled || wave.barrier_complete) {
    wave.fault(FaultKind::barrier, "signals the barrier of the workgroup again without having waited for it");
    return false;
  }
  return arrive(wave);
}

void signal(Wave& wave, const Step& step) {
  signal_first(wave, step);
}

void signal_isfirst(Wave& wave, const Step& step) {
  wave.scc = signal_first(wave, step);
  wave.waits.issue_scc();
}

void wait(Wave& wave, const Step& step) {
  if (step.imm >= kNoBarrier) {
    wave.fault(FaultKind::barrier,
               "waits for barrier " + std::to_string(step.imm) + ", which the processor does not have");
    return;
  }
  if (step.imm != kWorkgroupBarrier || alone(wave)) return;
  wave.waits.scc_arrived();
  if (wave.barrier_complete) {
    wave.barrier_complete = false;
  } else if (wave.barrier_signaled) {
    wave.set_state(WaveState::at_barrier);
  } else {
    wave.fault(FaultKind::barrier,
               "waits for the barrier of the workgroup, which cannot complete without the wave's own signal");
  }
}

void get_state(Wave& wave, const Step& step) {
  const Barrier& state = wave.group().barrier;
  const bool known = barrier_number(wave, step) == kWorkgroupBarrier;
  ScalarTransfer transfer;
  transfer.dst = step.dst;
  transfer.dwords = 1;
  transfer.has_value = true;
  transfer.value = known ? state.signaled << 16 | state.members << 4 | 1u : 0u;
  wave.waits.issue_scalar(transfer);
}

constexpr HandlerRow kRows[] = {
    {Op::s_barrier, barrier},   {Op::s_barrier_signal, signal},       {Op::s_barrier_signal_isfirst, signal_isfirst},
    {Op::s_barrier_wait, wait}, {Op::s_get_barrier_state, get_state},
};

}  // namespace

void add_barrier(HandlerTable& table) {
  add_rows(table, kRows);
}

}  // namespace spalt::emu
