// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "base/random.h"
#include "emu/launch/launch.h"
#include "emu/wave/wave.h"

namespace spalt::emu {

/// Runs groups of waves of one launch after another, one at a time; each worker thread has its own. It keeps its waves
/// and their registers from launch to launch of the same shape.
class Workgroup {
 public:
  explicit Workgroup(const Launch& launch);

  /// Whether the launch wants waves and LDS such as these.
  bool fits(const Launch& launch) const;
  /// From now on works for this launch, which it must fit. `scratch_slot` is the first of Launch::waves_per_group parts
  /// of the ring.
  void begin(const Launch& launch, unsigned scratch_slot);

  /// Runs a group to its end; false when a wave did something illegal, which fault() then describes, or when it was
  /// stopped.
  bool run(uint64_t group);

  /// The same in pieces: start(), then advance() until it returns false. A piece is a few instructions of one wave that
  /// can run, chosen by `random`, in the memory hierarchy mode.
  void start(uint64_t group);
  bool advance(Random& random);
  bool failed() const { return fault_.kind != FaultKind::none; }

  const Fault& fault() const { return fault_; }
  const Statistics& statistics() const { return statistics_; }
  /// Per step of the program: not 0 when it was executed.
  const std::vector<uint8_t>& visited() const { return group_.visited; }

 private:
  void start_wave(uint64_t group, unsigned index);
  bool run_waves();
  bool run_wave(Wave& wave, uint64_t steps);
  bool cancelled();
  void add_statistics();
  bool complete_barrier();

  const Launch* launch_ = nullptr;
  unsigned scratch_slot_ = 0;
  std::shared_ptr<const Program> program_;
  GroupMemory group_;
  std::vector<std::unique_ptr<Wave>> waves_;
  Fault fault_;
  Statistics statistics_;
};

}  // namespace spalt::emu
