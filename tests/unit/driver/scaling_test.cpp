// SPDX-License-Identifier: MIT
// Shapes in which one thing grows without bound: predecessors of one block, depth of a nest, length of a block. The
// code must grow in proportion; and a quadratic algorithm somewhere would make these tests, with all verifiers and the
// allocation checker, run for minutes.
#include <gtest/gtest.h>

#include <spalt/spalt.hpp>

#include "scaling/shapes.h"

namespace {

using spalt::scaling::find_shape;
using spalt_api::Compilation;
using spalt_api::Compiler;

struct Growth {
  const char* shape;
  bool divergent;
  unsigned count;
};

class Scaling : public testing::TestWithParam<Growth> {};

double instructions(const Growth& growth, unsigned count) {
  const Compiler compiler("gfx1030");
  const std::vector<uint32_t> words = find_shape(growth.shape)->make(count, growth.divergent);
  spalt_compile_info info = Compiler::info(words);
  info.verify = 1;
  const Compilation compilation = compiler.compile(info);
  EXPECT_TRUE(compilation.ok()) << compilation.message();
  return compilation.ok() ? compilation.statistics().instructions : 0;
}

TEST_P(Scaling, CodeGrowsInProportion) {
  const Growth& growth = GetParam();
  const double small = instructions(growth, growth.count / 4), large = instructions(growth, growth.count);
  EXPECT_GT(large, growth.count);
  // A branch that no longer reaches its target becomes a jump of five instructions; each step has at most one.
  EXPECT_LE(large, 4.3 * small + 4.0 * growth.count);
}

/// Lane masks of n nested branches live in n blocks each, those of a switch in few. What passes must be enough for
/// every shader that somebody wrote; what would take minutes is refused soon.
TEST(LiveMasks, AreLimited) {
  const Compiler compiler("gfx1030");
  const auto result = [&](const char* shape, uint32_t count, bool divergent) {
    const Compilation compilation = compiler.compile(Compiler::info(find_shape(shape)->make(count, divergent)));
    if (compilation.result() == SPALT_ERROR_LIMIT_EXCEEDED) {
      EXPECT_NE(compilation.message().find("lane masks are live, and at most 16777216 may be"), std::string::npos)
          << compilation.message();
    }
    return compilation.result();
  };
  EXPECT_EQ(result("nest_with_else", 2000, true), SPALT_SUCCESS);
  EXPECT_EQ(result("nest_with_else", 8000, true), SPALT_ERROR_LIMIT_EXCEEDED);
  EXPECT_EQ(result("nest_with_else", 8000, false), SPALT_SUCCESS);
  EXPECT_EQ(result("cases", 2000, true), SPALT_SUCCESS);
  EXPECT_EQ(result("cases", 10000, true), SPALT_SUCCESS);
}

std::string test_name(const testing::TestParamInfo<Growth>& tested) {
  return (tested.param.divergent ? "divergent_" : "uniform_") + std::string(tested.param.shape);
}
INSTANTIATE_TEST_SUITE_P(Shapes, Scaling,
                         testing::Values(Growth{"breaks", true, 20000}, Growth{"breaks", false, 20000},
                                         Growth{"flags", true, 20000}, Growth{"continues", true, 8000},
                                         Growth{"continues", false, 8000}, Growth{"returns", true, 8000},
                                         Growth{"nest_with_else", false, 4000}, Growth{"nest_with_else", true, 1600},
                                         Growth{"nest", false, 4000}, Growth{"ifs", true, 8000},
                                         Growth{"block", false, 20000}, Growth{"phis", true, 4000},
                                         Growth{"loops", true, 2000}, Growth{"nested_loops", true, 200},
                                         Growth{"cases", true, 4000}, Growth{"shuffled_cases", true, 4000}),
                         test_name);

}  // namespace
