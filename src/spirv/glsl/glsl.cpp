// SPDX-License-Identifier: MIT
// OpExtInst: GLSL.std.450, and debug information, which is skipped.
#include "spirv/glsl/glsl.h"

#include <spirv/unified1/GLSL.std.450.h>

#include <cmath>
#include <spirv/unified1/spirv.hpp>

#include "spirv/io/io.h"
#include "spirv/memory/memory.h"
#include "spirv/module/names.h"
#include "spirv/module/preamble.h"
#include "spirv/ops/instructions.h"
#include "spirv/printf/printf.h"
#include "spirv/recent.h"

namespace spalt::spirv {
namespace {

using ir::Op;
using ir::Scalar;
using ir::Value;

constexpr uint32_t kFirstOperand = 5;

bool is_one_value(const Reader& r, const Leaves& leaves) {
  for (uint32_t i = 1; i < leaves.count; ++i) {
    if (r.leaf(leaves, i) != r.leaf(leaves, 0)) return false;
  }
  return true;
}

/// Two components cost the same either way.
bool shares_products(const Reader& r, const Leaves* mixed) {
  return mixed[0].count > 2 && is_one_value(r, mixed[2]) && (is_one_value(r, mixed[0]) || is_one_value(r, mixed[1]));
}

bool translate_components(Reader& r, const Instruction& in, const GlslRow& row) {
  uint32_t type = 0;
  if (!r.has_words(in, kFirstOperand + row.arity) || !r.result_vector_type(in, row.operand, type)) return false;
  const uint32_t count = r.types[type].leaves;
  Leaves operands[3];
  for (uint32_t i = 0; i < row.arity; ++i) {
    if (!r.vector_value(in[kFirstOperand + i], r.types[type].scalar, count, operands[i])) return false;
  }
  GlslFunction function = row.function;
  if (in[4] == GLSLstd450FMix && shares_products(r, operands)) function = glsl_weighted_mix;
  const Leaves out = r.new_leaves(type);
  for (uint32_t c = 0; c < count; ++c) {
    Value x[3];
    for (uint32_t i = 0; i < row.arity; ++i) x[i] = r.leaf(operands[i], c);
    // Results with the bits of the operand.
    const bool moves_bits = in[4] == GLSLstd450FAbs || in[4] == GLSLstd450FSign;
    if (moves_bits) x[0] = r.flushed(x[0]);
    r.set_leaf(out, c, function(r.b, x));
  }
  return r.bind(in[2], out);
}

/// An exponent as 32 bits. One of 64 that has more is beyond what any float has long before: it becomes the nearest
/// bound.
Value narrow_exponent(ir::Builder& b, Value exponent) {
  constexpr uint64_t kBound = 1 << 20;
  const ir::Type type = b.function().type(exponent);
  if (type.scalar_bits() > 32) {
    exponent = b.binary(Op::smax, b.binary(Op::smin, exponent, b.integer(type, kBound)), b.integer(type, ~kBound + 1));
  }
  return b.resize(ir::kI32, exponent, true);
}

bool translate_ldexp(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves x, exponent;
  if (!r.has_words(in, 7) || !r.result_vector_type(in, kAnyFloat, type)) return false;
  const uint32_t count = r.types[type].leaves;
  const ir::Type scalar{r.types[type].scalar};
  if (!r.vector_value(in[5], scalar.scalar, count, x) || !r.vector_value(in[6], kAnyInteger, count, exponent))
    return false;
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < count; ++i) {
    const Value power = narrow_exponent(r.b, r.leaf(exponent, i));
    r.set_leaf(out, i, r.b.emit(Op::fldexp, scalar, {r.leaf(x, i), power}));
  }
  return r.bind(in[2], out);
}

/// What is behind the point. Where it can tell, that of an infinity is zero, and zeros have the sign of x.
Value fraction_of(ir::Builder& b, Value x, Value whole) {
  const ir::Type type = b.function().type(x);
  Value fraction = b.fsub(x, whole);
  if (!b.may(type, ir::kNoInf)) {
    const Value magnitude = b.fabs(x);
    const Value is_infinite = b.binary(Op::foeq, magnitude, b.number(type, HUGE_VAL));
    fraction = b.select(is_infinite, b.number(type, 0), fraction);
  }
  return b.may(type, ir::kNoSignedZeros) ? fraction : copy_sign(b, fraction, x);
}

/// What the second result of a component may be: an exponent has 32 bits, or 16 with SPV_AMD_gpu_shader_int16.
bool is_second_scalar(bool modf, Scalar operand, Scalar second) {
  return modf ? second == operand : second == Scalar::i32 || second == Scalar::i16;
}

/// Fraction and whole part, or significand and exponent, of one component. `type`: that of the second result.
void split(ir::Builder& b, bool modf, Value x, ir::Type type, Value& first, Value& second) {
  if (modf) {
    second = b.unary(Op::ftrunc, x);
    first = fraction_of(b, x, second);
  } else {
    first = b.unary(Op::frexp_mantissa, x);
    second = b.resize(type, b.convert(Op::frexp_exponent, ir::kI32, x), true);
  }
}

/// Modf and Frexp: the second result goes through a pointer.
bool translate_split(Reader& r, const Instruction& in) {
  const bool modf = in[4] == GLSLstd450Modf;
  uint32_t type = 0;
  Leaves x;
  if (!r.has_words(in, 7) || !r.result_vector_type(in, kAnyFloat, type)) return false;
  const uint32_t count = r.types[type].leaves;
  const Scalar scalar = r.types[type].scalar;
  if (!r.vector_value(in[5], scalar, count, x)) return false;
  const Pointer* pointer = r.pointer(in[6]);
  if (pointer == nullptr) return false;
  const TypeInfo& target = r.types[pointer->type];
  if (!target.is_scalar_or_vector() || target.leaves != count || !is_second_scalar(modf, scalar, target.scalar)) {
    return r.fail("the second result does not fit the type that is pointed to");
  }
  const Leaves first = r.new_leaves(type);
  const Leaves second = r.new_leaves(pointer->type);
  for (uint32_t i = 0; i < count; ++i) {
    Value a, b;
    split(r.b, modf, r.leaf(x, i), ir::Type{target.scalar}, a, b);
    r.set_leaf(first, i, a);
    r.set_leaf(second, i, b);
  }
  return store(r, *pointer, second, {}) && r.bind(in[2], first);
}

/// ModfStruct and FrexpStruct: both results in a struct.
bool translate_split_struct(Reader& r, const Instruction& in) {
  const bool modf = in[4] == GLSLstd450ModfStruct;
  uint32_t type = 0;
  Leaves x;
  if (!r.has_words(in, 6) || !r.result_value_type(in, type)) return false;
  if (!r.vector_value(in[5], kAnyFloat, 0, x)) return false;
  const TypeInfo& result = r.types[type];
  const bool fits = result.kind == TypeKind::structure && result.count == 2 && result.leaves == 2 * x.count &&
                    r.types.member(result, 0).type == x.type &&
                    is_second_scalar(modf, r.scalar_of(x), r.types.leaf_type(type, x.count).scalar) &&
                    r.types[r.types.member(result, 1).type].is_scalar_or_vector();
  if (!fits) return r.fail("the result type does not fit the operand");
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < x.count; ++i) {
    Value a, b;
    split(r.b, modf, r.leaf(x, i), r.types.leaf_type(type, x.count), a, b);
    r.set_leaf(out, i, a);
    r.set_leaf(out, x.count + i, b);
  }
  return r.bind(in[2], out);
}

