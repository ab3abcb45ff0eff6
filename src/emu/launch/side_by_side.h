// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/random.h"
#include "emu/launch/runner.h"

namespace spalt::emu {

/// A piece of work among others: a launch, or a function of the host.
struct SideTask {
  const Launch* launch = nullptr;  ///< all launches of a run have the same hierarchy and the same scratch ring
  void (*host)(void*) = nullptr;   ///< in place of a launch; counts as one group
  void* user = nullptr;
  RunOutcome outcome{};
};

/// How tasks share the host thread.
struct SideOrder {
  unsigned max_resident = kMaxResidentGroups;  ///< groups that are under way at the same time
  unsigned begin_percent = 100;                ///< how willing another one is to begin while some are under way
  unsigned max_piece = 4;                      ///< instructions of one wave before others get a turn
  std::vector<unsigned> weights;               ///< of the tasks: how often each gets its turn, compared with the others

  /// All tasks alike.
  static SideOrder even(size_t tasks);
  /// One of very different ones: groups strictly after each other or many at a time, tasks at their own speeds, long
  /// and short pieces. What no barrier separates happens in some order under some seed.
  static SideOrder any(size_t tasks, Random& random);
};

/// Runs groups of all tasks on this thread, which take turns in pieces of some instructions. Groups of one task begin
/// in order, so that one that waits for an earlier one finds it started; everything else is up to `random`.
class SideBySide {
 public:
  /// `hierarchy` may be null. Each of the max_resident groups has `scratch_bytes` of the ring.
  SideBySide(std::span<SideTask> tasks, SideOrder order, Random& random, MemoryHierarchy* hierarchy,
             uint64_t scratch_bytes, WorkgroupPool& pool, const std::atomic<bool>& cancel);

  /// Returns the task that has failed, whose outcome says why.
  std::optional<size_t> run();

 private:
  struct Resident {
    size_t task = 0;
    unsigned slot = 0;  ///< its part of the scratch ring
    std::unique_ptr<Workgroup> workgroup;
  };

  bool begin_groups();
  bool begin_group(size_t position);
  bool run_host(size_t task);
  void place_group(size_t task, size_t position);
  void end_group(size_t position);
  size_t choose_task();
  size_t choose_resident();
  uint64_t groups_of(size_t task) const { return tasks_[task].launch != nullptr ? tasks_[task].launch->groups : 1; }
  void fail(size_t position);
  void finish();

  std::span<SideTask> tasks_;
  SideOrder order_;
  Random& random_;
  MemoryHierarchy* hierarchy_;
  uint64_t scratch_bytes_;
  WorkgroupPool& pool_;
  const std::atomic<bool>& cancel_;

  std::vector<uint64_t> next_;   ///< of each task: the first group that has not begun
  std::vector<size_t> waiting_;  ///< tasks with groups that have not begun
  std::vector<Resident> residents_;
  unsigned resident_weight_ = 0;  ///< of all of them
  std::vector<unsigned> free_slots_;
  uint64_t since_end_ = 0;  ///< steps since a group has ended
  std::optional<size_t> failed_;
};

}  // namespace spalt::emu
