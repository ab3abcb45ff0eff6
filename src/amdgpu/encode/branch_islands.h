// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "amdgpu/isa/target.h"

namespace spalt::encode {

/// A branch instruction at word `at` whose 16-bit offset must lead to word `target`.
struct Branch {
  uint32_t at;
  uint32_t target;
};

/// Writes the offsets of all branches. Where a target is out of reach, inserts islands: an s_branch that jumps over the
/// island, followed by one s_branch per target of the branches that go through it. `boundaries` are the words at which
/// instructions start, ascending. Returns the number of instructions inserted.
uint32_t resolve_branches(std::vector<uint32_t>& words, const std::vector<uint32_t>& boundaries,
                          const std::vector<Branch>& branches, const isa::Target& target, uint32_t reach = 32767);

}  // namespace spalt::encode
