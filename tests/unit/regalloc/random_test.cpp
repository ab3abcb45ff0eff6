// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "amdgpu/mir/parser.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/mir/verifier.h"
#include "amdgpu/regalloc/allocate.h"
#include "amdgpu/regalloc/check/check.h"
#include "random_function.h"

namespace spalt::regalloc {
namespace {

struct Limits {
  unsigned sgprs, vgprs;
};

/// Allocates a random function under the limits and proves the result. Says why not, or nothing.
std::string prove(const RandomOptions& options, Limits limits) {
  mir::Function function = random_function(options);
  if (const auto valid = mir::verify(function); !valid) return valid.error().message + "\n" + mir::print(function);
  const mir::Function before = function;
  allocate_registers(function, {limits.sgprs, limits.vgprs});
  if (const auto valid = mir::verify(function); !valid) return valid.error().message + "\n" + mir::print(function);
  if (function.facts.sgpr_count > limits.sgprs || function.facts.vgpr_count > limits.vgprs) return "above the limits";
  const auto proof = check_allocation(before, function);
  if (!proof) return proof.error().message + "\n" + mir::print(before) + "\n" + mir::print(function);
  return "";
}

class RandomFunctions : public testing::TestWithParam<Limits> {};

TEST_P(RandomFunctions, AllocationIsProved) {
  for (uint64_t seed = 1; seed <= 150; ++seed) {
    RandomOptions options;
    options.seed = seed;
    options.wave_size = seed % 2 == 0 ? 32 : 64;
    options.size = 20 + static_cast<unsigned>(seed % 13) * 15;
    options.wide_tuples = GetParam().sgprs >= 24;
    SCOPED_TRACE("seed " + std::to_string(seed));
    ASSERT_EQ(prove(options, GetParam()), "");
  }
}

INSTANTIATE_TEST_SUITE_P(Limits, RandomFunctions,
                         testing::Values(Limits{106, 256}, Limits{40, 32}, Limits{24, 24}, Limits{12, 12},
                                         Limits{12, 10}));

/// Few registers of both files: spilled SGPRs find no lanes and share scratch with the VGPRs.
TEST(RandomFunctions, ScalarsInScratchAreProved) {
  unsigned in_scratch = 0;
  for (uint64_t seed = 1000; seed < 1100; ++seed) {
    RandomOptions options{seed, seed % 2 == 0 ? 32u : 64u, 60 + static_cast<unsigned>(seed % 7) * 20};
    options.wide_tuples = false;
    mir::Function function = random_function(options);
    const mir::Function before = function;
    allocate_registers(function, {12, 9});
    const auto proof = check_allocation(before, function);
    ASSERT_TRUE(proof.ok()) << proof.error().message << "\n" << mir::print(before) << "\n" << mir::print(function);
    for (mir::InstId id(0); id.index < function.insts.size(); id = mir::InstId(id.index + 1)) {
      in_scratch += function.insts[id].opcode == mir::Opcode::p_spill_sgpr_scratch;
    }
  }
  EXPECT_GT(in_scratch, 300u);
}

TEST(RandomFunctions, PrintParsePrintIsTheIdentity) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const mir::Function function = random_function({seed, 64, 100});
    const std::string text = mir::print(function);
    const auto parsed = mir::parse(text);
    ASSERT_TRUE(parsed.ok()) << parsed.error().message;
    ASSERT_EQ(mir::print(*parsed), text);
    const auto valid = mir::verify(*parsed);
    ASSERT_TRUE(valid.ok()) << valid.error().message;
  }
}

}  // namespace
}  // namespace spalt::regalloc
