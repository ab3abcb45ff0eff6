// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

// Instruction groups of the part of a module before its functions.

/// OpType*. Struct members and array strides come from the decorations read before.
bool read_type(Reader& r, const Instruction& in);
/// For what reads a type: names it by in[1], as it is or as one that is an error where it is used.
bool add_type(Reader& r, const Instruction& in, TypeInfo& type);
bool add_opaque_type(Reader& r, const Instruction& in);
/// OpConstant*, OpSpecConstant*, OpUndef.
bool read_constant(Reader& r, const Instruction& in);
/// OpSpecConstantOp: the handlers of function bodies run on constants, which fold.
bool read_spec_constant_op(Reader& r, const Instruction& in);
/// OpVariable and OpUntypedVariableKHR at module scope.
bool read_global(Reader& r, const Instruction& in);
/// OpDecorate and relatives.
bool read_annotation(Reader& r, const Instruction& in);

/// OpExecutionMode and OpExecutionModeId of the entry point, at these words of the module: how floats are computed,
/// from then on also by the builder, and everything else.
bool read_float_modes(Reader& r, const Vector<uint32_t>& words);
bool read_execution_modes(Reader& r, const Vector<uint32_t>& words);
/// A constant decorated WorkgroupSize overrides every LocalSize.
bool apply_workgroup_size(Reader& r);

/// Instruction set of an OpExtInstImport, in IdInfo::index.
enum ExtSet : uint32_t { kExtGlsl, kExtTrinary, kExtBallot, kExtGcn, kExtPrintf, kExtSkipped, kExtUnknown };

}  // namespace spalt::spirv
