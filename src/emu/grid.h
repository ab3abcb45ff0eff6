// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "emu/launch.h"
#include "emu/wave.h"

namespace spalt::emu {

struct DispatchOutcome {
  Statistics statistics;
  std::string fault;  ///< what the program did wrong: workgroup, wave, pc and assembly; empty when it ran to its end
  /// What was executed at least once, sorted, without repetition.
  std::vector<std::pair<isa::Opcode, isa::Format>> executed;
};

/// The number of workgroups, or an error when they are too many to run.
Result<uint64_t> count_groups(const std::array<uint32_t, 3>& groups);

/// Host threads to run `groups` workgroups with when `wanted` were asked for.
unsigned host_threads(unsigned wanted, uint64_t groups);

/// Fails when one workgroup is larger than any hardware runs.
Result<void> check_group_size(const std::array<uint32_t, 3>& size);

/// Bytes of scratch that `threads` workgroups at a time need, or an error when that is unreasonable.
Result<uint64_t> scratch_ring_bytes(const Launch& launch, unsigned threads);

/// Runs every workgroup of the grid. `step_limit` is the number of instructions after which a wave counts as endless.
DispatchOutcome run_grid(const Launch& launch, unsigned threads, uint64_t step_limit);

}  // namespace spalt::emu
