// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "assemble.h"
#include "spirv/reflect/known_outputs.h"

namespace spalt::spirv {
namespace {

constexpr const char* kDeclarations = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %color %weight %place %in %numbers %count
OpDecorate %color Location 2
OpDecorate %weight Location 3
OpDecorate %weight Component 2
OpDecorate %place BuiltIn Position
OpDecorate %in Location 0
OpDecorate %numbers Location 1
OpDecorate %count Location 4
OpDecorate %half SpecId 7
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v2 = OpTypeVector %float 2
%v4 = OpTypeVector %float 4
%iv4 = OpTypeVector %int 4
%p_out4 = OpTypePointer Output %v4
%p_out = OpTypePointer Output %float
%p_in4 = OpTypePointer Input %v4
%p_in1 = OpTypePointer Input %float
%p_numbers = OpTypePointer Input %iv4
%p_count = OpTypePointer Output %int
%taker = OpTypeFunction %void %p_out4
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%half = OpSpecConstant %float 0.5
%i1 = OpConstant %int 1
%i3 = OpConstant %int 3
%c01 = OpConstantComposite %v2 %f0 %f1
%c0101 = OpConstantComposite %v4 %f0 %f1 %f0 %f1
%color = OpVariable %p_out4 Output
%weight = OpVariable %p_out Output
%place = OpVariable %p_out4 Output
%in = OpVariable %p_in4 Input
%numbers = OpVariable %p_numbers Input
%count = OpVariable %p_count Output
)";

constexpr uint32_t kOne = 0x3f800000, kHalf = 0x3f000000, kQuarter = 0x3e800000;

/// "location.component=bits", of a main function with this body.
std::string constants_of(const std::string& body, const std::string& others = "",
                         std::vector<Specialization> specialization = {},
                         const std::vector<KnownAttribute>& attributes = {}) {
  const std::vector<uint32_t> words = assemble(
      std::string(kDeclarations) + "%main = OpFunction %void None %function\n%entry = OpLabel\n%x = OpLoad %v4 %in\n" +
      "%y = OpCompositeExtract %float %x 1\n" + body + "OpReturn\nOpFunctionEnd\n" + others);
  Arena arena;
  std::string text;
  for (const InterfaceConstant& one : known_outputs(words, "main", specialization, attributes, arena).constants) {
    text += std::to_string(one.location) + "." + std::to_string(one.component) + "=" + std::to_string(one.bits) + " ";
  }
  return text;
}

std::string is(unsigned location, unsigned component, uint32_t bits) {
  return std::to_string(location) + "." + std::to_string(component) + "=" + std::to_string(bits) + " ";
}

TEST(OutputConstants, PartsOfVectors) {
  EXPECT_EQ(constants_of("%v = OpCompositeConstruct %v4 %y %y %y %f1\nOpStore %color %v\n"), is(2, 3, kOne));
  EXPECT_EQ(constants_of("OpStore %color %c0101\n"), is(2, 0, 0) + is(2, 1, kOne) + is(2, 2, 0) + is(2, 3, kOne));
  EXPECT_EQ(constants_of("OpStore %color %x\n"), "");
}

/// A vector among the parts hides what is behind it, from either end.
TEST(OutputConstants, VectorsOfVectors) {
  const std::string pair = "%xy = OpVectorShuffle %v2 %x %x 0 1\n";
  EXPECT_EQ(constants_of(pair + "%v = OpCompositeConstruct %v4 %f0 %xy %f1\nOpStore %color %v\n"),
            is(2, 0, 0) + is(2, 3, kOne));
  EXPECT_EQ(constants_of(pair + "%v = OpCompositeConstruct %v4 %xy %y %f1\nOpStore %color %v\n"), is(2, 3, kOne));
  EXPECT_EQ(constants_of(pair + "%v = OpCompositeConstruct %v4 %f1 %f1 %xy\nOpStore %color %v\n"),
            is(2, 0, kOne) + is(2, 1, kOne));
  EXPECT_EQ(constants_of(pair + "%v = OpCompositeConstruct %v4 %c01 %xy\nOpStore %color %v\n"), "");
}

TEST(OutputConstants, AllStoresAgree) {
  const std::string first = "%v = OpCompositeConstruct %v4 %y %f0 %f1 %f1\nOpStore %color %v\n";
  EXPECT_EQ(constants_of(first + "OpStore %color %c0101\n"), is(2, 3, kOne));
  EXPECT_EQ(constants_of(first + "%w = OpAccessChain %p_out %color %i3\nOpStore %w %f1\n"),
            is(2, 1, 0) + is(2, 2, kOne) + is(2, 3, kOne));
  EXPECT_EQ(constants_of(first + "%w = OpAccessChain %p_out %color %i3\nOpStore %w %y\n"),
            is(2, 1, 0) + is(2, 2, kOne));
  EXPECT_EQ(constants_of("OpStore %weight %f1\nOpStore %weight %f1\n"), is(3, 2, kOne));
  EXPECT_EQ(constants_of("OpStore %weight %f1\nOpStore %weight %f0\n"), "");
}

TEST(OutputConstants, SpecializationCounts) {
  EXPECT_EQ(constants_of("OpStore %weight %half\n"), is(3, 2, kHalf));
  EXPECT_EQ(constants_of("OpStore %weight %half\n", "", {{7, kQuarter, 4}}), is(3, 2, kQuarter));
}

/// The shader reads (0, 0, 0, 1) where the format of an attribute ends.
TEST(OutputConstants, WhatAttributesLack) {
  constexpr uint8_t kRed = 0xe, kRedGreenBlue = 0x8;
  const auto with = [](uint8_t missing, const std::string& body, uint8_t location = 0) {
    return constants_of(body, "", {}, {{location, missing, false}});
  };
  EXPECT_EQ(with(kRed, "OpStore %color %x\n"), is(2, 1, 0) + is(2, 2, 0) + is(2, 3, kOne));
  EXPECT_EQ(with(kRedGreenBlue, "OpStore %color %x\n"), is(2, 3, kOne));
  EXPECT_EQ(with(kRed, "OpStore %color %x\n", 1), "");
  EXPECT_EQ(with(kRed, "OpStore %weight %y\n"), is(3, 2, 0));
  EXPECT_EQ(with(kRedGreenBlue, "OpStore %weight %y\n"), "");
  const std::string load = "%at = OpAccessChain %p_in1 %in %i3\n%w = OpLoad %float %at\n";
  EXPECT_EQ(with(kRed, load + "OpStore %weight %w\n"), is(3, 2, kOne));
  EXPECT_EQ(with(kRed, load + "%v = OpCompositeConstruct %v4 %w %y %f1 %f1\nOpStore %color %v\n"),
            is(2, 0, kOne) + is(2, 1, 0) + is(2, 2, kOne) + is(2, 3, kOne));
  EXPECT_EQ(with(kRed, "OpStore %color %x\nOpStore %color %c0101\n"), is(2, 2, 0) + is(2, 3, kOne));
  // A component that there is not, and one that is chosen at run time.
  EXPECT_EQ(with(kRed, "%z = OpCompositeExtract %float %x 5\nOpStore %weight %z\n"), "");
  EXPECT_EQ(with(kRed,
                 "%i = OpConvertFToS %int %y\n%at = OpAccessChain %p_in1 %in %i\n%w = OpLoad %float %at\n"
                 "OpStore %weight %w\n"),
            "");
}

/// The one of integers is an integer.
TEST(OutputConstants, WhatIntegerAttributesLack) {
  const std::string body = "%n = OpLoad %iv4 %numbers\n%n3 = OpCompositeExtract %int %n 3\nOpStore %count %n3\n";
  EXPECT_EQ(constants_of(body, "", {}, {{1, 0xc, false}}), is(4, 0, 1));
}

/// Whatever else is done with an output may store anything.
TEST(OutputConstants, OtherUses) {
  EXPECT_EQ(constants_of("OpStore %color %c0101\n%i = OpConvertFToS %int %y\n"
                         "%w = OpAccessChain %p_out %color %i\nOpStore %w %f1\n"),
            "");
  EXPECT_EQ(constants_of("OpStore %color %c0101\n%call = OpFunctionCall %void %take %color\n",
                         "%take = OpFunction %void None %taker\n%to = OpFunctionParameter %p_out4\n%start = OpLabel\n"
                         "OpStore %to %c0101\nOpReturn\nOpFunctionEnd\n"),
            "");
  EXPECT_EQ(constants_of("OpStore %color %c0101\nOpCopyMemory %color %in\n"), "");
  // A load only reads.
  EXPECT_EQ(constants_of("OpStore %weight %f1\n%w = OpLoad %float %weight\n"), is(3, 2, kOne));
}

/// Stores of other functions count as well.
TEST(OutputConstants, OtherFunctions) {
  const std::string other =
      "%other = OpFunction %void None %function\n%start = OpLabel\nOpStore %weight %f0\nOpReturn\nOpFunctionEnd\n";
  EXPECT_EQ(constants_of("OpStore %weight %f1\n", other), "");
}

TEST(OutputConstants, BrokenModulesGiveNone) {
  std::vector<uint32_t> words = assemble(std::string(kDeclarations) +
                                         "%main = OpFunction %void None %function\n%entry = OpLabel\n"
                                         "OpStore %weight %f1\nOpReturn\nOpFunctionEnd\n");
  Arena arena;
  ASSERT_EQ(known_outputs(words, "main", {}, {}, arena).constants.size(), 1u);
  EXPECT_EQ(known_outputs(words, "", {}, {}, arena).constants.size(), 1u);
  EXPECT_EQ(known_outputs(words, "other", {}, {}, arena).constants.size(), 0u);
  words.back() |= 7u << 16;  // longer than the module
  EXPECT_EQ(known_outputs(words, "main", {}, {}, arena).constants.size(), 0u);
  EXPECT_EQ(known_outputs({}, "main", {}, {}, arena).constants.size(), 0u);
}

}  // namespace
}  // namespace spalt::spirv
