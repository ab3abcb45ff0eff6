// SPDX-License-Identifier: MIT
// Integer dot products: of vectors, or of four bytes packed in 32 bits, and with a sum to which they are added. Vectors
// of four bytes are packed: what they were made of is found again, so that no value of 8 bits is left of them.
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"

namespace spalt::spirv {
namespace {

using ir::Op;
using ir::Scalar;
using ir::Value;

/// How the components of the two vectors become wider; the result is signed if one of them is.
struct Signs {
  bool first, second;
  bool result() const { return first || second; }
};

Signs signs_of(uint32_t opcode) {
  switch (opcode) {
    case spv::OpUDot:
    case spv::OpUDotAccSat:
      return {false, false};
    case spv::OpSUDot:
    case spv::OpSUDotAccSat:
      return {true, false};
    default:
      return {true, true};
  }
}

bool saturates(uint32_t opcode) {
  return opcode >= spv::OpSDotAccSat;
}

/// The 32 bits that the four components lie in, if they are those of one number.
Value packed_source(const ir::Function& f, const Value* bytes) {
  const auto source = [&f](Value byte, uint32_t i) {
    const ir::Inst& extract = f.inst(byte);
    if (extract.op != Op::extract || extract.imm != i) return Value();
    const Value vector = f.operand(byte, 0);
    return f.inst(vector).op == Op::bitcast ? f.operand(vector, 0) : Value();
  };
  const Value whole = source(bytes[0], 0);
  for (uint32_t i = 1; i < 4; ++i) {
    if (!whole.valid() || source(bytes[i], i) != whole) return Value();
  }
  return f.type(whole) == ir::kI32 ? whole : Value();
}

/// The component as an i32 whose upper bits are 0.
Value widened_byte(ir::Builder& b, Value byte) {
  const ir::Function& f = b.function();
  const ir::Inst& inst = f.inst(byte);
  const bool cut = inst.op == Op::trunc && f.type(f.operand(byte, 0)) == ir::kI32;
  if (cut) return b.iand(f.operand(byte, 0), b.i32(0xff));
  if (inst.op == Op::extract && f.inst(f.operand(byte, 0)).op == Op::bitcast) {
    const Value whole = f.operand(f.operand(byte, 0), 0);
    const auto at = static_cast<uint32_t>(inst.imm * 8);
    if (f.type(whole) == ir::kI32) return b.emit(Op::bfe_u, ir::kI32, {whole, b.i32(at), b.i32(8)});
  }
  return b.convert(Op::zext, ir::kI32, byte);
}

Value pack_bytes(Reader& r, const Leaves& vector) {
  const Value whole = packed_source(r.function(), &r.leaves[vector.first]);
  if (whole.valid()) return whole;
  Value packed = r.b.i32(0);
  for (uint32_t i = 0; i < 4; ++i) {
    const Value byte = widened_byte(r.b, r.leaf(vector, i));
    const Value moved = r.b.ishl(byte, r.b.i32(8 * i));
    packed = r.b.ior(packed, moved);
  }
  return packed;
}

/// The sum of four products has at most 18 bits, so that it fits 32 of either sign.
Value packed_dot(ir::Builder& b, Signs signs, Value x, Value y, ir::Type result) {
  const Op op = !signs.result() ? Op::dot4_u : signs.second ? Op::dot4_s : Op::dot4_su;
  const Value sum = b.ternary(op, x, y, b.i32(0));
  return b.resize(result, sum, signs.result());
}

/// The low bits of the sum of products, which is all that the instructions promise.
Value vector_dot(Reader& r, Signs signs, const Leaves& x, const Leaves& y, ir::Type result) {
  Value sum;
  for (uint32_t i = 0; i < x.count; ++i) {
    const Value left = r.b.resize(result, r.leaf(x, i), signs.first);
    const Value right = r.b.resize(result, r.leaf(y, i), signs.second);
    const Value product = r.b.imul(left, right);
    sum = sum.valid() ? r.b.iadd(sum, product) : product;
  }
  return sum;
}

Value dot(Reader& r, Signs signs, const Leaves& x, const Leaves& y, ir::Type result) {
  if (x.count == 1) return packed_dot(r.b, signs, r.leaf(x, 0), r.leaf(y, 0), result);
  if (x.count != 4 || r.scalar_of(x) != Scalar::i8) return vector_dot(r, signs, x, y, result);
  const Value left = pack_bytes(r, x);
  const Value right = pack_bytes(r, y);
  return packed_dot(r.b, signs, left, right, result);
}

/// A signed sum leaves the type where both operands have the other sign; the result is then the limit on their side.
Value add_saturating(ir::Builder& b, bool is_signed, Value x, Value y) {
  const ir::Type type = b.function().type(x);
  const uint64_t all = ~uint64_t{0} >> (64 - type.bits());
  const Value sum = b.iadd(x, y);
  if (!is_signed) {
    const Value carry = b.binary(Op::uadd_carry, x, y);
    return b.select(carry, b.integer(type, all), sum);
  }
  const Value changed_x = b.ixor(sum, x), changed_y = b.ixor(sum, y);
  const Value changed = b.iand(changed_x, changed_y);
  const Value overflow = b.binary(Op::slt, changed, b.integer(type, 0));
  const Value sign = b.sshr(x, b.integer(type, type.bits() - 1));
  const Value limit = b.ixor(sign, b.integer(type, all >> 1));
  return b.select(overflow, limit, sum);
}

/// The vectors, and what they are made of.
bool read_vectors(Reader& r, const Instruction& in, uint32_t format, Leaves& x, Leaves& y) {
  const bool packed = in.count > format;
  if (packed && in[format] != spv::PackedVectorFormatPackedVectorFormat4x8Bit) {
    return r.fail("unknown packed vector format");
  }
  const ScalarSet scalars = packed ? ScalarSet(Scalar::i32) : kAnyInteger;
  if (!r.vector_value(in[3], scalars, packed ? 1 : 0, x)) return false;
  if (!packed && x.count == 1) return r.fail("expected vectors, or a packed vector format");
  return r.vector_value(in[4], r.scalar_of(x), x.count, y);
}

}  // namespace

bool translate_integer_dot(Reader& r, const Instruction& in) {
  const bool with_sum = saturates(in.opcode);
  const uint32_t format = with_sum ? 6 : 5;
  uint32_t type = 0;
  Leaves x, y, addend;
  if (!r.has_words(in, format) || !r.result_vector_type(in, kAnyInteger, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!read_vectors(r, in, format, x, y)) return false;
  if (with_sum && !r.typed_value(in[5], type, addend)) return false;
  const ir::Type result{r.types[type].scalar};
  const Signs signs = signs_of(in.opcode);
  if (x.count != 1 && result.bits() < ir::Type{r.scalar_of(x)}.bits()) {
    return r.fail("expected a result that is as wide as the components");
  }
  Value sum = dot(r, signs, x, y, result);
  if (with_sum) sum = add_saturating(r.b, signs.result(), sum, r.leaf(addend, 0));
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, sum);
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
