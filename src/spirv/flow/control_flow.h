// SPDX-License-Identifier: MIT
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

/// Branches, switches, returns.
bool translate_terminator(Reader& r, const Instruction& in);
bool translate_phi(Reader& r, const Instruction& in);
/// Begins the next reachable block of the innermost frame; `done` when there is none.
bool begin_next_block(Reader& r, bool& done);
/// All blocks of the frame are done: completes loops whose back edge turned out to be unreachable.
bool close_loops(Reader& r, uint32_t first_open_loop);
/// An edge from the current IR block to the SPIR-V block.
bool add_edge(Reader& r, uint32_t target);

/// Begins the inlined translation of a function: binds parameters and variables.
bool begin_call(Reader& r, const Instruction& in);
bool push_frame(Reader& r, uint32_t function, uint32_t result);
/// Ends it: the caller's block continues where the function returned.
bool end_call(Reader& r);
bool translate_return(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
