// SPDX-License-Identifier: MIT
// OpConstant*, OpSpecConstant* and module-scope OpUndef, OpVariable and OpUntypedVariableKHR.
#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "spirv/module/names.h"
#include "spirv/module/preamble.h"
#include "spirv/ops/dispatch.h"
#include "spirv/ops/instructions.h"
#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

/// Replaces the value of a specialization constant of that many bytes by the one given for its SpecId.
bool specialize(Reader& r, uint32_t id, uint32_t bytes, uint64_t& value) {
  const uint32_t spec_id = r.decorations.argument(id, spv::DecorationSpecId);
  if (spec_id == kNone) return true;
  const Specialization* given = nullptr;  // of several entries the first
  for (size_t i = r.options.specialization.size(); i > 0; --i) {
    if (r.options.specialization[i - 1].id != spec_id) continue;
    given = &r.options.specialization[i - 1];
    r.specialized[i - 1] = 1;
  }
  if (given == nullptr) return true;
  value = given->value;
  return given->size == bytes || r.fail(Status::invalid_argument, concat("specialization constant ", spec_id, " has ",
                                                                         bytes, " bytes, its value ", given->size));
}

bool add_constant(Reader& r, const Instruction& in, uint32_t type) {
  if (!r.define(in[2], IdKind::constant, type)) return false;
  if (r.decorations.argument(in[2], spv::DecorationBuiltIn) == spv::BuiltInWorkgroupSize) r.workgroup_size_id = in[2];
  return true;
}

bool add_scalar(Reader& r, const Instruction& in, uint32_t type, uint64_t bits) {
  if (!add_constant(r, in, type)) return false;
  const Leaves value = r.new_leaves(type);
  r.set_leaf(value, 0, r.function().constant(ir::Type{r.types[type].scalar}, bits));
  return r.bind(in[2], value);
}

bool read_boolean(Reader& r, const Instruction& in, bool is_true, bool is_spec) {
  uint32_t type = 0;
  if (!r.has_words(in, 3) || !r.type_of(in[1], type)) return false;
  if (r.types[type].kind != TypeKind::boolean) return r.fail("expected a boolean type");
  uint64_t bits = is_true ? 1 : 0;
  if (is_spec && !specialize(r, in[2], 4, bits)) return false;
  bits = bits != 0 ? 1 : 0;
  return add_scalar(r, in, type, bits);
}

bool read_number(Reader& r, const Instruction& in, bool is_spec) {
  uint32_t type = 0;
  if (!r.has_words(in, 4) || !r.type_of(in[1], type)) return false;
  const TypeKind kind = r.types[type].kind;
  if (kind == TypeKind::opaque) return r.unsupported("a constant of this width");
  if (kind != TypeKind::integer && kind != TypeKind::floating) return r.fail("expected a numerical type");
  // Literals take one word for each begun 32 bits, the low one first; excess bits extend the sign.
  const unsigned width = ir::Type{r.types[type].scalar}.bits();
  const bool two_words = width > 32;
  if (two_words && !r.has_words(in, 5)) return false;
  uint64_t bits = in[3];
  if (two_words) bits |= uint64_t{in[4]} << 32;
  if (is_spec && !specialize(r, in[2], width / 8, bits)) return false;
  return add_scalar(r, in, type, bits);
}

/// Type of the constituent `index` of a composite type.
uint32_t constituent_type(const Reader& r, const TypeInfo& type, uint32_t index) {
  return type.kind == TypeKind::structure ? r.types.member(type, index).type : type.element;
}

bool read_composite(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 3) || !r.result_value_type(in, type)) return false;
  const TypeInfo info = r.types[type];
  if (info.is_scalar() || info.is_handle()) return r.fail("expected a composite type");
  if (in.count - 3 != info.count) return r.fail(concat("expected ", info.count, " constituents, found ", in.count - 3));
  const Leaves value = r.new_leaves(type);
  uint32_t next = 0;
  for (uint32_t i = 0; i < info.count; ++i) {
    Leaves part;
    if (!r.in_bound(in[3 + i])) return false;
    if (r.ids[in[3 + i]].kind != IdKind::constant) return r.fail(concat("id ", in[3 + i], " is not a constant"));
    if (!r.typed_value(in[3 + i], constituent_type(r, info, i), part)) return false;
    for (uint32_t j = 0; j < part.count; ++j) r.set_leaf(value, next++, r.leaf(part, j));
  }
  return add_constant(r, in, type) && r.bind(in[2], value);
}

