// SPDX-License-Identifier: MIT
//
// The places that a file's [ResourceMapping] gives to resources, in the terms of spalt_user_data_layout. Both count
// user data in dwords and have the low halves of tables' addresses there, so that most of it is the same with other
// names.
//
// - A table of user data: its descriptors, with offset and stride.
// - A buffer descriptor in user data: SPALT_BINDING_USER_DATA_BUFFER. An inline buffer in a table: INLINE_DATA.
// - Push constants in user data: the entries of the push constants.
// - Where vertex buffers and streams of transform feedback are is no part of a layout: nothing.
// - Fmasks of images: nothing, for code does not read them.
//
// What a layout cannot express is refused: compact buffers (an address without a size), push constants and tables in
// tables, inline buffers in user data, samplers that convert YCbCr, atomic counters.
#pragma once
#include "replay/pipe/pipe_state.h"
#include "replay/user_data_rule.h"

namespace spalt_tool::replay::pipe {

/// The layout that a stage sees, which is one of VkShaderStageFlagBits. `result` refers to words in `state`.
bool lay_out_nodes(const PipeState& state, uint32_t stage, uint32_t max_entries, UserDataLayout& result,
                   Problem& problem);

}  // namespace spalt_tool::replay::pipe
