// SPDX-License-Identifier: MIT
#include "passes/weaken_last_barriers.h"

namespace spalt::passes {
namespace {

using ir::Value;

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

}  // namespace

bool weaken_last_barriers(ir::Function& function, CompileContext&) {
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

}  // namespace spalt::passes
