// SPDX-License-Identifier: MIT
#include "spirv/printf/printf.h"

#include <gtest/gtest.h>

#include <bit>

#include "assemble.h"
#include "spirv/printf/messages.h"

namespace spalt::spirv {
namespace {

/// Three messages: with OpLine, with DebugLine, and without a line.
std::vector<uint32_t> module() {
  return assemble(R"(
OpCapability Shader
OpExtension "SPV_KHR_non_semantic_info"
%print = OpExtInstImport "NonSemantic.DebugPrintf"
%debug = OpExtInstImport "NonSemantic.Shader.DebugInfo.100"
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
%first = OpString "first %d"
%second = OpString "second"
%third = OpString "third %s"
%one_file = OpString "one.comp"
%other_file = OpString "other.comp"
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%u0 = OpConstant %uint 0
%u12 = OpConstant %uint 12
%u14 = OpConstant %uint 14
%source = OpExtInst %void %debug DebugSource %other_file
%main = OpFunction %void None %function
%entry = OpLabel
OpLine %one_file 7 2
%a = OpExtInst %void %print 1 %first %u12
OpNoLine
%line = OpExtInst %void %debug DebugLine %source %u12 %u14 %u0 %u0
%b = OpExtInst %void %print 1 %second
OpBranch %next
%next = OpLabel
%c = OpExtInst %void %print 1 %third %one_file
OpReturn
OpFunctionEnd
)");
}

std::vector<uint32_t> integer(uint32_t value, uint8_t bits = 32) {
  return {ArgumentForm{ArgumentKind::integer, bits, 1}.pack(), value};
}

std::string format(const std::string& text, const std::vector<uint32_t>& arguments) {
  return format_printf({}, {text, "", 0}, arguments);
}

TEST(PrintfMessages, HaveTheirLines) {
  const Result<PrintfMessages> read = read_printf_messages(module());
  ASSERT_TRUE(read);
  ASSERT_EQ(read->messages.size(), 3u);
  EXPECT_EQ(read->messages[0].format, "first %d");
  EXPECT_EQ(read->messages[0].file, "one.comp");
  EXPECT_EQ(read->messages[0].line, 7u);
  EXPECT_EQ(read->messages[1].file, "other.comp");
  EXPECT_EQ(read->messages[1].line, 12u);
  EXPECT_EQ(read->messages[2].line, 0u) << "a line ends with its block";
}

TEST(PrintfMessages, NameStrings) {
  const Result<PrintfMessages> read = read_printf_messages(module());
  ASSERT_TRUE(read);
  uint32_t id = 0;
  for (const PrintfString& each : read->strings) {
    if (each.text == "one.comp") id = each.id;
  }
  const std::vector<uint32_t> arguments{ArgumentForm{ArgumentKind::string, 32, 1}.pack(), id};
  EXPECT_EQ(format_printf(*read, read->messages[2], arguments), "third one.comp");
  EXPECT_EQ(format_printf(*read, read->messages[2], integer(id)), "third %s") << "a number is no string";
}

TEST(PrintfMessages, OfCutModulesAreErrors) {
  const std::vector<uint32_t> words = module();
  for (size_t size = 0; size < words.size(); ++size) {
    const Result<PrintfMessages> read = read_printf_messages({words.data(), size});
    if (read) {
      EXPECT_LE(read->messages.size(), 3u);
    }
  }
  EXPECT_FALSE(read_printf_messages({}));
  EXPECT_FALSE(read_printf_messages(std::vector<uint32_t>(8, 0)));
}

TEST(PrintfFormat, NumbersOfOtherKinds) {
  EXPECT_EQ(format("%d", integer(0xfffe, 16)), "-2");
  EXPECT_EQ(format("%u", integer(0xfffe, 16)), "65534");
  EXPECT_EQ(format("%f", integer(3)), "3.000000") << "an integer for a float";
  const std::vector<uint32_t> half{ArgumentForm{ArgumentKind::floating, 32, 1}.pack(), std::bit_cast<uint32_t>(2.75f)};
  EXPECT_EQ(format("%d", half), "2") << "a float for an integer";
  EXPECT_EQ(format("%-6d|%+d|%06.2f", {integer(5)[0], 5, integer(5)[0], 6, half[0], half[1]}), "5     |+6|002.75");
}

TEST(PrintfFormat, WhatIsWrongStaysAsItIs) {
  EXPECT_EQ(format("%d %d", integer(1)), "1 %d");
  EXPECT_EQ(format("50%, %n and %", integer(1)), "50%, %n and %");
  EXPECT_EQ(format("%99999d", integer(1)), "%99999d") << "no such width";
  EXPECT_EQ(format("%v4d", integer(1)), "1") << "a scalar for a vector";
  EXPECT_EQ(format("%d", {0x00ff2001u, 1, 2}), "%d") << "more components than words";
  EXPECT_EQ(format("%v2d", {ArgumentForm{ArgumentKind::integer, 255, 2}.pack(), 1, 2, 3, 4}).find('%'),
            std::string::npos);
}

}  // namespace
}  // namespace spalt::spirv
