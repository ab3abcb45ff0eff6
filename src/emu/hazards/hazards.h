// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "emu/hazards/export_priority.h"
#include "emu/hazards/partial_forwarding.h"
#include "emu/hazards/rules.h"
#include "emu/wave/clause.h"

namespace spalt::emu {

/// Checks the rules that hardware leaves to software: the table of hazard_rules.h, clauses, forwarding, exports.
class Hazards {
 public:
  void reset();

  /// Looks at a step that is about to execute; faults the wave when a rule is broken.
  void observe(Wave& wave, const Step& step) {
    const HazardRoles& roles = step.hazards;
    if (((waiting_ & roles.concerned) | roles.first | timed_) != 0) look(wave, step);
  }

 private:
  /// The first instruction of a rule has executed.
  struct Pending {
    uint8_t rule = 0;
    uint8_t left = 0;             ///< wait states still due
    uint8_t transcendentals = 0;  ///< seen since, with itself
    RegRange registers;
    uint32_t pc = 0;
  };

  void look(Wave& wave, const Step& step);
  void check(Wave& wave, const Step& step);
  void pass(const Step& step);
  void arm(const Step& step);
  void add(const Pending& pending);

  uint64_t waiting_ = 0;  ///< rules that have something in pending_
  uint64_t timed_ = 0;    ///< those of them that count wait states
  Clause clause_;
  PartialForwarding forwarding_;
  ExportPriority exports_;
  std::vector<Pending> pending_;
  std::vector<Pending> led_on_;  ///< found while pending_ is being looked through
};

}  // namespace spalt::emu
