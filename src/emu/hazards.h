// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "emu/step.h"

namespace spalt::emu {

/// Checks the rules that the hardware leaves to software: manual wait states and clause contents. One field per rule;
/// the rules and their sources are listed in hazards.cpp.
class Hazards {
 public:
  /// Looks at a step that is about to execute; faults the wave when a rule is broken.
  void observe(Wave& wave, const Step& step);

 private:
  void check_clause(Wave& wave, const Step& step);
  void check_denorm_mode_after_fp_atomic(Wave& wave, const Step& step);

  uint8_t clause_left_ = 0;  ///< instructions that still belong to the s_clause
  StepClass clause_class_ = StepClass::other;
  bool clause_started_ = false;
  uint8_t denorm_states_ = 0;  ///< wait states still due after a floating-point atomic
};

}  // namespace spalt::emu
