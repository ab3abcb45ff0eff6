// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "emu/launch/launch.h"
#include "emu/wave/wave.h"

namespace spalt::emu {

/// What the threads that run groups of one launch tell each other.
struct Progress {
  std::atomic<uint64_t> stop_at;  ///< the first group that has failed, or the number of groups
  std::atomic<unsigned> busy{0};  ///< threads whose group does more than sleep
  explicit Progress(uint64_t groups) : stop_at(groups) {}
};

/// Runs groups of waves of one launch after another, one at a time; each worker thread has its own. It keeps its waves
/// and their registers from launch to launch of the same shape.
class Workgroup {
 public:
  explicit Workgroup(const Launch& launch);

  /// Whether the launch wants waves and LDS such as these.
  bool fits(const Launch& launch) const;
  /// From now on works for this launch, which it must fit. `scratch_offset` is where its part of the ring begins,
  /// Launch::scratch_bytes_per_group of it.
  void begin(const Launch& launch, uint64_t scratch_offset);

  /// Runs a group to its end; false when a wave did something illegal, which fault() then describes, when it was
  /// stopped, or when an earlier group has failed, so that nobody wants to know any more.
  bool run(uint64_t group, Progress& progress);

  /// The same in pieces: start(), then advance() until it returns false. A piece is up to `max_piece` instructions of
  /// one wave that can run, chosen by `random`; in the memory hierarchy mode one that may let others go first.
  void start(uint64_t group);
  bool advance(Random& random, unsigned max_piece);
  bool failed() const { return fault_.kind != FaultKind::none; }
  /// Instructions that its groups have executed since begin(), and what sleeping counts.
  uint64_t spent() const { return spent_; }
  /// Ends the group as one that never ends by itself, after `limit` steps of what `who` names.
  void give_up(uint64_t limit, const char* who);

  const Fault& fault() const { return fault_; }
  const Statistics& statistics() const { return statistics_; }
  /// Per step of the program: not 0 when it was executed.
  const std::vector<uint8_t>& visited() const { return group_.visited; }

 private:
  void start_wave(uint64_t group, unsigned index);
  bool run_waves();
  bool run_turn(bool backwards, bool& slept);
  bool run_wave(Wave& wave, uint64_t steps);
  bool run_hesitantly(Wave& wave, unsigned steps);
  template <class Is>
  Wave& nth_wave(unsigned n, Is is);
  bool cancelled();
  bool is_unwanted() const {
    return progress_ != nullptr && progress_->stop_at.load(std::memory_order_relaxed) < group_number_;
  }
  bool within_limits(Wave& wave);
  void fault_endless(Wave& wave, uint64_t limit, const char* who);
  void add_statistics();
  bool complete_barrier();

  const Launch* launch_ = nullptr;
  Progress* progress_ = nullptr;  ///< of a launch on several threads
  uint64_t scratch_offset_ = 0;
  uint64_t group_number_ = 0;
  uint64_t spent_ = 0, spent_at_start_ = 0;
  uint64_t spent_at_barrier_ = 0;  ///< when the barrier completed last
  std::shared_ptr<const Program> program_;
  GroupMemory group_;
  std::vector<std::unique_ptr<Wave>> waves_;
  Fault fault_;
  Statistics statistics_;
};

}  // namespace spalt::emu
