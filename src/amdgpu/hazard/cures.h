// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>

#include "amdgpu/hazard/instruction.h"
#include "base/small_vector.h"

namespace spalt::hazard {

/// Fields of s_waitcnt_depctr (s_wait_alu on GFX12) with the value 0, the others "do not wait" (RDNA 2 to 4 ISA guides
/// name them; LLVM, AMDGPUBaseInfo, has the positions).
constexpr uint16_t kDepctrNone = 0xffff;
constexpr uint16_t kDepctrSaSdst = 0xfffe;  ///< scalar results are written
constexpr uint16_t kDepctrVaVcc = 0xfffd;   ///< vector instructions have written vcc
constexpr uint16_t kDepctrVmVsrc = 0xffe3;  ///< memory instructions have read their registers
constexpr uint16_t kDepctrVaSdst = 0xf1ff;  ///< vector instructions have written other SGPRs
constexpr uint16_t kDepctrVaVdst = 0x0fff;  ///< and VGPRs

/// Whether this s_waitcnt_depctr waits for what the mask has as 0.
inline bool depctr_waits(const Instruction& inst, uint16_t mask) {
  return inst.is(mir::Opcode::s_waitcnt_depctr) && (inst.simm16() & ~mask & kDepctrNone) == 0;
}

/// What an instruction needs before it.
struct Cures {
  uint8_t wait_states = 0;          ///< s_nop
  uint16_t depctr = kDepctrNone;    ///< s_waitcnt_depctr; combine with &=
  bool scalar_instruction = false;  ///< s_mov_b32 null, 0
  bool store_count_zero = false;    ///< s_waitcnt_vscnt null, 0
  /// v_mov_b32 of this register to itself, valid to read there: a vector instruction that does nothing and yet issues,
  /// which v_nop does not.
  isa::Reg vector_move;

  Cures& operator|=(const Cures& other) {
    wait_states = std::max(wait_states, other.wait_states);
    depctr = static_cast<uint16_t>(depctr & other.depctr);
    scalar_instruction |= other.scalar_instruction;
    store_count_zero |= other.store_count_zero;
    if (!vector_move.valid()) vector_move = other.vector_move;
    return *this;
  }
  bool any() const {
    return wait_states != 0 || depctr != kDepctrNone || scalar_instruction || store_count_zero || vector_move.valid();
  }
};

/// Turns cures into instructions. While the data flow is solved, the same few instructions serve again and again, so
/// that rules need to know nothing but instructions.
class CureBuilder {
 public:
  explicit CureBuilder(mir::Function& function) : function_(function) {}

  /// From here on every call makes new instructions.
  void make_new() { reuse_ = false; }
  /// The instructions in order. Valid until the next call while they are reused.
  SmallVector<mir::InstId, 4> build(const Cures& cures);

 private:
  enum Kind : uint8_t { kDepctr, kStoreCount, kScalar, kVector, kNop, kKinds };
  mir::InstId make(Kind kind, mir::Opcode opcode, std::span<const mir::Operand> defs,
                   std::span<const mir::Operand> uses, uint16_t simm16);

  mir::Function& function_;
  bool reuse_ = true;
  std::array<mir::InstId, kKinds> kept_{};
};

}  // namespace spalt::hazard
