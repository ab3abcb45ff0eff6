// SPDX-License-Identifier: MIT
#include "passes/eliminate_dead_code.h"

namespace spalt::passes {

using ir::Value;

namespace {

bool is_root(const ir::Function& function, Value value) {
  const ir::OpInfo& info = ir::info(function.inst(value).op);
  if (info.has(ir::kWrites | ir::kBarrier | ir::kEnds)) return true;
  if (!info.has(ir::kReads)) return false;
  // A load that synchronizes or that must be seen by hardware counts even if its result does not.
  const ir::MemoryAccess access = function.access(value);
  return (access.flags & ir::kVolatile) != 0 || access.order > ir::MemoryOrder::relaxed;
}

}  // namespace

bool eliminate_dead_code(ir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Vector<uint8_t> live(context.scratch, function.value_capacity(), 0);
  Vector<Value> worklist(context.scratch);
  worklist.reserve(function.value_capacity());
  const auto mark = [&](Value value) {
    if (live[value.index] != 0) return;
    live[value.index] = 1;
    worklist.push_back(value);
  };
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (is_root(function, value)) mark(value);
    }
  }
  while (!worklist.empty()) {
    const Value value = worklist.back();
    worklist.pop_back();
    for (Value operand : function.operands(value)) mark(operand);
  }
  bool changed = false;
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (live[value.index] != 0) continue;
      function.unlink(value);
      changed = true;
    }
  }
  return changed;
}

}  // namespace spalt::passes
