// SPDX-License-Identifier: MIT
// Inputs and outputs of graphics stages. A variable of the entry point's interface is a local variable: inputs are
// written to it before the first instruction, outputs are read from it after the last one. So they may be indexed,
// passed to functions and read back like any other, and what is not used goes with dead code.
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

/// True for inputs and outputs between stages; built-in inputs are not (PointerRoot::input).
inline bool is_stage_variable(const Variable& variable) {
  return variable.first_interface_leaf != kNone;
}
/// In the entry block: values of the inputs, and the outputs' initializers.
bool read_inputs(Reader& r);
/// At the end of the entry point.
bool write_outputs(Reader& r);

/// Fails in any other stage.
bool expect_fragment(Reader& r);
/// OpKill, OpTerminateInvocation: the invocation becomes a helper and goes to the end of the entry point.
bool translate_kill(Reader& r);
bool translate_demote(Reader& r, const Instruction& in);
bool translate_is_helper(Reader& r, const Instruction& in);
/// InterpolateAtCentroid, InterpolateAtSample, InterpolateAtOffset of GLSL.std.450.
bool translate_interpolate(Reader& r, const Instruction& in);

/// A component of an input, where it is interpolated: `operands` are those of the place. Less where more is known
/// before the stage runs: a constant, or the value that all vertices have.
ir::Value input_word(Reader& r, ir::InterfaceAccess access, ir::Type type, std::span<const ir::Value> operands);

}  // namespace spalt::spirv
