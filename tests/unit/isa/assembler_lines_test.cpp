// SPDX-License-Identifier: MIT
// Hand-written lines (text/TARGET.s, text/TARGET_rejected.s): LLVM's assembler and ours agree on every one.
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/text/assembler.h"
#include "llvm_mc.h"

namespace spalt::isa::test {
namespace {

std::vector<std::string> read_lines(const std::string& name) {
  std::ifstream file(std::string(SPALT_ISA_TEXT_DIR "/") + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.rfind("//", 0) != 0) lines.push_back(line);
  }
  return lines;
}

std::string hex(const std::vector<uint32_t>& words) {
  std::string out;
  for (uint32_t word : words) {
    char buffer[16];
    std::snprintf(buffer, sizeof buffer, "%08x ", word);
    out += buffer;
  }
  return out.empty() ? "nothing" : out;
}

struct Processor {
  const char* name;
  unsigned wave_size;
};
class AssemblerLines : public testing::TestWithParam<Processor> {};
class AssemblerRejects : public testing::TestWithParam<Processor> {};

TEST_P(AssemblerLines, AssembleAsWithLlvm) {
  if (!LlvmMc::available()) GTEST_SKIP() << "llvm-mc-19 is not installed (Debian package llvm-19)";
  const std::vector<std::string> lines = read_lines(std::string(GetParam().name) + ".s");
  ASSERT_GT(lines.size(), 5u);
  const Target& target = *find_target(GetParam().name);
  const LlvmMc llvm(GetParam().name, GetParam().wave_size);
  const auto expected = llvm.assemble(lines);
  const auto texts = llvm.disassemble(expected);
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto code = assemble(lines[i], target, GetParam().wave_size);
    EXPECT_FALSE(expected[i].empty()) << "LLVM rejects: " << lines[i];
    if (!code.ok()) {
      ADD_FAILURE() << lines[i] << "\n  " << located_message(code.error());
    } else {
      EXPECT_EQ(hex(code->words), hex(expected[i])) << lines[i];
      const auto decoded = decode(code->words, target, GetParam().wave_size);
      const std::string text = decoded.ok() ? to_text(*decoded, target) : decoded.error().message;
      const bool names_halves = without_halves(texts[i]) != texts[i];
      EXPECT_EQ(names_halves ? text : without_halves(text), texts[i]) << lines[i];
    }
  }
}

TEST_P(AssemblerRejects, AsLlvmDoes) {
  if (!LlvmMc::available()) GTEST_SKIP() << "llvm-mc-19 is not installed (Debian package llvm-19)";
  const std::vector<std::string> lines = read_lines(std::string(GetParam().name) + "_rejected.s");
  ASSERT_GT(lines.size(), 50u);
  const auto expected = LlvmMc(GetParam().name, GetParam().wave_size).assemble(lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    const auto code = assemble(lines[i], *find_target(GetParam().name), GetParam().wave_size);
    EXPECT_TRUE(expected[i].empty()) << "LLVM accepts: " << lines[i] << ": " << hex(expected[i]);
    EXPECT_FALSE(code.ok()) << "we accept: " << lines[i];
  }
}

std::string name_of(const testing::TestParamInfo<Processor>& param) {
  return param.param.name;
}

INSTANTIATE_TEST_SUITE_P(Processors, AssemblerLines,
                         testing::Values(Processor{"gfx900", 64}, Processor{"gfx1010", 32}, Processor{"gfx1030", 32},
                                         Processor{"gfx1100", 32}, Processor{"gfx1200", 32}),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Processors, AssemblerRejects, testing::Values(Processor{"gfx1030", 32}), name_of);

}  // namespace
}  // namespace spalt::isa::test
