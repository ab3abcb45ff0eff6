// SPDX-License-Identifier: MIT
// Instructions on scalars and vectors that need more than one operation, or operands of different shapes.
#include <limits>
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"
#include "spirv/ops/small_float.h"

namespace spalt::spirv {

using ir::Op;
using ir::Scalar;
using ir::Value;

bool translate_negate(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, kAnyInteger, type)) return false;
  const ir::Type scalar{r.types[type].scalar};
  if (!r.vector_value(in[3], scalar.scalar, r.types[type].leaves, a)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.b.isub(r.b.integer(scalar, 0), r.leaf(a, i)));
  return r.bind(in[2], out);
}

/// The result is a struct of two values of the operands' type.
bool translate_extended_arithmetic(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a, b;
  if (!r.has_words(in, 5) || !r.result_value_type(in, type) || !r.vector_value(in[3], kAnyInteger, 0, a)) return false;
  const ir::Type scalar{r.scalar_of(a)};
  if (!r.vector_value(in[4], scalar.scalar, a.count, b)) return false;
  const TypeInfo& result = r.types[type];
  if (result.kind != TypeKind::structure || result.scalar != scalar.scalar || result.leaves != 2 * a.count ||
      result.count != 2) {
    return r.fail("expected a result that is a struct of two such values");
  }
  const Leaves out = r.new_leaves(type);
  ir::Builder& builder = r.b;
  const Value one = builder.integer(scalar, 1), zero = builder.integer(scalar, 0);
  for (uint32_t i = 0; i < a.count; ++i) {
    const Value x = r.leaf(a, i), y = r.leaf(b, i);
    Value low, high;
    switch (in.opcode) {
      case spv::OpIAddCarry:
        low = builder.iadd(x, y);
        high = builder.select(builder.binary(Op::uadd_carry, x, y), one, zero);
        break;
      case spv::OpISubBorrow:
        low = builder.isub(x, y);
        high = builder.select(builder.binary(Op::usub_borrow, x, y), one, zero);
        break;
      default:
        low = builder.imul(x, y);
        high = builder.binary(in.opcode == spv::OpUMulExtended ? Op::umul_hi : Op::smul_hi, x, y);
        break;
    }
    r.set_leaf(out, i, low);
    r.set_leaf(out, a.count + i, high);
  }
  return r.bind(in[2], out);
}

/// The last product comes first: in products with positions it is 1 * x, and the next one is fused with x.
Value sum_of_products(ir::Builder& b, const Value* left, const Value* right, uint32_t count) {
  Value sum = b.fmul(left[count - 1], right[count - 1]);
  for (uint32_t i = count - 1; i-- > 0;) {
    const Value product = b.fmul(left[i], right[i]);
    sum = b.fadd(sum, product);
  }
  return sum;
}

bool translate_dot(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a, b;
  if (!r.has_words(in, 5) || !r.type_of(in[1], type)) return false;
  if (r.types[type].encoding != FloatEncoding::ieee) return translate_small_float_dot(r, in);
  if (!r.result_vector_type(in, kAnyFloat, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  const Scalar scalar = r.types[type].scalar;
  if (!r.vector_value(in[3], scalar, 0, a) || !r.vector_value(in[4], scalar, a.count, b)) return false;
  const Value sum = sum_of_products(r.b, &r.leaves[a.first], &r.leaves[b.first], a.count);
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, sum);
  return r.bind(in[2], out);
}

bool translate_any_all(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, Scalar::i1, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!r.vector_value(in[3], Scalar::i1, 0, a)) return false;
  Value result = r.leaf(a, 0);
  for (uint32_t i = 1; i < a.count; ++i) {
    result = r.b.binary(in.opcode == spv::OpAny ? Op::ior : Op::iand, result, r.leaf(a, i));
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, result);
  return r.bind(in[2], out);
}

bool translate_float_class(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, Scalar::i1, type)) return false;
  if (!r.vector_value(in[3], kAnyFloat, r.types[type].leaves, a)) return false;
  const ir::Type scalar{r.scalar_of(a)};
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value x = r.leaf(a, i);
    Value result;
    if (in.opcode == spv::OpIsNan) {
      result = r.b.binary(Op::funordered, x, x);
    } else {
      const Value magnitude = r.b.fabs(x);
      result = r.b.binary(Op::foeq, magnitude, r.b.number(scalar, std::numeric_limits<double>::infinity()));
    }
    r.set_leaf(out, i, result);
  }
  return r.bind(in[2], out);
}

