// SPDX-License-Identifier: MIT
// Reflection: modules that the compiler cannot do either, and modules that lie.
#include <gtest/gtest.h>

#include <chrono>
#include <cstring>
#include <spalt/spalt.hpp>

#include "../spirv/assemble.h"

namespace {

using spalt_api::Reflection;
namespace spirv = spalt::spirv;

constexpr const char* kVertexAndFragment = R"(
OpCapability Shader
OpCapability SampledBuffer
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %vmain "vs" %position %normal %per_vertex %uv %ubo %albedo %texels %push
OpEntryPoint Fragment %fmain "fs" %uv_in %color
OpExecutionMode %fmain OriginUpperLeft
OpName %position "position"
OpName %uv "uv"
OpName %albedo "albedo"
OpName %globals "Globals"
OpMemberName %PerVertex 0 "gl_Position"
OpDecorate %position Location 0
OpDecorate %normal Location 1
OpDecorate %normal Component 1
OpDecorate %uv Location 3
OpDecorate %uv_in Location 3
OpDecorate %color Location 0
OpDecorate %PerVertex Block
OpMemberDecorate %PerVertex 0 BuiltIn Position
OpMemberDecorate %PerVertex 1 BuiltIn PointSize
OpDecorate %globals Block
OpMemberDecorate %globals 0 Offset 0
OpMemberDecorate %globals 0 ColMajor
OpMemberDecorate %globals 0 MatrixStride 16
OpMemberDecorate %globals 1 Offset 64
OpDecorate %lights ArrayStride 32
OpDecorate %ubo DescriptorSet 1
OpDecorate %ubo Binding 2
OpDecorate %albedo DescriptorSet 0
OpDecorate %albedo Binding 5
OpDecorate %texels DescriptorSet 0
OpDecorate %texels Binding 4
OpDecorate %push_block Block
OpMemberDecorate %push_block 0 Offset 16
OpMemberDecorate %push_block 1 Offset 20
OpDecorate %count SpecId 7
OpDecorate %flag SpecId 2
%void = OpTypeVoid
%bool = OpTypeBool
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%v2 = OpTypeVector %float 2
%v3 = OpTypeVector %float 3
%v4 = OpTypeVector %float 4
%m4 = OpTypeMatrix %v4 4
%flag = OpSpecConstantTrue %bool
%count = OpSpecConstant %uint 3
%lights = OpTypeArray %v4 %count
%globals = OpTypeStruct %m4 %lights
%push_block = OpTypeStruct %int %v3
%PerVertex = OpTypeStruct %v4 %float
%image = OpTypeImage %float 2D 0 0 0 1 Unknown
%sampled = OpTypeSampledImage %image
%four = OpConstant %uint 4
%images = OpTypeArray %sampled %four
%texel_image = OpTypeImage %float Buffer 0 0 0 1 Unknown
%in3 = OpTypePointer Input %v3
%in2 = OpTypePointer Input %v2
%out2 = OpTypePointer Output %v2
%out4 = OpTypePointer Output %v4
%out_vertex = OpTypePointer Output %PerVertex
%uniform = OpTypePointer Uniform %globals
%constants = OpTypePointer UniformConstant %images
%texel_pointer = OpTypePointer UniformConstant %texel_image
%push_pointer = OpTypePointer PushConstant %push_block
%position = OpVariable %in3 Input
%normal = OpVariable %in3 Input
%per_vertex = OpVariable %out_vertex Output
%uv = OpVariable %out2 Output
%uv_in = OpVariable %in2 Input
%color = OpVariable %out4 Output
%ubo = OpVariable %uniform Uniform
%albedo = OpVariable %constants UniformConstant
%texels = OpVariable %texel_pointer UniformConstant
%push = OpVariable %push_pointer PushConstant
%vmain = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
%fmain = OpFunction %void None %function
%label2 = OpLabel
OpReturn
OpFunctionEnd
)";

