// SPDX-License-Identifier: MIT
#include "passes/infer_read_only.h"

#include <algorithm>

#include "base/vector.h"

namespace spalt::passes {

using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

/// What the shader writes of the memory that others may write, too.
struct Writes {
  explicit Writes(CompileContext& context, size_t bindings) : to_binding(context.scratch, bindings, uint8_t{0}) {}

  Vector<uint8_t> to_binding;  ///< by index of the binding
  bool to_addressed = false;   ///< a binding that a physical pointer may lead into
  bool through_pointer = false;
  bool anywhere = false;  ///< to what is chosen while the shader runs

  void add(const ir::Module& module, const ir::Inst& base) {
    if (base.op != Op::resource) {
      anywhere = true;
      return;
    }
    const ir::Binding& binding = module.bindings[base.imm];
    to_binding[base.imm] = 1;
    to_addressed |= binding.may_be_shared();
  }
};

bool is_memory_operation(ir::OpGroup group) {
  return group == ir::OpGroup::memory || group == ir::OpGroup::atomic;
}

void note_write(const ir::Module& module, const ir::Function& function, Value value, Writes& writes) {
  const ir::OpGroup group = ir::group(function.inst(value).op);
  const bool image = group == ir::OpGroup::image;
  if (!image && !is_memory_operation(group)) return;
  const StorageClass storage = image ? StorageClass::image : function.access(value).storage;
  if (storage == StorageClass::global) {
    writes.through_pointer = true;
  } else if (image || storage == StorageClass::storage) {
    writes.add(module, function.inst(function.operand(value, 0)));
  }
}

/// Whether nobody writes what the load reads.
bool reads_unwritten(const ir::Module& module, const ir::Function& function, Value load, const Writes& writes) {
  const ir::MemoryAccess access = function.access(load);
  if (access.storage == StorageClass::global) return !writes.through_pointer && !writes.to_addressed;
  if (access.storage != StorageClass::storage) return false;
  const ir::Inst& base = function.inst(function.operand(load, 0));
  if (base.op != Op::resource || writes.to_binding[base.imm] != 0) return false;
  const ir::Binding& binding = module.bindings[base.imm];
  return !binding.aliased && !(binding.addressed && writes.through_pointer);
}

bool asks_for_writes(const ir::MemoryAccess& access) {
  constexpr uint8_t kAsks = ir::kVolatile | ir::kCoherent | ir::kMakeVisible;
  return (access.flags & kAsks) != 0 || access.order != ir::MemoryOrder::none;
}

}  // namespace

bool infer_read_only(ir::Module& module, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  ir::Function& function = module.functions[0];
  if (!function.operations().has(Op::load)) return false;
  Writes writes(context, module.bindings.size());
  Vector<Value> loads(context.scratch);
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      const Op op = function.inst(value).op;
      if (op == Op::load) loads.push_back(value);
      if (ir::info(op).has(ir::kWrites)) note_write(module, function, value, writes);
    }
  }
  if (writes.anywhere) return false;
  bool changed = false;
  for (Value load : loads) {
    if (!reads_unwritten(module, function, load, writes)) continue;
    ir::MemoryAccess access = function.access(load);
    if ((access.flags & ir::kReadOnly) != 0 || asks_for_writes(access)) continue;
    access.flags |= ir::kReadOnly;
    function.inst(load).imm = access.pack();
    changed = true;
  }
  return changed;
}

}  // namespace spalt::passes
