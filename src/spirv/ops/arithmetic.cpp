// SPDX-License-Identifier: MIT
// Instructions on scalars and vectors that need more than one operation, or operands of different shapes.
#include <limits>
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"

namespace spalt::spirv {

using ir::Op;
using ir::Scalar;
using ir::Value;

bool translate_negate(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, Scalar::i32, type)) return false;
  if (!r.vector_value(in[3], Scalar::i32, r.types[type].leaves, a)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.b.isub(r.b.i32(0), r.leaf(a, i)));
  return r.bind(in[2], out);
}

/// The result is a struct of two values of the operands' type.
bool translate_extended_arithmetic(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a, b;
  if (!r.has_words(in, 5) || !r.result_value_type(in, type) || !r.vector_value(in[3], Scalar::i32, 0, a)) return false;
  if (!r.vector_value(in[4], Scalar::i32, a.count, b)) return false;
  const TypeInfo& result = r.types[type];
  if (result.kind != TypeKind::structure || result.scalar != Scalar::i32 || result.leaves != 2 * a.count ||
      result.count != 2) {
    return r.fail("expected a result that is a struct of two such values");
  }
  const Leaves out = r.new_leaves(type);
  ir::Builder& builder = r.b;
  for (uint32_t i = 0; i < a.count; ++i) {
    const Value x = r.leaf(a, i), y = r.leaf(b, i);
    Value low, high;
    switch (in.opcode) {
      case spv::OpIAddCarry:
        low = builder.iadd(x, y);
        high = builder.select(builder.binary(Op::uadd_carry, x, y), builder.i32(1), builder.i32(0));
        break;
      case spv::OpISubBorrow:
        low = builder.isub(x, y);
        high = builder.select(builder.binary(Op::usub_borrow, x, y), builder.i32(1), builder.i32(0));
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

Value sum_of_products(ir::Builder& b, const Value* left, const Value* right, uint32_t count) {
  Value sum = b.fmul(left[0], right[0]);
  for (uint32_t i = 1; i < count; ++i) {
    const Value product = b.fmul(left[i], right[i]);
    sum = b.fadd(sum, product);
  }
  return sum;
}

bool translate_dot(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a, b;
  if (!r.has_words(in, 5) || !r.result_vector_type(in, Scalar::f32, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!r.vector_value(in[3], Scalar::f32, 0, a) || !r.vector_value(in[4], Scalar::f32, a.count, b)) return false;
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
  if (!r.vector_value(in[3], Scalar::f32, r.types[type].leaves, a)) return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) {
    const Value x = r.leaf(a, i);
    Value result;
    if (in.opcode == spv::OpIsNan) {
      result = r.b.binary(Op::funordered, x, x);
    } else {
      const Value magnitude = r.b.fabs(x);
      result = r.b.binary(Op::foeq, magnitude, r.b.f32(std::numeric_limits<float>::infinity()));
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
  if (!r.has_words(in, insert ? 7 : 6) || !r.result_vector_type(in, Scalar::i32, type)) return false;
  Leaves base, field;
  Value offset, count;
  const uint32_t components = r.types[type].leaves;
  if (!r.vector_value(in[3], Scalar::i32, components, base)) return false;
  if (insert && !r.vector_value(in[4], Scalar::i32, components, field)) return false;
  const uint32_t position = insert ? 5 : 4;
  if (!r.scalar_value(in[position], Scalar::i32, offset) || !r.scalar_value(in[position + 1], Scalar::i32, count)) {
    return false;
  }
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < components; ++i) {
    const Op extract = in.opcode == spv::OpBitFieldSExtract ? Op::bfe_s : Op::bfe_u;
    r.set_leaf(out, i,
               insert ? r.b.emit(Op::bfi, ir::kI32, {r.leaf(base, i), r.leaf(field, i), offset, count})
                      : r.b.emit(extract, ir::kI32, {r.leaf(base, i), offset, count}));
  }
  return r.bind(in[2], out);
}

bool translate_bitcast(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves a;
  if (!r.has_words(in, 4) || !r.result_vector_type(in, Scalar::none, type)) return false;
  if (!r.vector_value(in[3], Scalar::none, r.types[type].leaves, a)) return false;
  const ir::Type result{r.types[type].scalar};
  if (result.is_bool() || r.types[a.type].scalar == Scalar::i1) return r.fail("booleans have no bits to cast");
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < out.count; ++i) r.set_leaf(out, i, r.b.bitcast(result, r.leaf(a, i)));
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
