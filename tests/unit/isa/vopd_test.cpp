// SPDX-License-Identifier: MIT
// Which operations may be a pair (RDNA 3 ISA guide, section 7.6), and that the codec encodes just those.
#include "amdgpu/isa/codec/vopd.h"

#include <gtest/gtest.h>

#include <random>

namespace spalt::isa {
namespace {

const Target& gfx1100() {
  return *find_target("gfx1100");
}
Operand v(unsigned index) {
  return Operand::of(vgpr(index));
}
Operand s(unsigned index) {
  return Operand::of(sgpr(index));
}

VopdHalf half(Opcode opcode, unsigned result, std::initializer_list<Operand> sources) {
  return vopd_half(opcode, v(result), {sources.begin(), sources.size()}, gfx1100());
}
bool pairs(const VopdHalf& x, const VopdHalf& y) {
  return check_vopd(x, y, gfx1100()) == nullptr;
}

TEST(Vopd, ResultsComeFromDifferentBanks) {
  const VopdHalf even = half(Opcode::v_add_f32, 0, {v(4), v(5)});
  EXPECT_TRUE(pairs(even, half(Opcode::v_add_f32, 1, {v(6), v(7)})));
  EXPECT_FALSE(pairs(even, half(Opcode::v_add_f32, 2, {v(6), v(7)})));
}

TEST(Vopd, SourcesComeFromDifferentBanks) {
  const VopdHalf first = half(Opcode::v_add_f32, 0, {v(4), v(5)});
  EXPECT_FALSE(pairs(first, half(Opcode::v_add_f32, 1, {v(8), v(7)})));
  EXPECT_FALSE(pairs(first, half(Opcode::v_add_f32, 1, {v(6), v(9)})));
  EXPECT_TRUE(pairs(first, half(Opcode::v_add_f32, 1, {v(5), v(4)})));
}

TEST(Vopd, Gfx12ReadsOneRegisterForBoth) {
  const Target& gfx1200 = *find_target("gfx1200");
  const VopdHalf first = half(Opcode::v_mul_f32, 0, {s(4), v(5)});
  const VopdHalf same = half(Opcode::v_mul_f32, 1, {s(5), v(5)}), bank = half(Opcode::v_mul_f32, 1, {s(5), v(9)});
  EXPECT_FALSE(pairs(first, same));
  EXPECT_EQ(check_vopd(first, same, gfx1200), nullptr);
  EXPECT_NE(check_vopd(first, bank, gfx1200), nullptr);
}

TEST(Vopd, Gfx11SourcesAlternate) {
  const Target& gfx1200 = *find_target("gfx1200");
  const VopdHalf first = half(Opcode::v_mul_f32, 0, {v(4), v(5)});
  const VopdHalf even = half(Opcode::v_mul_f32, 1, {v(6), v(8)}), odd = half(Opcode::v_mul_f32, 1, {v(7), v(8)});
  EXPECT_TRUE(pairs(first, even)) << "other compilers' code has such pairs";
  EXPECT_FALSE(vopd_is_safe(first, even, gfx1100()));
  EXPECT_FALSE(vopd_is_safe(first, even, *find_target("gfx1150")));
  EXPECT_TRUE(vopd_is_safe(first, even, gfx1200));
  EXPECT_TRUE(vopd_is_safe(first, odd, gfx1100()));
  EXPECT_TRUE(vopd_is_safe(first, half(Opcode::v_mul_f32, 1, {s(6), v(8)}), gfx1100()));
}

TEST(Vopd, SourcesMayBeExchanged) {
  const Generation generation = gfx1100().generation;
  const VopdHalf difference = with_sources_exchanged(half(Opcode::v_sub_f32, 0, {v(4), v(5)}), generation);
  EXPECT_EQ(difference.opcode, Opcode::v_subrev_f32);
  EXPECT_EQ(difference.registers[0], 5);
  EXPECT_EQ(difference.registers[1], 4);
  EXPECT_TRUE(difference.can_pair());
  EXPECT_FALSE(with_sources_exchanged(half(Opcode::v_cndmask_b32, 0, {v(4), v(5)}), generation).can_pair());
  EXPECT_FALSE(with_sources_exchanged(half(Opcode::v_lshlrev_b32, 0, {v(4), v(5)}), generation).can_pair());
  EXPECT_FALSE(with_sources_exchanged(half(Opcode::v_mul_f32, 0, {s(4), v(5)}), generation).can_pair());
  EXPECT_FALSE(with_sources_exchanged(half(Opcode::v_mov_b32, 0, {v(4)}), generation).can_pair());
}

TEST(Vopd, TwoScalarValuesAtMost) {
  const VopdHalf one = half(Opcode::v_add_f32, 0, {s(3), v(5)});
  const VopdHalf other = half(Opcode::v_add_f32, 1, {s(4), v(6)});
  EXPECT_TRUE(pairs(one, other));
  const VopdHalf literal = half(Opcode::v_add_f32, 1, {Operand::of_imm(0x12345), v(6)});
  EXPECT_TRUE(pairs(one, literal));
  const VopdHalf select = half(Opcode::v_cndmask_b32, 1, {s(4), v(6)});
  EXPECT_FALSE(pairs(one, select)) << "vcc counts as well";
  EXPECT_TRUE(pairs(half(Opcode::v_add_f32, 0, {s(4), v(5)}), select)) << "the same register counts once";
}

TEST(Vopd, OneLiteral) {
  const VopdHalf one = half(Opcode::v_add_f32, 0, {Operand::of_imm(0x12345), v(5)});
  EXPECT_TRUE(pairs(one, half(Opcode::v_add_f32, 1, {Operand::of_imm(0x12345), v(6)})));
  EXPECT_FALSE(pairs(one, half(Opcode::v_add_f32, 1, {Operand::of_imm(0x54321), v(6)})));
  EXPECT_TRUE(pairs(one, half(Opcode::v_add_f32, 1, {Operand::of_imm(0x3f800000), v(6)}))) << "1.0 is inline";
}

TEST(Vopd, SecondSourceIsAVgpr) {
  EXPECT_TRUE(half(Opcode::v_add_f32, 0, {s(3), v(5)}).can_pair());
  EXPECT_FALSE(half(Opcode::v_add_f32, 0, {v(5), s(3)}).can_pair());
}

TEST(Vopd, SomeOperationsAreSecondOnly) {
  const VopdHalf integer = half(Opcode::v_add_nc_u32, 1, {v(6), v(7)});
  const VopdHalf product = half(Opcode::v_mul_f32, 0, {v(4), v(5)});
  EXPECT_TRUE(pairs(product, integer));
  EXPECT_FALSE(pairs(integer, product));
  EXPECT_FALSE(half(Opcode::v_rcp_f32, 0, {v(4)}).can_pair());
}

/// Sources of one operation, most of which it takes.
std::vector<Operand> random_sources(Opcode opcode, std::mt19937& random) {
  std::vector<Operand> sources;
  const OpcodeInfo& facts = info(opcode, gfx1100().generation);
  for (unsigned i = 0; i < facts.src_count; ++i) {
    if (facts.src[i].role == OperandRole::lane_mask) continue;
    const Operand choices[] = {v(random() % 16), v(random() % 16), s(random() % 4),
                               Operand::of_imm(random() % 2 == 0 ? 1 : 0x1234500)};
    const bool constant = facts.src[i].role == OperandRole::constant;
    sources.push_back(constant ? Operand::of_literal(0x1234500 + random() % 2) : choices[random() % 4]);
  }
  return sources;
}

TEST(Vopd, TheCodecEncodesWhatTheRulesAllow) {
  std::vector<Opcode> opcodes;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const bool is_there = opcode_number(opcode, Format::vopd, gfx1100().generation) >= 0;
    if (is_there && gfx1100().has(info(opcode, gfx1100().generation).feature)) opcodes.push_back(opcode);
  }
  std::mt19937 random(5);
  unsigned allowed = 0, refused = 0;
  for (unsigned round = 0; round < 20000; ++round) {
    Inst inst;
    inst.format = Format::vopd;
    inst.opcode = opcodes[random() % opcodes.size()];
    inst.opcode_y = opcodes[random() % opcodes.size()];
    inst.dst = {v(random() % 16), v(random() % 16)};
    const auto x = random_sources(inst.opcode, random), y = random_sources(inst.opcode_y, random);
    std::copy(y.begin(), y.end(), std::copy(x.begin(), x.end(), inst.src.begin()));
    const char* reason = check_vopd(vopd_half(inst.opcode, inst.dst[0], x, gfx1100()),
                                    vopd_half(inst.opcode_y, inst.dst[1], y, gfx1100()), gfx1100());
    EncodedInst encoded;
    const char* refusal = try_encode(inst, gfx1100(), encoded);
    ASSERT_EQ(reason == nullptr, refusal == nullptr) << to_text(inst, gfx1100()) << ": " << (refusal ? refusal : "");
    ++(reason == nullptr ? allowed : refused);
  }
  EXPECT_GT(allowed, 500u);
  EXPECT_GT(refused, 500u);
}

}  // namespace
}  // namespace spalt::isa
