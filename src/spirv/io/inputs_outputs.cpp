// SPDX-License-Identifier: MIT
// The values of inputs at the start of the entry point, and of outputs at its end.
#include <spirv/unified1/spirv.hpp>

#include "spirv/io/io.h"
#include "spirv/memory/memory.h"

namespace spalt::spirv {
namespace {

/// A pointer to the whole variable.
Pointer whole(const Reader& r, uint32_t variable) {
  Pointer pointer;
  pointer.type = r.variables[variable].type;
  pointer.variable = variable;
  return pointer;
}

}  // namespace

ir::Value known_input(Reader& r, const ir::InterfaceAccess& access, ir::Type type) {
  if (access.semantic != ir::Semantic::location || (type != ir::kF32 && type != ir::kI32)) return ir::Value();
  for (const InterfaceConstant& known : r.options.known_inputs) {
    if (known.location == access.number && known.component == access.component) {
      return r.function().constant(type, known.bits);
    }
  }
  return ir::Value();
}

bool read_inputs(Reader& r) {
  for (const uint32_t index : r.inputs) {
    Variable& variable = r.variables[index];
    allocate_scratch(r, variable);
    const Leaves values = r.new_leaves(variable.type);
    for (uint32_t i = 0; i < values.count; ++i) {
      const ir::InterfaceAccess access = r.interface_leaves[variable.first_interface_leaf + i].access;
      const ir::Type type = r.types.leaf_type(variable.type, i);
      const ir::Value known = known_input(r, access, type);
      r.set_leaf(values, i, known.valid() ? known : r.b.emit(ir::Op::input, type, {}, access.pack()));
    }
    if (!store_local(r, whole(r, index), values) || !r.check_limits()) return false;
  }
  for (const uint32_t index : r.outputs) {
    allocate_scratch(r, r.variables[index]);
    if (!initialize_variable(r, r.variables[index])) return false;
  }
  return true;
}

/// What was never written goes nowhere.
bool write_outputs(Reader& r) {
  for (const uint32_t index : r.outputs) {
    const Variable& variable = r.variables[index];
    const Leaves values = r.new_leaves(variable.type);
    if (!load_local(r, whole(r, index), values)) return false;
    for (uint32_t i = 0; i < values.count; ++i) {
      const ir::Value value = r.ssa.resolve(r.leaf(values, i));
      if (r.function().inst(value).op == ir::Op::undef) continue;
      const ir::InterfaceAccess access = r.interface_leaves[variable.first_interface_leaf + i].access;
      const ir::Value operands[] = {value};
      r.b.insert(ir::Op::output, ir::kVoid, operands, access.pack(), 0);
    }
    if (!r.check_limits()) return false;
  }
  return true;
}

}  // namespace spalt::spirv
