// SPDX-License-Identifier: MIT
// Rules of GFX10.3 that software has to keep (most hazards of GFX10.1 are gone there):
//
//   clause contents        s_clause N: the next N+1 instructions are memory instructions of one kind, with nothing but
//                          s_nop between them. RDNA 2 ISA guide, "S_CLAUSE".
//   VcmpxPermlane          a vector instruction other than v_nop stands between a v_cmpx and a v_permlane that follows.
//                          Mesa, ACO README-ISA, "VcmpxPermlaneHazard".
//   FPAtomicToDenormMode   three wait states (or any vector instruction) between a floating-point atomic of vector
//   memory
//                          and s_denorm_mode. LLVM, GCNHazardRecognizer, the rule of that name.
//   SetRegGetReg           two wait states between s_setreg and s_getreg or s_setreg of the same register.
//                          Vega ISA guide, section 4.5, kept by LLVM for later generations.
#include "emu/hazards.h"

#include "base/bits.h"
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

bool is_vcmpx(const Step& step) {
  return step.step_class == StepClass::valu && (step.flags & isa::kWritesExec) != 0;
}

bool is_permlane(Op opcode) {
  return opcode == Op::v_permlane16_b32 || opcode == Op::v_permlanex16_b32;
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

constexpr uint8_t kDenormModeStates = 3, kSetregStates = 2;

uint16_t hwreg_id(const Step& step) {
  return static_cast<uint16_t>(bits_of(static_cast<uint32_t>(step.imm), 0, 6));
}

}  // namespace

void Hazards::observe(Wave& wave, const Step& step) {
  if (clause_left_ != 0) check_clause(wave, step);
  if (cmpx_pending_) check_permlane_after_cmpx(wave, step);
  if (denorm_states_ != 0) check_denorm_mode_after_fp_atomic(wave, step);
  if (setreg_states_ != 0) check_getreg_after_setreg(wave, step);
  switch (step.inst.opcode) {
    case Op::s_clause:
      clause_left_ = static_cast<uint8_t>(bits_of(static_cast<uint32_t>(step.imm), 0, 6) + 1);
      clause_started_ = false;
      if (clause_left_ == 1) wave.fault("a clause of one instruction is not allowed");
      return;
    case Op::s_setreg_b32:
    case Op::s_setreg_imm32_b32:
      setreg_states_ = kSetregStates;
      setreg_register_ = hwreg_id(step);
      return;
    default:
      break;
  }
  if (is_vcmpx(step)) cmpx_pending_ = true;
  if (step.step_class == StepClass::vmem_atomic && is_float_atomic(step.inst.opcode))
    denorm_states_ = kDenormModeStates;
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

void Hazards::check_permlane_after_cmpx(Wave& wave, const Step& step) {
  if (is_permlane(step.inst.opcode)) {
    wave.fault("hazard VcmpxPermlane: a vector instruction must stand between v_cmpx and this");
  }
  if (step.step_class == StepClass::valu && step.inst.opcode != Op::v_nop && !is_vcmpx(step)) cmpx_pending_ = false;
}

void Hazards::check_denorm_mode_after_fp_atomic(Wave& wave, const Step& step) {
  if (step.inst.opcode == Op::s_denorm_mode) {
    wave.fault("hazard FPAtomicToDenormMode: needs three wait states after a floating-point atomic");
  }
  const bool waits = step.inst.opcode == Op::s_waitcnt || step.inst.opcode == Op::s_waitcnt_vmcnt ||
                     step.inst.opcode == Op::s_waitcnt_vscnt;
  denorm_states_ = step.step_class == StepClass::valu || waits ? 0 : count_down(denorm_states_, step);
}

void Hazards::check_getreg_after_setreg(Wave& wave, const Step& step) {
  const Op opcode = step.inst.opcode;
  const bool touches = opcode == Op::s_getreg_b32 || opcode == Op::s_setreg_b32 || opcode == Op::s_setreg_imm32_b32;
  if (touches && hwreg_id(step) == setreg_register_) {
    wave.fault("hazard SetRegGetReg: needs two wait states after s_setreg of the same register");
  }
  setreg_states_ = count_down(setreg_states_, step);
}

}  // namespace spalt::emu
