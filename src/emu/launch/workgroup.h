// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "emu/launch/launch.h"
#include "emu/wave/wave.h"

namespace spalt::emu {

/// Scratch bytes that a wave gets when each lane wants `bytes_per_lane`: a multiple of the hardware's 1 KiB unit.
uint64_t scratch_bytes_per_wave(uint64_t bytes_per_lane, unsigned wave_size);

/// Runs workgroups of one dispatch, one at a time; each worker thread has its own.
class Workgroup {
 public:
  /// `scratch_slot` is the first of Launch::waves_per_group slots of the ring.
  Workgroup(const Launch& launch, unsigned scratch_slot, uint64_t step_limit);

  /// Runs the workgroup to its end; false when a wave did something illegal, which error() then describes.
  bool run(std::array<uint32_t, 3> id);

  /// The same in pieces: start(), then advance() until it returns false. A piece is a few instructions of one wave that
  /// can run, chosen by `random`, in the memory hierarchy mode.
  void start(std::array<uint32_t, 3> id);
  bool advance(Random& random);
  bool failed() const { return !error_.empty(); }

  const std::string& error() const { return error_; }
  const Statistics& statistics() const { return statistics_; }
  /// Per step of the program: not 0 when it was executed.
  const std::vector<uint8_t>& visited() const { return group_.visited; }

 private:
  void start_wave(unsigned index);
  void set_system_sgprs(Wave& wave, unsigned index);
  void set_group_ids(Wave& wave, unsigned& next_sgpr);
  void set_local_ids(Wave& wave, unsigned index);
  bool run_waves();
  bool run_wave(Wave& wave, uint64_t steps);
  void add_statistics();
  bool complete_barrier();
  void describe(const Wave& wave, const std::string& message);

  const Launch& launch_;
  unsigned scratch_slot_;
  uint64_t step_limit_;
  GroupMemory group_;
  std::vector<std::unique_ptr<Wave>> waves_;
  std::array<uint32_t, 3> id_{};
  std::array<uint32_t, 3> size_{};  ///< work-items of this group
  std::string error_;
  Statistics statistics_;
};

}  // namespace spalt::emu
