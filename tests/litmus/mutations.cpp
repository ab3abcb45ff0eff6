// SPDX-License-Identifier: MIT
#include "mutations.h"

#include <cstdio>
#include <map>

#include "elements.h"
#include "redundant.h"

namespace spalt::litmus {
namespace {

/// Of the seeds of a whole program. The search ends with the first that shows what is missing.
constexpr unsigned kSeedFactor = 40;

/// What is known of one kind of element: configuration, scope and name.
struct Kind {
  std::string missed_by;  ///< test and seed, empty while there is none
  std::string fault;      ///< without it, a rule for software is broken or a wave never ends
  unsigned runs = 0;
  const char* redundant = nullptr;
};

using Kinds = std::map<std::array<std::string, 3>, Kind>;

/// Wave sizes share the code that orders memory.
bool is_narrowest(const Configuration& configuration) {
  return configuration.wave_size == 32 || configuration.target == std::string("gfx900");
}

void look_for(const Case& c, const Compiled& mutant, unsigned seeds, Kind& kind) {
  for (unsigned seed = 1; seed <= seeds; ++seed) {
    const RunResult result = run(mutant, c.program, c.variant, seed, true);
    ++kind.runs;
    const bool endless = result.fault.find("endless loop") != std::string::npos;
    if (!result.fault.empty() && !endless) {
      kind.fault = result.fault;
      return;
    }
    if (!endless && !c.program.matches(result.outcome)) continue;
    kind.missed_by = std::string(c.test.name) + (endless ? " (endless)" : "") + ", seed " + std::to_string(seed);
    return;
  }
}

void mutate(const Case& c, unsigned seeds, Kinds& kinds) {
  Compiled compiled = compile(c.program, c.variant, c.configuration);
  const isa::Target& target = *isa::find_target(c.configuration.target);
  for (Element& element : elements_of(compiled.shader, target)) {
    Kind& kind = kinds[{c.configuration.name(), c.variant.name, element.name}];
    kind.redundant = why_redundant(element.name, c.configuration.name(), c.variant);
    if (!kind.missed_by.empty() || kind.redundant != nullptr) continue;
    Compiled mutant = compiled;
    mutant.shader.code = std::move(element.code);
    look_for(c, mutant, seeds, kind);
  }
}

}  // namespace

Totals check_mutations(const Selection& selection) {
  Kinds kinds;
  for_each_case(selection, [&](const Case& c) {
    if (c.test.verdict != Verdict::forbidden || !is_narrowest(c.configuration)) return;
    mutate(c, selection.seeds * kSeedFactor, kinds);
  });
  Totals totals;
  for (const auto& [name, kind] : kinds) {
    const bool good = !kind.missed_by.empty() || !kind.fault.empty() || kind.redundant != nullptr;
    ++(good ? totals.passed : totals.failed);
    if (good && !selection.table) continue;
    std::printf("%-16s %-20s %-44s ", name[0].c_str(), name[1].c_str(), name[2].c_str());
    if (kind.redundant != nullptr) {
      std::printf("redundant: %s\n", kind.redundant);
    } else if (!kind.missed_by.empty()) {
      std::printf("%s\n", kind.missed_by.c_str());
    } else if (!kind.fault.empty()) {
      std::printf("%s\n", kind.fault.c_str());
    } else {
      std::printf("not missed in %u runs\n", kind.runs);
    }
  }
  return totals;
}

}  // namespace spalt::litmus
