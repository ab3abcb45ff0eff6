// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/target.h"

namespace spalt::hazard {

/// A pair of instructions that the hardware gets wrong when they follow each other too closely, and does not check
/// itself. One record per hazard; how each was established is in docs/isa-errata.md under "Hazards".
struct HazardRule {
  const char* name;
  const char* reference;
  bool isa::Target::*exists;                    ///< the fact that says which generations have it
  uint8_t wait_states;                          ///< needed between the two instructions
  bool (*first)(const isa::OpcodeInfo&);        ///< starts the danger
  bool (*resolved_by)(const isa::OpcodeInfo&);  ///< in between, ends the danger at once
  bool (*second)(const isa::OpcodeInfo&);       ///< must not come within it
};

/// Every rule of every generation, in a fixed order.
std::span<const HazardRule> hazard_rules();
constexpr unsigned kHazardRuleCount = 1;

}  // namespace spalt::hazard
