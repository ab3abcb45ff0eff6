// SPDX-License-Identifier: MIT
//
// How a Vulkan pipeline layout becomes user data. This is a driver's choice; the rule here is the one of the project's
// Vulkan driver (src/icd/layout), with which a test compares it. This file with its .cpp is all that knows it here.
//
// - Sets take entries in their order: one with the low half of the address of the set's table, if it has one, and one
//   with that of a small table of the descriptors of its dynamic buffers in binding order, if it has such.
// - After the sets, push constants have one entry for each dword from the start of the block.
// - In the table of a set, bindings follow each other in the order of their numbers: buffers have 16 bytes, images 32,
//   samplers 16, combined ones 48 (with places as image and as sampler besides), inline uniform blocks their bytes
//   rounded up to 16, and mutable descriptors the bytes of the largest type that they may be.
#pragma once
#include <spalt/spalt.h>

#include <vector>

#include "replay/problem.h"
#include "replay/state.h"

namespace spalt_tool::replay {

/// A pipeline layout with all that it refers to, which somebody else owns.
struct ResolvedLayout {
  std::vector<const SetLayoutState*> sets;  ///< null: a set that no stage uses
  uint32_t push_constant_bytes = 0;
};

/// What spalt_compile wants to know.
struct UserDataLayout {
  std::vector<spalt_binding_location> bindings;
  uint32_t push_constant_entry = 0;
  uint32_t push_constant_dwords = 0;

  uint32_t entry_count() const { return push_constant_entry + push_constant_dwords; }
  /// Lives as long as this object.
  spalt_user_data_layout info() const;
};

/// Fails for descriptor types that have no place, and for tables or layouts beyond what the target takes.
bool lay_out_user_data(const ResolvedLayout& layout, uint32_t max_entries, UserDataLayout& result, Problem& problem);

}  // namespace spalt_tool::replay
