// SPDX-License-Identifier: MIT
#include "outcomes.h"

#include <cstdio>

namespace spalt::litmus {
namespace {

/// Weak outcomes that are allowed are looked for until they appear, with that many seeds at most.
constexpr unsigned kMaxRunsToShow = 4000;

bool is_selected(const Selection& selection, const Test& test) {
  const std::string name = std::string(test.name) + "$";
  return name.find(selection.filter) != std::string::npos;
}

/// Waves that share a compute unit see accesses to buffers in order; the architecture promises less, the hierarchy does
/// not.
bool can_be_shown(const Case& c) {
  return c.variant.place == Place::groups || c.configuration.wgp_mode || c.program.uses_shared();
}

/// One of each memory system. Wave sizes share the code that orders memory, and so do CU and WGP mode beyond a
/// workgroup.
bool is_representative(const Configuration& configuration, const Variant& variant) {
  const std::string target = configuration.target;
  if (target == "gfx900") return true;
  if (variant.place == Place::groups && !configuration.wgp_mode) return false;
  return configuration.wave_size == 32 && target != "gfx1010" && target != "gfx1150";
}

struct Counts {
  unsigned runs = 0, seen = 0;
  std::string fault;
};

Counts run_seeds(const Case& c, unsigned seeds) {
  Machine machine(compile(c.program, c.variant, c.configuration), c.program, c.variant);
  const bool must_show = c.test.verdict == Verdict::shown && can_be_shown(c);
  Counts counts;
  while (counts.runs < seeds || (must_show && counts.seen == 0 && counts.runs < kMaxRunsToShow)) {
    const RunResult result = machine.run(++counts.runs, false);
    if (!result.fault.empty()) {
      counts.fault = result.fault;
      break;
    }
    counts.seen += c.program.matches(result.outcome) ? 1 : 0;
  }
  return counts;
}

/// Empty when the case is as it should be.
std::string complaint(const Case& c, const Counts& counts) {
  if (!counts.fault.empty()) return counts.fault;
  if (c.test.verdict == Verdict::forbidden && counts.seen != 0) {
    return std::to_string(counts.seen) + " of " + std::to_string(counts.runs) + " seeds show \"" + c.test.outcome +
           "\", which is forbidden: " + c.test.source;
  }
  if (c.test.verdict == Verdict::shown && counts.seen == 0 && can_be_shown(c)) {
    return "no seed shows \"" + std::string(c.test.outcome) + "\", although " + c.test.source;
  }
  return "";
}

}  // namespace

const std::vector<Configuration>& configurations() {
  static const std::vector<Configuration> all = [] {
    std::vector<Configuration> list = {{"gfx900", 64, false}};
    for (const char* target : {"gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"}) {
      for (const uint32_t wave_size : {32u, 64u}) {
        for (const bool wgp_mode : {false, true}) list.push_back({target, wave_size, wgp_mode});
      }
    }
    return list;
  }();
  return all;
}

void for_each_case(const Selection& selection, const std::function<void(const Case&)>& body) {
  for (const Test& test : tests()) {
    if (!is_selected(selection, test)) continue;
    const Program program = parse(test);
    for (const Variant& variant : kVariants) {
      if ((test.scopes >> variant.group & 1) == 0 || !program.depends_on(variant)) continue;
      for (const Configuration& configuration : configurations()) {
        if (!selection.target.empty() && selection.target != configuration.target) continue;
        if (!is_basic(variant) && !is_representative(configuration, variant)) continue;
        body({test, program, variant, configuration});
      }
    }
  }
}

Totals check_outcomes(const Selection& selection) {
  Totals totals;
  std::string row;
  for_each_case(selection, [&](const Case& c) {
    const Counts counts = run_seeds(c, selection.seeds);
    const std::string wrong = complaint(c, counts);
    ++(wrong.empty() ? totals.passed : totals.failed);
    if (!wrong.empty()) {
      std::printf("%s, %s, %s: %s\n", c.test.name, c.variant.name, c.configuration.name().c_str(), wrong.c_str());
    }
    if (!selection.table) return;
    const std::string name = std::string(c.test.name) + ", " + c.variant.name;
    if (name != row) std::printf("%s%s [%s]:", row.empty() ? "" : "\n", name.c_str(), c.test.outcome);
    row = name;
    std::printf(" %u/%u", counts.seen, counts.runs);
  });
  if (selection.table) std::printf("\n");
  return totals;
}

}  // namespace spalt::litmus
