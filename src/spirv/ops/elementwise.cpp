// SPDX-License-Identifier: MIT
// Instructions that compute each component of their result from the same component of each operand: one table row each.
#include <array>
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"

namespace spalt::spirv {
namespace {

using ir::Op;
using ir::Scalar;

struct Row {
  Op op = Op::count;
  Scalar operand = Scalar::none;
  Scalar result = Scalar::none;
  uint8_t arity = 0;
  bool swapped = false;  ///< operands change places, for "greater"
};

constexpr uint32_t kRows = 256;

constexpr Row ints(Op op, uint8_t arity = 2) {
  return {op, Scalar::i32, Scalar::i32, arity, false};
}
constexpr Row floats(Op op, uint8_t arity = 2) {
  return {op, Scalar::f32, Scalar::f32, arity, false};
}
constexpr Row bools(Op op, uint8_t arity = 2) {
  return {op, Scalar::i1, Scalar::i1, arity, false};
}
constexpr Row compare(Op op, Scalar operand, bool swapped = false) {
  return {op, operand, Scalar::i1, 2, swapped};
}

constexpr void add_arithmetic(std::array<Row, kRows>& rows) {
  rows[spv::OpFNegate] = floats(Op::fneg, 1);
  rows[spv::OpIAdd] = ints(Op::iadd);
  rows[spv::OpFAdd] = floats(Op::fadd);
  rows[spv::OpISub] = ints(Op::isub);
  rows[spv::OpFSub] = floats(Op::fsub);
  rows[spv::OpIMul] = ints(Op::imul);
  rows[spv::OpFMul] = floats(Op::fmul);
  rows[spv::OpUDiv] = ints(Op::udiv);
  rows[spv::OpSDiv] = ints(Op::sdiv);
  rows[spv::OpFDiv] = floats(Op::fdiv);
  rows[spv::OpUMod] = ints(Op::umod);
  rows[spv::OpSRem] = ints(Op::srem);
  rows[spv::OpSMod] = ints(Op::smod);
  rows[spv::OpFRem] = floats(Op::frem);
  rows[spv::OpFMod] = floats(Op::fmod);
}

constexpr void add_bits(std::array<Row, kRows>& rows) {
  rows[spv::OpShiftRightLogical] = ints(Op::ushr);
  rows[spv::OpShiftRightArithmetic] = ints(Op::sshr);
  rows[spv::OpShiftLeftLogical] = ints(Op::ishl);
  rows[spv::OpBitwiseOr] = ints(Op::ior);
  rows[spv::OpBitwiseXor] = ints(Op::ixor);
  rows[spv::OpBitwiseAnd] = ints(Op::iand);
  rows[spv::OpNot] = ints(Op::inot, 1);
  rows[spv::OpBitReverse] = ints(Op::bit_reverse, 1);
  rows[spv::OpBitCount] = ints(Op::bit_count, 1);
  rows[spv::OpLogicalNotEqual] = bools(Op::ixor);
  rows[spv::OpLogicalOr] = bools(Op::ior);
  rows[spv::OpLogicalAnd] = bools(Op::iand);
  rows[spv::OpLogicalNot] = bools(Op::inot, 1);
}

constexpr void add_comparisons(std::array<Row, kRows>& rows) {
  rows[spv::OpIEqual] = compare(Op::ieq, Scalar::i32);
  rows[spv::OpINotEqual] = compare(Op::ine, Scalar::i32);
  rows[spv::OpULessThan] = compare(Op::ult, Scalar::i32);
  rows[spv::OpSLessThan] = compare(Op::slt, Scalar::i32);
  rows[spv::OpULessThanEqual] = compare(Op::ule, Scalar::i32);
  rows[spv::OpSLessThanEqual] = compare(Op::sle, Scalar::i32);
  rows[spv::OpUGreaterThan] = compare(Op::ult, Scalar::i32, true);
  rows[spv::OpSGreaterThan] = compare(Op::slt, Scalar::i32, true);
  rows[spv::OpUGreaterThanEqual] = compare(Op::ule, Scalar::i32, true);
  rows[spv::OpSGreaterThanEqual] = compare(Op::sle, Scalar::i32, true);
  rows[spv::OpFOrdEqual] = compare(Op::foeq, Scalar::f32);
  rows[spv::OpFUnordEqual] = compare(Op::fueq, Scalar::f32);
  rows[spv::OpFOrdNotEqual] = compare(Op::fone, Scalar::f32);
  rows[spv::OpFUnordNotEqual] = compare(Op::fune, Scalar::f32);
  rows[spv::OpFOrdLessThan] = compare(Op::folt, Scalar::f32);
  rows[spv::OpFUnordLessThan] = compare(Op::fult, Scalar::f32);
  rows[spv::OpFOrdLessThanEqual] = compare(Op::fole, Scalar::f32);
  rows[spv::OpFUnordLessThanEqual] = compare(Op::fule, Scalar::f32);
  rows[spv::OpFOrdGreaterThan] = compare(Op::folt, Scalar::f32, true);
  rows[spv::OpFUnordGreaterThan] = compare(Op::fult, Scalar::f32, true);
  rows[spv::OpFOrdGreaterThanEqual] = compare(Op::fole, Scalar::f32, true);
  rows[spv::OpFUnordGreaterThanEqual] = compare(Op::fule, Scalar::f32, true);
  rows[spv::OpOrdered] = compare(Op::fordered, Scalar::f32);
  rows[spv::OpUnordered] = compare(Op::funordered, Scalar::f32);
}

constexpr void add_conversions(std::array<Row, kRows>& rows) {
  rows[spv::OpConvertFToU] = {Op::f_to_u, Scalar::f32, Scalar::i32, 1, false};
  rows[spv::OpConvertFToS] = {Op::f_to_s, Scalar::f32, Scalar::i32, 1, false};
  rows[spv::OpConvertSToF] = {Op::s_to_f, Scalar::i32, Scalar::f32, 1, false};
  rows[spv::OpConvertUToF] = {Op::u_to_f, Scalar::i32, Scalar::f32, 1, false};
  rows[spv::OpQuantizeToF16] = floats(Op::quantize_f16, 1);
}

constexpr std::array<Row, kRows> make_rows() {
  std::array<Row, kRows> rows{};
  add_arithmetic(rows);
  add_bits(rows);
  add_comparisons(rows);
  add_conversions(rows);
  return rows;
}
constexpr std::array<Row, kRows> kTable = make_rows();

}  // namespace

bool translate_elementwise(Reader& r, const Instruction& in, bool& handled) {
  handled = in.opcode < kRows && kTable[in.opcode].op != Op::count;
  if (!handled) return true;
  const Row& row = kTable[in.opcode];
  uint32_t type = 0;
  if (!r.has_words(in, 3u + row.arity) || !r.result_vector_type(in, row.result, type)) return false;
  const uint32_t count = r.types[type].leaves;
  Leaves a, b;
  if (!r.vector_value(in[3], row.operand, count, a)) return false;
  if (row.arity == 2 && !r.vector_value(in[4], row.operand, count, b)) return false;
  if (row.swapped) std::swap(a, b);
  const Leaves out = r.new_leaves(type);
  const ir::Type result{row.result};
  for (uint32_t i = 0; i < count; ++i) {
    const ir::Value operands[] = {r.leaf(a, i), row.arity == 2 ? r.leaf(b, i) : ir::Value()};
    r.set_leaf(out, i, r.b.emit(row.op, result, std::span<const ir::Value>(operands, row.arity)));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
