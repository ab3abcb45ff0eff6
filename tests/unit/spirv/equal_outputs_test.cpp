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
OpCapability DrawParameters
%math = OpExtInstImport "GLSL.std.450"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %color %weight %position %vertex %instance
OpDecorate %color Location 2
OpDecorate %weight Location 3
OpDecorate %weight Component 2
OpDecorate %position Location 0
OpDecorate %vertex BuiltIn VertexIndex
OpDecorate %instance BuiltIn InstanceIndex
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpMemberDecorate %block 1 Offset 16
OpDecorate %many ArrayStride 16
OpDecorate %stored Block
OpMemberDecorate %stored 0 Offset 0
OpDecorate %uniforms DescriptorSet 0
OpDecorate %uniforms Binding 0
OpDecorate %buffer DescriptorSet 0
OpDecorate %buffer Binding 1
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%float = OpTypeFloat 32
%int = OpTypeInt 32 1
%v4 = OpTypeVector %float 4
%i0 = OpConstant %int 0
%i1 = OpConstant %int 1
%i3 = OpConstant %int 3
%f1 = OpConstant %float 1
%f2 = OpConstant %float 2
%many = OpTypeArray %v4 %i3
%block = OpTypeStruct %v4 %many
%stored = OpTypeStruct %v4
%p_out4 = OpTypePointer Output %v4
%p_out = OpTypePointer Output %float
%p_in4 = OpTypePointer Input %v4
%p_in = OpTypePointer Input %int
%p_block = OpTypePointer Uniform %block
%p_uniform4 = OpTypePointer Uniform %v4
%p_stored = OpTypePointer StorageBuffer %stored
%p_stored4 = OpTypePointer StorageBuffer %v4
%p_local = OpTypePointer Function %float
%taker = OpTypeFunction %void %p_local
%color = OpVariable %p_out4 Output
%weight = OpVariable %p_out Output
%position = OpVariable %p_in4 Input
%vertex = OpVariable %p_in Input
%instance = OpVariable %p_in Input
%uniforms = OpVariable %p_block Uniform
%buffer = OpVariable %p_stored StorageBuffer
)";

/// Loads of each kind before `body`.
std::vector<uint32_t> module_with(const std::string& body, const std::string& others = "") {
  return assemble(std::string(kDeclarations) + R"(
%main = OpFunction %void None %function
%entry = OpLabel
%local = OpVariable %p_local Function
%u_at = OpAccessChain %p_uniform4 %uniforms %i0
%u = OpLoad %v4 %u_at
%ux = OpCompositeExtract %float %u 0
%p = OpLoad %v4 %position
%px = OpCompositeExtract %float %p 0
%v = OpLoad %int %vertex
%i = OpLoad %int %instance
)" + body + "OpReturn\nOpFunctionEnd\n" +
                  others);
}

/// "location.component" of what is equal.
std::string equal_in(const std::vector<uint32_t>& words, const std::vector<KnownAttribute>& attributes = {}) {
  Arena arena;
  std::string text;
  const KnownOutputs known = known_outputs(words, "main", {}, attributes, arena);
  for (const InterfaceComponent& one : known.equal) {
    text += std::to_string(one.location) + "." + std::to_string(one.component) + " ";
  }
  return text;
}
std::string equal_of(const std::string& body, const std::string& others = "") {
  return equal_in(module_with(body, others));
}

constexpr const char* kColor = "2.0 2.1 2.2 2.3 ";
constexpr const char* kWeight = "3.2 ";
/// Stores to the other output what varies.
constexpr const char* kVaryingColor = "OpStore %color %p\n";

TEST(EqualOutputs, ComeFromUniforms) {
  EXPECT_EQ(equal_of(std::string(kVaryingColor) + "OpStore %weight %ux\n"), kWeight);
  EXPECT_EQ(equal_of("OpStore %color %u\nOpStore %weight %px\n"), kColor);
  EXPECT_EQ(equal_of(std::string(kVaryingColor) + "%a = OpConvertSToF %float %i\n%b = OpFMul %float %a %ux\n"
                                                  "%c = OpExtInst %float %math Sqrt %b\nOpStore %weight %c\n"),
            kWeight);
  EXPECT_EQ(equal_of(std::string(kVaryingColor) + "%a = OpConvertSToF %float %v\nOpStore %weight %a\n"), "");
  EXPECT_EQ(equal_of(std::string(kVaryingColor) + "%a = OpFAdd %float %px %ux\nOpStore %weight %a\n"), "");
}

