// SPDX-License-Identifier: MIT
// Passes on random functions, each step proved. A step may be refused (other loops) or not decided in time; no
// difference may be found. SPALT_RANDOM_SEEDS=COUNT and SPALT_RANDOM_SEED=FIRST run at length.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>

#include "ir/printer.h"
#include "passes/random_function.h"
#include "passes/registry.h"
#include "prove/prove.h"

namespace spalt::prove {
namespace {

uint64_t from_environment(const char* name, uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text != nullptr ? std::strtoull(text, nullptr, 10) : otherwise;
}

TEST(RandomProofs, FindNoDifference) {
  const uint64_t first = from_environment("SPALT_RANDOM_SEED", 1), count = from_environment("SPALT_RANDOM_SEEDS", 4);
  unsigned verdicts[4] = {};
  for (uint64_t seed = first; seed < first + count; ++seed) {
    test::RandomFunctionOptions random;
    random.statements = 6 + static_cast<unsigned>(seed % 4) * 6;
    random.lane_values = seed % 5 == 0;
    ir::Module module = test::random_module(seed, random);
    // Variables become phis first, so that the rest has no memory.
    for (const char* name : {"promote_scratch", "simplify", "simplify_control_flow", "eliminate_dead_code", "simplify",
                             "split_critical_edges", "close_loops", "eliminate_dead_code"}) {
      const ir::Module before = module;
      CompileContext context;
      passes::find_pass(name)->run(module, context);
      const Proof proof = prove_function(before, module, 0, {1000});
      ++verdicts[static_cast<unsigned>(proof.verdict)];
      EXPECT_NE(proof.verdict, Verdict::different) << "seed " << seed << ", " << name << "\n"
                                                   << proof.text << ir::print(before) << "\nafter it:\n"
                                                   << ir::print(module);
    }
  }
  std::printf("%u steps proved, %u differ, %u not decided, %u refused\n", verdicts[0], verdicts[1], verdicts[2],
              verdicts[3]);
  EXPECT_GT(verdicts[0], verdicts[2] + verdicts[3]);
}

}  // namespace
}  // namespace spalt::prove
