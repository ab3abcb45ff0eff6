// SPDX-License-Identifier: MIT
// Every pass, alone and in random order, on random functions: the result is valid IR and computes the same.
#include <gtest/gtest.h>

#include <cstdlib>

#include "interp/interpreter.h"
#include "ir/printer.h"
#include "ir/verifier.h"
#include "passes/eliminate_dead_code.h"
#include "passes/promote_scratch.h"
#include "passes/simplify/simplify.h"
#include "passes/simplify_control_flow.h"
#include "passes/unroll_loops.h"
#include "random_function.h"
#include "run_pass.h"

namespace spalt {
namespace {

constexpr uint64_t kInputs[][3] = {{0, 0, 0}, {1, 2, 3}, {0xffffffff, 7, 0x80000000}, {12345, 0xfffffff0, 6}};

struct Results {
  uint64_t value[std::size(kInputs)];
};

Results evaluate_all(const ir::Module& module) {
  Results results{};
  for (size_t i = 0; i < std::size(kInputs); ++i) {
    interp::Limits limits;
    limits.steps = 3'000'000;
    const auto result = interp::call(module, module.functions[0], kInputs[i], limits);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.error().message);
    results.value[i] = result.ok() ? *result : 0;
  }
  return results;
}

/// Applies the pass, verifies and compares. `before` is only printed on failure.
bool apply(ir::Module& module, std::string_view name, const Results& expected, uint64_t seed) {
  const std::string before = ir::print(module);
  const bool changed = test::run_pass(name, module);
  const auto verdict = ir::verify(module);
  EXPECT_TRUE(verdict.ok()) << "seed " << seed << ", after " << name << ": "
                            << (verdict.ok() ? "" : verdict.error().message) << "\nbefore:\n"
                            << before << "after:\n"
                            << ir::print(module);
  if (!verdict.ok()) return false;
  EXPECT_TRUE(changed || ir::print(module) == before) << "seed " << seed << ": " << name << " hides a change";
  const Results found = evaluate_all(module);
  for (size_t i = 0; i < std::size(kInputs); ++i) {
    EXPECT_EQ(found.value[i], expected.value[i]) << "seed " << seed << ", after " << name << ", input " << i;
    if (found.value[i] != expected.value[i]) {
      ADD_FAILURE() << "before:\n" << before << "after:\n" << ir::print(module);
      return false;
    }
  }
  return !testing::Test::HasFailure();
}

uint64_t seeds() {
  const char* text = std::getenv("SPALT_RANDOM_SEEDS");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : 150;
}

test::RandomFunctionOptions options_for(uint64_t seed) {
  test::RandomFunctionOptions options;
  options.statements = 8 + static_cast<unsigned>(seed % 5) * 14;
  options.dynamic_scratch = seed % 3 == 0;
  return options;
}

TEST(RandomPasses, SameResultsInAnyOrder) {
  for (uint64_t seed = 1; seed <= seeds(); ++seed) {
    ir::Module module = test::random_module(seed, options_for(seed));
    const auto verdict = ir::verify(module);
    ASSERT_TRUE(verdict.ok()) << "seed " << seed << ": " << verdict.error().message;
    const Results expected = evaluate_all(module);
    uint64_t state = seed;
    for (unsigned step = 0; step < 12; ++step) {
      state = state * 6364136223846793005ull + 1442695040888963407ull;
      const auto all = passes::all_passes();
      // Two steps first that give the others something to chew on.
      const std::string_view name = step == 0   ? "promote_scratch"
                                    : step == 3 ? "unroll_loops"
                                                : all[(state >> 33) % all.size()].name;
      if (ir::print(module).size() > 400'000) break;
      ASSERT_TRUE(apply(module, name, expected, seed));
    }
  }
}

TEST(RandomPasses, PipelineOrderConverges) {
  constexpr std::string_view kOrder[] = {
      "promote_scratch",     "simplify",     "simplify_control_flow", "eliminate_dead_code", "hoist_loop_invariants",
      "unroll_loops",        "simplify",     "simplify_control_flow", "promote_scratch",     "simplify",
      "eliminate_dead_code", "lower_switch", "split_critical_edges",  "close_loops"};
  for (uint64_t seed = 1000; seed < 1000 + seeds(); ++seed) {
    ir::Module module = test::random_module(seed, options_for(seed));
    const Results expected = evaluate_all(module);
    for (std::string_view name : kOrder) ASSERT_TRUE(apply(module, name, expected, seed));
  }
}

}  // namespace
}  // namespace spalt
