// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "emu/caches/memory_hierarchy.h"
#include "emu/launch/launch.h"
#include "emu/launch/workgroup_pool.h"

namespace spalt::emu {

/// What a launch came to.
struct RunOutcome {
  Statistics statistics;
  /// What the program did wrong; of kind `none` when it ran to its end; see is_fault.
  Fault fault;
  std::vector<uint8_t> visited;  ///< per step of the program: not 0 when it was executed

  void add(const Workgroup& workgroup);
};

/// Calls work(0) to work(count - 1) on a thread each and returns when all have returned.
using RunOnThreads = std::function<void(unsigned count, const std::function<void(unsigned)>& work)>;

/// Runs every group of the launch, `at_a_time` at the same time. Groups are begun in order, so that one that waits for
/// an earlier one always finds it started, and the fault of the first one in order is the one that is reported.
RunOutcome run_on_threads(const Launch& launch, unsigned at_a_time, const RunOnThreads& threads, WorkgroupPool& pool);

/// Groups under way at the same time, one per host thread, when there are `threads`. With an observer it is one, in the
/// memory hierarchy mode some on one thread.
unsigned groups_at_a_time(unsigned threads, uint64_t groups, const Observer* observer,
                          const HierarchySettings& hierarchy);

/// Scratch bytes that a wave gets when each lane wants `bytes_per_lane`: a multiple of the hardware's 1 KiB unit.
uint64_t scratch_bytes_per_wave(uint64_t bytes_per_lane, unsigned wave_size);

/// More scratch than this for all waves that run at the same time is refused.
constexpr uint64_t kMaxScratchBytes = uint64_t{1} << 31;
constexpr unsigned kMaxHostThreads = 256;
/// Groups on the device at the same time where they take turns on one thread.
constexpr unsigned kMaxResidentGroups = 8;

}  // namespace spalt::emu
