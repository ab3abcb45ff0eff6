// SPDX-License-Identifier: MIT
// Halves of registers (docs/isa-errata.md, "The dialect") against what a newer LLVM than the tests may ask for said
// once: text/halves_*.txt, which tools/isa-check/halves.py writes.
#include "amdgpu/isa/halves.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <sstream>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/text/assembler.h"
#include "llvm_mc.h"
#include "random_inst.h"

namespace spalt::isa::test {
namespace {

struct Line {
  std::vector<uint32_t> words;
  std::string text;
  bool assembles = true;  ///< LLVM takes its own text
};

std::vector<Line> read_lines(const std::string& name) {
  std::ifstream file(std::string(SPALT_ISA_TEXT_DIR "/") + name);
  std::vector<Line> lines;
  for (std::string row; std::getline(file, row);) {
    if (row.empty() || row[0] == '#') continue;
    Line line;
    const size_t space = row.find(' ');
    std::istringstream words(row.substr(0, space));
    for (std::string word; std::getline(words, word, ',');) {
      line.words.push_back(static_cast<uint32_t>(std::strtoul(word.c_str(), nullptr, 16)));
    }
    line.text = row.substr(space + 1);
    line.assembles = line.text[0] != '+';
    if (!line.assembles) line.text = line.text.substr(2);
    lines.push_back(line);
  }
  return lines;
}

/// An instruction with low halves only has the plain text of LLVM 19.
std::string our_dialect(const Line& line, const OpcodeInfo& facts) {
  const bool any_high = line.text.find(".h") != std::string::npos || line.text.find("op_sel") != std::string::npos;
  return any_high || (facts.modifiers & kModNamedHalves) ? line.text : without_halves(line.text);
}

std::vector<uint32_t> assembled(const std::string& text, const Target& target) {
  const auto code = assemble(text, target, 32);
  EXPECT_TRUE(code.ok()) << text << ": " << located_message(code.error());
  return code.ok() ? code->words : std::vector<uint32_t>{};
}

struct Golden {
  const char* target;
  const char* file;
};
class Halves : public testing::TestWithParam<Golden> {};

TEST_P(Halves, AreWhatLlvmSays) {
  const Target& target = *find_target(GetParam().target);
  const std::vector<Line> lines = read_lines(GetParam().file);
  ASSERT_GT(lines.size(), 1500u);
  for (const Line& line : lines) {
    const Result<Inst> inst = decode(line.words, target, 32);
    ASSERT_TRUE(inst.ok()) << line.text << ": " << inst.error().message;
    const OpcodeInfo& facts = info(inst->opcode, target.generation);
    EXPECT_EQ(to_text(*inst, target), our_dialect(line, facts));
    EXPECT_EQ(assembled(line.text, target), line.words) << line.text;
    EXPECT_EQ(assembled(to_text(*inst, target), target), line.words) << to_text(*inst, target);
    const Result<EncodedInst> encoded = encode(*inst, target);
    ASSERT_TRUE(encoded.ok()) << line.text << ": " << encoded.error().message;
    EXPECT_EQ(std::vector<uint32_t>(encoded->words, encoded->words + encoded->count), line.words) << line.text;
  }
}

TEST_P(Halves, OfEveryRowAreInTheFile) {
  const Target& target = *find_target(GetParam().target);
  struct Seen {
    unsigned high = 0, low = 0;
  };
  std::map<std::pair<Opcode, Format>, Seen> seen;
  for (const Line& line : read_lines(GetParam().file)) {
    const Result<Inst> inst = decode(line.words, target, 32);
    ASSERT_TRUE(inst.ok()) << line.text;
    Seen& bits = seen[{inst->opcode, inst->format}];
    const unsigned halves = vgpr_half_bits(info(inst->opcode, target.generation), *inst);
    bits.high |= halves & inst->mods.op_sel;
    bits.low |= halves & ~inst->mods.op_sel;
  }
  unsigned encodings = 0;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    const OpcodeInfo& facts = info(opcode, target.generation);
    if (!(facts.modifiers & kModHalves)) continue;
    for (unsigned f = 1; f < static_cast<unsigned>(Format::count); ++f) {
      const auto format = static_cast<Format>(f);
      if (opcode_number(opcode, format, target.generation) < 0) continue;
      const Seen bits = seen[{opcode, format}];
      EXPECT_EQ(bits.high, half_bits(facts)) << facts.name << " in format " << f;
      EXPECT_EQ(bits.low, half_bits(facts)) << facts.name << " in format " << f;
      ++encodings;
    }
  }
  EXPECT_GT(encodings, 500u);
}

INSTANTIATE_TEST_SUITE_P(Processors, Halves,
                         testing::Values(Golden{"gfx1100", "halves_gfx1100.txt"},
                                         Golden{"gfx1150", "halves_gfx1100.txt"},
                                         Golden{"gfx1200", "halves_gfx1200.txt"}),
                         [](const auto& param) { return std::string(param.param.target); });

std::string text_of(const char* text, const char* cpu = "gfx1100") {
  const Target& target = *find_target(cpu);
  const Result<Inst> inst = from_text(text, target, 32);
  return inst.ok() ? to_text(*inst, target) : inst.error().message;
}

TEST(HalvesText, BothDialects) {
  EXPECT_EQ(text_of("v_add_f16 v5.l, v1.l, v2.l"), "v_add_f16_e32 v5, v1, v2");
  EXPECT_EQ(text_of("v_add_f16 v5.h, v1, v2.l"), "v_add_f16_e32 v5.h, v1.l, v2.l");
  EXPECT_EQ(text_of("v_mov_b16 v5, v1"), "v_mov_b16_e32 v5.l, v1.l");
  EXPECT_EQ(text_of("v_fma_f16 v5, v1, v2, v3 op_sel:[1,0,0,1]"), "v_fma_f16 v5.h, v1.h, v2.l, v3.l op_sel:[1,0,0,1]");
  EXPECT_EQ(text_of("v_fma_f16 v5.h, v1.h, v2.l, v3.l"), "v_fma_f16 v5.h, v1.h, v2.l, v3.l op_sel:[1,0,0,1]");
  EXPECT_EQ(text_of("v_fma_f16 v5.h, v1.h, v2.l, v3.l op_sel:[0,0,0,0]"),
            "v_fma_f16 v5.h, v1.h, v2.l, v3.l op_sel:[1,0,0,1]");
  EXPECT_EQ(text_of("v_fma_f16 v5.h, s1, 1.0, v3.l op_sel:[1,1,0,1]"),
            "v_fma_f16 v5.h, s1, 1.0, v3.l op_sel:[1,1,0,1]");
  // LLVM's assembler says the bit of the old destination, its disassembler does not.
  EXPECT_EQ(text_of("v_fmac_f16_e64 v5.h, v1.l, v2.l op_sel:[0,0,1,1]"),
            "v_fmac_f16_e64 v5.h, v1.l, v2.l op_sel:[0,0,0,1]");
  EXPECT_EQ(text_of("v_add_f16 v5.h, |v1.h|, -v2"), "v_add_f16_e64 v5.h, |v1.h|, -v2.l op_sel:[1,0,1]");
  EXPECT_EQ(text_of("v_cndmask_b16 v5.h, v1.l, s2, s8 op_sel:[0,1,0,1]"),
            "v_cndmask_b16 v5.h, v1.l, s2, s8 op_sel:[0,1,0,1]");
}

TEST(HalvesText, ShortFormsReachV127) {
  EXPECT_EQ(text_of("v_add_f16 v127.h, v1.h, v2"), "v_add_f16_e32 v127.h, v1.h, v2.l");
  EXPECT_EQ(text_of("v_add_f16 v128.h, v1.h, v2"), "v_add_f16_e64 v128.h, v1.h, v2.l op_sel:[1,0,1]");
  EXPECT_EQ(text_of("v_add_f16 v128, v1, v2"), "v_add_f16_e64 v128, v1, v2");
  EXPECT_EQ(text_of("v_cvt_f32_f16 v200, v1.h"), "v_cvt_f32_f16_e32 v200, v1.h");
  EXPECT_EQ(text_of("v_cmp_lt_f16 vcc_lo, v200.h, v1"), "v_cmp_lt_f16_e64 vcc_lo, v200.h, v1.l op_sel:[1,0,0]");
  EXPECT_EQ(text_of("v_mov_b16 v200.h, v1.l"), "v_mov_b16_e64 v200.h, v1.l op_sel:[0,1]");
  EXPECT_EQ(text_of("v_add_f16_dpp v200.h, v1.h, v2 row_mirror"), "'v_add_f16_dpp' needs one of v0 to v127");
  EXPECT_EQ(text_of("v_add_f16 v200.h, v1.h, v2 row_mirror"),
            "v_add_f16_e64_dpp v200.h, v1.h, v2.l op_sel:[1,0,1] row_mirror row_mask:0xf bank_mask:0xf");
}

TEST(HalvesText, Refusals) {
  const auto refuses = [](const char* text, const char* reason, const char* cpu = "gfx1100") {
    EXPECT_NE(text_of(text, cpu).find(reason), std::string::npos) << text << ": " << text_of(text, cpu);
  };
  refuses("v_add_f16_e32 v128.h, v1.h, v2.l", "needs one of v0 to v127");
  refuses("v_fma_f16 v5.l, v1.l, v2.l, v3.l op_sel:[1,0,0,0]", "contradicts op_sel");
  refuses("v_fma_f16 v5.h, v1.l, v2.l, v3.l op_sel:[0,1,0,0]", "contradicts op_sel");
  refuses("v_add_f32 v5.h, v1, v2", "half of a register");
  refuses("v_cvt_f16_f32 v5.h, v1.h", "half of a register");
  refuses("v_pk_add_f16 v5, v1.h, v2", "half of a register");
  refuses("v_add_f16 v5.h, s1.h, v2", "no operand");
  refuses("v_add_f16 v5.h, v1, v2", "half of a register", "gfx1030");
  refuses("v_cvt_f16_f32_e64 v5, v1 op_sel:[1,0]", "has no op_sel");
  refuses("v_dual_add_f32 v0.h, v1, v2 :: v_dual_mul_f32 v3, v4, v5", "is no operand");
}

/// With +real-true16, LLVM 19 knows halves in these rows, and only in their short forms: it prints VOP3 wrong.
bool known_to_llvm_19(const std::string& name) {
  static const std::regex kKnown("v_(add|sub|subrev|mul|max|min|rcp|sqrt|rsq|log|exp|floor|ceil)(_num)?_f16|v_mov_b16");
  return std::regex_match(name, kKnown);
}

class HalvesOfLlvm19 : public testing::TestWithParam<const char*> {};

TEST_P(HalvesOfLlvm19, ShortFormsAgree) {
  if (!LlvmMc::available()) GTEST_SKIP() << "llvm-mc-19 is not installed (Debian package llvm-19)";
  const Target& target = *find_target(GetParam());
  RandomInst random(target, 32, 16, RandomInst::HighHalves::all);
  std::vector<std::vector<uint32_t>> code;
  std::vector<std::string> lines;
  for (unsigned i = 0; i < static_cast<unsigned>(Opcode::count); ++i) {
    const auto opcode = static_cast<Opcode>(i);
    if (!known_to_llvm_19(info(opcode, target.generation).name)) continue;
    for (const Format format : {Format::vop1, Format::vop2, Format::dpp16, Format::dpp8}) {
      if (opcode_number(opcode, format, target.generation) < 0) continue;
      for (unsigned sample = 0; sample < 50; ++sample) {
        const Inst inst = random.make(opcode, format);
        const Result<EncodedInst> encoded = encode(inst, target);
        ASSERT_TRUE(encoded.ok());
        code.emplace_back(encoded->words, encoded->words + encoded->count);
        lines.push_back(to_text(inst, target));
      }
    }
  }
  ASSERT_GT(lines.size(), 1900u);
  const LlvmMc llvm(GetParam(), 32, "+real-true16");
  const std::vector<std::string> texts = llvm.disassemble(code);
  for (size_t i = 0; i < lines.size(); ++i) {
    const bool any_half = lines[i].find(".h") != std::string::npos || lines[i].find(".l") != std::string::npos;
    EXPECT_EQ(lines[i], any_half ? texts[i] : without_halves(texts[i]));
  }
  EXPECT_EQ(llvm.assemble(texts), code);
}

INSTANTIATE_TEST_SUITE_P(Processors, HalvesOfLlvm19, testing::Values("gfx1100", "gfx1150", "gfx1200"),
                         [](const auto& param) { return std::string(param.param); });

}  // namespace
}  // namespace spalt::isa::test