TEST(Reflect, TellsTheInterfaceOfAVertexShader) {
  const Reflection reflection(spirv::assemble(kVertexAndFragment));
  ASSERT_TRUE(reflection.ok()) << reflection.message();
  const spalt_reflection_info info = reflection.info();
  ASSERT_EQ(info.entry_point_count, 2u);
  EXPECT_EQ(info.entry_point, 0u);
  EXPECT_STREQ(info.entry_points[1].name, "fs");
  EXPECT_EQ(info.entry_points[1].stage, static_cast<uint32_t>(SPALT_STAGE_FRAGMENT));

  ASSERT_EQ(info.input_count, 2u);
  EXPECT_STREQ(info.inputs[0].name, "position");
  EXPECT_EQ(info.inputs[0].components, 3u);
  EXPECT_EQ(info.inputs[0].type, static_cast<uint32_t>(SPALT_SCALAR_FLOAT));
  EXPECT_EQ(info.inputs[0].bits, 32u);
  EXPECT_EQ(info.inputs[1].location, 1u);
  EXPECT_EQ(info.inputs[1].component, 1u);

  ASSERT_EQ(info.output_count, 3u);
  EXPECT_EQ(info.outputs[0].location, 3u);
  EXPECT_EQ(info.outputs[1].location, UINT32_MAX);
  EXPECT_EQ(info.outputs[1].built_in, 0u);  // Position
  EXPECT_STREQ(info.outputs[1].name, "gl_Position");
  EXPECT_EQ(info.outputs[2].built_in, 1u);  // PointSize

  EXPECT_EQ(info.push_constant_offset, 16u);
  EXPECT_EQ(info.push_constant_bytes, 16u);  // an int at 16, three floats at 20
}

TEST(Reflect, TellsBindingsAndConstants) {
  const Reflection reflection(spirv::assemble(kVertexAndFragment));
  ASSERT_TRUE(reflection.ok()) << reflection.message();
  const spalt_reflection_info info = reflection.info();
  ASSERT_EQ(info.binding_count, 3u);
  EXPECT_EQ(info.bindings[0].type, static_cast<uint32_t>(SPALT_RESOURCE_UNIFORM_TEXEL_BUFFER));
  EXPECT_EQ(info.bindings[0].kind, static_cast<uint32_t>(SPALT_BINDING_TYPED_BUFFER));
  EXPECT_EQ(info.bindings[1].binding, 5u);
  EXPECT_EQ(info.bindings[1].type, static_cast<uint32_t>(SPALT_RESOURCE_COMBINED_IMAGE_SAMPLER));
  EXPECT_EQ(info.bindings[1].count, 4u);
  EXPECT_STREQ(info.bindings[1].name, "albedo");
  EXPECT_EQ(info.bindings[2].set, 1u);
  EXPECT_EQ(info.bindings[2].bytes, 64u + 3 * 32u);  // the array has as many elements as the constant says
  EXPECT_STREQ(info.bindings[2].name, "Globals");    // of the block, since the variable has none

  ASSERT_EQ(info.constant_count, 2u);
  EXPECT_EQ(info.constants[0].constant_id, 2u);
  EXPECT_EQ(info.constants[0].type, static_cast<uint32_t>(SPALT_SCALAR_BOOL));
  EXPECT_EQ(info.constants[0].default_value, 1u);
  EXPECT_EQ(info.constants[1].constant_id, 7u);
  EXPECT_EQ(info.constants[1].default_value, 3u);
  ASSERT_EQ(info.capability_count, 2u);
  EXPECT_EQ(info.capabilities[0], 1u);  // Shader
}

TEST(Reflect, SpecializationDecidesSizes) {
  const std::vector<uint32_t> words = spirv::assemble(kVertexAndFragment);
  spalt_reflect_info ask = Reflection::info_for(words);
  spalt_api::Specialization values;
  values.set<uint32_t>(7, 10);
  values.apply(ask);
  const Reflection reflection(ask);
  ASSERT_TRUE(reflection.ok());
  EXPECT_EQ(reflection.info().bindings[2].bytes, 64u + 10 * 32u);
  EXPECT_EQ(reflection.info().constants[1].default_value, 3u);
}

