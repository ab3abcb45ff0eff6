// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/move_reserved.h"

#include <algorithm>

#include "base/bits.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Operand;

constexpr unsigned kDescriptorDwords = 4, kJumpDwords = 2;

struct Move {
  isa::Reg from;
  unsigned dwords = 0;
  unsigned to = 0;  ///< SGPR number

  bool covers(const Operand& operand) const {
    return from.valid() && operand.kind == Operand::Kind::reg && operand.reg >= from &&
           operand.reg.number + operand.dwords <= from.number + dwords;
  }
};

template <typename Visit>
void for_each_register(mir::Function& function, Visit visit) {
  for (BlockId id : function.layout) {
    for (InstId inst : function.blocks[id].insts) {
      for (Operand& def : function.defs(inst)) visit(def);
      for (Operand& use : function.uses(inst)) visit(use);
    }
  }
}

}  // namespace

void move_reserved(mir::Function& function) {
  Move descriptor{function.scratch_descriptor, kDescriptorDwords}, jump{function.jump_pair, kJumpDwords};
  if (!descriptor.from.valid() && !jump.from.valid()) return;

  unsigned end = 0;
  for_each_register(function, [&](const Operand& operand) {
    if (!operand.reg.valid() || !operand.reg.is_sgpr() || descriptor.covers(operand)) return;
    end = std::max<unsigned>(end, operand.reg.number + operand.dwords);
  });
  for (Move* move : {&descriptor, &jump}) {
    if (!move->from.valid()) continue;
    move->to = std::min<unsigned>(static_cast<unsigned>(align_up(end, move->dwords)), move->from.number);
    // Where the registers are all in use, others may be above the descriptor.
    end = std::max(end, move->to + move->dwords);
  }

  for_each_register(function, [&](Operand& operand) {
    if (descriptor.covers(operand))
      operand.reg = isa::sgpr(operand.reg.number - descriptor.from.number + descriptor.to);
  });
  if (descriptor.from.valid()) function.scratch_descriptor = isa::sgpr(descriptor.to);
  if (jump.from.valid()) function.jump_pair = isa::sgpr(jump.to);
  function.facts.sgpr_count = static_cast<uint16_t>(end);
}

}  // namespace spalt::regalloc
