// SPDX-License-Identifier: MIT
#include "amdgpu/mir/function.h"

#include "base/ice.h"

namespace spalt::mir {

InstId Function::create(Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses) {
  Inst inst;
  inst.opcode = opcode;
  SPALT_ASSERT(defs.size() <= UINT16_MAX);
  inst.def_count = static_cast<uint16_t>(defs.size());
  inst.use_count = static_cast<uint32_t>(uses.size());
  inst.operand_begin = static_cast<uint32_t>(operands_.size());
  // The arguments may be views of the pool itself, which growing would move.
  const SmallVector<Operand, 8> def_copy(defs), use_copy(uses);
  operands_.insert(operands_.end(), def_copy.begin(), def_copy.end());
  operands_.insert(operands_.end(), use_copy.begin(), use_copy.end());
  return insts.push_back(inst);
}

InstId Function::append(BlockId block, Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses) {
  const InstId id = create(opcode, defs, uses);
  blocks[block].insts.push_back(id);
  return id;
}

void Function::set_uses(InstId id, std::span<const Operand> uses) {
  const SmallVector<Operand, 8> copy(uses);
  const SmallVector<Operand, 4> def_copy(defs(id));
  if (copy.size() > insts[id].use_count) {
    insts[id].operand_begin = static_cast<uint32_t>(operands_.size());
    operands_.insert(operands_.end(), def_copy.begin(), def_copy.end());
    operands_.insert(operands_.end(), copy.begin(), copy.end());
  } else {
    for (uint32_t i = 0; i < copy.size(); ++i) operands_[insts[id].operand_begin + def_copy.size() + i] = copy[i];
  }
  insts[id].use_count = static_cast<uint32_t>(copy.size());
}

}  // namespace spalt::mir
