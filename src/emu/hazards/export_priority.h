// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "emu/hazards/rules.h"

namespace spalt::emu {

/// RequiredExportPriority (GFX11.5): a wave that exports runs at priority 2 or 3 from before its first export to its
/// end. After each row of exports it lowers the priority to 0, waits for them unless it ends there, lets two s_nop pass
/// and raises it again (LLVM 19, GCNHazardRecognizer; ACO agrees). What is between lowering and raising is not looked
/// at.
class ExportPriority {
 public:
  /// Which steps it has to see; a row of exports is over with any other.
  static bool concerns(const Step& step, const isa::Target& target);
  /// A row of exports has begun and not ended: every step has to be seen.
  bool in_row() const { return phase_ == Phase::exporting; }
  void observe(Wave& wave, const Step& step);

 private:
  enum class Phase : uint8_t {
    usual,
    exporting,  ///< the last instruction was an export
    lowered     ///< the priority was lowered after exports
  };
  static constexpr int kRaised = 2;
  static constexpr unsigned kNops = 2;

  void lower(Wave& wave, const Step& step);
  void set_priority(Wave& wave, int priority);
  void fault(Wave& wave, const char* what, const char* cure) const;

  Phase phase_ = Phase::usual;
  bool waited_ = false;  ///< since it was lowered
  unsigned nops_ = 0;    ///< since then, or since the wait
  int priority_ = 0;
  uint32_t export_pc_ = 0;  ///< of the last export
};

}  // namespace spalt::emu
