// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/cures.h"

#include <algorithm>

namespace spalt::hazard {

using mir::InstId;
using mir::Opcode;
using mir::Operand;

InstId CureBuilder::make(Kind kind, Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses,
                         uint16_t simm16) {
  InstId id = reuse_ ? kept_[kind] : InstId();
  if (!id.valid()) {
    id = function_.create(opcode, defs, uses);
    if (reuse_) kept_[kind] = id;
  } else {
    std::copy(defs.begin(), defs.end(), function_.defs(id).begin());
    std::copy(uses.begin(), uses.end(), function_.uses(id).begin());
  }
  function_.insts[id].simm16 = static_cast<int16_t>(simm16);
  return id;
}

SmallVector<InstId, 4> CureBuilder::build(const Cures& cures) {
  SmallVector<InstId, 4> out;
  if (cures.depctr != kDepctrNone) out.push_back(make(kDepctr, Opcode::s_waitcnt_depctr, {}, {}, cures.depctr));
  if (cures.store_count_zero) {
    const Operand null = Operand::physical(isa::kNull);
    out.push_back(make(kStoreCount, Opcode::s_waitcnt_vscnt, {}, {&null, 1}, 0));
  }
  if (cures.scalar_instruction) {
    const Operand null = Operand::physical(isa::kNull), zero = Operand::immediate(0);
    out.push_back(make(kScalar, Opcode::s_mov_b32, {&null, 1}, {&zero, 1}, 0));
  }
  if (cures.vector_move.valid()) {
    const Operand reg = Operand::physical(cures.vector_move);
    out.push_back(make(kVector, Opcode::v_mov_b32, {&reg, 1}, {&reg, 1}, 0));
  }
  if (cures.wait_states != 0) {
    out.push_back(make(kNop, Opcode::s_nop, {}, {}, static_cast<uint16_t>(cures.wait_states - 1)));
  }
  return out;
}

}  // namespace spalt::hazard