TEST(Reflect, ChoosesAnEntryPoint) {
  const std::vector<uint32_t> words = spirv::assemble(kVertexAndFragment);
  spalt_reflect_info ask = Reflection::info_for(words);
  ask.entry_point = "fs";
  const Reflection fragment(ask);
  ASSERT_TRUE(fragment.ok());
  EXPECT_EQ(fragment.info().entry_point, 1u);
  EXPECT_EQ(fragment.info().input_count, 1u);
  EXPECT_EQ(fragment.info().workgroup_size[0], 0u);
  ask.has_stage = 1;
  ask.stage = SPALT_STAGE_VERTEX;
  EXPECT_EQ(Reflection(ask).message(), "no entry point 'fs'");
  ask.stage = 99;
  EXPECT_EQ(Reflection(ask).result(), SPALT_ERROR_INVALID_ARGUMENT);
}

TEST(Reflect, TellsTheWorkgroupSize) {
  const std::string compute = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 8 4 2
OpDecorate %x SpecId 0
OpDecorate %size BuiltIn WorkgroupSize
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%v3 = OpTypeVector %uint 3
%x = OpSpecConstant %uint 16
%y = OpConstant %uint 2
%size = OpSpecConstantComposite %v3 %x %y %y
%main = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
)";
  const Reflection overridden(spirv::assemble(compute));
  ASSERT_TRUE(overridden.ok()) << overridden.message();
  EXPECT_EQ(overridden.info().workgroup_size[0], 16u);
  EXPECT_EQ(overridden.info().workgroup_size[1], 2u);
  std::string plain = compute;
  plain.erase(plain.find("OpDecorate %size"), std::strlen("OpDecorate %size BuiltIn WorkgroupSize"));
  EXPECT_EQ(Reflection(spirv::assemble(plain)).info().workgroup_size[1], 4u);
}

/// Every prefix, and every word changed: an answer each time.
TEST(Reflect, SurvivesDamage) {
  const std::vector<uint32_t> good = spirv::assemble(kVertexAndFragment);
  for (size_t size = 0; size < good.size(); ++size) {
    const Reflection reflection(std::vector<uint32_t>(good.begin(), good.begin() + static_cast<ptrdiff_t>(size)));
    EXPECT_NE(reflection.result(), SPALT_ERROR_INTERNAL) << size;
  }
  for (size_t at = 0; at < good.size(); ++at) {
    for (uint32_t value : {0u, 1u, 7u, 0x10000u, 0xffffffffu, good[at] ^ 0x10000u, good[at] + 1}) {
      std::vector<uint32_t> words = good;
      words[at] = value;
      const Reflection reflection(words);
      EXPECT_NE(reflection.result(), SPALT_ERROR_INTERNAL) << at;
    }
  }
}

/// Arrays of arrays of arrays, and many variables of the deepest: linear, where walking the nest would take minutes.
TEST(Reflect, DeepTypesAreLinear) {
  constexpr uint32_t kDepth = 100'000, kVariables = 100'000, kFirst = 10, kPointer = kFirst + kDepth;
  std::vector<uint32_t> words = {0x07230203, 0x00010000, 0, kPointer + kVariables + 10, 0};
  words.insert(words.end(), {2u << 16 | 17, 1, 3u << 16 | 14, 0, 1, 5u << 16 | 15, 5, 1, 0x6e69616d, 0});
  words.insert(words.end(), {4u << 16 | 21, 2, 32, 0, 4u << 16 | 43, 2, 3, 1});  // uint, and the constant 1
  for (uint32_t i = 0; i < kDepth; ++i) {
    words.insert(words.end(), {4u << 16 | 28, kFirst + i, i == 0 ? 2 : kFirst + i - 1, 3});
  }
  words.insert(words.end(), {4u << 16 | 32, kPointer, 12, kFirst + kDepth - 1});
  for (uint32_t i = 0; i < kVariables; ++i) {
    words.insert(words.end(), {4u << 16 | 59, kPointer, kPointer + 1 + i, 12});
  }
  const auto start = std::chrono::steady_clock::now();
  const Reflection reflection(words);
  const auto elapsed = std::chrono::steady_clock::now() - start;
  EXPECT_TRUE(reflection.ok()) << reflection.message();
  EXPECT_LT(std::chrono::duration_cast<std::chrono::seconds>(elapsed).count(), 5);
}

}  // namespace
