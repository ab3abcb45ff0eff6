// SPDX-License-Identifier: MIT
#include "amdgpu/opt/operand_limits.h"

#include <gtest/gtest.h>

namespace spalt::opt {
namespace {

using mir::Opcode;
using mir::Operand;

class FitsVop3 : public testing::Test {
 protected:
  bool fits(Operand a, Operand b, Operand c) const {
    const Operand sources[] = {a, b, c};
    return fits_vop3(function_, Opcode::v_lshl_add_u32, sources);
  }

  mir::Function function_{*isa::find_target("gfx1030"), 32};
  Operand s0_ = function_.def(mir::kS1), s1_ = function_.def(mir::kS1), s2_ = function_.def(mir::kS1);
  Operand v_ = function_.def(mir::kV1);
  Operand inline_ = Operand::immediate(64), literal_ = Operand::immediate(65), other_literal_ = Operand::immediate(66);
};

// llvm-mc-19 -mcpu=gfx1030 accepts and rejects the same v_lshl_add_u32.

TEST_F(FitsVop3, TwoScalarValues) {
  EXPECT_TRUE(fits(s0_, s1_, v_));
  EXPECT_FALSE(fits(s0_, s1_, s2_));
}

TEST_F(FitsVop3, TheSameRegisterCountsOnce) {
  EXPECT_TRUE(fits(s0_, s1_, s0_));
  EXPECT_TRUE(fits(s0_, s0_, s0_));
}

TEST_F(FitsVop3, ALiteralCountsAsOne) {
  EXPECT_TRUE(fits(s0_, literal_, v_));
  EXPECT_FALSE(fits(s0_, literal_, s1_));
}

TEST_F(FitsVop3, OneLiteralOnly) {
  EXPECT_FALSE(fits(literal_, other_literal_, v_));
  EXPECT_TRUE(fits(literal_, literal_, v_));
}

TEST_F(FitsVop3, InlineConstantsAreFree) {
  EXPECT_TRUE(fits(s0_, inline_, s1_));
  EXPECT_TRUE(fits(inline_, literal_, s1_));
}

TEST_F(FitsVop3, SomeInstructionsReadOneScalar) {
  const Operand amount_and_pair[] = {s0_, function_.def(mir::kS2)};
  EXPECT_FALSE(fits_vop3(function_, Opcode::v_lshlrev_b64, amount_and_pair));
  const Operand amount_and_vector[] = {s0_, function_.def(mir::kV2)};
  EXPECT_TRUE(fits_vop3(function_, Opcode::v_lshlrev_b64, amount_and_vector));
}

}  // namespace
}  // namespace spalt::opt