TEST(EqualOutputs, ByComponents) {
  EXPECT_EQ(equal_of("%c = OpCompositeConstruct %v4 %ux %px %f1 %px\nOpStore %color %c\nOpStore %weight %px\n"),
            "2.0 2.2 ");
  EXPECT_EQ(
      equal_of("OpStore %color %u\n%at = OpAccessChain %p_out %color %i3\nOpStore %at %px\nOpStore %weight %px\n"),
      "2.0 2.1 2.2 ");
  EXPECT_EQ(equal_of("OpStore %color %u\n%at = OpAccessChain %p_out %color %v\nOpStore %at %ux\nOpStore %weight %px\n"),
            "");
}

TEST(EqualOutputs, IndicesCount) {
  EXPECT_EQ(equal_of(std::string(kVaryingColor) + "%at = OpAccessChain %p_uniform4 %uniforms %i1 %i\n"
                                                  "%a = OpLoad %v4 %at\n%b = OpCompositeExtract %float %a 1\n"
                                                  "OpStore %weight %b\n"),
            kWeight);
  EXPECT_EQ(equal_of(std::string(kVaryingColor) + "%at = OpAccessChain %p_uniform4 %uniforms %i1 %v\n"
                                                  "%a = OpLoad %v4 %at\n%b = OpCompositeExtract %float %a 1\n"
                                                  "OpStore %weight %b\n"),
            "");
}

TEST(EqualOutputs, ComeFromAttributesOfInstances) {
  const std::vector<uint32_t> words = module_with("OpStore %color %p\nOpStore %weight %px\n");
  EXPECT_EQ(equal_in(words), "");
  EXPECT_EQ(equal_in(words, {{0, 0, true}}), std::string(kColor) + kWeight);
  EXPECT_EQ(equal_in(words, {{0, 8, false}}), "");
  EXPECT_EQ(equal_in(words, {{1, 0, true}}), "");
}

/// Others may write to storage buffers while the shader runs.
TEST(EqualOutputs, StorageBuffersVary) {
  EXPECT_EQ(equal_of(std::string(kVaryingColor) + "%at = OpAccessChain %p_stored4 %buffer %i0\n%a = OpLoad %v4 %at\n"
                                                  "%b = OpCompositeExtract %float %a 0\nOpStore %weight %b\n"),
            "");
}

TEST(EqualOutputs, ThroughVariables) {
  const std::string load = "%l = OpLoad %float %local\nOpStore %weight %l\n";
  EXPECT_EQ(equal_of(kVaryingColor + ("OpStore %local %ux\n" + load)), kWeight);
  EXPECT_EQ(equal_of(kVaryingColor + ("OpStore %local %px\n" + load)), "");
  // A later store counts for an earlier load, as in a loop.
  EXPECT_EQ(equal_of(kVaryingColor + ("OpStore %local %ux\n" + load + "OpStore %local %px\n")), "");
  EXPECT_EQ(equal_of(kVaryingColor + ("OpStore %local %ux\n%call = OpFunctionCall %void %take %local\n" + load),
                     "%take = OpFunction %void None %taker\n%to = OpFunctionParameter %p_local\n%start = OpLabel\n"
                     "OpStore %to %f1\nOpReturn\nOpFunctionEnd\n"),
            "");
}

TEST(EqualOutputs, BranchesMustBeTakenTogether) {
  const auto branch = [](const char* value) {
    return std::string("OpStore %color %p\n%c = OpFOrdLessThan %bool ") + value +
           " %f2\nOpSelectionMerge %end None\nOpBranchConditional %c %then %else\n%then = OpLabel\n"
           "OpStore %weight %f1\nOpBranch %end\n%else = OpLabel\nOpStore %weight %ux\nOpBranch %end\n%end = OpLabel\n";
  };
  EXPECT_EQ(equal_of(branch("%ux")), kWeight);
  EXPECT_EQ(equal_of(branch("%px")), "");
}

/// Any word changed to a few values: nothing but an answer.
TEST(EqualOutputs, SurviveBrokenModules) {
  const std::vector<uint32_t> words = module_with("OpStore %color %u\nOpStore %weight %px\n");
  for (size_t i = 5; i < words.size(); ++i) {
    for (const uint32_t value : {0u, 1u, 0xffffu, 0x00010000u, 0x0003003eu, 0xffffffffu}) {
      std::vector<uint32_t> changed = words;
      changed[i] = value;
      equal_in(changed, {{0, 0xe, true}});
    }
    equal_in({words.begin(), words.begin() + static_cast<ptrdiff_t>(i)});
  }
}

}  // namespace
}  // namespace spalt::spirv
