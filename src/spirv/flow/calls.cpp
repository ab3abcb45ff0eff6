// SPDX-License-Identifier: MIT
// OpFunctionCall: the callee's blocks are translated in place of the call. Functions do not recurse, so at most one
// inlined copy of each is under way, and its ids can be bound directly.
#include <spirv/unified1/spirv.hpp>

#include "spirv/flow/control_flow.h"
#include "spirv/io/io.h"
#include "spirv/memory/memory.h"

namespace spalt::spirv {
namespace {

bool bind_parameter(Reader& r, const Parameter& parameter, uint32_t argument) {
  const TypeInfo& type = r.types[parameter.type];
  r.ids[parameter.id].flags &= static_cast<uint16_t>(~kIdChain);
  const bool is_value = type.kind != TypeKind::pointer || type.is_pointer_value();
  if (is_value && !is_known_pointer(r, argument)) {
    Leaves value;
    return r.typed_value(argument, parameter.type, value) && r.bind(parameter.id, value);
  }
  const Pointer* pointer = r.pointer(argument);
  if (pointer == nullptr) return false;
  if (r.ids[argument].type != parameter.type) return r.fail(concat("argument ", argument, " has the wrong type"));
  r.bind(parameter.id, *pointer);
  // What is known of a pointer stays known, as how a matrix lies.
  if (type.is_pointer_value()) bind_chain(r, parameter.id, r.pointers.back());
  return true;
}

bool bind_variables(Reader& r, const FunctionInfo& function) {
  for (uint32_t i = 0; i < function.variable_count; ++i) {
    Variable& variable = r.variables[function.first_variable + i];
    if (!r.types[variable.type].is_value()) {
      r.current = r.instruction_at(variable.word);
      return r.unsupported("a variable of this type");
    }
    allocate_scratch(r, variable);
    Pointer pointer;
    pointer.type = variable.type;
    pointer.variable = function.first_variable + i;
    r.bind(variable.id, pointer);
  }
  return true;
}

/// Joins the values of several returns.
bool merge_results(Reader& r, const Frame& frame, Leaves& out) {
  const auto first = r.returned.begin() + frame.first_return;
  const size_t count = r.returned.size() - frame.first_return;
  out = r.new_leaves(first->type);
  Vector<ir::Value>& operands = r.scratch_values;
  for (uint32_t j = 0; j < out.count; ++j) {
    operands.clear();
    for (size_t i = 0; i < count; ++i) operands.push_back(r.leaf(first[static_cast<ptrdiff_t>(i)], j));
    const ir::Type type = r.types.leaf_type(out.type, j);
    r.set_leaf(out, j, count == 1 ? operands[0] : r.ssa.create_phi(frame.return_block, type, operands));
  }
  r.leaf_work += count * out.count;
  return true;
}

}  // namespace

bool push_frame(Reader& r, uint32_t function, uint32_t result) {
  const FunctionInfo& info = r.functions[function];
  Frame frame;
  frame.function = function;
  frame.result = result;
  frame.scratch_mark = r.scratch_top;
  frame.first_open_loop = static_cast<uint32_t>(r.open_loops.size());
  frame.first_return = static_cast<uint32_t>(r.returned.size());
  frame.call_block = r.b.block();
  for (uint32_t i = 0; i < info.block_count; ++i) {
    r.blocks[info.first_block + i].ir_begin = ir::BlockId();
    r.blocks[info.first_block + i].ir_end = ir::BlockId();
  }
  r.leaf_work += info.block_count + info.variable_count;
  if (!bind_variables(r, info)) return false;
  r.frames.push_back(frame);
  return true;
}

bool begin_call(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 4) || !r.type_of(in[1], type) || !r.in_bound(in[3])) return false;
  const uint32_t callee = r.ids[in[3]].index;  // a function: checked by order_calls
  const FunctionInfo& function = r.functions[callee];
  const TypeInfo& signature = r.types[function.type];
  if (type != signature.element) return r.fail("the result type is not the function's return type");
  if (in.count - 4 != function.parameter_count) {
    return r.fail(concat("expected ", function.parameter_count, " arguments, found ", in.count - 4));
  }
  for (uint32_t i = 0; i < function.parameter_count; ++i) {
    if (!bind_parameter(r, r.parameters[function.first_parameter + i], in[4 + i])) return false;
  }
  return push_frame(r, callee, in[2]);
}

bool translate_return(Reader& r, const Instruction& in) {
  Frame& frame = r.frames.back();
  const FunctionInfo& function = r.functions[frame.function];
  const TypeInfo& return_type = r.types[r.types[function.type].element];
  const bool is_void = return_type.kind == TypeKind::void_type;
  if (is_void != (in.opcode == spv::OpReturn)) return r.fail("the return does not fit the function's return type");
  if (!is_void) {
    Leaves value;
    if (!r.has_words(in, 2) || !r.typed_value(in[1], r.types[function.type].element, value)) return false;
    r.returned.push_back(value);
  }
  if (function.returns_last) {  // the caller goes on in this block
    frame.return_block = r.b.block();
    return true;
  }
  if (!frame.return_block.valid()) frame.return_block = r.function().create_block();
  r.b.branch(frame.return_block);
  return true;
}

bool end_call(Reader& r) {
  if (!close_loops(r, r.frames.back().first_open_loop)) return false;
  const Frame frame = r.frames.back();
  r.frames.pop_back();
  r.scratch_top = frame.scratch_mark;
  const bool returns = frame.return_block.valid();
  if (returns && !r.functions[frame.function].returns_last) {
    r.function().edit_layout().push_back(frame.return_block);
    r.b.set_end(frame.return_block);
    r.ssa.begin_block(frame.return_block, frame.call_block, true);
  }
  if (r.frames.empty()) {
    if (!returns) return true;
    if (!write_outputs(r)) return false;
    r.b.ret();
    return true;
  }
  Frame& caller = r.frames.back();
  r.block = caller.block;
  if (!returns) {  // what follows the call never runs
    caller.word = 0;
    return true;
  }
  if (r.returned.size() == frame.first_return) return true;
  Leaves result;
  if (!merge_results(r, frame, result)) return false;
  r.returned.resize(frame.first_return);
  return r.bind(frame.result, result);
}

}  // namespace spalt::spirv
