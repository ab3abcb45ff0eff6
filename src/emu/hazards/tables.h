// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "emu/hazards/rules.h"

namespace spalt::emu {

// The parts of the list that hazard_rule() indexes, in its order.
std::span<const HazardRule> vega_rules();
std::span<const HazardRule> rdna_rules();

}  // namespace spalt::emu
