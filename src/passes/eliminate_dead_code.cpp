// SPDX-License-Identifier: MIT
#include "passes/eliminate_dead_code.h"

namespace spalt::passes {

using ir::Value;

namespace {

bool is_root(const ir::Function& function, Value value) {
  const ir::OpInfo& info = ir::info(function.inst(value).op);
  if (function.inst(value).op == ir::Op::read_clock) return false;  // nobody looks at this clock
  if (info.has(ir::kWrites | ir::kBarrier | ir::kEnds)) return true;
  if (!info.has(ir::kReads)) return false;
  // A load that synchronizes or that must be seen by hardware counts even if its result does not.
  const ir::MemoryAccess access = function.access(value);
  return (access.flags & ir::kVolatile) != 0 || access.order > ir::MemoryOrder::relaxed;
}

}  // namespace

bool eliminate_dead_code(ir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  enum class State : uint8_t { not_seen, live, passed };
  Vector<State> states(context.scratch, function.value_capacity(), State::not_seen);
  Vector<Value> passed(context.scratch), late(context.scratch);
  const auto mark_operands = [&](Value value) {
    for (Value operand : function.operands(value)) {
      State& state = states[operand.index];
      if (state == State::passed) late.push_back(operand);
      state = State::live;
    }
  };
  const ir::BlockList& layout = function.layout();
  for (size_t i = layout.size(); i-- > 0;) {
    for (Value value = function.terminator(layout[i]); value.valid(); value = function.inst(value).prev) {
      if (states[value.index] == State::live || is_root(function, value)) {
        mark_operands(value);
      } else {
        states[value.index] = State::passed;
        passed.push_back(value);
      }
    }
  }
  while (!late.empty()) {
    const Value value = late.back();
    late.pop_back();
    mark_operands(value);
  }
  bool changed = false;
  for (Value value : passed) {
    if (states[value.index] == State::live) continue;
    function.unlink(value);
    changed = true;
  }
  return changed;
}

}  // namespace spalt::passes
