// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "emu/caches/memory_hierarchy.h"
#include "emu/launch/launch.h"
#include "emu/wave/wave.h"

namespace spalt::emu {

struct DispatchOutcome {
  Statistics statistics;
  std::string fault;  ///< what the program did wrong: workgroup, wave, pc and assembly; empty when it ran to its end
  /// What was executed at least once, sorted, without repetition.
  std::vector<std::pair<isa::Opcode, isa::Format>> executed;
};

/// The number of workgroups, or an error when they are too many to run.
Result<uint64_t> count_groups(const std::array<uint32_t, 3>& groups);

/// Workgroups under way at the same time, one per host thread, when `wanted` threads were asked for. With an observer
/// it is one, in the memory hierarchy mode some on one thread.
unsigned groups_at_a_time(unsigned wanted, uint64_t groups, const Observer* observer,
                          const HierarchySettings& hierarchy);

/// Fails when one workgroup is larger than any hardware runs.
Result<void> check_group_size(const std::array<uint32_t, 3>& size);

/// Bytes of scratch that `threads` workgroups at a time need, or an error when that is unreasonable.
Result<uint64_t> scratch_ring_bytes(const Launch& launch, unsigned threads);

/// Runs every workgroup of the grid, `threads` at a time. `step_limit` is the number of instructions after which a wave
/// counts as endless.
DispatchOutcome run_grid(const Launch& launch, unsigned threads, uint64_t step_limit);

}  // namespace spalt::emu
