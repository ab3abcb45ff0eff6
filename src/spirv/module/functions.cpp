// SPDX-License-Identifier: MIT
// First walk over the functions: ids, blocks, merge instructions, calls and variables, all checked for their place. The
// second walk translates and can rely on it.
#include <array>
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/names.h"
#include "spirv/reader_state.h"
#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

/// What an instruction is for the walk.
enum class Role : uint8_t {
  plain,
  skipped,
  function,
  function_end,
  parameter,
  label,
  merge,
  block_end,
  variable,
  pointer_use,  ///< makes pointers to variables or stores through them, as far as classify_variables asks
  call          ///< the same
};

constexpr Role find_role(uint32_t opcode) {
  switch (opcode) {
    case spv::OpLine:
    case spv::OpNoLine:
    case spv::OpNop:
      return Role::skipped;
    case spv::OpFunction:
      return Role::function;
    case spv::OpFunctionEnd:
      return Role::function_end;
    case spv::OpFunctionParameter:
      return Role::parameter;
    case spv::OpLabel:
      return Role::label;
    case spv::OpLoopMerge:
    case spv::OpSelectionMerge:
      return Role::merge;
    case spv::OpBranch:
    case spv::OpBranchConditional:
    case spv::OpSwitch:
    case spv::OpKill:
    case spv::OpReturn:
    case spv::OpReturnValue:
    case spv::OpUnreachable:
    case spv::OpTerminateInvocation:
    case spv::OpIgnoreIntersectionKHR:
    case spv::OpTerminateRayKHR:
    case spv::OpEmitMeshTasksEXT:
      return Role::block_end;
    case spv::OpVariable:
      return Role::variable;
    case spv::OpAccessChain:
    case spv::OpInBoundsAccessChain:
    case spv::OpCopyObject:
    case spv::OpStore:
    case spv::OpCopyMemory:
    case spv::OpCopyMemorySized:
    case spv::OpExtInst:
      return Role::pointer_use;
    case spv::OpFunctionCall:
      return Role::call;
    default:
      return Role::plain;
  }
}

/// Of the opcodes that nearly all instructions have.
constexpr std::array<Role, 512> make_roles() {
  std::array<Role, 512> roles{};
  for (uint32_t opcode = 0; opcode < roles.size(); ++opcode) roles[opcode] = find_role(opcode);
  return roles;
}
constexpr std::array<Role, 512> kRoles = make_roles();

struct Scan {
  uint32_t word = 0;
  bool in_function = false;
  bool in_block = false;
  uint32_t parameters_left = 0;
};

bool begin_function(Reader& r, const Instruction& in, Scan& scan) {
  if (scan.in_function) return r.fail("a function inside a function");
  uint32_t return_type = 0;
  FunctionInfo function;
  if (!r.has_words(in, 5) || !r.type_of(in[1], return_type) || !r.type_of(in[4], function.type)) return false;
  const TypeInfo& type = r.types[function.type];
  if (type.kind != TypeKind::function || type.element != return_type) {
    return r.fail("expected a function type with the same return type");
  }
  function.id = in[2];
  function.word = in.offset;
  function.first_parameter = static_cast<uint32_t>(r.parameters.size());
  function.first_block = static_cast<uint32_t>(r.blocks.size());
  function.first_variable = static_cast<uint32_t>(r.variables.size());
  function.first_call = static_cast<uint32_t>(r.calls.size());
  scan.in_function = true;
  scan.parameters_left = type.count;
  if (!r.define(in[2], IdKind::function, return_type, static_cast<uint32_t>(r.functions.size()))) return false;
  r.functions.push_back(function);
  return true;
}

/// A result inside the current function; `index` is the block that will define it.
bool define_value(Reader& r, uint32_t id, uint32_t type, uint32_t index) {
  if (!r.define(id, IdKind::value, type, index)) return false;
  r.ids[id].owner = static_cast<uint32_t>(r.functions.size() - 1);
  return true;
}

bool add_parameter(Reader& r, const Instruction& in, Scan& scan) {
  FunctionInfo& function = r.functions.back();
  if (!scan.in_function || scan.in_block || function.block_count != 0 || scan.parameters_left == 0) {
    return r.fail("a parameter where the function type has none");
  }
  Parameter parameter;
  if (!r.has_words(in, 3) || !r.type_of(in[1], parameter.type)) return false;
  if (parameter.type != r.types.parameter(r.types[function.type], function.parameter_count)) {
    return r.fail("the parameter's type differs from the function type");
  }
  parameter.id = in[2];
  --scan.parameters_left;
  ++function.parameter_count;
  r.parameters.push_back(parameter);
  return define_value(r, in[2], parameter.type, function.first_block);
}

