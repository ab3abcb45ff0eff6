// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

// One function per opcode group; dispatch.cpp says who handles what.

/// Arithmetic, bit, comparison, logic and conversion instructions that work component by component (elementwise.cpp).
bool is_elementwise(uint32_t opcode);
bool translate_elementwise(Reader& r, const Instruction& in);

// arithmetic.cpp
bool translate_negate(Reader& r, const Instruction& in);
bool translate_extended_arithmetic(Reader& r, const Instruction& in);
bool translate_dot(Reader& r, const Instruction& in);
bool translate_any_all(Reader& r, const Instruction& in);
bool translate_float_class(Reader& r, const Instruction& in);
bool translate_logical_equal(Reader& r, const Instruction& in);
bool translate_select(Reader& r, const Instruction& in);
bool translate_bit_field(Reader& r, const Instruction& in);
bool translate_bitcast(Reader& r, const Instruction& in);

// integer_dot.cpp
bool translate_integer_dot(Reader& r, const Instruction& in);

// mixed_dot.cpp
bool translate_mixed_dot(Reader& r, const Instruction& in);

// matrix.cpp
bool translate_vector_times_scalar(Reader& r, const Instruction& in);
bool translate_matrix_product(Reader& r, const Instruction& in);
/// Either on either side.
bool translate_matrix_and_vector(Reader& r, const Instruction& in);
bool translate_outer_product(Reader& r, const Instruction& in);
bool translate_transpose(Reader& r, const Instruction& in);

// composite.cpp
bool translate_undef(Reader& r, const Instruction& in);
/// OpUndef of an image, a sampler or a runtime array: an id that nothing can use as a value.
bool is_undefined_object(const Reader& r, const Instruction& in);
bool translate_copy_object(Reader& r, const Instruction& in);
bool translate_composite_construct(Reader& r, const Instruction& in);
bool translate_composite_extract(Reader& r, const Instruction& in);
bool translate_composite_insert(Reader& r, const Instruction& in);
bool translate_vector_extract_dynamic(Reader& r, const Instruction& in);
bool translate_vector_insert_dynamic(Reader& r, const Instruction& in);
bool translate_vector_shuffle(Reader& r, const Instruction& in);

/// What is likely decides nothing: the value itself.
bool translate_expect(Reader& r, const Instruction& in);
bool translate_assume(Reader& r, const Instruction& in);

// clock.cpp
bool translate_read_clock(Reader& r, const Instruction& in);
/// The result of `in` is the time: an integer of 64 bits, or its two words.
bool bind_clock(Reader& r, const Instruction& in, bool of_device);

// derivative.cpp
bool translate_derivative(Reader& r, const Instruction& in);

// subgroup.cpp
bool translate_subgroup(Reader& r, const Instruction& in);

// atomics.cpp
bool translate_atomic(Reader& r, const Instruction& in);
bool translate_barrier(Reader& r, const Instruction& in);

// glsl.cpp
bool translate_ext_inst(Reader& r, const Instruction& in);

/// a0 * b0 + a1 * b1 + ... of floats, in order.
ir::Value sum_of_products(ir::Builder& b, const ir::Value* left, const ir::Value* right, uint32_t count);

}  // namespace spalt::spirv
