// SPDX-License-Identifier: MIT
//
// Numbers of 8, 16 and 64 bits: words are widened, narrowed or put together, computed with, and brought back to 32
// bits. Integers are of unsigned types whatever the operations take them for. Floats are whole numbers that are small
// enough to be exact, so that no order and no fusing of operations changes them, and are converted back instead of
// looked at, since the sign of a zero is open.
#include <spirv/unified1/GLSL.std.450.h>

#include "generator.h"
#include "wide_layout.h"

namespace spalt::random_programs {

Id FunctionGenerator::number_type(uint32_t bits) {
  return module_.type_int(false, bits);
}

Number FunctionGenerator::number_constant(uint32_t bits, uint64_t value) {
  const Id type = number_type(bits);
  if (bits == 64) return {module_.constant64(type, value), bits, true};
  return {module_.constant(type, static_cast<uint32_t>(value & ((uint64_t{1} << bits) - 1))), bits, true};
}

Number FunctionGenerator::number_op(spv::Op op, const Number& a, const Number& b) {
  return {f_.value(op, number_type(a.bits), {a.id, b.id}), a.bits, a.uniform && b.uniform};
}

Number FunctionGenerator::number(uint32_t bits, unsigned depth, bool uniform) {
  if (s_.parts.memory && rng_.chance(40)) {
    if (const auto loaded = wide_load(bits, false, uniform)) return *loaded;
  }
  if (rng_.chance(15)) {
    const uint64_t low = interesting_word(), high = interesting_word();
    return number_constant(bits, rng_.chance(50) ? low : low | high << 32);
  }
  const Value low = expression(kUint, depth, uniform);
  if (bits < 64 || rng_.chance(50)) {
    const spv::Op op = rng_.chance(50) ? spv::OpUConvert : spv::OpSConvert;
    if (op == spv::OpSConvert && bits == 64 && s_.form.careful) return sign_extended(low);
    return {f_.value(op, number_type(bits), {low.id}), bits, low.uniform};
  }
  const Value high = expression(kUint, depth, uniform);
  const Id words = f_.value(spv::OpCompositeConstruct, s_.type({Base::Uint, 2}), {low.id, high.id});
  return {f_.value(spv::OpBitcast, number_type(bits), {words}), bits, low.uniform && high.uniform};
}

/// What OpSConvert to 64 bits does; not counted, since it stands for one instruction.
Number FunctionGenerator::sign_extended(const Value& word) {
  const size_t before = f_.instruction_count();
  const Number sign = number_constant(64, 0x80000000);
  const Number wide{f_.value(spv::OpUConvert, number_type(64), {word.id}), 64, word.uniform};
  const Number flipped = number_op(spv::OpBitwiseXor, wide, sign);
  const Number result = number_op(spv::OpISub, flipped, sign);
  counted_ += f_.instruction_count() - before - 1;
  return result;
}

Number FunctionGenerator::shifted(const Number& a, const Number& b) {
  constexpr spv::Op kOps[] = {spv::OpShiftLeftLogical, spv::OpShiftRightLogical, spv::OpShiftRightArithmetic};
  const spv::Op op = rng_.pick(kOps);
  const bool is_known = rng_.chance(40);
  const Number amount = is_known ? number_constant(a.bits, rng_.below(a.bits))
                                 : number_op(spv::OpBitwiseAnd, b, number_constant(a.bits, a.bits - 1));
  return number_op(op, a, amount);
}

/// Never by zero, nor the least number by -1; remainders of what is not negative, since Vulkan leaves the others open.
Number FunctionGenerator::quotient(const Number& a, const Number& b) {
  const Number one = number_constant(a.bits, 1);
  const Number positive = number_constant(a.bits, (uint64_t{1} << (a.bits - 1)) - 1);
  const uint32_t kind = rng_.below(5);
  if (kind < 2) return number_op(kind == 0 ? spv::OpUDiv : spv::OpUMod, a, number_op(spv::OpBitwiseOr, b, one));
  if (kind == 2) {
    const Number halved = number_op(spv::OpShiftRightArithmetic, a, one);
    return number_op(spv::OpSDiv, halved, number_op(spv::OpBitwiseOr, b, one));
  }
  const Number dividend = number_op(spv::OpBitwiseAnd, a, positive);
  const Number some = number_op(spv::OpBitwiseAnd, b, positive);
  return number_op(kind == 3 ? spv::OpSRem : spv::OpSMod, dividend, number_op(spv::OpBitwiseOr, some, one));
}

Number FunctionGenerator::chosen(const Number& a, const Number& b) {
  constexpr spv::Op kCompare[] = {spv::OpIEqual,    spv::OpINotEqual,    spv::OpULessThan,      spv::OpUGreaterThan,
                                  spv::OpSLessThan, spv::OpSGreaterThan, spv::OpULessThanEqual, spv::OpSLessThanEqual};
  const Id condition = f_.value(rng_.pick(kCompare), s_.type(kBool), {a.id, b.id});
  return {f_.value(spv::OpSelect, number_type(a.bits), {condition, a.id, b.id}), a.bits, a.uniform && b.uniform};
}

Number FunctionGenerator::number_step(const Number& a, const Number& b) {
  constexpr spv::Op kPlain[] = {spv::OpIAdd,       spv::OpISub,      spv::OpIMul,
                                spv::OpBitwiseAnd, spv::OpBitwiseOr, spv::OpBitwiseXor};
  constexpr GLSLstd450 kOrder[] = {GLSLstd450UMin, GLSLstd450UMax, GLSLstd450SMin, GLSLstd450SMax};
  const Id type = number_type(a.bits);
  switch (rng_.below(8)) {
    case 0:
      return shifted(a, b);
    case 1:
      return quotient(a, b);
    case 2:
      return chosen(a, b);
    case 3:
      return {f_.glsl(rng_.pick(kOrder), type, {a.id, b.id}), a.bits, a.uniform && b.uniform};
    case 4:
      return {f_.value(rng_.chance(50) ? spv::OpNot : spv::OpSNegate, type, {a.id}), a.bits, a.uniform};
    default:
      return number_op(rng_.pick(kPlain), a, b);
  }
}

Value FunctionGenerator::to_word(const Number& number) {
  const Id type = s_.type(kUint);
  if (number.bits < 64 || rng_.chance(50)) {
    const spv::Op op = rng_.chance(50) ? spv::OpUConvert : spv::OpSConvert;
    return {f_.value(op, type, {number.id}), kUint, number.uniform};
  }
  const Id words = f_.value(spv::OpBitcast, s_.type({Base::Uint, 2}), {number.id});
  return {f_.value(spv::OpCompositeExtract, type, {words, rng_.below(2)}), kUint, number.uniform};
}

Number FunctionGenerator::whole(uint32_t bits, unsigned depth, bool uniform) {
  if (s_.parts.memory && rng_.chance(30)) {
    if (const auto loaded = wide_load(bits, true, uniform)) return *loaded;
  }
  const uint32_t range = 1u << whole_bits(bits);
  const Value some = masked(expression(kInt, depth, uniform), range - 1);
  const Value number = make(spv::OpISub, kInt, {some, splat(kInt, range / 2)});
  return {f_.value(spv::OpConvertSToF, module_.type_float(bits), {number.id}), bits, number.uniform, true};
}

/// Of whole numbers: one product, and sums.
Value FunctionGenerator::other_float(unsigned depth, bool uniform) {
  const bool is_double = rng_.chance(70);
  const Id type = module_.type_float(is_double ? 64 : 16);
  bool all_uniform = true;
  const auto part = [&] {
    const Number number = whole(is_double ? 64 : 16, depth, uniform);
    all_uniform &= number.uniform;
    return number.id;
  };
  const Id a = part(), b = part(), c = part();
  constexpr spv::Op kSums[] = {spv::OpFAdd, spv::OpFSub};
  Id result = f_.value(spv::OpFMul, type, {a, b});
  result = f_.value(rng_.pick(kSums), type, {result, c});
  switch (rng_.below(4)) {
    case 0:
      result = f_.glsl(rng_.chance(50) ? GLSLstd450FMin : GLSLstd450FMax, type, {result, a});
      break;
    case 1:
      result = f_.glsl(GLSLstd450FAbs, type, {result});
      break;
    case 2: {
      constexpr spv::Op kCompare[] = {spv::OpFOrdLessThan, spv::OpFUnordGreaterThan, spv::OpFOrdEqual,
                                      spv::OpFUnordNotEqual};
      const Id condition = f_.value(rng_.pick(kCompare), s_.type(kBool), {result, b});
      result = f_.value(spv::OpSelect, type, {condition, result, c});
      break;
    }
    default:
      result = f_.value(spv::OpFNegate, type, {result});
      break;
  }
  return number_to_word({result, is_double ? 64u : 16u, all_uniform, true});
}

Value FunctionGenerator::number_to_word(const Number& number) {
  if (!number.is_float) return number.bits == 32 ? Value{number.id, kUint, number.uniform} : to_word(number);
  if (number.bits != 64) return {f_.value(spv::OpConvertFToS, s_.type(kInt), {number.id}), kInt, number.uniform};
  return to_word({f_.value(spv::OpConvertFToS, number_type(64), {number.id}), 64, number.uniform});
}

Number FunctionGenerator::computed(uint32_t bits, unsigned depth, bool uniform) {
  Number value = number(bits, depth, uniform);
  for (uint32_t steps = rng_.between(1, 4); steps > 0; --steps) {
    const Number other = rng_.chance(10) ? value : number(bits, 0, uniform);
    value = number_step(value, other);
  }
  return value;
}

Value FunctionGenerator::other_width(Type type, unsigned depth, bool uniform) {
  if (rng_.chance(25)) return cast(other_float(depth, uniform), type);
  constexpr uint32_t kWidths[] = {8, 16, 64, 64};
  const uint32_t bits = rng_.pick(kWidths);
  return cast(to_word(computed(bits, depth, uniform)), type);
}

}  // namespace spalt::random_programs
