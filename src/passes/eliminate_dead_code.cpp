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

/// A barrier after which the invocation touches no memory and waits for nobody: what it acquires is for nothing, and a
/// release without a later signal as well. Returns true if changed.
bool weaken_last_barrier(ir::Function& function, Value value) {
  ir::MemoryAccess access = function.access(value);
  if (function.inst(value).op == ir::Op::memory_barrier) {
    function.unlink(value);
    return true;
  }
  if (access.order <= ir::MemoryOrder::relaxed || access.order == ir::MemoryOrder::release) return false;
  access.order = access.order == ir::MemoryOrder::acquire ? ir::MemoryOrder::none : ir::MemoryOrder::release;
  function.inst(value).imm = access.pack();
  return true;
}

/// The last barriers of each block that nothing comes after. An execution barrier ends this: what is released before it
/// is seen behind it.
bool weaken_last_barriers(ir::Function& function) {
  if (!function.operations().meets({ir::Op::memory_barrier, ir::Op::control_barrier})) return false;
  bool changed = false;
  for (const ir::BlockId block : function.layout()) {
    if (!function.block(block).succs.empty()) continue;
    for (Value value = function.inst(function.terminator(block)).prev; value.valid();) {
      const Value before = function.inst(value).prev;
      const ir::Op op = function.inst(value).op;
      const bool is_barrier = op == ir::Op::memory_barrier || op == ir::Op::control_barrier;
      if (is_barrier) changed |= weaken_last_barrier(function, value);
      if (op != ir::Op::memory_barrier && ir::info(op).has(ir::kReads | ir::kWrites | ir::kBarrier)) break;
      value = before;
    }
  }
  return changed;
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
  bool changed = weaken_last_barriers(function);
  for (Value value : passed) {
    if (states[value.index] == State::live) continue;
    function.unlink(value);
    changed = true;
  }
  return changed;
}

}  // namespace spalt::passes
