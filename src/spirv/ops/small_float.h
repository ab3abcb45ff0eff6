// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

// Floats that the IR has no type for: it has their bits as integers (SPV_KHR_bfloat16, SPV_EXT_float8).

/// The f32 that has the value of these bits.
ir::Value decode_float(ir::Builder& b, FloatEncoding encoding, ir::Value bits);
/// The bits of the nearest number, of two the even one. `value` is a float of any width. What is too large becomes
/// infinite, or NaN where there is no infinity, or the largest number if it saturates.
ir::Value encode_float(ir::Builder& b, FloatEncoding encoding, ir::Value value, bool saturates);

/// OpFConvert and conversions from and to integers, where one side is such a float.
bool is_small_float_conversion(const Reader& r, const Instruction& in);
bool translate_small_float_conversion(Reader& r, const Instruction& in);
/// OpDot of vectors of such floats.
bool translate_small_float_dot(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
