// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

namespace spalt::emu::test {

/// One rule of emu/hazards/rules.h, broken and kept.
struct HazardCase {
  const char* rule;
  const char* target;
  unsigned wave_size;
  const char* broken;                 ///< assembly that breaks it at its last instruction
  const char* kept;                   ///< nearly the same that does not
  const char* free_target = nullptr;  ///< a processor that has no such rule: `broken` is right there
  const char* kept_fault = "";        ///< what `kept` faults with all the same, as part of the message
  const char* free_fault = "";        ///< what `broken` faults with on the free target
};

/// The fault message of the code in a wave without active lanes; s[4:5] is the address of a readable buffer
/// descriptor.
std::string run_hazard_code(const std::string& text, const char* target, unsigned wave_size);

/// Runs each case: the rule is named with a cure where it is broken, and not found where it is kept.
void check_cases(std::span<const HazardCase> cases);

std::span<const HazardCase> vega_cases();
std::span<const HazardCase> rdna_cases();
std::span<const HazardCase> single_cases();

}  // namespace spalt::emu::test