bool begin_block(Reader& r, const Instruction& in, Scan& scan) {
  if (!scan.in_function || scan.in_block) return r.fail("a label outside a function or inside a block");
  if (scan.parameters_left != 0) return r.fail("expected more parameters before the first block");
  FunctionInfo& function = r.functions.back();
  Block block;
  if (!r.has_words(in, 2)) return false;
  block.label = in[1];
  block.first_word = in.offset + in.count;
  block.first_pointer_use = r.pointer_uses.size();
  block.is_entry = function.block_count == 0;
  if (!r.define(in[1], IdKind::label, kNone, static_cast<uint32_t>(r.blocks.size()))) return false;
  r.ids[in[1]].owner = static_cast<uint32_t>(r.functions.size() - 1);
  r.blocks.push_back(block);
  ++function.block_count;
  scan.in_block = true;
  return true;
}

bool end_function(Reader& r, Scan& scan) {
  if (!scan.in_function || scan.in_block) return r.fail("a function ends inside a block");
  if (scan.parameters_left != 0) return r.fail("expected more parameters");
  scan.in_function = false;
  FunctionInfo& function = r.functions.back();
  function.variable_count = static_cast<uint32_t>(r.variables.size()) - function.first_variable;
  function.call_count = static_cast<uint32_t>(r.calls.size()) - function.first_call;
  return true;
}

bool add_variable(Reader& r, const Instruction& in, uint32_t type) {
  const TypeInfo& pointer = r.types[type];
  if (!r.has_words(in, 4)) return false;
  if (pointer.kind != TypeKind::pointer || pointer.storage_class != spv::StorageClassFunction ||
      in[3] != spv::StorageClassFunction) {
    return r.fail("expected storage class Function");
  }
  if (!r.blocks.back().is_entry) return r.fail("a variable outside the first block of its function");
  Variable variable;
  variable.id = in[2];
  variable.type = pointer.element;
  variable.storage_class = in[3];
  variable.word = in.offset;
  variable.initializer = in.count > 4 ? in[4] : 0;
  if (variable.initializer != 0) {
    if (!r.in_bound(variable.initializer)) return false;
    const IdInfo& initializer = r.ids[variable.initializer];
    const bool is_pointer = initializer.kind == IdKind::global && r.types[variable.type].is_pointer_value();
    if ((initializer.kind != IdKind::constant && !is_pointer) || initializer.type != variable.type) {
      return r.fail("expected an initializer that is a constant of the variable's type");
    }
  }
  r.ids[in[2]].binding = static_cast<uint32_t>(r.variables.size());
  r.variables.push_back(variable);
  return true;
}

bool add_merge(Reader& r, const Instruction& in) {
  Block& block = r.blocks.back();
  if (block.merge_word != 0) return r.fail("a second merge instruction in one block");
  block.merge_word = in.offset;
  return r.has_words(in, in.opcode == spv::OpLoopMerge ? 4 : 3);
}

/// An instruction of a block. A merge instruction is followed by a branch, and a branch ends the block.
bool scan_in_block(Reader& r, const Instruction& in, Role role, Scan& scan) {
  const OpcodeInfo info = opcode_info(in.opcode);
  if (!info.known) return r.fail("the opcode is not known");
  if (role == Role::merge) return add_merge(r, in);
  Block& block = r.blocks.back();
  if (role == Role::block_end) {
    block.terminator = in.offset;
    r.ends_invocations |= in.opcode == spv::OpKill || in.opcode == spv::OpTerminateInvocation;
    block.end_pointer_use = r.pointer_uses.size();
    scan.in_block = false;
    return true;
  }
  if (block.merge_word != 0) return r.fail("expected a branch after the merge instruction");
  if (role >= Role::pointer_use) r.pointer_uses.push_back(in.offset);
  if (role == Role::call) {
    if (!r.has_words(in, 4) || !r.in_bound(in[3])) return false;
    r.calls.push_back(in[3]);
    block.has_call = true;
  }
  if (!info.has_result) return true;
  const uint32_t result = info.has_type ? 2 : 1;
  uint32_t type = kNone;
  if (!r.has_words(in, result + 1) || (info.has_type && !r.type_of(in[1], type))) return false;
  if (!define_value(r, in[result], type, static_cast<uint32_t>(r.blocks.size() - 1))) return false;
  return role != Role::variable || add_variable(r, in, type);
}

