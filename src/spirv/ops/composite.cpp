// SPDX-License-Identifier: MIT
// Composites are lists of scalars, so most of these instructions only rename ranges of leaves.
#include <spirv/unified1/spirv.hpp>

#include "spirv/memory/memory.h"
#include "spirv/ops/instructions.h"

namespace spalt::spirv {
namespace {

using ir::Op;
using ir::Value;

/// Follows literal indices from in[first] on into a composite: type and first leaf of the part.
bool follow_indices(Reader& r, const Instruction& in, uint32_t first, uint32_t& type, uint32_t& leaf) {
  for (uint32_t i = first; i < in.count; ++i) {
    const TypeInfo& info = r.types[type];
    if (info.is_scalar()) return r.fail("an index into a scalar");
    if (in[i] >= info.count)
      return r.fail(concat("index ", in[i], " where the composite has ", info.count, " elements"));
    if (info.kind == TypeKind::structure) {
      const Member& member = r.types.member(info, in[i]);
      leaf += member.leaf;
      type = member.type;
    } else {
      type = info.element;
      leaf += in[i] * r.types[type].leaves;
    }
  }
  return true;
}

void append(Reader& r, const Leaves& out, uint32_t& next, const Leaves& part) {
  for (uint32_t i = 0; i < part.count; ++i) r.set_leaf(out, next++, r.leaf(part, i));
}

/// A scalar or vector, `count` long unless that is 0, that has the components of `type`.
bool same_components(Reader& r, uint32_t id, uint32_t type, uint32_t count, Leaves& out) {
  const FloatEncoding encoding = r.types[type].encoding;
  if (encoding == FloatEncoding::ieee) return r.vector_value(id, r.types[type].scalar, count, out);
  if (!r.vector_value(id, kAnyScalar, count, out)) return false;
  return r.types[out.type].encoding == encoding ||
         r.fail(concat("expected id ", id, " to have the result's components"));
}

bool construct_vector(Reader& r, const Instruction& in, uint32_t type) {
  const Leaves out = r.new_leaves(type);
  uint32_t next = 0;
  for (uint32_t i = 3; i < in.count; ++i) {
    Leaves part;
    if (!same_components(r, in[i], type, 0, part)) return false;
    if (next + part.count > out.count) return r.fail("more components than the vector has");
    append(r, out, next, part);
  }
  if (next != out.count) return r.fail(concat("expected ", out.count, " components, found ", next));
  return r.bind(in[2], out);
}

}  // namespace

bool is_undefined_object(const Reader& r, const Instruction& in) {
  if (in.opcode != spv::OpUndef || in[1] >= r.bound || r.ids[in[1]].kind != IdKind::type) return false;
  const TypeKind kind = r.types[r.ids[in[1]].index].kind;
  return kind == TypeKind::opaque || kind == TypeKind::runtime_array;
}

bool translate_undef(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 3)) return false;
  if (is_undefined_object(r, in)) return true;
  if (!r.result_value_type(in, type)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.ssa.undef(r.types.leaf_type(type, i)));
  return r.bind(in[2], out);
}

bool translate_copy_object(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 4) || !r.result_type(in, type)) return false;
  if (r.types[type].kind == TypeKind::pointer && (!r.types[type].is_pointer_value() || is_known_pointer(r, in[3]))) {
    const Pointer* pointer = r.pointer(in[3]);
    if (pointer == nullptr) return false;
    if (r.ids[in[3]].type != type) return r.fail("the result type differs from the operand's");
    r.bind(in[2], *pointer);
    if (r.types[type].is_pointer_value()) bind_chain(r, in[2], r.pointers.back());
    return true;
  }
  Leaves a;
  if (!r.value(in[3], a)) return false;
  const bool same =
      in.opcode == spv::OpCopyObject ? a.type == type : r.types.logically_match(a.type, type, r.context.scratch);
  if (!same) return r.fail("the result type differs from the operand's");
  a.type = type;
  return r.bind(in[2], a);
}

bool translate_expect(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves value, expected;
  if (!r.has_words(in, 5) || !r.result_vector_type(in, kAnyInteger | ir::Scalar::i1, type)) return false;
  return r.typed_value(in[3], type, value) && r.typed_value(in[4], type, expected) && r.bind(in[2], value);
}