bool translate_logical_equal(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a, b;
  if (!r.has_words(in, 5) || !r.result_vector_type(in, Scalar::i1, type)) return false;
  const uint32_t count = r.types[type].leaves;
  if (!r.vector_value(in[3], Scalar::i1, count, a) || !r.vector_value(in[4], Scalar::i1, count, b)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < count; ++i) {
    const Value differ = r.b.ixor(r.leaf(a, i), r.leaf(b, i));
    r.set_leaf(out, i, r.b.unary(Op::inot, differ));
  }
  return r.bind(in[2], out);
}

bool translate_select(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves condition, a, b;
  if (!r.has_words(in, 6) || !r.result_value_type(in, type)) return false;
  if (!r.vector_value(in[3], Scalar::i1, 0, condition)) return false;
  if (!r.typed_value(in[4], type, a) || !r.typed_value(in[5], type, b)) return false;
  const bool per_component = condition.count != 1;
  if (per_component && (r.types[type].kind != TypeKind::vector || condition.count != a.count)) {
    return r.fail("expected one condition, or one for each component");
  }
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    r.set_leaf(out, i, r.b.select(r.leaf(condition, per_component ? i : 0), r.leaf(a, i), r.leaf(b, i)));
  }
  return r.bind(in[2], out);
}

bool translate_bit_field(Reader& r, const Instruction& in) {
  const bool insert = in.opcode == spv::OpBitFieldInsert;
  uint32_t type = 0;
  if (!r.has_words(in, insert ? 7 : 6) || !r.result_vector_type(in, kAnyInteger, type)) return false;
  Leaves base, field;
  Value offset, count;
  const uint32_t components = r.types[type].leaves;
  const ir::Type scalar{r.types[type].scalar};
  if (!r.vector_value(in[3], scalar.scalar, components, base)) return false;
  if (insert && !r.vector_value(in[4], scalar.scalar, components, field)) return false;
  const uint32_t position = insert ? 5 : 4;
  if (!r.index_value(in[position], offset) || !r.index_value(in[position + 1], count)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < components; ++i) {
    const Op extract = in.opcode == spv::OpBitFieldSExtract ? Op::bfe_s : Op::bfe_u;
    r.set_leaf(out, i,
               insert ? r.b.emit(Op::bfi, scalar, {r.leaf(base, i), r.leaf(field, i), offset, count})
                      : r.b.emit(extract, scalar, {r.leaf(base, i), offset, count}));
  }
  return r.bind(in[2], out);
}

namespace {

/// Parts of one scalar: `count` of them make one of `from`. Component 0 is in the lowest bits.
void split_bits(Reader& r, const Leaves& from, const Leaves& out, ir::Type part, uint32_t count) {
  for (uint32_t i = 0; i < from.count; ++i) {
    const Value parts = r.b.bitcast(part.vector(count), r.leaf(from, i));
    for (uint32_t j = 0; j < count; ++j) r.set_leaf(out, i * count + j, r.b.extract(parts, j));
  }
}

void join_bits(Reader& r, const Leaves& from, const Leaves& out, ir::Type whole, uint32_t count) {
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value parts = r.b.vec(std::span<const Value>(r.leaves).subspan(from.first + i * count, count));
    r.set_leaf(out, i, r.b.bitcast(whole, parts));
  }
}

/// The bits of a physical pointer, without an error where it is none.
bool address_value(Reader& r, uint32_t id, Leaves& out) {
  const bool is_address = id < r.bound && r.ids[id].type != kNone && r.types[r.ids[id].type].is_physical();
  return is_address && r.value(id, out);
}

}  // namespace

bool translate_bitcast(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a;
  if (!r.has_words(in, 4) || !r.result_type(in, type)) return false;
  if (!r.types[type].is_physical() && !r.result_vector_type(in, kAnyScalar, type)) return false;
  if (!address_value(r, in[3], a) && !r.vector_value(in[3], kAnyScalar, 0, a)) return false;
  const ir::Type from{r.scalar_of(a)}, to{r.types[type].scalar};
  if (to.is_bool() || from.is_bool()) return r.fail("booleans have no bits to cast");
  if (from.bits() * a.count != to.bits() * r.types[type].leaves) {
    return r.fail(concat("expected id ", in[3], " to have as many bits as the result"));
  }
  const Leaves out = r.new_leaves(type);
  if (from.bits() > to.bits()) {
    split_bits(r, a, out, to, from.bits() / to.bits());
  } else if (from.bits() < to.bits()) {
    join_bits(r, a, out, to, to.bits() / from.bits());
  } else {
    for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.b.bitcast(to, r.leaf(a, i)));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
