// SPDX-License-Identifier: MIT
// PackSnorm4x8 and relatives, and the words of doubles. Component 0 is in the lowest bits.
#include <spirv/unified1/GLSL.std.450.h>

#include "spirv/glsl/glsl.h"

namespace spalt::spirv {
namespace {

using ir::Op;
using ir::Scalar;
using ir::Value;

struct Format {
  bool unpack = false;
  bool is_signed = false;
  bool half = false;
  uint32_t components = 2;
  uint32_t bits() const { return 32 / components; }
  float scale() const { return static_cast<float>((1u << (bits() - (is_signed ? 1 : 0))) - 1); }
};

Format format_of(uint32_t instruction) {
  switch (instruction) {
    case GLSLstd450PackSnorm4x8:
      return {false, true, false, 4};
    case GLSLstd450PackUnorm4x8:
      return {false, false, false, 4};
    case GLSLstd450PackSnorm2x16:
      return {false, true, false, 2};
    case GLSLstd450PackUnorm2x16:
      return {false, false, false, 2};
    case GLSLstd450PackHalf2x16:
      return {false, false, true, 2};
    case GLSLstd450UnpackSnorm4x8:
      return {true, true, false, 4};
    case GLSLstd450UnpackUnorm4x8:
      return {true, false, false, 4};
    case GLSLstd450UnpackSnorm2x16:
      return {true, true, false, 2};
    case GLSLstd450UnpackUnorm2x16:
      return {true, false, false, 2};
    default:
      return {true, false, true, 2};
  }
}

/// round(clamp(x, -1 or 0, 1) * scale) in the low bits; the bits above are zero.
Value to_normalized(ir::Builder& b, Value x, const Format& format) {
  const Value at_least = b.binary(Op::fmax, x, b.f32(format.is_signed ? -1.0f : 0.0f));
  const Value bounded = b.binary(Op::fmin, at_least, b.f32(1.0f));
  const Value scaled = b.fmul(bounded, b.f32(format.scale()));
  const Value rounded = b.unary(Op::fround_even, scaled);
  const Value integer = b.convert(format.is_signed ? Op::f_to_s : Op::f_to_u, ir::kI32, rounded);
  return format.is_signed ? b.iand(integer, b.i32((1u << format.bits()) - 1)) : integer;
}

Value from_normalized(ir::Builder& b, Value packed, uint32_t component, const Format& format) {
  const Value offset = b.i32(component * format.bits());
  const Op extract = format.is_signed ? Op::bfe_s : Op::bfe_u;
  const Value integer = b.emit(extract, ir::kI32, {packed, offset, b.i32(format.bits())});
  const Value number = b.convert(format.is_signed ? Op::s_to_f : Op::u_to_f, ir::kF32, integer);
  const Value scaled = b.fmul(number, b.f32(1.0f / format.scale()));
  return format.is_signed ? b.binary(Op::fmax, scaled, b.f32(-1.0f)) : scaled;
}

bool pack(Reader& r, const Instruction& in, const Format& format) {
  uint32_t type = 0;
  Leaves x;
  if (!r.result_vector_type(in, Scalar::i32, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!r.vector_value(in[5], Scalar::f32, format.components, x)) return false;
  Value packed;
  if (format.half) {
    packed = r.b.emit(Op::pack_half, ir::kI32, {r.leaf(x, 0), r.leaf(x, 1)});
  } else {
    packed = to_normalized(r.b, r.leaf(x, 0), format);
    for (uint32_t i = 1; i < format.components; ++i) {
      const Value component = to_normalized(r.b, r.leaf(x, i), format);
      const Value shifted = r.b.ishl(component, r.b.i32(i * format.bits()));
      packed = r.b.ior(packed, shifted);
    }
  }
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, packed);
  return r.bind(in[2], out);
}

bool unpack(Reader& r, const Instruction& in, const Format& format) {
  uint32_t type = 0;
  Value packed;
  if (!r.result_vector_type(in, Scalar::f32, type) || !r.scalar_value(in[5], Scalar::i32, packed)) return false;
  if (r.types[type].leaves != format.components) {
    return r.fail(concat("expected a result of ", format.components, " components"));
  }
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < format.components; ++i) {
    const Op half = i == 0 ? Op::unpack_half_lo : Op::unpack_half_hi;
    const Value x = format.half ? r.b.convert(half, ir::kF32, packed) : from_normalized(r.b, packed, i, format);
    r.set_leaf(out, i, x);
  }
  return r.bind(in[2], out);
}

bool pack_double(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Leaves words;
  if (!r.result_vector_type(in, Scalar::f64, type)) return false;
  if (r.types[type].leaves != 1) return r.fail("expected a scalar result type");
  if (!r.vector_value(in[5], Scalar::i32, 2, words)) return false;
  const Value whole = r.b.emit(Op::pack64, ir::kI64, {r.leaf(words, 0), r.leaf(words, 1)});
  const Leaves out = r.new_leaves(type);
  r.set_leaf(out, 0, r.b.bitcast(ir::kF64, whole));
  return r.bind(in[2], out);
}

bool unpack_double(Reader& r, const Instruction& in) {
  uint32_t type = 0;
  Value x;
  if (!r.result_vector_type(in, Scalar::i32, type) || !r.scalar_value(in[5], Scalar::f64, x)) return false;
  if (r.types[type].leaves != 2) return r.fail("expected a result of 2 components");
  const Value words = r.b.bitcast(ir::kI32.vector(2), r.flushed(x));
  const Leaves out = r.new_leaves(type);
  for (uint32_t i = 0; i < 2; ++i) r.set_leaf(out, i, r.b.extract(words, i));
  return r.bind(in[2], out);
}

}  // namespace

bool translate_glsl_pack(Reader& r, const Instruction& in) {
  if (!r.has_words(in, 6)) return false;
  if (in[4] == GLSLstd450PackDouble2x32) return pack_double(r, in);
  if (in[4] == GLSLstd450UnpackDouble2x32) return unpack_double(r, in);
  const Format format = format_of(in[4]);
  return format.unpack ? unpack(r, in, format) : pack(r, in, format);
}

}  // namespace spalt::spirv