bool read_null(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 3)) return false;
  const bool known = is_undefined_object(r, in) ? r.type_of(in[1], type) : r.result_value_type(in, type);
  if (!known) return false;
  if (in.opcode == spv::OpConstantNull && r.types[type].is_handle()) {
    return r.fail("an image or sampler cannot be null");
  }
  return add_constant(r, in, type);
}

bool is_spec_op(uint32_t opcode) {
  switch (opcode) {
    case spv::OpSConvert:
    case spv::OpUConvert:
    case spv::OpFConvert:
    case spv::OpSNegate:
    case spv::OpNot:
    case spv::OpIAdd:
    case spv::OpISub:
    case spv::OpIMul:
    case spv::OpUDiv:
    case spv::OpSDiv:
    case spv::OpUMod:
    case spv::OpSRem:
    case spv::OpSMod:
    case spv::OpShiftRightLogical:
    case spv::OpShiftRightArithmetic:
    case spv::OpShiftLeftLogical:
    case spv::OpBitwiseOr:
    case spv::OpBitwiseXor:
    case spv::OpBitwiseAnd:
    case spv::OpVectorShuffle:
    case spv::OpCompositeExtract:
    case spv::OpCompositeInsert:
    case spv::OpLogicalOr:
    case spv::OpLogicalAnd:
    case spv::OpLogicalNot:
    case spv::OpLogicalEqual:
    case spv::OpLogicalNotEqual:
    case spv::OpSelect:
    case spv::OpIEqual:
    case spv::OpINotEqual:
    case spv::OpULessThan:
    case spv::OpSLessThan:
    case spv::OpUGreaterThan:
    case spv::OpSGreaterThan:
    case spv::OpULessThanEqual:
    case spv::OpSLessThanEqual:
    case spv::OpUGreaterThanEqual:
    case spv::OpSGreaterThanEqual:
    case spv::OpQuantizeToF16:
      return true;
    default:
      return false;
  }
}

}  // namespace

bool read_constant(Reader& r, const Instruction& in) {
  switch (in.opcode) {
    case spv::OpConstantTrue:
      return read_boolean(r, in, true, false);
    case spv::OpConstantFalse:
      return read_boolean(r, in, false, false);
    case spv::OpSpecConstantTrue:
      return read_boolean(r, in, true, true);
    case spv::OpSpecConstantFalse:
      return read_boolean(r, in, false, true);
    case spv::OpConstant:
      return read_number(r, in, false);
    case spv::OpSpecConstant:
      return read_number(r, in, true);
    case spv::OpConstantComposite:
    case spv::OpSpecConstantComposite:
      return read_composite(r, in);
    default:
      return read_null(r, in);
  }
}

namespace {

/// Lets OpUndef operands of a specialization constant be zeros while this object exists: an operation on constants must
/// come out as constants, and what is undefined may be any. Literal operands that look like such ids do no harm.
class ZeroedOperands {
 public:
  ZeroedOperands(Reader& r, std::span<const uint32_t> operands) : r_(r), saved_(r.context.scratch) {
    for (const uint32_t id : operands) {
      if (id >= r.bound || r.ids[id].kind != IdKind::constant) continue;
      const TypeInfo& type = r.types[r.ids[id].type];
      if (r.instruction_at(r.ids[id].word).opcode != spv::OpUndef || !type.is_value()) continue;
      saved_.push_back({id, r.ids[id].binding});
      const Leaves zeros = r.new_leaves(r.ids[id].type);
      for (uint32_t i = 0; i < zeros.count; ++i) {
        r.set_leaf(zeros, i, r.function().constant(r.types.leaf_type(zeros.type, i), 0));
      }
      r.bind(id, zeros);
    }
  }
  ZeroedOperands(const ZeroedOperands&) = delete;
  ZeroedOperands& operator=(const ZeroedOperands&) = delete;
  ~ZeroedOperands() {
    while (!saved_.empty()) {  // an operand that stands there twice has its own binding in the first entry
      r_.ids[saved_.back().id].binding = saved_.back().binding;
      saved_.pop_back();
    }
  }

