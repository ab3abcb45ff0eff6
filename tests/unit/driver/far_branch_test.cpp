// SPDX-License-Identifier: MIT
// A loop around a uniform switch of 30,000 cases: nearly every branch of it is beyond the reach of 16 bits, forward
// into the cases, forward beyond them, and back to the loop's header. Compiled with all checks and run on the emulator,
// with all scalar registers and with as few as may be asked for: the pair that far jumps go through is one of them.
#include <gtest/gtest.h>
#include <spalt/emulator.h>

#include <memory>
#include <spalt/spalt.hpp>

#include "../spirv/assemble.h"
#include "run/registers.h"

namespace {

using spalt_api::Compilation;
using spalt_api::Compiler;

constexpr uint32_t kCases = 30000, kRounds = 3;

uint32_t factor(uint32_t selector) {
  return 2 * selector + 77;
}

/// words[1] = words[1] * factor + selector in each round; the selector starts as words[0] and grows by 9,000.
std::vector<uint32_t> switch_in_a_loop() {
  std::string declarations = "%rounds = OpConstant %uint 3\n%stride = OpConstant %uint 9000\n", cases, targets;
  for (uint32_t i = 0; i < kCases; ++i) {
    const std::string n = std::to_string(i);
    declarations += "%k" + n + " = OpConstant %uint " + std::to_string(factor(i)) + "\n";
    targets += " " + n + " %c" + n;
    cases += "%c" + n + " = OpLabel\n%a" + n + " = OpLoad %uint %p1\n%b" + n + " = OpIMul %uint %a" + n + " %k" + n +
             "\n%d" + n + " = OpIAdd %uint %b" + n + " %s\nOpStore %p1 %d" + n + "\nOpBranch %m\n";
  }
  const std::string body =
      "%p0 = OpAccessChain %element %buffer %u0 %u0\n%p1 = OpAccessChain %element %buffer %u0 %u1\n"
      "%start = OpLoad %uint %p0\nOpBranch %before\n%before = OpLabel\nOpBranch %head\n%head = OpLabel\n"
      "%i = OpPhi %uint %u0 %before %i1 %again\n%s = OpPhi %uint %start %before %s1 %again\n"
      "OpLoopMerge %end %again None\nOpBranch %test\n%test = OpLabel\n%more = OpULessThan %bool %i %rounds\n"
      "OpBranchConditional %more %body %end\n%body = OpLabel\nOpSelectionMerge %m None\nOpSwitch %s %m" +
      targets + "\n" + cases +
      "%m = OpLabel\nOpBranch %again\n%again = OpLabel\n%i1 = OpIAdd %uint %i %u1\n%s1 = OpIAdd %uint %s %stride\n"
      "OpBranch %head\n%end = OpLabel\nOpReturn\n";
  return spalt::spirv::assemble(spalt::spirv::shader(declarations, body));
}

uint32_t sgprs_named(const Compilation& compilation) {
  spalt_text* handle = nullptr;
  EXPECT_EQ(spalt_disassemble(compilation.elf().first, compilation.elf().second, &handle), SPALT_SUCCESS);
  const std::unique_ptr<spalt_text, void (*)(spalt_text*)> text(handle, spalt_text_destroy);
  return spalt::run::registers_named(spalt_text_string(handle)).sgprs;
}

class FarBranches : public testing::TestWithParam<uint32_t> {};

TEST_P(FarBranches, ASwitchOf30000CasesRuns) {
  const Compiler compiler("gfx1030");
  const std::vector<uint32_t> words = switch_in_a_loop();
  spalt_compile_info info = Compiler::info(words);
  info.verify = 1;
  info.max_sgprs = GetParam();
  const Compilation compilation = compiler.compile(info);
  ASSERT_TRUE(compilation.ok()) << compilation.message();
  ASSERT_GT(compilation.statistics().code_bytes, 4u * 4 * 32767);
  EXPECT_LE(compilation.statistics().sgprs, GetParam());
  EXPECT_LE(sgprs_named(compilation), GetParam());

  spalt_emulator* handle = nullptr;
  ASSERT_EQ(spalt_emulator_create(&handle), SPALT_SUCCESS);
  const std::unique_ptr<spalt_emulator, void (*)(spalt_emulator*)> emulator(handle, spalt_emulator_destroy);
  ASSERT_EQ(spalt_emulator_load(handle, compilation.elf().first, compilation.elf().second), SPALT_SUCCESS);
  for (const uint32_t start : {0u, 1u, 5999u, 11999u, 12000u, 20999u, 29999u, 30000u}) {
    alignas(8) uint32_t buffer[2] = {start, 5};
    ASSERT_EQ(spalt_emulator_set_buffer(handle, 0, 0, 0, buffer, sizeof buffer), SPALT_SUCCESS);
    spalt_emulator_dispatch_info dispatch{};
    dispatch.struct_size = sizeof dispatch;
    dispatch.grid[0] = dispatch.grid[1] = dispatch.grid[2] = 1;
    ASSERT_EQ(spalt_emulator_dispatch(handle, &dispatch), SPALT_SUCCESS) << spalt_emulator_diagnostic(handle);
    uint32_t expected = 5;
    for (uint32_t i = 0, selector = start; i < kRounds; ++i, selector += 9000) {
      if (selector < kCases) expected = expected * factor(selector) + selector;
    }
    EXPECT_EQ(buffer[1], expected) << start;
  }
}

INSTANTIATE_TEST_SUITE_P(Sgprs, FarBranches, testing::Values(106u, 32u));

}  // namespace
