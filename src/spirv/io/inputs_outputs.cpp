// SPDX-License-Identifier: MIT
// The values of inputs at the start of the entry point, and of outputs at its end. Numbers of 64 bits pass as two
// words, the low one first, each a component of its own.
#include <algorithm>
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

bool is_word(ir::Type type) {
  return type == ir::kF32 || type == ir::kI32;
}

ir::Value known_input(Reader& r, const ir::InterfaceAccess& access, ir::Type type) {
  for (const InterfaceConstant& known : r.options.known_inputs) {
    if (known.location == access.number && known.component == access.component) {
      return r.function().constant(type, known.bits);
    }
  }
  return ir::Value();
}

bool is_equal(const Reader& r, const ir::InterfaceAccess& access) {
  if (r.options.points) return true;
  const auto& equal = r.options.equal_inputs;
  return std::any_of(equal.begin(), equal.end(), [&](const InterfaceComponent& one) {
    return one.location == access.number && one.component == access.component;
  });
}

}  // namespace

ir::Value input_word(Reader& r, ir::InterfaceAccess access, ir::Type type, std::span<const ir::Value> operands) {
  if (access.semantic == ir::Semantic::location && is_word(type)) {
    if (const ir::Value known = known_input(r, access, type); known.valid()) return known;
    const bool one_vertex = access.interpolation == ir::Interpolation::per_vertex;
    if (!one_vertex && is_equal(r, access)) {
      access.interpolation = ir::Interpolation::equal;
      access.place = ir::SamplePlace::center;
      operands = {};
    }
  }
  return r.b.insert(ir::Op::input, type, operands, access.pack(), 0);
}

namespace {

ir::Value input_value(Reader& r, ir::InterfaceAccess access, ir::Type type) {
  if (type.bits() != 64) return input_word(r, access, type, {});
  const ir::Value low = input_word(r, access, ir::kI32, {});
  ++access.component;
  const ir::Value high = input_word(r, access, ir::kI32, {});
  return r.b.bitcast(type, r.b.emit(ir::Op::pack64, ir::kI64, {low, high}));
}

void write_output(Reader& r, ir::InterfaceAccess access, ir::Value value) {
  const auto insert = [&](ir::Value word) {
    const ir::Value operands[] = {word};
    r.b.insert(ir::Op::output, ir::kVoid, operands, access.pack(), 0);
    ++access.component;
  };
  if (r.function().type(value).bits() != 64) return insert(value);
  const ir::Value words = r.b.bitcast(ir::kI32.vector(2), value);
  const ir::Value low = r.b.extract(words, 0), high = r.b.extract(words, 1);
  insert(low);
  insert(high);
}

}  // namespace

bool read_inputs(Reader& r) {
  for (const uint32_t index : r.inputs) {
    Variable& variable = r.variables[index];
    allocate_scratch(r, variable);
    const Leaves values = r.new_leaves(variable.type);
    for (uint32_t i = 0; i < values.count; ++i) {
      const ir::InterfaceAccess access = r.interface_leaves[variable.first_interface_leaf + i].access;
      r.set_leaf(values, i, input_value(r, access, r.types.leaf_type(variable.type, i)));
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
      write_output(r, r.interface_leaves[variable.first_interface_leaf + i].access, value);
    }
    if (!r.check_limits()) return false;
  }
  return true;
}

}  // namespace spalt::spirv
