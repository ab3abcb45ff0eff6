// SPDX-License-Identifier: MIT
// Instructions that compute each component of their result from the same component of each operand: one table row each.
#include <array>
#include <spirv/unified1/spirv.hpp>

#include "spirv/ops/instructions.h"

namespace spalt::spirv {
namespace {

using ir::Op;
using ir::Scalar;
using ir::Value;

/// How the types of operands and result go together.
enum class Rule : uint8_t {
  same,     ///< all are made of the result's scalar
  shift,    ///< the amount is any integer
  compare,  ///< the operands agree; the result is boolean
  convert   ///< one operand, its scalar is the row's business
};

struct Row {
  Op op = Op::count;
  Rule rule = Rule::same;
  uint8_t arity = 0;
  bool swapped = false;  ///< operands change places, for "greater"
  ScalarSet operand = kAnyScalar;
  ScalarSet result = kAnyScalar;
};

constexpr uint32_t kRows = 256;

constexpr Row ints(Op op, uint8_t arity = 2) {
  return {op, Rule::same, arity, false, kAnyInteger, kAnyInteger};
}
constexpr Row shift(Op op) {
  return {op, Rule::shift, 2, false, kAnyInteger, kAnyInteger};
}
constexpr Row floats(Op op, uint8_t arity = 2) {
  return {op, Rule::same, arity, false, kAnyFloat, kAnyFloat};
}
constexpr Row bools(Op op, uint8_t arity = 2) {
  return {op, Rule::same, arity, false, Scalar::i1, Scalar::i1};
}
constexpr Row compare(Op op, ScalarSet operand, bool swapped = false) {
  return {op, Rule::compare, 2, swapped, operand, Scalar::i1};
}
constexpr Row convert(Op op, ScalarSet operand, ScalarSet result) {
  return {op, Rule::convert, 1, false, operand, result};
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
  rows[spv::OpShiftRightLogical] = shift(Op::ushr);
  rows[spv::OpShiftRightArithmetic] = shift(Op::sshr);
  rows[spv::OpShiftLeftLogical] = shift(Op::ishl);
  rows[spv::OpBitwiseOr] = ints(Op::ior);
  rows[spv::OpBitwiseXor] = ints(Op::ixor);
  rows[spv::OpBitwiseAnd] = ints(Op::iand);
  rows[spv::OpNot] = ints(Op::inot, 1);
  rows[spv::OpBitReverse] = ints(Op::bit_reverse, 1);
  rows[spv::OpLogicalNotEqual] = bools(Op::ixor);
  rows[spv::OpLogicalOr] = bools(Op::ior);
  rows[spv::OpLogicalAnd] = bools(Op::iand);
  rows[spv::OpLogicalNot] = bools(Op::inot, 1);
}

constexpr void add_comparisons(std::array<Row, kRows>& rows) {
  rows[spv::OpIEqual] = compare(Op::ieq, kAnyInteger);
  rows[spv::OpINotEqual] = compare(Op::ine, kAnyInteger);
  rows[spv::OpULessThan] = compare(Op::ult, kAnyInteger);
  rows[spv::OpSLessThan] = compare(Op::slt, kAnyInteger);
  rows[spv::OpULessThanEqual] = compare(Op::ule, kAnyInteger);
  rows[spv::OpSLessThanEqual] = compare(Op::sle, kAnyInteger);
  rows[spv::OpUGreaterThan] = compare(Op::ult, kAnyInteger, true);
  rows[spv::OpSGreaterThan] = compare(Op::slt, kAnyInteger, true);
  rows[spv::OpUGreaterThanEqual] = compare(Op::ule, kAnyInteger, true);
  rows[spv::OpSGreaterThanEqual] = compare(Op::sle, kAnyInteger, true);
  rows[spv::OpFOrdEqual] = compare(Op::foeq, kAnyFloat);
  rows[spv::OpFUnordEqual] = compare(Op::fueq, kAnyFloat);
  rows[spv::OpFOrdNotEqual] = compare(Op::fone, kAnyFloat);
  rows[spv::OpFUnordNotEqual] = compare(Op::fune, kAnyFloat);
  rows[spv::OpFOrdLessThan] = compare(Op::folt, kAnyFloat);
  rows[spv::OpFUnordLessThan] = compare(Op::fult, kAnyFloat);
  rows[spv::OpFOrdLessThanEqual] = compare(Op::fole, kAnyFloat);
  rows[spv::OpFUnordLessThanEqual] = compare(Op::fule, kAnyFloat);
  rows[spv::OpFOrdGreaterThan] = compare(Op::folt, kAnyFloat, true);
  rows[spv::OpFUnordGreaterThan] = compare(Op::fult, kAnyFloat, true);
  rows[spv::OpFOrdGreaterThanEqual] = compare(Op::fole, kAnyFloat, true);
  rows[spv::OpFUnordGreaterThanEqual] = compare(Op::fule, kAnyFloat, true);
  rows[spv::OpOrdered] = compare(Op::fordered, kAnyFloat);
  rows[spv::OpUnordered] = compare(Op::funordered, kAnyFloat);
}

constexpr void add_conversions(std::array<Row, kRows>& rows) {
  rows[spv::OpConvertFToU] = convert(Op::f_to_u, kAnyFloat, kAnyInteger);
  rows[spv::OpConvertFToS] = convert(Op::f_to_s, kAnyFloat, kAnyInteger);
  rows[spv::OpConvertSToF] = convert(Op::s_to_f, kAnyInteger, kAnyFloat);
  rows[spv::OpConvertUToF] = convert(Op::u_to_f, kAnyInteger, kAnyFloat);
  rows[spv::OpUConvert] = convert(Op::zext, kAnyInteger, kAnyInteger);
  rows[spv::OpSConvert] = convert(Op::sext, kAnyInteger, kAnyInteger);
  rows[spv::OpFConvert] = convert(Op::f_to_f, kAnyFloat, kAnyFloat);
  rows[spv::OpBitCount] = convert(Op::bit_count, kAnyInteger, kAnyInteger);
  rows[spv::OpQuantizeToF16] = {Op::quantize_f16, Rule::same, 1, false, Scalar::f32, Scalar::f32};
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

/// What the operand at this position may be made of.
ScalarSet wanted(const Row& row, uint32_t position, Scalar result, Scalar first) {
  switch (row.rule) {
    case Rule::same:
      return result;
    case Rule::shift:
      return position == 0 ? ScalarSet(result) : row.operand;
    case Rule::compare:
      return position == 0 ? row.operand : ScalarSet(first);
    case Rule::convert:
      return row.operand;
  }
  return row.operand;
}

/// A change of width only. To the same width it is a copy: SPIR-V forbids that, but compilers emit it and other drivers
/// take it (docs/decisions.md, "Conversions to the same width").
bool changes_width(Op op) {
  return op == Op::zext || op == Op::sext || op == Op::f_to_f;
}

Value compute(ir::Builder& b, const Row& row, ir::Type result, std::span<const Value> operands) {
  if (row.rule != Rule::convert) return b.emit(row.op, result, operands);
  const Value x = operands[0];
  if (row.op == Op::zext || row.op == Op::sext) return b.resize(result, x, row.op == Op::sext);
  if (row.op == Op::bit_count) return b.resize(result, b.unary(Op::bit_count, x), false);
  return b.convert(row.op, result, x);
}

/// The half that the float was rounded to, brought back by one unit where that was away from zero. Infinity, too, comes
/// from the largest half that way, unless the float is infinite.
Value toward_zero(ir::Builder& b, Value half, Value x) {
  const Value back = b.fabs(b.convert(Op::f_to_f, b.function().type(x), half));
  const Value away = b.binary(Op::folt, b.fabs(x), back);
  const Value bits = b.bitcast(ir::kI16, half);
  const Value before = b.isub(bits, b.integer(ir::kI16, 1));
  return b.bitcast(ir::kF16, b.select(away, before, bits));
}

/// The half next to one that was cut, where the float is nearer to it, or as near and the other one is odd. Beyond the
/// largest number, infinity counts as what would follow it: its middle is 65520.
Value nearest_even(ir::Builder& b, Value half, Value x) {
  const ir::Type type = b.function().type(x);
  const Value magnitude = b.fabs(x), cut = b.bitcast(ir::kI16, half);
  const Value further = b.bitcast(ir::kF16, b.iadd(cut, b.integer(ir::kI16, 1)));
  const Value low = b.fabs(b.convert(Op::f_to_f, type, half)), high = b.fabs(b.convert(Op::f_to_f, type, further));
  const Value sum = b.binary(Op::fadd, low, high);
  const Value middle = b.fmul(sum, b.number(type, 0.5));
  const Value is_largest = b.binary(Op::foeq, low, b.number(type, 65504));
  const Value tie = b.select(is_largest, b.number(type, 65520), middle);
  const Value last_bit = b.iand(cut, b.integer(ir::kI16, 1));
  const Value is_odd = b.binary(Op::ine, last_bit, b.integer(ir::kI16, 0));
  const Value at_tie = b.iand(b.binary(Op::foeq, magnitude, tie), is_odd);
  const Value up = b.ior(b.binary(Op::folt, tie, magnitude), at_tie);
  return b.select(up, further, half);
}

/// How a conversion to halves rounds. A decoration says so, or the mode does; where no execution mode names it, the
/// conversion has relaxed precision, since a texture unit that converts may round in another way, and keeps denormals.
enum class HalfRounding : uint8_t { any, by_mode, nearest, toward_zero };

HalfRounding half_rounding(const Reader& r, uint32_t id) {
  const ir::FloatControls::Width controls = r.module.float_controls().f16;
  const uint32_t decorated = r.decorations.argument(id, spv::DecorationFPRoundingMode);
  if (decorated == spv::FPRoundingModeRTZ && !controls.toward_zero) return HalfRounding::toward_zero;
  if (decorated == spv::FPRoundingModeRTE && controls.toward_zero) return HalfRounding::nearest;
  const bool is_named = decorated != kNone || r.names_half_rounding || controls.flush;
  return is_named ? HalfRounding::by_mode : HalfRounding::any;
}

/// Halves have one more rounding that the mode does not know. What the corrections make of bits may be denormal.
Value convert_to_half(Reader& r, Value x, HalfRounding rounding) {
  const Value half = r.b.convert(Op::f_to_f, ir::kF16, x);
  if (rounding == HalfRounding::toward_zero) return r.flushed(toward_zero(r.b, half, x));
  return rounding == HalfRounding::nearest ? r.flushed(nearest_even(r.b, half, x)) : half;
}

/// A number too large for a half becomes infinite whatever the mode says, while conversions that round toward zero give
/// the largest number.
Value quantize(Reader& r, Value x) {
  ir::Builder& b = r.b;
  const Value rounded = b.unary(Op::quantize_f16, x);
  if (!r.module.float_controls().f16.toward_zero) return rounded;
  const Value bits = b.bitcast(ir::kI32, x);
  const Value sign = b.iand(bits, b.i32(0x80000000u)), magnitude = b.fabs(x);
  const Value too_large = b.binary(Op::fole, b.f32(65536.0f), magnitude);
  const Value infinite = b.bitcast(ir::kF32, b.ior(sign, b.i32(0x7f800000u)));
  return b.select(too_large, infinite, rounded);
}

/// One component.
Value compute_component(Reader& r, const Row& row, ir::Type result, std::span<const Value> operands,
                        HalfRounding rounding) {
  if (row.op == Op::f_to_f && result == ir::kF16) return convert_to_half(r, operands[0], rounding);
  if (row.op == Op::quantize_f16) return quantize(r, operands[0]);
  const Value value = compute(r.b, row, result, operands);
  return row.op == Op::fneg ? r.flushed(value) : value;
}

}  // namespace

bool is_elementwise(uint32_t opcode) {
  return opcode < kRows && kTable[opcode].op != Op::count;
}

bool translate_elementwise(Reader& r, const Instruction& in) {
  const Row& row = kTable[in.opcode];
  uint32_t type = 0;
  if (!r.has_words(in, 3u + row.arity) || !r.result_vector_type(in, row.result, type)) return false;
  const uint32_t count = r.types[type].leaves;
  const ir::Type result{r.types[type].scalar};
  Leaves a, b;
  if (!r.vector_value(in[3], wanted(row, 0, result.scalar, Scalar::none), count, a)) return false;
  if (row.arity == 2 && !r.vector_value(in[4], wanted(row, 1, result.scalar, r.scalar_of(a)), count, b)) return false;
  if (changes_width(row.op) && r.scalar_of(a) == result.scalar) return r.bind(in[2], a);
  if (row.swapped) std::swap(a, b);
  const bool to_half = row.op == Op::f_to_f && result == ir::kF16;
  const HalfRounding rounding = to_half ? half_rounding(r, in[2]) : HalfRounding::by_mode;
  if (rounding == HalfRounding::any) r.b.set_flags(r.b.flags() | ir::kRelaxedPrecision);
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < count; ++i) {
    const Value operands[] = {r.leaf(a, i), row.arity == 2 ? r.leaf(b, i) : Value()};
    r.set_leaf(out, i, compute_component(r, row, result, std::span<const Value>(operands, row.arity), rounding));
  }
  return r.bind(in[2], out);
}

}  // namespace spalt::spirv
