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

/// The value of a component of an input, where that is known before the stage runs; else none.
ir::Value known_input(Reader& r, const ir::InterfaceAccess& access, ir::Type type);

}  // namespace spalt::spirv
