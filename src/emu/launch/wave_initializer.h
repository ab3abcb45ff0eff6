// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

namespace spalt::emu {

class Wave;

/// Knows what the waves of one launch start with: the part of the hardware that fills registers before the first
/// instruction. There is one class per kind of stage; whoever runs the waves (Workgroup) knows none of them.
///
/// Waves come in groups that share LDS and a barrier, numbered from 0. Any thread may call anything at any time.
class WaveInitializer {
 public:
  virtual ~WaveInitializer() = default;

  /// What a message calls the group.
  virtual std::array<uint32_t, 3> group_id(uint64_t group) const = 0;

  /// Puts wave `index` of the group to its entry point and fills its registers. The wave was reset, its registers hold
  /// junk, exec is 0, and its part of the scratch ring is known. False: the group has no such wave.
  virtual bool initialize(Wave& wave, uint64_t group, unsigned index) const = 0;
};

}  // namespace spalt::emu
