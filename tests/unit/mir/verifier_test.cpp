// SPDX-License-Identifier: MIT
#include "amdgpu/mir/verifier.h"

#include <gtest/gtest.h>

#include "amdgpu/mir/parser.h"

namespace spalt::mir {
namespace {

std::string finding(const std::string& text) {
  const Result<Function> function = parse(text);
  if (!function) return "does not parse: " + function.error().message;
  const Result<void> verdict = verify(*function);
  return verdict.ok() ? "" : verdict.error().message;
}

/// One block of the masked stage around `code`.
std::string masked(const std::string& code, const std::string& tail = "") {
  return "machine gfx1030 wave64 masked\nb0:\n  %0:s4@s[0:3], %1:s1@s4, %2:v1@v0, %3:v2@v[1:2], %4:s2@s[6:7] = "
         "p_start\n"
         "  p_logical_start\n" +
         code + "  p_logical_end\n" + tail + "  s_endpgm\n";
}

TEST(VerifyMachineIr, AcceptsAProgram) {
  EXPECT_EQ(finding(masked("  %9:v1 = v_add_f32 %1:s1, %2:v1\n  buffer_store_dword %9:v1, %2:v1, %0:s4, 0x0\n")), "");
}

TEST(VerifyMachineIr, OperandsCarryTheClassOfTheirRegister) {
  Result<Function> function = parse(masked("  %9:v1 = v_add_f32 %1:s1, %2:v1\n"));
  ASSERT_TRUE(function.ok());
  for (InstId inst : function->blocks[function->layout[0]].insts) {
    if (function->insts[inst].opcode == Opcode::v_add_f32) function->uses(inst)[1].file = RegFile::sgpr;
  }
  const Result<void> verdict = verify(*function);
  ASSERT_FALSE(verdict.ok());
  EXPECT_NE(verdict.error().message.find("the class of the register"), std::string::npos) << verdict.error().message;
}

struct Broken {
  const char* text;
  const char* rule;
};

class VerifyMachineIrRefuses : public testing::TestWithParam<Broken> {};

TEST_P(VerifyMachineIrRefuses, Text) {
  const std::string found = finding(GetParam().text);
  EXPECT_NE(found.find(GetParam().rule), std::string::npos) << "found: " << found;
}

class VerifyOperandsRefuses : public testing::TestWithParam<Broken> {};

TEST_P(VerifyOperandsRefuses, Instruction) {
  const std::string found = finding(masked(std::string("  ") + GetParam().text + "\n"));
  EXPECT_NE(found.find(GetParam().rule), std::string::npos) << "found: " << found;
}

INSTANTIATE_TEST_SUITE_P(
    Structure, VerifyMachineIrRefuses,
    testing::Values(
        Broken{"machine gfx1030 wave64 masked\nb0:\n  p_logical_start\n  p_logical_end\n", "ends in a terminator"},
        Broken{"machine gfx1030 wave64 masked\nb0:\n  s_endpgm\n  p_logical_start\n  p_logical_end\n  s_endpgm\n",
               "last instruction"},
        Broken{"machine gfx1030 wave64 masked\nb0: linear(-> b1)\n  p_logical_start\n  p_logical_end\n  p_jump b1\n"
               "b1:\n  s_endpgm\n",
               "listed by both"},
        Broken{"machine gfx1030 wave64 masked\nb0: linear(-> b1)\n  p_logical_start\n  p_logical_end\n  s_endpgm\n"
               "b1: linear(b0 ->)\n  s_endpgm\n",
               "are the targets"},
        Broken{"machine gfx1030 wave64 masked\nb0: linear(-> b1)\n  p_logical_start\n  p_logical_end\n  p_jump b0\n"
               "b1: linear(b0 ->)\n  s_endpgm\n",
               "are the successors"},
        Broken{"machine gfx1030 wave64 masked\nb0:\n  p_logical_start\n  s_endpgm\n",
               "p_logical_start and p_logical_end"},
        Broken{"machine gfx1030 wave64 masked\nb0:\n  p_logical_end\n  p_logical_start\n  s_endpgm\n",
               "p_logical_start and p_logical_end"},
        Broken{"machine gfx1030 wave64 masked\nb0: linear(b0 -> b0)\n  p_logical_start\n  p_logical_end\n  p_jump b0\n",
               "no predecessors"},
        Broken{"machine gfx1030 wave64 selected\nb0: logical(-> b1)\n  p_jump b1\nb1: logical(b0 ->)\n  p_return\n",
               "logical branch"},
        Broken{"machine gfx1030 wave64 masked\nb0: logical(-> b1) linear(-> b1)\n  p_logical_start\n  p_logical_end\n"
               "  p_branch b1\nb1: logical(b0 ->) linear(b0 ->)\n  p_logical_start\n  p_logical_end\n  s_endpgm\n",
               "linear jump"},
        Broken{"machine gfx1030 wave64 masked\nb0: logical(-> b1) linear(-> b1)\n  %0:s1@s0 = p_start\n"
               "  p_logical_start\n  p_logical_end\n  p_jump b1\nb1: logical(b0 ->) linear(b0 ->)\n"
               "  %1:s1 = p_phi %0:s1, %0:s1\n  p_logical_start\n  p_logical_end\n  s_endpgm\n",
               "one operand per linear predecessor"},
        Broken{"machine gfx1030 wave64 masked\nb0: logical(-> b1) linear(-> b1)\n  %0:s1@s0 = p_start\n"
               "  p_logical_start\n  p_logical_end\n  p_jump b1\nb1: logical(b0 ->) linear(b0 ->)\n"
               "  p_logical_start\n  %1:s1 = p_phi %0:s1\n  p_logical_end\n  s_endpgm\n",
               "phis come first"},
        Broken{"machine gfx1030 wave64 masked\nb0: logical(-> b1) linear(-> b1)\n  %0:s2@s[0:1] = p_start\n"
               "  p_logical_start\n  p_logical_end\n  p_jump b1\nb1: logical(b0 ->) linear(b0 ->)\n"
               "  %1:s2 = p_phi_mask %0:s2\n  p_logical_start\n  p_logical_end\n  s_endpgm\n",
               "removes p_phi_mask"},
        Broken{"machine gfx1030 wave64 selected\nb0: logical(-> b1)\n  %0:s1@s0 = p_start\n  p_branch b1\n"
               "b1: logical(b0 ->)\n  %1:s1 = p_phi_mask %0:s1\n  p_return\n",
               "defines a lane mask"},
        Broken{"machine gfx1030 wave64 selected\nb0: logical(-> b1, b2)\n  %0:s2@s[0:1] = p_start\n"
               "  p_branch_mask %0:s2, b1, b2\nb1: logical(b0 -> b2)\n  p_branch b2\n"
               "b2: logical(b0, b1 ->)\n  %1:s2 = p_phi_mask %0:s2, 0x0\n  p_return\n",
               "p_phi_mask is critical"},
        Broken{"machine gfx1030 wave64 allocated\nb0:\n  %0:s1 = p_start\n  p_logical_start\n  p_logical_end\n  "
               "s_endpgm\n",
               "has a register after allocation"}));

INSTANTIATE_TEST_SUITE_P(
    Instructions, VerifyOperandsRefuses,
    testing::Values(
        Broken{"%9:v1 = v_add_f32 %2:v1", "operand is missing"},
        Broken{"v_add_f32 %2:v1, %2:v1", "definition is missing"},
        Broken{"%9:v1 = buffer_load_dword %1:s1, %0:s4, 0x0", "vector slot holds a VGPR"},
        Broken{"%9:s1, scc = s_add_u32 %2:v1, %1:s1", "scalar slot holds no VGPR"},
        Broken{"%9:v1 = v_add_f32 %3:v2, %2:v1", "size of its slot"},
        Broken{"%9:s1 = s_mov_b32 %4:s2", "size of its slot"},
        Broken{"%9:v1 = buffer_load_dword 0x1, %0:s4, 0x0", "register slot holds no constant"},
        Broken{"%9:v1 = v_add_f32 undef, %2:v1", "take undef"},
        Broken{"%9:s1 = s_add_u32 %1:s1, %1:s1", "writes scc names it"},
        Broken{"%9:s1 = s_cselect_b32 %1:s1, %1:s1", "reads scc names it"},
        Broken{"%9:s1 = s_cselect_b32 %1:s1, %1:s1, scc", "defined before its use"},
        Broken{"%9:v1 = v_cndmask_b32 %2:v1, %2:v1, vcc", "vcc is defined before"},
        Broken{"%9:v1 = p_copy %3:v2", "copy keeps the size"}, Broken{"%9:v4 = p_vec %3:v2, %2:v1", "fill the tuple"},
        Broken{"%9:v1, %10:v2 = p_split %3:v2", "fill the tuple"},
        Broken{"%9:v1 = p_extract %3:v2, 0x2", "dwords of its tuple"},
        Broken{"%9:v1 = p_parallel_copy %2:v1, %2:v1", "operand counts"},
        Broken{"%9:s4@s[2:5] = s_load_dwordx4 %4:s2, 0x0", "aligned"},
        Broken{"%9:v1@s5 = v_mov_b32 %2:v1", "file of its class"},
        Broken{"exec = s_mov_b64 %4:s2", "nothing writes exec"},
        Broken{"0x1 = v_mov_b32 %2:v1", "definition is a register"}, Broken{"%2:v1 = v_mov_b32 0x1", "one definition"},
        Broken{"%9:v1 = v_mov_b32 %8:v1", "has a definition"}, Broken{"%9:v1 = v_mov_b32 %9:v1", "dominates its use"}));

TEST(VerifyMachineIr, RefusesVectorCodeBehindTheLanes) {
  const std::string found = finding(masked("", "  %9:v1 = v_mov_b32 %2:v1\n"));
  EXPECT_NE(found.find("between p_logical_start and p_logical_end"), std::string::npos) << found;
}

TEST(VerifyMachineIr, AllowsAValueInVccAcrossBlocksBehindAllocation) {
  EXPECT_EQ(finding("machine gfx1030 wave32 allocated\nb0: linear(-> b1)\n  %0:v1@v0 = p_start\n  p_logical_start\n"
                    "  %1:s1@vcc_lo = v_cmp_eq_u32 0x0, %0:v1@v0\n  p_logical_end\n  p_jump b1\nb1: linear(b0 ->)\n"
                    "  p_logical_start\n  v9 = v_writelane_b32 vcc_lo, 0x1\n  p_logical_end\n  s_endpgm\n"),
            "");
}

/// A vector value of one side of a branch reaches the other side on the linear graph only; a scalar one on the linear
/// graph too, which is enough for it.
TEST(VerifyMachineIr, EachFileFollowsItsGraph) {
  const auto text = [](const char* definition, const char* use) {
    return std::string(
               "machine gfx1030 wave32 masked\nb0: logical(-> b1, b2) linear(-> b1)\n"
               "  %0:s1@s0, %1:v1@v0 = p_start\n  p_logical_start\n  p_logical_end\n  p_jump b1\n"
               "b1: logical(b0 -> b3) linear(b0 -> b2)\n  p_logical_start\n  ") +
           definition +
           "\n  p_logical_end\n  p_jump b2\nb2: logical(b0 -> b3) linear(b1 -> b3)\n  p_logical_start\n  " + use +
           "\n  p_logical_end\n  p_jump b3\nb3: logical(b1, b2 ->) linear(b2 ->)\n  p_logical_start\n  p_logical_end\n "
           " s_endpgm\n";
  };
  EXPECT_EQ(finding(text("%9:s1 = s_mov_b32 0x1", "%10:v1 = v_mov_b32 %9:s1")), "");
  const std::string found = finding(text("%9:v1 = v_mov_b32 0x1", "%10:v1 = v_mov_b32 %9:v1"));
  EXPECT_NE(found.find("on the logical graph"), std::string::npos) << found;
}

}  // namespace
}  // namespace spalt::mir
