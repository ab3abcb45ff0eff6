// SPDX-License-Identifier: MIT
#include "passes/add_vertex_work.h"

#include "base/vector.h"
#include "ir/builder.h"
#include "ir/interface.h"

namespace spalt::passes {

using ir::InterfaceAccess;
using ir::Op;
using ir::Value;

namespace {

bool is_location_output(const ir::Inst& inst) {
  return inst.op == Op::output && InterfaceAccess::unpack(inst.imm).semantic == ir::Semantic::location;
}

class Worker {
 public:
  Worker(ir::Module& module, CompileContext& context)
      : function_(module.functions[0]),
        work_(module.vertex_work),
        builder_(function_),
        outputs_(context.scratch, size_t{ir::kMaxLocations} * 4, Value()),
        copies_(context.scratch, work_.value_capacity(), Value()) {}

  void run() {
    const ir::BlockId end = take_outputs();
    if (!end.valid()) return;
    builder_.set_before(function_.terminator(end));
    for (Value value : ir::insts(work_, work_.entry())) {
      const ir::Inst inst = work_.inst(value);
      if (inst.op == Op::input) {
        copies_[value.index] = input(inst);
      } else if (inst.op == Op::output) {
        output(value, inst);
      } else if (inst.op != Op::ret) {
        copies_[value.index] = operation(value, inst);
      }
    }
  }

 private:
  /// What the shader puts out, which nobody else reads. Returns the block; without outputs, where the shader ends.
  ir::BlockId take_outputs() {
    ir::BlockId end;
    for (ir::BlockId block : function_.layout()) {
      if (function_.inst(function_.terminator(block)).op == Op::ret) end = block;
      for (Value value : ir::insts(function_, block)) {
        const ir::Inst& inst = function_.inst(value);
        if (!is_location_output(inst)) continue;
        const InterfaceAccess access = InterfaceAccess::unpack(inst.imm);
        outputs_[access.number * 4u + access.component] = function_.operand(value, 0);
        function_.unlink(value);
      }
    }
    return end;
  }

  /// Types of both sides are the same in valid pipelines.
  Value input(const ir::Inst& inst) {
    const InterfaceAccess access = InterfaceAccess::unpack(inst.imm);
    const Value given = outputs_[access.number * 4u + access.component];
    if (!given.valid()) return function_.undef(inst.type);
    const ir::Type type = function_.type(given);
    if (type == inst.type) return given;
    return type.bits() == inst.type.bits() ? builder_.bitcast(inst.type, given) : function_.undef(inst.type);
  }

  Value operand(Value value) {
    const ir::Inst& inst = work_.inst(value);
    return inst.op == Op::constant ? function_.constant(inst.type, inst.imm) : copies_[value.index];
  }

  Value operation(Value value, const ir::Inst& inst) {
    SmallVector<Value, 4> operands;
    for (Value of_work : work_.operands(value)) operands.push_back(operand(of_work));
    return builder_.insert(inst.op, inst.type, operands.span(), inst.imm, inst.flags);
  }

  void output(Value value, const ir::Inst& inst) {
    const Value given = operand(work_.operand(value, 0));
    if (function_.inst(given).op == Op::undef) return;
    builder_.insert(Op::output, ir::kVoid, {&given, 1}, inst.imm, 0);
  }

  ir::Function& function_;
  const ir::Function& work_;
  ir::Builder builder_;
  Vector<Value> outputs_;  ///< by location and component: what the shader puts out
  Vector<Value> copies_;   ///< of the work's values
};

}  // namespace

bool add_vertex_work(ir::Module& module, CompileContext& context) {
  if (module.vertex_work.layout().empty()) return false;
  const ArenaScope scope(context.scratch);
  Worker(module, context).run();
  module.vertex_work = ir::Function(module.functions.arena());
  return true;
}

}  // namespace spalt::passes
