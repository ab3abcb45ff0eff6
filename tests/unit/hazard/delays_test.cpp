// SPDX-License-Identifier: MIT
// s_delay_alu as LLVM 19 places it and as we do, on the same instructions: a model of the rule gives LLVM's with all
// switches off, and ours with all of them on. docs/isa-errata.md, "Delays", says what each switch is.
#include <gtest/gtest.h>

#include "amdgpu/hazard/insert_delays.h"
#include "amdgpu/isa/codec/codec.h"
#include "delay_model.h"
#include "llvm_code.h"

namespace spalt::hazard::test {
namespace {

struct Machine {
  const char* target;
  unsigned wave_size;
};
class Delays : public testing::TestWithParam<Machine> {
 protected:
  std::vector<Program> programs() const {
    const isa::Target& target = *isa::find_target(GetParam().target);
    return compile_with_llvm(random_module(kFunctions, 1), target, GetParam().wave_size);
  }
  std::vector<uint16_t> model(const Program& program, DelayRule rule) const {
    return model_delays(program.insts, GetParam().wave_size, rule);
  }

  static constexpr unsigned kFunctions = 30;
  static constexpr DelayRule kLlvm = {}, kOurs = {true, true, true, true, true, true, true};
};

/// The first place where the lists differ, with the code before it.
std::string difference(const Program& program, const std::vector<uint16_t>& expected,
                       const std::vector<uint16_t>& found) {
  if (expected == found) return "";
  size_t at = 0;
  while (expected[at] == found[at]) ++at;
  std::string text =
      "expected " + std::to_string(expected[at]) + ", found " + std::to_string(found[at]) + " before the last of\n";
  for (size_t i = at > 10 ? at - 10 : 0; i <= at; ++i)
    text += isa::to_text(program.insts[i], program.function.target) + "\n";
  return text;
}

TEST_P(Delays, ModelIsLlvmsRule) {
  unsigned count = 0, delays = 0;
  for (const Program& program : programs()) {
    ++count;
    for (uint16_t delay : program.delays) delays += delay != 0;
    ASSERT_EQ(difference(program, program.delays, model(program, kLlvm)), "");
  }
  EXPECT_EQ(count, kFunctions);
  EXPECT_GT(delays, 3 * kFunctions);
}

TEST_P(Delays, PassIsTheModelWithOurChanges) {
  for (Program& program : programs()) {
    const std::vector<uint16_t> expected = model(program, kOurs);
    CompileContext context;
    insert_delays(program.function, context);
    ASSERT_EQ(difference(program, expected, delays_of(program.function)), "");
  }
}

/// Without any one of the changes the model would not be ours.
TEST_P(Delays, EachChangeMatters) {
  constexpr unsigned kChanges = 7;
  DelayRule without[kChanges] = {kOurs, kOurs, kOurs, kOurs, kOurs, kOurs, kOurs};
  without[0].implicit_vcc = without[1].stalls = without[2].scalars_wait = without[3].slow_carry = false;
  without[4].two_passes = without[5].pays = without[6].long_waits = false;
  unsigned differing[kChanges] = {};
  for (const Program& program : programs()) {
    const std::vector<uint16_t> ours = model(program, kOurs);
    for (unsigned i = 0; i < kChanges; ++i) differing[i] += model(program, without[i]) != ours;
  }
  for (unsigned i = 0; i < kChanges; ++i) {
    // In halves of waves instructions take so long that a stall rarely finds anything else unfinished.
    if (i == 1 && GetParam().wave_size == 64) continue;
    const bool can_matter = i != 4 || GetParam().wave_size == 64;
    EXPECT_EQ(differing[i] > 0, can_matter) << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Llvm, Delays,
                         testing::Values(Machine{"gfx1100", 32}, Machine{"gfx1100", 64}, Machine{"gfx1150", 32},
                                         Machine{"gfx1150", 64}, Machine{"gfx1200", 32}, Machine{"gfx1200", 64}),
                         [](const auto& param) {
                           return std::string(param.param.target) + "_wave" + std::to_string(param.param.wave_size);
                         });

}  // namespace
}  // namespace spalt::hazard::test
