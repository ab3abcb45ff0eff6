// SPDX-License-Identifier: MIT
#include "amdgpu/mir/function.h"

#include "base/ice.h"

namespace spalt::mir {

/// The lists may be views of the pool itself, which growing would move.
uint32_t Function::add_operands(std::span<const Operand> defs, std::span<const Operand> uses) {
  const uint32_t begin = operands_.size();
  if (begin + defs.size() + uses.size() > operands_.capacity()) {
    const SmallVector<Operand, 8> def_copy(defs), use_copy(uses);
    operands_.append(def_copy);
    operands_.append(use_copy);
  } else {
    operands_.append(defs);
    operands_.append(uses);
  }
  return begin;
}

InstId Function::create(Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses) {
  Inst inst;
  inst.opcode = opcode;
  SPALT_ASSERT(defs.size() <= UINT16_MAX);
  inst.def_count = static_cast<uint16_t>(defs.size());
  inst.use_count = static_cast<uint32_t>(uses.size());
  inst.operand_begin = add_operands(defs, uses);
  inst.origin = origin_;
  return insts.push_back(inst);
}

InstId Function::append(BlockId block, Opcode opcode, std::span<const Operand> defs, std::span<const Operand> uses) {
  const InstId id = create(opcode, defs, uses);
  blocks[block].insts.push_back(id);
  return id;
}

void Function::set_uses(InstId id, std::span<const Operand> new_uses) {
  Inst& inst = insts[id];
  if (new_uses.size() > inst.use_count) {
    inst.operand_begin = add_operands(defs(id), new_uses);
  } else if (!new_uses.empty()) {
    std::memmove(uses(id).data(), new_uses.data(), new_uses.size_bytes());  // they may overlap
  }
  inst.use_count = static_cast<uint32_t>(new_uses.size());
}

void Function::set_modifiers(Inst& inst, const isa::Modifiers& modifiers) {
  if (modifiers == isa::kNoModifiers) {
    inst.mods = 0;
  } else if (inst.mods != 0) {
    modifiers_[inst.mods - 1] = modifiers;
  } else {
    modifiers_.push_back(modifiers);
    inst.mods = modifiers_.size();
  }
}

}  // namespace spalt::mir
