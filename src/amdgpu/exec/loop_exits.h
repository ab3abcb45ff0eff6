// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/exec/plan.h"

namespace spalt::exec {

/// Which loops hold lanes that wait for a block after them. Blocks are named by their positions, loops by those of
/// their headers.
class LoopExits {
 public:
  LoopExits(const mir::Function& function, const Plan& plan, Arena& scratch);

  /// Blocks after the loop for which lanes park inside it.
  std::span<const uint32_t> exits(uint32_t header) const { return exits_[header]; }
  /// The lanes that leave `from` for `target` wait there since they entered a loop, `target` being its closed exit.
  bool waits_since_entry(uint32_t from, uint32_t target) const;

 private:
  const Plan& plan_;
  Vector<uint32_t> loop_of_;        ///< by position: the innermost loop
  Vector<uint32_t> parent_loop_;    ///< by header: the loop around it
  Vector<Vector<uint32_t>> exits_;  ///< by header
};

}  // namespace spalt::exec
