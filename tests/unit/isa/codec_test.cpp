// SPDX-License-Identifier: MIT
// Choice of encoding, refusals and constants. Expected words are from the AMD RDNA 2 ISA guide's field layouts.
#include "amdgpu/isa/codec/codec.h"

#include <gtest/gtest.h>

namespace spalt::isa {
namespace {

const Target& gfx1030() {
  return *find_target("gfx1030");
}

Inst make(Opcode opcode, std::initializer_list<Operand> dst, std::initializer_list<Operand> src) {
  Inst inst;
  inst.opcode = opcode;
  std::copy(dst.begin(), dst.end(), inst.dst.begin());
  std::copy(src.begin(), src.end(), inst.src.begin());
  return inst;
}

Operand v(unsigned index, unsigned dwords = 1) {
  return Operand::of(vgpr(index), dwords);
}
Operand s(unsigned index, unsigned dwords = 1) {
  return Operand::of(sgpr(index), dwords);
}

std::string refusal(const Inst& inst) {
  const Result<EncodedInst> encoded = encode(inst, gfx1030());
  return encoded ? "" : encoded.error().message;
}

TEST(SelectFormat, PrefersTheShortEncoding) {
  EXPECT_EQ(select_format(make(Opcode::v_add_f32, {v(0)}, {s(1), v(2)}), gfx1030()), Format::vop2);
  EXPECT_EQ(select_format(make(Opcode::v_mov_b32, {v(0)}, {s(1)}), gfx1030()), Format::vop1);
  EXPECT_EQ(select_format(make(Opcode::s_add_u32, {s(0)}, {s(1), s(2)}), gfx1030()), Format::sop2);
}

TEST(SelectFormat, NeedsVop3ForScalarSource1) {
  EXPECT_EQ(select_format(make(Opcode::v_add_f32, {v(0)}, {v(1), s(2)}), gfx1030()), Format::vop3);
  EXPECT_EQ(select_format(make(Opcode::v_add_f32, {v(0)}, {v(1), Operand::of_imm(1)}), gfx1030()), Format::vop3);
}

TEST(SelectFormat, NeedsVop3ForModifiers) {
  Inst inst = make(Opcode::v_add_f32, {v(0)}, {v(1), v(2)});
  EXPECT_EQ(select_format(inst, gfx1030()), Format::vop2);
  inst.mods.neg = 1;
  EXPECT_EQ(select_format(inst, gfx1030()), Format::vop3);
  inst.mods.neg = 0;
  inst.mods.clamp = true;
  EXPECT_EQ(select_format(inst, gfx1030()), Format::vop3);
}

TEST(SelectFormat, ComparesAndCarriesNeedVccInShortForms) {
  EXPECT_EQ(select_format(make(Opcode::v_cmp_lt_f32, {Operand::of(kVcc)}, {v(1), v(2)}), gfx1030()), Format::vopc);
  EXPECT_EQ(select_format(make(Opcode::v_cmp_lt_f32, {s(4)}, {v(1), v(2)}), gfx1030()), Format::vop3);
  const Operand vcc = Operand::of(kVcc, 2);
  EXPECT_EQ(select_format(make(Opcode::v_add_co_ci_u32, {v(0), vcc}, {v(1), v(2), vcc}), gfx1030()), Format::vop2);
  EXPECT_EQ(select_format(make(Opcode::v_add_co_ci_u32, {v(0), vcc}, {v(1), v(2), s(8, 2)}), gfx1030()), Format::vop3);
  EXPECT_EQ(select_format(make(Opcode::v_cndmask_b32, {v(0)}, {v(1), v(2), s(8, 2)}), gfx1030()), Format::vop3);
}

TEST(SelectFormat, InfersSdwaAndDppFromTheirModifiers) {
  Inst inst = make(Opcode::v_add_f32, {v(0)}, {v(1), v(2)});
  inst.mods.src_sel[1] = 5;
  EXPECT_EQ(select_format(inst, gfx1030()), Format::sdwa);
  inst.mods.src_sel[1] = 6;
  inst.mods.dpp_ctrl = 0x141;
  EXPECT_EQ(select_format(inst, gfx1030()), Format::dpp16);
  inst.mods.dpp_ctrl = 0;
  inst.mods.dpp8 = 1;
  EXPECT_EQ(select_format(inst, gfx1030()), Format::dpp8);
}

TEST(SelectFormat, ConstantBusTakesTwoScalarValues) {
  const Opcode fma = Opcode::v_fma_f32;
  EXPECT_EQ(select_format(make(fma, {v(0)}, {s(1), s(2), v(3)}), gfx1030()), Format::vop3);
  EXPECT_EQ(select_format(make(fma, {v(0)}, {s(1), s(2), s(1)}), gfx1030()), Format::vop3);
  EXPECT_EQ(select_format(make(fma, {v(0)}, {s(1), s(2), Operand::of_imm(0x3f800000)}), gfx1030()), Format::vop3);
  EXPECT_EQ(select_format(make(fma, {v(0)}, {s(1), s(2), s(3)}), gfx1030()), Format::invalid);
  EXPECT_EQ(select_format(make(fma, {v(0)}, {s(1), s(2), Operand::of_imm(0x12345)}), gfx1030()), Format::invalid);
  EXPECT_NE(refusal(make(fma, {v(0)}, {s(1), s(2), s(3)})).find("too many scalar"), std::string::npos);
  // 64-bit shifts read one scalar only.
  const Operand mask = Operand::of_imm(3);
  EXPECT_EQ(select_format(make(Opcode::v_lshlrev_b64, {v(0, 2)}, {mask, s(2, 2)}), gfx1030()), Format::vop3);
  EXPECT_EQ(select_format(make(Opcode::v_lshlrev_b64, {v(0, 2)}, {s(1), s(2, 2)}), gfx1030()), Format::invalid);
}

TEST(Encode, RefusesWhatDoesNotFit) {
  EXPECT_NE(refusal(make(Opcode::s_mov_b64, {s(1, 2)}, {s(2, 2)})).find("aligned"), std::string::npos);
  EXPECT_NE(refusal(make(Opcode::s_mov_b64, {s(0, 2)}, {s(2)})).find("width"), std::string::npos);
  EXPECT_NE(refusal(make(Opcode::s_mov_b32, {s(0)}, {v(2)})).find("VGPR"), std::string::npos);
  EXPECT_NE(refusal(make(Opcode::v_mov_b32, {s(0)}, {v(2)})).find("VGPR"), std::string::npos);
  EXPECT_NE(refusal(make(Opcode::v_mov_b32, {v(0)}, {})).find("lacks"), std::string::npos);
  Inst inst = make(Opcode::v_and_b32, {v(0)}, {v(1), v(2)});
  inst.mods.neg = 1;
  EXPECT_NE(refusal(inst), "");
  inst.mods.neg = 0;
  inst.mods.glc = true;
  EXPECT_NE(refusal(inst), "");
  inst = make(Opcode::global_load_dword, {v(0)}, {v(2, 2)});
  inst.mods.offset = 2047;
  EXPECT_EQ(refusal(inst), "");
  inst.mods.offset = 2048;
  EXPECT_NE(refusal(inst).find("out of range"), std::string::npos);
}

TEST(Encode, SharesEqualLiterals) {
  const Operand literal = Operand::of_imm(0x12345678), other = Operand::of_imm(0x12345679);
  const Result<EncodedInst> shared = encode(make(Opcode::s_add_u32, {s(0)}, {literal, literal}), gfx1030());
  ASSERT_TRUE(shared.ok());
  EXPECT_EQ(shared->count, 2);
  EXPECT_EQ(shared->words[1], 0x12345678u);
  EXPECT_NE(refusal(make(Opcode::s_add_u32, {s(0)}, {literal, other})).find("two different literals"),
            std::string::npos);
}

/// Source code of an immediate in source 0 of an instruction.
uint32_t source_code(Opcode opcode, unsigned dst_dwords, const Operand& operand, Operand second = {}) {
  const bool scalar = info(opcode).has(kSalu);
  const Operand dst = scalar ? s(0, dst_dwords) : v(0, dst_dwords);
  const Result<EncodedInst> encoded = encode(make(opcode, {dst}, {operand, second}), gfx1030());
  if (!encoded) return 0;
  return scalar ? encoded->words[0] & 0xff : encoded->words[encoded->count > 1 && dst_dwords == 2 ? 1 : 0] & 0x1ff;
}

TEST(Constants, PicksInlineCodesByType) {
  const auto imm = [](uint32_t value) { return Operand::of_imm(value); };
  EXPECT_EQ(source_code(Opcode::s_mov_b32, 1, imm(0)), 128u);
  EXPECT_EQ(source_code(Opcode::s_mov_b32, 1, imm(64)), 192u);
  EXPECT_EQ(source_code(Opcode::s_mov_b32, 1, imm(65)), 255u);
  EXPECT_EQ(source_code(Opcode::s_mov_b32, 1, imm(0xffffffff)), 193u);
  EXPECT_EQ(source_code(Opcode::s_mov_b32, 1, imm(0xfffffff0)), 208u);
  EXPECT_EQ(source_code(Opcode::s_mov_b32, 1, imm(0xffffffef)), 255u);
  EXPECT_EQ(source_code(Opcode::v_mov_b32, 1, imm(0x3f000000)), 240u);  // 0.5
  EXPECT_EQ(source_code(Opcode::v_mov_b32, 1, imm(0xc0800000)), 247u);  // -4.0
  EXPECT_EQ(source_code(Opcode::v_mov_b32, 1, imm(0x3e22f983)), 248u);  // 1 / (2 pi)
  EXPECT_EQ(source_code(Opcode::v_add_f16, 1, imm(0x3c00), v(1)), 242u);
  EXPECT_EQ(source_code(Opcode::v_add_f16, 1, imm(0x3f800000), v(1)), 255u);
  EXPECT_EQ(source_code(Opcode::v_cvt_f32_f64, 1, imm(0x3ff00000)), 242u);
  EXPECT_EQ(source_code(Opcode::v_cvt_f32_f64, 1, imm(1)), 255u);  // high dword of a double
  EXPECT_EQ(source_code(Opcode::s_mov_b64, 2, imm(0xffffffff)), 193u);
  EXPECT_EQ(source_code(Opcode::s_mov_b32, 1, Operand::of_literal(0)), 255u);
}

TEST(Constants, ValueIsWhatTheHardwareReads) {
  EXPECT_EQ(immediate_value(Operand::of_imm(0x3f800000), OperandType::f32), 0x3f800000u);
  EXPECT_EQ(immediate_value(Operand::of_imm(0x3ff00000), OperandType::f64), 0x3ff0000000000000u);
  EXPECT_EQ(immediate_value(Operand::of_imm(0xffffffff), OperandType::b64), ~uint64_t{0});
  EXPECT_EQ(immediate_value(Operand::of_literal(0xffffffff), OperandType::b64), 0xffffffffu);
  EXPECT_EQ(immediate_value(Operand::of_literal(0xffffffff), OperandType::i64), ~uint64_t{0});
  EXPECT_EQ(immediate_value(Operand::of(Reg{248}, 2), OperandType::b64), 0x3fc45f306dc9c882u);
  EXPECT_EQ(immediate_value(Operand::of(Reg{129}, 2), OperandType::f64), 1u);
  EXPECT_EQ(immediate_value(Operand::of(Reg{242}), OperandType::i16), 0x3c00u);
}

TEST(Text, LaneMasksFollowTheWaveSize) {
  const uint32_t words[] = {0x7c020501};  // VOPC 1, src0 v1, src1 v2
  EXPECT_EQ(to_text(*decode(words, gfx1030(), 32), gfx1030()), "v_cmp_lt_f32_e32 vcc_lo, v1, v2");
  EXPECT_EQ(to_text(*decode(words, gfx1030(), 64), gfx1030()), "v_cmp_lt_f32_e32 vcc, v1, v2");
}

TEST(Decode, TakesLiteralsOfMixedPrecisionThatItDoesNotMake) {
  const uint32_t words[] = {0xcc224007, 0x820202ff, 0x3e99999a};
  const Result<Inst> inst = decode(words, gfx1030(), 32);
  ASSERT_TRUE(inst.ok());
  EXPECT_EQ(inst->size_bytes, 12u);
  EXPECT_EQ(to_text(*inst, gfx1030()), "v_fma_mixhi_f16 v7, 0x3e99999a, v1, neg(0) op_sel_hi:[0,0,1]");
  EXPECT_FALSE(encode(*inst, gfx1030()).ok());
}

}  // namespace
}  // namespace spalt::isa
