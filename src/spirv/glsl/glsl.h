// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

/// How one component of a GLSL.std.450 result comes from one component of each operand.
using GlslFunction = ir::Value (*)(ir::Builder& b, const ir::Value* x);

struct GlslRow {
  uint8_t arity = 0;               ///< 0: not component-wise
  ScalarSet operand = kAnyScalar;  ///< of the result; all operands are of the same scalar
  GlslFunction function = nullptr;
};
/// A constant of the type that `x` has.
inline ir::Value like(ir::Builder& b, ir::Value x, double value) {
  return b.number(b.function().type(x), value);
}

/// Magnitude of the first with the sign of the second.
ir::Value copy_sign(ir::Builder& b, ir::Value magnitude, ir::Value sign);

/// The row of a component-wise instruction (glsl_components.cpp).
GlslRow find_glsl_row(uint32_t instruction);

/// FMix as x * (1 - a) + y * a. Where all components have the same `a` and the same x or y, they share 1 - a and one of
/// the products.
ir::Value glsl_weighted_mix(ir::Builder& b, const ir::Value* x);

// Approximations (glsl_transcendental.cpp); the precision is that of the Vulkan appendix "Precision and Operation of
// SPIR-V Instructions"
ir::Value glsl_exp(ir::Builder& b, const ir::Value* x);
ir::Value glsl_log(ir::Builder& b, const ir::Value* x);
ir::Value glsl_pow(ir::Builder& b, const ir::Value* x);
ir::Value glsl_tan(ir::Builder& b, const ir::Value* x);
ir::Value glsl_asin(ir::Builder& b, const ir::Value* x);
ir::Value glsl_acos(ir::Builder& b, const ir::Value* x);
ir::Value glsl_atan(ir::Builder& b, const ir::Value* x);
ir::Value glsl_atan2(ir::Builder& b, const ir::Value* x);
ir::Value glsl_sinh(ir::Builder& b, const ir::Value* x);
ir::Value glsl_cosh(ir::Builder& b, const ir::Value* x);
ir::Value glsl_tanh(ir::Builder& b, const ir::Value* x);
ir::Value glsl_asinh(ir::Builder& b, const ir::Value* x);
ir::Value glsl_acosh(ir::Builder& b, const ir::Value* x);
ir::Value glsl_atanh(ir::Builder& b, const ir::Value* x);

// Vector geometry (glsl_geometry.cpp)
bool translate_glsl_geometry(Reader& r, const Instruction& in);
// Determinant and inverse (glsl_matrix.cpp)
bool translate_glsl_matrix(Reader& r, const Instruction& in);
// Another set: the least, the greatest and the middle one of three numbers (trinary.cpp)
bool translate_trinary(Reader& r, const Instruction& in);
/// SPV_AMD_shader_ballot and SPV_AMD_gcn_shader.
bool translate_amd_ballot(Reader& r, const Instruction& in);
bool translate_amd_gcn(Reader& r, const Instruction& in);
// Packing (glsl_pack.cpp)
bool translate_glsl_pack(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
