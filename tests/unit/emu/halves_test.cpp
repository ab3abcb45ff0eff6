// SPDX-License-Identifier: MIT
// Halves of registers: an instruction that names high halves does what the one with low halves does on shifted
// registers.
#include "amdgpu/isa/halves.h"

#include <gtest/gtest.h>

#include "amdgpu/isa/codec/codec.h"
#include "assemble.h"

namespace spalt::emu::test {
namespace {

using isa::Format;
using isa::Inst;
using isa::Opcode;
using isa::OpcodeInfo;
using isa::Operand;
using isa::OperandRole;

constexpr unsigned kLanes = 32, kInputs = 4;
constexpr unsigned kSources = 2;         // v2..v4; v5 is what the destination held
constexpr unsigned kHigh = 6, kLow = 7;  // results: with high halves, with low ones
constexpr unsigned kShifted = 12;        // v12..v14
constexpr unsigned kMask = 50;           // s50, for v_cndmask
constexpr unsigned kCompared = 40;       // s40
constexpr uint32_t kConstant = 0x3c01;

const Format kFormats[] = {Format::vop1,  Format::vop2, Format::vopc,       Format::vop3,
                           Format::dpp16, Format::dpp8, Format::vop3_dpp16, Format::vop3_dpp8};

std::string v(unsigned index) {
  return "v" + std::to_string(index);
}

/// The opcode with its sources from v`first` on and the given halves. Floats are negated where the format can.
Inst make(Opcode opcode, Format format, const isa::Target& target, unsigned dst, unsigned first, unsigned halves) {
  const OpcodeInfo& facts = isa::info(opcode, target.generation);
  Inst inst;
  inst.opcode = opcode;
  inst.format = format;
  inst.mods.op_sel = static_cast<uint8_t>(halves);
  const bool is_short = format == Format::vopc || format == Format::dpp16 || format == Format::dpp8;
  if (facts.dst_count > 0) {
    const bool mask = facts.dst[0].role == OperandRole::lane_mask;
    inst.dst[0] = Operand::of(!mask ? isa::vgpr(dst) : is_short ? isa::kVcc : isa::sgpr(kCompared));
  }
  for (unsigned i = 0; i < facts.src_count; ++i) {
    const OperandRole role = facts.src[i].role;
    inst.src[i] = role == OperandRole::lane_mask  ? Operand::of(isa::sgpr(kMask))
                  : role == OperandRole::constant ? Operand::of_literal(kConstant)
                                                  : Operand::of(isa::vgpr(first + i));
  }
  if (format == Format::vop3) inst.mods.neg = static_cast<uint8_t>(facts.modifiers & 1);
  if (format == Format::dpp16 || format == Format::vop3_dpp16) inst.mods.dpp_ctrl = 0x111;  // row_shr:1
  if (format == Format::dpp8 || format == Format::vop3_dpp8) inst.mods.dpp8 = 0x053977;
  return inst;
}

/// The text of an instruction; what it compares goes to v`dst`.
std::string run_one(const Inst& inst, const isa::Target& target, unsigned dst) {
  const OpcodeInfo& facts = isa::info(inst.opcode, target.generation);
  std::string text = isa::to_text(inst, target) + "\n";
  if (facts.has(isa::kTranscendental) && target.has(isa::Hazard::valu_trans_use)) text += "s_waitcnt_depctr 0xfff\n";
  if (facts.dst_count == 0) {
    return "s_mov_b32 s41, exec_lo\n" + text + "s_mov_b32 s40, exec_lo\ns_mov_b32 exec_lo, s41\nv_mov_b32 " + v(dst) +
           ", s40\n";
  }
  if (facts.dst[0].role != OperandRole::lane_mask) return text;
  return text + "v_mov_b32 " + v(dst) + (inst.dst[0].reg == isa::kVcc ? ", vcc_lo\n" : ", s40\n");
}

/// Both versions with these halves.
std::string both(Opcode opcode, Format format, const isa::Target& target, unsigned halves) {
  const unsigned source_count = isa::info(opcode, target.generation).src_count;
  std::string text = "v_mov_b32 v6, v5\nv_mov_b32 v7, v5\n";
  text += run_one(make(opcode, format, target, kHigh, kSources, halves), target, kHigh);
  for (unsigned i = 0; i < source_count && i < 3; ++i) {
    const bool high = (halves >> i & 1) != 0;
    text += (high ? "v_lshrrev_b32 " + v(kShifted + i) + ", 16, " : "v_mov_b32 " + v(kShifted + i) + ", ") +
            v(kSources + i) + "\n";
  }
  const bool high_result = (halves >> isa::kDstHalfBit & 1) != 0;
  if (high_result) text += "v_lshrrev_b32 v7, 16, v5\n";
  text += run_one(make(opcode, format, target, kLow, kShifted, 0), target, kLow);
  if (high_result) text += "v_and_b32 v20, 0xffff, v5\nv_lshl_or_b32 v7, v7, 16, v20\n";
  return text;
}

class Halves : public testing::TestWithParam<const char*> {
 protected:
  const isa::Target& target() const { return *isa::find_target(GetParam()); }
  std::string wait() const {
    return target().generation == isa::Generation::gfx12 ? "s_wait_loadcnt 0\n" : "s_waitcnt vmcnt(0)\n";
  }
  std::string no_offset() const { return target().generation == isa::Generation::gfx12 ? "null" : "0"; }
};

TEST_P(Halves, HighOnesAreLowOnesShifted) {
  std::vector<uint32_t> in = interesting_u32(kLanes * kInputs, 5);
  unsigned rows = 0, encodings = 0;
  std::string skipped;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const OpcodeInfo& facts = isa::info(opcode, target().generation);
    // Swaps are below; two opcodes convert to register pairs.
    const bool pair = facts.dst_count > 0 && facts.dst[0].type == isa::OperandType::b64;
    if (!(facts.modifiers & isa::kModHalves) || facts.has(isa::kSwapsOperands) || pair) continue;
    const unsigned bits = isa::half_bits(facts);
    bool executed = false;
    for (const Format format : kFormats) {
      if (isa::opcode_number(opcode, format, target().generation) < 0) continue;
      std::string body =
          "s_mov_b32 s50, 0x5a3c96f0\nv_lshlrev_b32 v1, 4, v0\nv_lshlrev_b32 v30, 3, v0\n"
          "buffer_load_b128 v[2:5], v1, s[8:11], " +
          no_offset() + " offen\n" + wait();
      unsigned count = 0;
      for (unsigned halves = 0; halves < 16; ++halves) {
        if (halves & ~bits) continue;
        body += both(opcode, format, target(), halves);
        body += "buffer_store_b64 v[6:7], v30, s[12:15], " + no_offset() +
                " offen offset:" + std::to_string(count++ * kLanes * 8) + "\n";
      }
      std::vector<uint32_t> out(count * kLanes * 2, 0x0badc0de);
      const std::string fault = run_snippet(body, {&in, &out}, kLanes, 4096, 0, GetParam());
      if (fault.find("is not executed by the emulator") != std::string::npos) {
        // Conversions to 8-bit floats may be missing.
        const bool known = opcode == Opcode::v_cvt_pk_fp8_f32 || opcode == Opcode::v_cvt_pk_bf8_f32;
        if (!known) skipped += std::string(" ") + facts.name;
        continue;
      }
      ASSERT_EQ(fault, "") << facts.name << "\n" << body;
      for (size_t k = 0; k < out.size(); k += 2) {
        ASSERT_EQ(out[k], out[k + 1]) << facts.name << " lane " << k / 2 % kLanes << "\n" << body;
      }
      executed = true;
      ++encodings;
    }
    rows += executed;
  }
  EXPECT_EQ(skipped, "");
  EXPECT_GT(rows, 100u);
  EXPECT_GT(encodings, 600u);
}

TEST_P(Halves, Swap) {
  const auto swapped = [&](const std::string& operands, uint32_t want6, uint32_t want7) {
    std::vector<uint32_t> out(2 * kLanes, 0);
    const std::string body =
        "v_lshlrev_b32 v30, 3, v0\nv_mov_b32 v6, 0x11112222\nv_mov_b32 v7, 0x33334444\ns_mov_b32 exec_lo, 0xfffffffe\n"
        "v_swap_b16 " +
        operands + "\ns_mov_b32 exec_lo, -1\nbuffer_store_b64 v[6:7], v30, s[8:11], " + no_offset() + " offen\n";
    ASSERT_EQ(run_snippet(body, {&out}, kLanes, 4096, 0, GetParam()), "") << body;
    EXPECT_EQ(out[2], want6) << operands;
    EXPECT_EQ(out[3], want7) << operands;
    EXPECT_EQ(out[0], 0x11112222u) << "lane 0 was off";
    EXPECT_EQ(out[1], 0x33334444u) << "lane 0 was off";
  };
  swapped("v6.l, v7.l", 0x11114444, 0x33332222);
  swapped("v6.h, v7.l", 0x44442222, 0x33331111);
  swapped("v6.l, v7.h", 0x11113333, 0x22224444);
  swapped("v6.h, v7.h", 0x33332222, 0x11114444);
  swapped("v6.h, v6.l", 0x22221111, 0x33334444);
}

/// By hand: what the shifted version cannot tell.
TEST_P(Halves, ByHand) {
  const auto result = [&](const std::string& text) {
    std::vector<uint32_t> out(kLanes, 0);
    const std::string body =
        "v_lshlrev_b32 v30, 2, v0\nv_mov_b32 v2, 0x40003c00\nv_mov_b32 v3, 0x44004200\nv_mov_b32 v16, 0xaaaabbbb\n"
        "s_mov_b32 s40, 0x40003c00\n" +
        text + "\nbuffer_store_b32 v16, v30, s[8:11], " + no_offset() + " offen\n";
    EXPECT_EQ(run_snippet(body, {&out}, kLanes, 4096, 0, GetParam()), "") << body;
    return out[3];
  };
  EXPECT_EQ(result("v_add_f16 v16.h, v2.h, v3.l"), 0x4500bbbbu);  // 2 + 3
  EXPECT_EQ(result("v_add_f16 v16.l, v2.l, v3.h"), 0xaaaa4500u);  // 1 + 4
  EXPECT_EQ(result("v_add_f16_e64 v16.h, s40, v3.l op_sel:[1,0,1]"), 0x4500bbbbu);
  EXPECT_EQ(result("v_mov_b16 v16.h, v2.l"), 0x3c00bbbbu);
  EXPECT_EQ(result("v_mov_b16_e64 v16.l, v2.h"), 0xaaaa4000u);
  EXPECT_EQ(result("v_cvt_f32_f16 v16, v3.h"), 0x40800000u);
  EXPECT_EQ(result("v_cvt_f16_f32 v16.h, 1.0"), 0x3c00bbbbu);
  EXPECT_EQ(result("v_cmp_lt_f16 vcc_lo, v2.h, v3.l\nv_mov_b32 v16, vcc_lo"), 0xffffffffu);
  EXPECT_EQ(result("v_cmp_lt_f16 vcc_lo, v3.h, v3.l\nv_mov_b32 v16, vcc_lo"), 0u);
  EXPECT_EQ(result("v_fmac_f16 v2.h, v2.l, v3.l\nv_mov_b32 v16, v2"), 0x45003c00u);  // 2 + 1 * 3
  EXPECT_EQ(result("v_fmamk_f16 v16.h, v2.h, 0x4200, v3.h"), 0x4900bbbbu);           // 2 * 3 + 4
  EXPECT_EQ(result("v_alignbit_b32 v16, v3, v2, v2.l"), 0x40003c00u);                // by 0x3c00 & 31
  EXPECT_EQ(result("v_mov_b32 v4, 0x40000\nv_alignbit_b32 v16, v3, v2, v4.h"), 0x040003c0u);
}

INSTANTIATE_TEST_SUITE_P(Processors, Halves, testing::Values("gfx1100", "gfx1150", "gfx1200"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace spalt::emu::test
