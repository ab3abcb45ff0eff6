// SPDX-License-Identifier: MIT
// What the files about subgroups share.
#pragma once
#include "spirv/reader_state.h"

namespace spalt::spirv {

/// Finds the word of the first operand after the execution scope, which must be Subgroup; instructions of the older
/// extensions name none. At least `operands` must follow.
bool skip_scope(Reader& r, const Instruction& in, uint32_t operands, uint32_t& first);

/// Whether the built-in variable is a mask of invocations, such as SubgroupEqMask: four words.
bool is_subgroup_mask(uint32_t built_in);
ir::Value subgroup_mask_value(Reader& r, uint32_t built_in, unsigned component);

/// Ballots, and what is asked of them (ballot.cpp).
bool translate_ballot(Reader& r, const Instruction& in);

}  // namespace spalt::spirv
