// SPDX-License-Identifier: MIT
// How ids become scalars: constants, and values checked to be defined before they are used.
#include <spirv/unified1/spirv.hpp>

#include "base/bits.h"
#include "spirv/memory/memory.h"
#include "spirv/module/names.h"
#include "spirv/reader_state.h"

namespace spalt::spirv {
namespace {

std::string scalar_word(ScalarSet set) {
  if (set == ir::Scalar::i1) return "boolean";
  if (set == kAnyInteger) return "integer";
  if (set == kAnyFloat) return "float";
  for (const ir::Type type : {ir::kI8, ir::kI16, ir::kI32, ir::kI64, ir::kF16, ir::kF32, ir::kF64}) {
    if (set == type.scalar) return concat(type.scalar_bits(), type.is_float() ? "-bit float" : "-bit integer");
  }
  return "numerical";
}

/// Floats whose bits are integers in the IR are none.
bool may_be(const TypeInfo& type, ScalarSet scalars) {
  return scalars.contains(type.scalar) && (type.encoding == FloatEncoding::ieee || scalars == kAnyScalar);
}

/// The id is defined on every path to the instruction that uses it, in block `at`.
bool defined_before(Reader& r, uint32_t id, uint32_t at, uint32_t use_word) {
  const IdInfo& info = r.ids[id];
  if (r.frames.empty() || info.owner != r.frames.back().function) {
    return r.fail(concat("id ", id, " belongs to another function"));
  }
  if (info.index == at) {
    if (info.word < use_word) return true;
  } else if (r.blocks[info.index].order != kNone && r.dominates(info.index, at)) {
    return true;
  }
  return r.fail(concat("id ", id, " is not defined on every path to its use"));
}

}  // namespace

bool Reader::constant_leaves(uint32_t id, Leaves& out) {
  IdInfo& info = ids[id];
  if (!types[info.type].is_value()) return fail(concat("id ", id, " cannot be used as a value"));
  if (info.binding == kNone) {  // OpConstantNull and OpUndef are expanded when they are first used
    const uint32_t opcode = words[info.word] & 0xffff;
    if (opcode != spv::OpConstantNull && opcode != spv::OpUndef) return fail(concat("id ", id, " names itself"));
    const bool undefined = opcode == spv::OpUndef;
    out = new_leaves(info.type);
    for (uint32_t i = 0; i < out.count; ++i) {
      const ir::Type type = types.leaf_type(info.type, i);
      set_leaf(out, i, undefined ? ssa.undef(type) : function().constant(type, 0));
    }
    info.binding = out.first;
  }
  out = {info.type, info.binding, types[info.type].leaves};
  return true;
}

/// The id as it is used at `use_word` in block `at`.
inline bool Reader::value_at(uint32_t id, uint32_t at, uint32_t use_word, Leaves& out) {
  if (!in_bound(id)) return false;
  const IdInfo& info = ids[id];
  if (info.kind == IdKind::constant) return constant_leaves(id, out);
  if (info.kind == IdKind::global && types[info.type].is_pointer_value()) return global_pointer_value(*this, id, out);
  if (info.kind != IdKind::value) return fail(concat("id ", id, " is not a value"));
  if (!defined_before(*this, id, at, use_word)) return false;
  const TypeInfo& type = types[info.type];
  if (info.binding == kNone || !type.is_value()) return fail(concat("id ", id, " cannot be used as a value"));
  const bool is_chain = type.is_pointer_value() && (info.flags & kIdChain) != 0;
  out = {info.type, is_chain ? pointers[info.binding].address : info.binding, type.leaves};
  return out.first != kNone || unsupported("such a pointer as a value");
}

bool Reader::value(uint32_t id, Leaves& out) {
  return value_at(id, block, current.offset, out);
}

bool Reader::value_at_end(uint32_t id, uint32_t from, Leaves& out) {
  return value_at(id, from, kNone, out);
}

bool Reader::is_defined(uint32_t id) {
  return ids[id].kind != IdKind::value || defined_before(*this, id, block, current.offset);
}

bool Reader::typed_value(uint32_t id, uint32_t type, Leaves& out) {
  if (!value(id, out)) return false;
  if (out.type == type) return true;
  return fail(concat("expected id ", id, " to have type ", types[type].id, ", found ", types[out.type].id));
}

bool Reader::vector_value(uint32_t id, ScalarSet scalars, uint32_t count, Leaves& out) {
  if (!value(id, out)) return false;
  const TypeInfo& type = types[out.type];
  if (!type.is_scalar_or_vector() || !may_be(type, scalars)) {
    return fail(concat("expected id ", id, " to be a ", scalar_word(scalars), " scalar or vector"));
  }
  if (count != 0 && out.count != count) {
    return fail(concat("expected id ", id, " to have ", count, " components, found ", out.count));
  }
  return true;
}

bool Reader::scalar_value(uint32_t id, ScalarSet scalars, ir::Value& out) {
  Leaves found;
  if (!vector_value(id, scalars, 1, found)) return false;
  out = leaf(found, 0);
  return true;
}

bool Reader::index_value(uint32_t id, ir::Value& out) {
  if (!scalar_value(id, kAnyInteger, out)) return false;
  out = b.resize(ir::kI32, out, true);
  return true;
}

bool Reader::find_constant_u32(uint32_t id, uint32_t& out) {
  const IdInfo& info = ids[id];
  if (info.kind != IdKind::constant || types[info.type].kind != TypeKind::integer) return false;
  Leaves found;
  if (info.binding == kNone && !constant_leaves(id, found)) return false;
  const ir::Inst& inst = function().inst(leaves[info.binding]);
  out = static_cast<uint32_t>(sign_extend(inst.imm, inst.type.scalar_bits()));
  return inst.op == ir::Op::constant;
}

bool Reader::constant_u32(uint32_t id, uint32_t& out) {
  if (!in_bound(id)) return false;
  return find_constant_u32(id, out) || fail(concat("expected id ", id, " to be a 32-bit integer constant"));
}

bool Reader::unsupported_type(const TypeInfo& type) {
  return unsupported(concat("a value of this ", opcode_name(type.stride)));
}

bool Reader::result_value_type(const Instruction& in, uint32_t& type) {
  if (!type_of(in[1], type)) return false;
  const TypeInfo& info = types[type];
  if (info.kind == TypeKind::opaque) return unsupported_type(info);
  if (!info.is_value()) return fail(concat("type ", in[1], " is not one that a value can have"));
  if (info.leaves <= options.limits.composite_scalars) return true;
  return fail(Status::limit_exceeded, concat("a value of more than ", options.limits.composite_scalars, " scalars"));
}

bool Reader::result_vector_type(const Instruction& in, ScalarSet scalars, uint32_t& type) {
  if (!type_of(in[1], type)) return false;
  const TypeInfo& info = types[type];
  if (info.kind == TypeKind::opaque) return unsupported_type(info);
  if (info.is_scalar_or_vector() && may_be(info, scalars)) return true;
  return fail(concat("expected the result type to be a ", scalar_word(scalars), " scalar or vector"));
}

}  // namespace spalt::spirv
