// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>

#include "emu/launch/program.h"
#include "emu/memory/guest_memory.h"

namespace spalt::emu {

class MemoryHierarchy;
class Observer;
class WaveInitializer;

/// Everything that running groups of waves needs to know, whatever stage and ABI they are of.
struct Launch {
  std::shared_ptr<const Program> program;
  const WaveInitializer* initializer = nullptr;
  const Memory* memory = nullptr;
  Observer* observer = nullptr;               ///< looks at every instruction; wants a single host thread
  MemoryHierarchy* hierarchy = nullptr;       ///< the memory hierarchy mode; a single host thread, too
  const std::atomic<bool>* cancel = nullptr;  ///< polled between pieces of some thousand instructions

  uint64_t groups = 0;
  unsigned waves_per_group = 1;
  unsigned wave_size = 64;
  unsigned vgpr_count = 0;  ///< registers that a wave may touch
  uint32_t lds_bytes = 0;   ///< of a group
  bool wgp_mode = false;    ///< the waves of a group run on both compute units of a work-group processor

  uint64_t scratch_bytes_per_wave = 0;
  uint64_t scratch_ring = 0;  ///< guest address; each wave that can run at the same time has its part of it
  uint64_t scratch_ring_bytes = 0;

  uint64_t border_colors = 0;  ///< guest address of the palette of border colours

  const char* stage = nullptr;  ///< what a draw calls its waves; lives for ever. nullptr: no draw
  uint32_t draw = 0;            ///< number of the draw

  uint64_t scratch_bytes_per_group() const { return scratch_bytes_per_wave * waves_per_group; }

  bool alone = true;  ///< no other thread runs groups of this launch: giving it time helps nobody

  /// Instructions per wave before it counts as endless. To sleep counts kSleepSteps.
  uint64_t step_limit = kDefaultStepLimit;
  /// The same for all waves of a group together. Groups that take turns on one host thread share it: so many without
  /// one of them ending.
  uint64_t group_step_limit = UINT64_MAX;

  static constexpr uint64_t kDefaultStepLimit = 100'000'000;
  static constexpr uint64_t kSleepSteps = 100;
};

}  // namespace spalt::emu
