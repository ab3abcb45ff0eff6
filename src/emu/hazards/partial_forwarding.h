// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "emu/hazards/rules.h"

namespace spalt::emu {

/// VALUPartialForwarding, a hazard of wave64 with three instructions before the one that fails: a vector instruction
/// writes a, a scalar one writes exec, a vector instruction writes b, a vector instruction reads a and b. It takes at
/// most two other vector instructions between the writes and four after them. Cure: s_waitcnt_depctr 0xfff (LLVM,
/// GCNHazardRecognizer; ACO agrees).
class PartialForwarding {
 public:
  /// Which steps it has to see.
  static bool concerns(const Step& step, const isa::Target& target);
  void observe(Wave& wave, const Step& step);

 private:
  static constexpr uint32_t kRemembered = 9, kBetweenWrites = 2, kBehindWrites = 4;
  struct Writes {
    RegList registers;
    uint32_t exec_writes = 0;  ///< scalar writes of exec before it
  };
  bool fails(const Step& step) const;
  /// How many vector instructions ago the register was last written, counted from 1; 0: longer than remembered.
  uint32_t age_of_write(const RegRange& range) const;
  const Writes& at_age(uint32_t age) const { return written_[(vectors_ - age) % kRemembered]; }

  std::array<Writes, kRemembered> written_{};  ///< by vector instruction number modulo kRemembered
  uint32_t vectors_ = 0;                       ///< vector instructions since everything before had arrived
  uint32_t exec_writes_ = 0;                   ///< scalar writes of exec since then
};

}  // namespace spalt::emu
