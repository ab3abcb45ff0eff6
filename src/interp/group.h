// SPDX-License-Identifier: MIT
// Execution of one workgroup: its subgroups take turns. Internal to src/interp.
//
// Where subgroups cannot wait for each other (Program::may_wait) they run one after another in the same frame; else
// each has a frame of its own, and gets a slice of steps per turn until all have ended. When everybody who has not
// ended waits at a barrier, it must be the same one, and opens.
#pragma once
#include <vector>

#include "interp/subgroup.h"

namespace spalt::interp {

class Group {
 public:
  /// Allocates for `invocations` at once; reused for every workgroup.
  Group(Context& context, uint32_t invocations);

  Result<void> run(const std::array<uint32_t, 3>& id);
  /// For call(): parameter values, and what invocation 0 returned.
  void set_arguments(std::span<const uint64_t> arguments) { group_.arguments = arguments; }
  uint64_t returned() const { return group_.returned; }

 private:
  void start(Subgroup& subgroup, uint32_t index);
  bool run_in_turn();
  bool run_interleaved();
  bool open_barrier();

  Context& context_;
  Workgroup group_;
  uint32_t count_, width_;  ///< subgroups, and lanes of each but the last
  std::vector<uint64_t> frames_;
  std::vector<uint8_t> scratch_;
  std::vector<Subgroup> subgroups_;  ///< one per frame
};

/// Bytes that Group will allocate.
uint64_t group_bytes(const ir::Module& module, const Program& program, uint32_t invocations, uint32_t subgroup_size);

}  // namespace spalt::interp
