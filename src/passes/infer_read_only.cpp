// SPDX-License-Identifier: MIT
#include "passes/infer_read_only.h"

#include <algorithm>

#include "base/vector.h"

namespace spalt::passes {

using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

bool is_buffer_operation(const ir::Function& function, Value value) {
  const ir::OpGroup group = ir::group(function.inst(value).op);
  if (group != ir::OpGroup::memory && group != ir::OpGroup::atomic) return false;
  return function.access(value).storage == StorageClass::storage;
}

}  // namespace

bool infer_read_only(ir::Module& module, CompileContext& context) {
  const auto may_be = [](const ir::Binding& binding) {
    return binding.is_storage_buffer() && !binding.aliased && !binding.read_only;
  };
  if (std::none_of(module.bindings.begin(), module.bindings.end(), may_be)) return false;
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  Vector<uint8_t> written(context.scratch, module.bindings.size(), uint8_t{0});
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (!is_buffer_operation(function, value) || !ir::info(function.inst(value).op).has(ir::kWrites)) continue;
      const ir::Inst& base = function.inst(function.operand(value, 0));
      if (base.op != Op::resource) return false;  // chosen while the shader runs: any of them
      written[base.imm] = 1;
    }
  }
  bool changed = false;
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (function.inst(value).op != Op::load || !is_buffer_operation(function, value)) continue;
      const ir::Inst& base = function.inst(function.operand(value, 0));
      if (base.op != Op::resource || written[base.imm] != 0 || !may_be(module.bindings[base.imm])) continue;
      ir::MemoryAccess access = function.access(value);
      constexpr uint8_t kAsks = ir::kVolatile | ir::kCoherent | ir::kMakeVisible;
      if ((access.flags & kAsks) != 0 || access.order != ir::MemoryOrder::none) continue;
      access.flags |= ir::kReadOnly;
      function.inst(value).imm = access.pack();
      changed = true;
    }
  }
  return changed;
}

}  // namespace spalt::passes