bool translate_glsl(Reader& r, const Instruction& in) {
  const GlslRow row = find_glsl_row(in[4]);
  if (row.arity != 0) return translate_components(r, in, row);
  switch (in[4]) {
    case GLSLstd450Ldexp:
      return translate_ldexp(r, in);
    case GLSLstd450Modf:
    case GLSLstd450Frexp:
      return translate_split(r, in);
    case GLSLstd450ModfStruct:
    case GLSLstd450FrexpStruct:
      return translate_split_struct(r, in);
    case GLSLstd450Determinant:
    case GLSLstd450MatrixInverse:
      return translate_glsl_matrix(r, in);
    case GLSLstd450Length:
    case GLSLstd450Distance:
    case GLSLstd450Cross:
    case GLSLstd450Normalize:
    case GLSLstd450FaceForward:
    case GLSLstd450Reflect:
    case GLSLstd450Refract:
      return translate_glsl_geometry(r, in);
    case GLSLstd450PackSnorm4x8:
    case GLSLstd450PackUnorm4x8:
    case GLSLstd450PackSnorm2x16:
    case GLSLstd450PackUnorm2x16:
    case GLSLstd450PackHalf2x16:
    case GLSLstd450UnpackSnorm4x8:
    case GLSLstd450UnpackUnorm4x8:
    case GLSLstd450UnpackSnorm2x16:
    case GLSLstd450UnpackUnorm2x16:
    case GLSLstd450UnpackHalf2x16:
    case GLSLstd450PackDouble2x32:
    case GLSLstd450UnpackDouble2x32:
      return translate_glsl_pack(r, in);
    case GLSLstd450InterpolateAtCentroid:
    case GLSLstd450InterpolateAtSample:
    case GLSLstd450InterpolateAtOffset:
      return translate_interpolate(r, in);
    default:
      return r.unsupported("GLSL.std.450 " + glsl_name(in[4]));
  }
}

}  // namespace

bool translate_ext_inst(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 5) || !r.in_bound(in[3])) return false;
  const IdInfo& set = r.ids[in[3]];
  if (set.kind != IdKind::ext_set) return r.fail(concat("id ", in[3], " is not an extended instruction set"));
  if (set.index == kExtSkipped) return true;
  if (set.index == kExtPrintf) return translate_printf(r, in);
  if (in.opcode == kOpExtInstWithForwardRefs) return r.fail("only instructions without semantics may refer forward");
  if (set.index == kExtTrinary) return translate_trinary(r, in);
  if (set.index == kExtBallot) return translate_amd_ballot(r, in);
  if (set.index == kExtGcn) return translate_amd_gcn(r, in);
  if (set.index != kExtGlsl) return r.unsupported("this extended instruction set");
  return translate_glsl(r, in);
}

}  // namespace spalt::spirv