 private:
  struct Saved {
    uint32_t id, binding;
  };
  Reader& r_;
  Vector<Saved> saved_;
};

}  // namespace

bool read_spec_constant_op(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 4) || !r.result_value_type(in, type)) return false;
  if (!is_spec_op(in[3])) return r.unsupported(opcode_name(in[3]) + " on specialization constants");
  // The same instruction as a function body would have it: without the opcode operand.
  Vector<uint32_t> plain(r.context.scratch);
  plain.reserve(in.count - 1);
  plain.push_back(in[3] | (in.count - 1) << 16);
  plain.append({in.words + 1, 2});
  plain.append({in.words + 4, in.count - 4});
  if (!add_constant(r, in, type)) return false;
  const Instruction inner{plain.data(), in[3], in.count - 1, in.offset};
  // No operation has more than three ids; literals follow.
  const ZeroedOperands zeroed(r, {in.words + 4, std::min(in.count - 4, 3u)});
  if (!translate_instruction(r, inner)) return false;
  Leaves value;
  if (!r.constant_leaves(in[2], value)) return false;
  for (uint32_t i = 0; i < value.count; ++i) {
    const ir::Inst& leaf = r.function().inst(r.leaf(value, i));
    // A component that a shuffle leaves out.
    if (leaf.op == ir::Op::undef) r.set_leaf(value, i, r.function().constant(leaf.type, 0));
    if (!r.function().is_constant(r.leaf(value, i)))
      return r.unsupported("an undefined specialization constant operand");
  }
  return true;
}

bool read_global(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 4) || !r.type_of(in[1], type)) return false;
  const TypeInfo& pointer = r.types[type];
  if (pointer.kind != TypeKind::pointer || pointer.storage_class != in[3]) {
    return r.fail("expected a pointer type of the same storage class");
  }
  if (in[3] == spv::StorageClassFunction) return r.fail("a Function variable outside a function");
  Variable variable;
  variable.id = in[2];
  variable.type = pointer.element;
  variable.storage_class = in[3];
  variable.word = in.offset;
  variable.untyped = in.opcode == kOpUntypedVariable;
  if (variable.untyped != pointer.untyped)
    return r.fail("expected untyped pointers to untyped variables, and to no other");
  if (variable.untyped && (!r.has_words(in, 5) || !r.type_of(in[4], variable.type))) return false;
  const uint32_t last = variable.untyped ? 5 : 4;
  if (in.count > last) {
    const uint32_t id = variable.initializer = in[last];
    if (!r.in_bound(id)) return false;
    const bool is_pointer = r.ids[id].kind == IdKind::global && r.types[variable.type].is_pointer_value();
    if ((r.ids[id].kind != IdKind::constant && !is_pointer) || r.ids[id].type != variable.type) {
      return r.fail("expected an initializer that is a constant of the variable's type");
    }
    const bool null = !is_pointer && r.instruction_at(r.ids[id].word).opcode == spv::OpConstantNull;
    if (in[3] == spv::StorageClassWorkgroup && !null) {
      return r.fail("expected workgroup memory to be initialized by OpConstantNull");
    }
    const TypeInfo& block = r.types[variable.type];
    if (in[3] == spv::StorageClassWorkgroup && block.block) {
      r.zeroed_block_bytes = std::max(r.zeroed_block_bytes, block.bytes);
    }
  }
  if (!r.define(in[2], IdKind::global, type, static_cast<uint32_t>(r.variables.size()))) return false;
  r.decorations.for_each(in[2], [&variable](const Decoration& decoration, uint32_t member) {
    if (member != kNone) return;
    if (decoration.kind == spv::DecorationBuiltIn) variable.built_in = decoration.argument;
    if (decoration.kind == spv::DecorationDescriptorSet) variable.set = decoration.argument;
    if (decoration.kind == spv::DecorationBinding) variable.slot = decoration.argument;
  });
  r.variables.push_back(variable);
  r.global_count = static_cast<uint32_t>(r.variables.size());
  return true;
}

}  // namespace spalt::spirv
