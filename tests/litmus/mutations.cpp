// SPDX-License-Identifier: MIT
#include "mutations.h"

#include <cstdio>
#include <map>
#include <memory>

#include "elements.h"
#include "redundant.h"

namespace spalt::litmus {
namespace {

/// The search ends with the first seed that shows what is missing.
constexpr unsigned kMaxSeeds = 8000;

/// A program without one element.
struct Mutant {
  const Test& test;
  const Variant& variant;
  std::shared_ptr<const Program> program;
  Compiled compiled;
};

/// What is known of one kind of element: configuration, scope and name.
struct Kind {
  std::vector<Mutant> mutants;
  std::string missed_by;  ///< test and seed, empty while there is none
  std::string fault;      ///< without it, a rule for software is broken
  unsigned runs = 0;
  const char* redundant = nullptr;
};

using Kinds = std::map<std::array<std::string, 3>, Kind>;

/// Wave sizes share the code that orders memory.
bool is_narrowest(const Configuration& configuration) {
  return configuration.wave_size == 32 || configuration.target == std::string("gfx900");
}

void add_mutants(const Case& c, const Selection& selection, Kinds& kinds) {
  const Compiled compiled = compile(c.program, c.variant, c.configuration, false);  // check_outcomes has
  const auto program = std::make_shared<const Program>(c.program);
  for (Element& element : elements_of(compiled.shader, *isa::find_target(c.configuration.target), c.variant)) {
    Kind& kind = kinds[{c.configuration.name(), c.variant.name, element.name}];
    kind.redundant = why_redundant(element.name, c.configuration.name(), c.variant);
    if (kind.redundant != nullptr && !selection.redundant) continue;
    kind.mutants.push_back({c.test, c.variant, program, compiled});
    kind.mutants.back().compiled.shader.code = std::move(element.code);
  }
}

/// Whether the mutant shows what is forbidden.
bool shows(const Mutant& mutant, Machine& machine, uint64_t seed, Kind& kind) {
  const RunResult result = machine.run(seed, true);
  ++kind.runs;
  const bool endless = result.fault.find("endless loop") != std::string::npos;
  if (!result.fault.empty() && !endless) {
    kind.fault = result.fault;
    return false;
  }
  if (!endless && !mutant.program->matches(result.outcome)) return false;
  kind.missed_by = std::string(mutant.test.name) + (endless ? " (endless)" : "") + ", seed " + std::to_string(seed);
  return true;
}

/// Some seeds for all programs, then more: which of them misses the element is not known before.
void search(Kind& kind, unsigned seeds) {
  constexpr uint64_t kGrowth = 4;
  for (uint64_t first = 1, end = 2; first <= seeds; first = end, end *= kGrowth) {
    for (const Mutant& mutant : kind.mutants) {
      Machine machine(mutant.compiled, *mutant.program, mutant.variant);
      for (uint64_t seed = first; seed < end && seed <= seeds; ++seed) {
        if (shows(mutant, machine, seed, kind)) return;
      }
    }
  }
}

std::string finding(const Kind& kind) {
  if (kind.redundant != nullptr && kind.missed_by.empty()) return std::string("redundant: ") + kind.redundant;
  if (kind.redundant != nullptr)
    return "listed as redundant (" + std::string(kind.redundant) + "), but missed by " + kind.missed_by;
  if (!kind.missed_by.empty()) return kind.missed_by;
  return "not missed in " + std::to_string(kind.runs) + " runs" + (kind.fault.empty() ? "" : ", but " + kind.fault);
}

}  // namespace

Totals check_mutations(const Selection& selection) {
  Kinds kinds;
  for_each_case(selection, [&](const Case& c) {
    if (c.test.verdict != Verdict::forbidden || !is_narrowest(c.configuration)) return;
    add_mutants(c, selection, kinds);
  });
  for (auto& [name, kind] : kinds) {
    search(kind, kind.redundant != nullptr ? selection.seeds : kMaxSeeds);
  }
  Totals totals;
  for (const auto& [name, kind] : kinds) {
    const bool good = kind.redundant != nullptr ? kind.missed_by.empty() : !kind.missed_by.empty();
    ++(good ? totals.passed : totals.failed);
    if (good && !selection.table) continue;
    std::printf("%-16s %-20s %-44s %s\n", name[0].c_str(), name[1].c_str(), name[2].c_str(), finding(kind).c_str());
  }
  return totals;
}

}  // namespace spalt::litmus
