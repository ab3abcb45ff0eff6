// SPDX-License-Identifier: MIT
#include "amdgpu/lower/movable_loads.h"

#include "analysis/alias.h"
#include "ir/image.h"

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// `fetch` loads, and `covered` is a question about the begin of the program.
bool may_move(Op op) {
  return ir::is_pure(op) && op != Op::phi && op != Op::arg && op != Op::fetch && op != Op::covered;
}

}  // namespace

bool is_movable_load(const ir::Function& function, Value value) {
  if (!kLoads.has(function.inst(value).op)) return false;
  const ir::MemoryAccess access = function.access(value);
  return analysis::reads_constant_memory(access) && (access.flags & ir::kCoherent) == 0;
}

bool MovableLoads::has_constant_offset(Value load) const {
  return function_.is_constant(function_.operand(load, analysis::offset_index(function_.access(load))));
}

bool MovableLoads::is_scalar(Value load) const {
  const ir::Inst& inst = function_.inst(load);
  return inst.op == Op::load && !divergence_.divergent(load) && inst.type.bits() >= 32;
}

bool MovableLoads::is_joinable(Value value) const {
  if (function_.inst(value).op != Op::load || !is_movable_load(function_, value) || !is_scalar(value)) return false;
  const ir::StorageClass storage = function_.access(value).storage;
  return ir::has_base(storage) && !ir::has_address(storage) && has_constant_offset(value);
}

bool MovableLoads::can_be_in(Value load, BlockId block) const {
  const Fact& fact = facts_[load.index];
  if (!fact.earliest.valid()) return true;
  return dominance_.dominates(fact.earliest, block) && (fact.earliest != block || !fact.waits);
}

MovableLoads::Fact MovableLoads::derive(Value value, BlockId block) const {
  const Op op = function_.inst(value).op;
  Fact fact;
  fact.earliest = block;
  const bool load = kLoads.has(op);
  // What is in the first block comes before everything else.
  if (!load && block == function_.entry()) return fact;
  if (load ? is_movable_load(function_, value) : may_move(op)) {
    fact.earliest = BlockId();
    combine_operands(value, fact);
  }
  return fact;
}

void MovableLoads::combine_operands(Value value, Fact& fact) const {
  for (Value operand : function_.operands(value)) {
    const ir::Inst& inst = function_.inst(operand);
    if (!inst.block.valid()) continue;
    const Fact& of = facts_[operand.index];
    // Loads have moved already if they could.
    const bool load = kLoads.has(inst.op);
    const BlockId from = load ? inst.block : of.earliest;
    if (!from.valid()) continue;
    // What was in that block before has waited there anyway.
    const bool waits = load ? !is_scalar(operand) : of.waits && inst.block != from;
    if (!fact.earliest.valid() || dominance_.depth(from) > dominance_.depth(fact.earliest)) {
      fact.earliest = from;
      fact.waits = waits;
    } else if (from == fact.earliest) {
      fact.waits |= waits;
    }
  }
}

}  // namespace spalt::lower
