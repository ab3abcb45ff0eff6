// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "amdgpu/isa/hazard.h"

namespace spalt::hazard {

/// What one hazard is called and where it is from. How it is found and cured is code: nop_rules.cpp for those that
/// wait states cure, gfx10_rules.cpp, gfx11_rules.cpp and sgpr_write_rules.cpp for the others. isa::Target::hazards
/// says who has it.
struct HazardRule {
  isa::Hazard hazard;
  const char* name;    ///< as LLVM or Mesa call it, where they do
  const char* source;  ///< where the fact is from
};

/// Every rule that code of ours could break, in the order of isa::Hazard.
std::span<const HazardRule> hazard_rules();

}  // namespace spalt::hazard
