// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "amdgpu/hazard/contents.h"
#include "amdgpu/hazard/cures.h"
#include "amdgpu/hazard/instruction.h"

namespace spalt::hazard {

/// Hazards between two instructions that need a number of wait states between them. The first one is an event at some
/// places (registers); the state says at which places each event happened how many wait states ago, on any path. It
/// forgets events older than any rule about them cares for.
class NopRules {
  /// The longest window of each event, summed.
  static constexpr unsigned kSlots = 16;

 public:
  struct State {
    std::array<Vgprs, kSlots> ago;
    uint16_t live = 0;  ///< bit i: ago[i] has members

    /// Unites with the state of another path; true if this state grew.
    bool join(const State& other);
    bool operator==(const State&) const = default;
  };

  explicit NopRules(const mir::Function& function, const Contents& program);
  /// Whether any instruction of the function may be the second one of a rule.
  bool any() const { return active_ != 0; }

  Cures cures(const Instruction& inst, const State& state) const;
  void advance(const Instruction& inst, State& state) const;

 private:
  uint32_t active_ = 0;         ///< bit i: rule i applies to the function
  uint32_t active_events_ = 0;  ///< those of active rules
};

}  // namespace spalt::hazard
