// SPDX-License-Identifier: MIT
#include "spirv/source/source_map.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "assemble.h"

namespace spalt::spirv {
namespace {

/// The word at which the n-th instruction of an opcode begins.
uint32_t word_of(const std::vector<uint32_t>& words, spv::Op opcode, int n = 0) {
  for (uint32_t at = 5; at < words.size(); at += words[at] >> 16) {
    if ((words[at] & 0xffff) == opcode && n-- == 0) return at;
  }
  return 0;
}

const SourceLine& line_at(const SourceMap& map, uint32_t word) {
  static constexpr SourceLine kNone;
  const auto after =
      std::find_if(map.lines.begin(), map.lines.end(), [&](const SourceLine& l) { return l.word > word; });
  return after == map.lines.begin() ? kNone : *(after - 1);
}

SourceMap map_of(const std::vector<uint32_t>& words) {
  Result<SourceMap> map = read_source_map(words);
  EXPECT_TRUE(map.ok());
  return map ? std::move(*map) : SourceMap();
}

TEST(SourceMap, KnowsOpLineAndOpSource) {
  const std::vector<uint32_t> words = assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%one = OpString "folder/one.comp"
%two = OpString "two.h"
%again = OpString "folder/one.comp"
OpSource GLSL 450 %one "first half, "
OpSourceContinued "second half"
OpSource GLSL 450 %again "another text of the same file"
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%true = OpConstantTrue %bool
%main = OpFunction %void None %function
%entry = OpLabel
%a = OpLogicalNot %bool %true
OpLine %one 7 2
%b = OpLogicalNot %bool %true
OpLine %again 7 9
%c = OpLogicalNot %bool %true
OpLine %two 1 1
%d = OpLogicalNot %bool %true
OpNoLine
%e = OpLogicalNot %bool %true
OpLine %two 2 1
OpBranch %next
%next = OpLabel
OpReturn
OpFunctionEnd
)");
  const SourceMap map = map_of(words);
  ASSERT_EQ(map.files.size(), 2u);
  EXPECT_EQ(map.files[0].name, "folder/one.comp");
  EXPECT_EQ(map.files[0].text, "first half, second half");
  EXPECT_EQ(map.files[1].name, "two.h");
  EXPECT_EQ(map.files[1].text, "");
  const uint32_t expected[][2] = {{0, 0}, {0, 7}, {0, 7}, {1, 1}, {0, 0}};
  for (int i = 0; i < 5; ++i) {
    const SourceLine& line = line_at(map, word_of(words, spv::OpLogicalNot, i));
    EXPECT_EQ(line.line, expected[i][1]) << i;
    EXPECT_EQ(line.line != 0 ? line.file : 0, expected[i][0]) << i;
  }
  EXPECT_EQ(line_at(map, word_of(words, spv::OpBranch)).line, 2u);
  EXPECT_EQ(line_at(map, word_of(words, spv::OpReturn)).line, 0u) << "a line ends with its block";
}

TEST(SourceMap, KnowsDebugInformation) {
  const std::vector<uint32_t> words = assemble(R"(
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%file = OpString "one.hlsl"
%text = OpString "float a;"
%more = OpString "float b;"
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u3 = OpConstant %uint 3
%source = OpExtInst %void %debug DebugSource %file %text
%continued = OpExtInst %void %debug DebugSourceContinued %more
%main = OpFunction %void None %function
%entry = OpLabel
%line = OpExtInst %void %debug DebugLine %source %u3 %u3 %u0 %u0
%a = OpIAdd %uint %u0 %u3
%none = OpExtInst %void %debug DebugNoLine
%b = OpIAdd %uint %u0 %u3
OpReturn
OpFunctionEnd
)");
  const SourceMap map = map_of(words);
  ASSERT_EQ(map.files.size(), 1u);
  EXPECT_EQ(map.files[0].name, "one.hlsl");
  EXPECT_EQ(map.files[0].text, "float a;float b;");
  EXPECT_EQ(line_at(map, word_of(words, spv::OpIAdd, 0)).line, 3u);
  EXPECT_EQ(line_at(map, word_of(words, spv::OpIAdd, 1)).line, 0u);
  // Cut anywhere, and with any word changed, it ends.
  for (size_t cut = 0; cut < words.size(); ++cut) {
    std::vector<uint32_t> damaged(words.begin(), words.begin() + static_cast<long>(cut));
    (void)read_source_map(damaged);
    damaged = words;
    damaged[cut] = 0xffffffff;
    (void)read_source_map(damaged);
    damaged[cut] = words[cut] - 0x10000;
    (void)read_source_map(damaged);
  }
}

TEST(SourceMap, RefusesOtherFiles) {
  EXPECT_FALSE(read_source_map({}).ok());
  const std::vector<uint32_t> words(16, 7);
  EXPECT_FALSE(read_source_map(words).ok());
}

}  // namespace
}  // namespace spalt::spirv