bool scan_one(Reader& r, const Instruction& in, Scan& scan) {
  const Role role = in.opcode < kRoles.size() ? kRoles[in.opcode] : find_role(in.opcode);
  switch (role) {
    case Role::function:
      return begin_function(r, in, scan);
    case Role::function_end:
      return end_function(r, scan);
    case Role::parameter:
      return (scan.in_function || r.fail("a parameter outside a function")) && add_parameter(r, in, scan);
    case Role::label:
      return begin_block(r, in, scan);
    case Role::skipped:
      return true;
    default:
      break;
  }
  if (scan.in_block) return scan_in_block(r, in, role, scan);
  // Debug information may follow the last function (NonSemantic sets).
  if (in.opcode == spv::OpExtInst || in.opcode == kOpExtInstWithForwardRefs) return true;
  return r.fail("expected OpLabel or OpFunctionEnd before it");
}

/// Turns label ids of merge instructions into blocks.
bool resolve_merge(Reader& r, Block& block, uint32_t function) {
  if (block.merge_word == 0) return true;
  r.current = r.instruction_at(block.merge_word);
  const Instruction in = r.current;
  const uint32_t labels = in.opcode == spv::OpLoopMerge ? 2 : 1;
  for (uint32_t i = 1; i <= labels; ++i) {
    if (!r.in_bound(in[i])) return false;
    const IdInfo& label = r.ids[in[i]];
    if (label.kind != IdKind::label || label.owner != function || r.blocks[label.index].is_entry) {
      return r.fail(concat("id ", in[i], " is not a block that can be branched to"));
    }
  }
  block.merge = r.ids[in[1]].index;
  if (labels == 2) block.continue_target = r.ids[in[2]].index;
  const uint32_t terminator = r.words[block.terminator] & 0xffff;
  const bool ok = terminator == spv::OpBranchConditional || (labels == 1 && terminator == spv::OpSwitch) ||
                  (labels == 2 && terminator == spv::OpBranch);
  return ok || r.fail("expected a branch after the merge instruction");
}

}  // namespace

bool scan_functions(Reader& r) {
  Scan scan;
  scan.word = r.functions_word;
  while (scan.word < r.words.size()) {
    if (!decode(r, scan.word, r.current) || !scan_one(r, r.current, scan)) return false;
    scan.word += r.current.count;
  }
  r.current = {};
  r.current.offset = scan.word;
  if (scan.in_function) return r.fail("the module ends inside a function");
  for (uint32_t f = 0; f < r.functions.size(); ++f) {
    const FunctionInfo& function = r.functions[f];
    for (uint32_t i = 0; i < function.block_count; ++i) {
      if (!resolve_merge(r, r.blocks[function.first_block + i], f)) return false;
    }
  }
  const IdInfo& entry = r.ids[r.entry_function_id];
  r.current = {};
  if (entry.kind != IdKind::function) return r.fail("the entry point is not a function");
  r.current.offset = entry.word;
  if (r.types[entry.type].kind != TypeKind::void_type || r.functions[entry.index].parameter_count != 0) {
    return r.fail("expected an entry point without parameters and result");
  }
  return true;
}

/// Collects the functions that the entry point reaches, callees before callers. A call cycle is an error: Vulkan
/// forbids recursion, and inlining could not end.
bool order_calls(Reader& r) {
  enum : uint8_t { kNew, kActive, kDone };
  struct Visit {
    uint32_t function;
    uint32_t next_call;
  };
  Vector<uint8_t> state(r.context.scratch, r.functions.size(), kNew);
  Vector<Visit> stack(r.context.scratch);
  stack.push_back({r.ids[r.entry_function_id].index, 0});
  state[stack[0].function] = kActive;
  while (!stack.empty()) {
    Visit& top = stack.back();
    const FunctionInfo& function = r.functions[top.function];
    if (top.next_call == function.call_count) {
      if (function.block_count == 0) return r.fail_at(function.word, "a function without a body");
      state[top.function] = kDone;
      r.reachable.push_back(top.function);
      stack.pop_back();
      continue;
    }
    const IdInfo& callee = r.ids[r.calls[function.first_call + top.next_call++]];
    if (callee.kind != IdKind::function) return r.fail_at(function.word, "calls something that is not a function");
    if (state[callee.index] == kActive) return r.fail_at(r.functions[callee.index].word, "the function calls itself");
    if (state[callee.index] == kDone) continue;
    state[callee.index] = kActive;
    stack.push_back({callee.index, 0});
  }
  return true;
}

}  // namespace spalt::spirv
