// SPDX-License-Identifier: MIT
// Rules of GFX10.3 that software has to keep (most hazards of GFX10.1 are gone there):
//
//   clause contents        s_clause N: the next N+1 instructions are memory instructions of one kind, with nothing but
//                          s_nop between them. RDNA 2 ISA guide, "S_CLAUSE".
//   FloatAtomicToDenormMode  three wait states, or any vector instruction or wait, between a floating-point atomic of
//                          vector memory and s_denorm_mode. LLVM, GCNHazardRecognizer. docs/isa-errata.md, "Hazards",
//                          tells how the hazards that GFX10.3 no longer has were found.
#include "emu/hazards.h"

#include "base/bits.h"
#include "emu/program.h"
#include "emu/wave.h"

namespace spalt::emu {
namespace {

using Op = isa::Opcode;

bool is_memory(const Step& step) {
  switch (step.step_class) {
    case StepClass::vmem_load:
    case StepClass::vmem_store:
    case StepClass::vmem_atomic:
    case StepClass::lds:
    case StepClass::smem:
      return true;
    default:
      return false;
  }
}

bool is_float_atomic(Op opcode) {
  switch (opcode) {
    case Op::buffer_atomic_fcmpswap:
    case Op::buffer_atomic_fmin:
    case Op::buffer_atomic_fmax:
    case Op::buffer_atomic_fcmpswap_x2:
    case Op::buffer_atomic_fmin_x2:
    case Op::buffer_atomic_fmax_x2:
    case Op::global_atomic_fcmpswap:
    case Op::global_atomic_fmin:
    case Op::global_atomic_fmax:
    case Op::global_atomic_fcmpswap_x2:
    case Op::global_atomic_fmin_x2:
    case Op::global_atomic_fmax_x2:
    case Op::flat_atomic_fcmpswap:
    case Op::flat_atomic_fmin:
    case Op::flat_atomic_fmax:
    case Op::flat_atomic_fcmpswap_x2:
    case Op::flat_atomic_fmin_x2:
    case Op::flat_atomic_fmax_x2:
      return true;
    default:
      return false;
  }
}

/// Wait states that an instruction gives: s_nop n counts n + 1.
unsigned wait_states(const Step& step) {
  return step.inst.opcode == Op::s_nop ? static_cast<unsigned>(step.imm & 15) + 1 : 1;
}

uint8_t count_down(uint8_t states, const Step& step) {
  const unsigned passed = wait_states(step);
  return passed >= states ? 0 : static_cast<uint8_t>(states - passed);
}

constexpr uint8_t kDenormModeStates = 3;

}  // namespace

void Hazards::observe(Wave& wave, const Step& step) {
  if (clause_left_ != 0) check_clause(wave, step);
  if (denorm_states_ != 0) check_denorm_mode_after_fp_atomic(wave, step);
  if (step.inst.opcode == Op::s_clause) {
    clause_left_ = static_cast<uint8_t>(bits_of(static_cast<uint32_t>(step.imm), 0, 6) + 1);
    clause_started_ = false;
    if (clause_left_ == 1) wave.fault("a clause of one instruction is not allowed");
  }
  if (step.step_class == StepClass::vmem_atomic && is_float_atomic(step.inst.opcode) &&
      wave.program().target().float_atomic_denorm_mode_hazard) {
    denorm_states_ = kDenormModeStates;
  }
}

void Hazards::check_clause(Wave& wave, const Step& step) {
  if (step.inst.opcode == Op::s_nop) return;
  if (!is_memory(step)) {
    wave.fault("breaks a clause: the s_clause before covers memory instructions only");
    return;
  }
  if (!clause_started_) {
    clause_started_ = true;
    clause_class_ = step.step_class;
  } else if (clause_class_ != step.step_class) {
    wave.fault("breaks a clause: its instructions must be of one kind");
    return;
  }
  --clause_left_;
}

void Hazards::check_denorm_mode_after_fp_atomic(Wave& wave, const Step& step) {
  if (step.inst.opcode == Op::s_denorm_mode) {
    wave.fault("hazard FloatAtomicToDenormMode: needs three wait states after a floating-point atomic");
  }
  const bool waits = step.inst.opcode == Op::s_waitcnt || step.inst.opcode == Op::s_waitcnt_vmcnt ||
                     step.inst.opcode == Op::s_waitcnt_vscnt || step.inst.opcode == Op::s_waitcnt_lgkmcnt ||
                     step.inst.opcode == Op::s_waitcnt_expcnt;
  denorm_states_ = step.step_class == StepClass::valu || waits ? 0 : count_down(denorm_states_, step);
}

}  // namespace spalt::emu
