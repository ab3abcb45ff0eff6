// SPDX-License-Identifier: MIT
// What the assembler says about wrong text: place, subject and one clear reason.
#include <gtest/gtest.h>

#include "amdgpu/isa/text/assembler.h"

namespace spalt::isa {
namespace {

std::string failure(std::string_view text, unsigned wave_size = 32) {
  const auto code = assemble(text, *find_target("gfx1030"), wave_size);
  return code.ok() ? "" : located_message(code.error());
}

struct Case {
  const char* text;
  const char* message;
};

class AssemblerError : public testing::TestWithParam<Case> {};

TEST_P(AssemblerError, NamesPlaceSubjectAndReason) {
  EXPECT_EQ(failure(GetParam().text), GetParam().message);
}

constexpr Case kCases[] = {
    {"v_addd_f32 v0, v1, v2", "1:1: 'v_addd_f32' is no instruction"},
    {"s_nop 0\n\t5", "2:2: '5' is no instruction"},
    {"v_fma_f32_e32 v0, v1, v2, v3", "1:1: 'v_fma_f32_e32' has no such encoding on this target"},
    {"v_add_f32 v0, v1", "1:1: 'v_add_f32' needs more operands"},
    {"v_add_f32 v0, v1, v2, v3", "1:23: 'v3' is one operand too many"},
    {"v_add_f32 v0, v1, v2 glc", "1:22: 'glc' is no modifier of this instruction"},
    {"v_add_f32 v0, v1, v2 mul:3", "1:22: 'mul:3' is no value of this modifier"},
    {"v_add_f32 v0, v1, v2 clamp clamp", "1:28: 'clamp' is said twice"},
    {"v_add_f32 v0 v1, v2", "1:14: 'v1' needs a comma in front"},
    {"v_add_f32 , v0, v1, v2", "1:13: 'v0' follows a stray comma"},
    {"v_add_f32 v0, v1, v256", "1:19: 'v256' names a register that does not exist"},
    {"v_add_f32 v0, v1, v99999999999", "1:19: 'v99999999999' names a register that does not exist"},
    {"v_add_f32 v0, v1, s[2:3]", "1:19: 's[2:3]' has the wrong number of registers"},
    {"v_add_f32 v0, v1, foo", "1:19: 'foo' is no operand of this instruction"},
    {"v_add_f32 v0, v1, |v2", "1:22: 'end of line' is not the expected '|'"},
    {"v_add_f32 v0, v1, 0x1g", "1:19: '0x1g' is no number"},
    {"v_add_f32 v0, v1, 0x1ffffffff", "1:19: '0x1ffffffff' does not fit its operand"},
    {"v_fma_f32 v0, s0, s1, s2", "1:1: 'v_fma_f32' reads too many scalar values"},
    {"v_mul_f32 v0, 0x1234, 0x4321", "1:1: 'v_mul_f32' has two different literals"},
    {"s_mov_b64 s[1:2], 0", "1:1: 's_mov_b64' has a register tuple that leaves its file or is not aligned"},
    {"s_mov_b64 s[3:2], 0", "1:11: 's' has a register range that ends before it starts"},
    {"s_mov_b32 s0, v1", "1:1: 's_mov_b32' takes no VGPR"},
    {"s_mov_b32 1, s0", "1:11: '1' is a number where a register must stand"},
    {"s_mov_b32 s0, -v1", "1:15: '-v1' takes no neg, abs or sext"},
    {"v_mov_b32_dpp v0, v1",
     "1:1: 'v_mov_b32_dpp' needs a lane control such as quad_perm:[0,1,2,3] or dpp8:[0,1,2,3,4,5,6,7]"},
    {"v_mov_b32 v0, v1 row_shl:16", "1:18: 'row_shl:16' has a lane count out of range"},
    {"v_mov_b32 v0, v1 quad_perm:[0,1,2,4]", "1:18: 'quad_perm:[0,1,2,4]' names a lane that does not exist"},
    {"v_mov_b32 v0, v1 quad_perm:[0,1,2]", "1:18: 'quad_perm:[0,1,2]' has the wrong number of lanes"},
    {"v_pk_add_f16 v0, -v1, v2", "1:18: '-v1' takes neg_lo and neg_hi instead of a sign"},
    {"v_pk_add_f16 v0, v1, v2 op_sel:[0,2]", "1:25: 'op_sel:[0,2]' has a value that is no bit"},
    {"global_load_dword v0, v[2:3], off offset:2048", "1:35: 'offset:2048' is out of range"},
    {"ds_read2_b32 v[0:1], v2 offset1:256", "1:25: 'offset1:256' is out of range"},
    {"ds_swizzle_b32 v0, v1 offset:swizzle(SWAP,3)", "1:23: 'offset:swizzle(SWAP,3)' is no swizzle"},
    {"global_atomic_add v0, v1, v2, s[2:3]", "1:31: 's[2:3]' is one operand too many"},
    {"image_load v0, v1, s[0:7] dmask:1 dim:4D", "1:35: 'dim:4D' is no value of this modifier"},
    {"tbuffer_load_format_x v0, off, s[4:7], 0 format:[BUF_FMT_7]",
     "1:42: 'format:[BUF_FMT_7]' is no buffer format of this target"},
    {"exp mrt9 v0, v0, v0, v0", "1:5: 'mrt9' is no export target"},
    {"s_waitcnt vmcnt(64)", "1:17: '64' does not fit"},
    {"s_waitcnt vmcnt(0) foo(1)", "1:20: 'foo' is no counter of s_waitcnt"},
    {"s_sendmsg sendmsg(MSG_GS)", "1:19: 'MSG_GS' needs an operation"},
    {"s_getreg_b32 s0, hwreg(HW_REG_FOO)", "1:24: 'HW_REG_FOO' is no name that this instruction knows"},
    {"s_getreg_b32 s0, hwreg(HW_REG_MODE, 1)", "1:38: ')' is not the expected ','"},
    {"s_nop 65536", "1:7: '65536' does not fit 16 bits"},
    {"s_branch nowhere", "1:10: 'nowhere' is no label"},
    {"a:\ns_nop 0\na:", "3:1: 'a' is a label already"},
    {".long 0x1ffffffff", "1:7: '0x1ffffffff' does not fit 32 bits"},
    {".quad 1", "1:1: '.quad' is no directive that is supported"},
    {"s_endpgm\n  s_nop 0 \x01", "2:11: '?' is no operand"},
    {"s_nop", "1:1: 's_nop' needs more operands"},
};

INSTANTIATE_TEST_SUITE_P(Texts, AssemblerError, testing::ValuesIn(kCases));

TEST(AssemblerErrors, TellTheLine) {
  const auto code = assemble("s_nop 0\n\n/* a\nb */ s_nop 1\nv_bad", *find_target("gfx1030"), 32);
  ASSERT_FALSE(code.ok());
  EXPECT_EQ(code.error().source_line, 5u);
  EXPECT_EQ(code.error().offset, 1u);
  EXPECT_EQ(code.error().message, "'v_bad' is no instruction");
  EXPECT_EQ(code.error().status, Status::invalid_input);
}

TEST(AssemblerErrors, LaneMasksHaveTheWidthOfTheWave) {
  EXPECT_EQ(failure("v_cmp_lt_f32 vcc, v0, v1", 32), "1:14: 'vcc' has the wrong number of registers");
  EXPECT_EQ(failure("v_cmp_lt_f32 vcc_lo, v0, v1", 64), "1:14: 'vcc_lo' has the wrong number of registers");
  EXPECT_EQ(failure("v_cmp_lt_f32 vcc, v0, v1", 64), "");
}

TEST(AssemblerErrors, BranchesReachSixteenBits) {
  std::string text = "s_branch far\n";
  for (unsigned i = 0; i < 32767; ++i) text += "s_nop 0\n";
  EXPECT_EQ(failure(text + "far:"), "");
  EXPECT_EQ(failure(text + "s_nop 0\nfar:"), "1:10: 'far' is too far away for a branch");
}

TEST(AssemblerErrors, HostileTextEndsQuickly) {
  const std::string deep(1 << 20, '['), bars(1 << 20, '|'), minus(1 << 20, '-'), digits(1 << 20, '9');
  for (const std::string& junk : {deep, bars, minus, digits, "\"" + digits, "/*" + digits}) {
    EXPECT_NE(failure("v_mov_b32 v0, " + junk), "");
  }
  std::string terms = "v_mov_b32 v0";
  for (unsigned i = 0; i < 100000; ++i) terms += ", v0";
  EXPECT_NE(failure(terms), "");
}

}  // namespace
}  // namespace spalt::isa