bool translate_assume(Reader& r, const Instruction& in) {
  Value condition;
  return r.has_words(in, 2) && r.scalar_value(in[1], ir::Scalar::i1, condition);
}

bool translate_composite_construct(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  if (!r.has_words(in, 3) || !r.result_value_type(in, type)) return false;
  const TypeInfo& info = r.types[type];
  if (info.is_scalar() || info.is_handle()) return r.fail("expected a composite result type");
  if (info.kind == TypeKind::vector) return construct_vector(r, in, type);
  if (in.count - 3 != info.count) return r.fail(concat("expected ", info.count, " constituents, found ", in.count - 3));
  const Leaves out = r.new_leaves(type);
  uint32_t next = 0;
  for (uint32_t i = 0; i < info.count; ++i) {
    Leaves part;
    const uint32_t wanted = info.kind == TypeKind::structure ? r.types.member(info, i).type : info.element;
    if (!r.typed_value(in[3 + i], wanted, part)) return false;
    append(r, out, next, part);
  }
  return r.bind(in[2], out);
}

bool translate_composite_extract(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves whole;
  if (!r.has_words(in, 4) || !r.result_value_type(in, type) || !r.value(in[3], whole)) return false;
  uint32_t part = whole.type, leaf = 0;
  if (!follow_indices(r, in, 4, part, leaf)) return false;
  if (part != type) return r.fail("the result type is not the type of the part");
  return r.bind(in[2], Leaves{type, whole.first + leaf, r.types[type].leaves});
}

bool translate_composite_insert(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves object, whole;
  if (!r.has_words(in, 5) || !r.result_value_type(in, type) || !r.value(in[3], object)) return false;
  if (!r.typed_value(in[4], type, whole)) return false;
  uint32_t part = type, leaf = 0;
  if (!follow_indices(r, in, 5, part, leaf)) return false;
  if (part != object.type) return r.fail("the object's type is not the type of the part");
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const bool inside = i >= leaf && i < leaf + object.count;
    r.set_leaf(out, i, inside ? r.leaf(object, i - leaf) : r.leaf(whole, i));
  }
  return r.bind(in[2], out);
}

bool translate_vector_extract_dynamic(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves vector;
  Value index;
  if (!r.has_words(in, 5) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!same_components(r, in[3], type, 0, vector) || !r.index_value(in[4], index)) return false;
  Value chosen = r.leaf(vector, vector.count - 1);
  for (uint32_t i = vector.count - 1; i > 0; --i) {
    const Value equal = r.b.binary(Op::ieq, index, r.b.i32(i - 1));
    chosen = r.b.select(equal, r.leaf(vector, i - 1), chosen);
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, chosen);
  return r.bind(in[2], out);
}

bool translate_vector_insert_dynamic(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves vector, component;
  Value index;
  if (!r.has_words(in, 6) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (!r.typed_value(in[3], type, vector) || !same_components(r, in[4], type, 1, component)) return false;
  if (!r.index_value(in[5], index)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value equal = r.b.binary(Op::ieq, index, r.b.i32(i));
    r.set_leaf(out, i, r.b.select(equal, r.leaf(component, 0), r.leaf(vector, i)));
  }
  return r.bind(in[2], out);
}

bool translate_vector_shuffle(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a, b;
  if (!r.has_words(in, 5) || !r.result_vector_type(in, kAnyScalar, type)) return false;
  const TypeInfo& info = r.types[type];
  if (!same_components(r, in[3], type, 0, a) || !same_components(r, in[4], type, 0, b)) return false;
  if (in.count - 5 != info.leaves) return r.fail(concat("expected ", info.leaves, " components, found ", in.count - 5));
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const uint32_t component = in[5 + i];
    if (component != kNone && component >= a.count + b.count)
      return r.fail(concat("component ", component, " does not exist"));
    Value value;
    if (component == kNone) {
      value = r.ssa.undef(ir::Type{info.scalar});
    } else {
      value = component < a.count ? r.leaf(a, component) : r.leaf(b, component - a.count);
    }
    r.set_leaf(out, i, value);
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
