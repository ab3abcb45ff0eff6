// SPDX-License-Identifier: MIT
// Reflection: modules that the compiler cannot do either, and modules that lie.
#include <gtest/gtest.h>
#include <spalt/texel.h>

#include <chrono>
#include <cstring>
#include <spalt/spalt.hpp>
#include <string>

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
  EXPECT_EQ(info.bindings[1].view_type, 1u);  // of the image in it
  EXPECT_STREQ(info.bindings[1].name, "albedo");
  EXPECT_EQ(info.bindings[2].set, 1u);
  EXPECT_EQ(info.bindings[2].view_type, UINT32_MAX);
  EXPECT_EQ(info.bindings[2].texel_type, UINT32_MAX);
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

struct ImageCase {
  const char* type;  ///< operands of OpTypeImage
  uint32_t view_type, multisampled, texel_type;
  const char* format;  ///< of Vulkan; "" for none
};

/// A module with a variable of that type at set 0, binding 0.
std::string module_with_image(const std::string& type) {
  return R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %variable
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %variable DescriptorSet 0
OpDecorate %variable Binding 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%image = OpTypeImage )" +
         type + R"(
%pointer = OpTypePointer UniformConstant %image
%variable = OpVariable %pointer UniformConstant
%main = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
)";
}

spalt_reflected_binding binding_of_image(const std::string& type) {
  const Reflection reflection(spirv::assemble(module_with_image(type)));
  EXPECT_TRUE(reflection.ok()) << reflection.message();
  return reflection.info().binding_count == 1 ? reflection.info().bindings[0] : spalt_reflected_binding{};
}

std::string format_name(uint32_t format) {
  auto info = spalt_api::sized<spalt_format_info>();
  return spalt_query_format(format, &info) == SPALT_SUCCESS ? info.name : "";
}

TEST(Reflect, TellsWhatImagesAre) {
  constexpr ImageCase kCases[] = {
      {"%float 1D 0 0 0 1 Unknown", 0, 0, SPALT_SCALAR_FLOAT, ""},
      {"%float 2D 1 0 0 1 Unknown", 1, 0, SPALT_SCALAR_FLOAT, ""},
      {"%float 2D 0 0 1 1 Unknown", 1, 1, SPALT_SCALAR_FLOAT, ""},
      {"%int 3D 0 0 0 2 R32i", 2, 0, SPALT_SCALAR_SIGNED, "R32_SINT"},
      {"%float Cube 0 0 0 1 Unknown", 3, 0, SPALT_SCALAR_FLOAT, ""},
      {"%float 1D 0 1 0 2 R11fG11fB10f", 4, 0, SPALT_SCALAR_FLOAT, "B10G11R11_UFLOAT_PACK32"},
      {"%uint 2D 0 1 0 2 Rgb10a2ui", 5, 0, SPALT_SCALAR_UNSIGNED, "A2B10G10R10_UINT_PACK32"},
      {"%float Cube 0 1 0 2 Rgba8Snorm", 6, 0, SPALT_SCALAR_FLOAT, "R8G8B8A8_SNORM"},
      {"%uint Buffer 0 0 0 2 R32ui", UINT32_MAX, 0, SPALT_SCALAR_UNSIGNED, "R32_UINT"},
  };
  for (const ImageCase& expected : kCases) {
    const spalt_reflected_binding binding = binding_of_image(expected.type);
    EXPECT_EQ(binding.view_type, expected.view_type) << expected.type;
    EXPECT_EQ(binding.multisampled, expected.multisampled) << expected.type;
    EXPECT_EQ(binding.texel_type, expected.texel_type) << expected.type;
    EXPECT_EQ(format_name(binding.texel_format), expected.format) << expected.type;
  }
}

/// A SPIR-V format such as Rg16Snorm is Vulkan's R16G16_SNORM; the two that pack their bits are above.
TEST(Reflect, TellsTheFormatOfVulkanForEachOfSpirv) {
  constexpr const char* kComponents[] = {"R", "RG", "RGBA"};
  constexpr const char* kPrefixes[] = {"R", "Rg", "Rgba"};
  constexpr std::pair<const char*, const char*> kNumbers[] = {
      {"32f", "32_SFLOAT"},    {"16f", "16_SFLOAT"},  {"16", "16_UNORM"},  {"8", "8_UNORM"},
      {"16Snorm", "16_SNORM"}, {"8Snorm", "8_SNORM"}, {"32i", "32_SINT"},  {"16i", "16_SINT"},
      {"8i", "8_SINT"},        {"32ui", "32_UINT"},   {"16ui", "16_UINT"}, {"8ui", "8_UINT"}};
  for (size_t c = 0; c < std::size(kComponents); ++c) {
    for (const auto& [number, suffix] : kNumbers) {
      const std::string digits(suffix, std::strchr(suffix, '_'));
      std::string expected;
      for (const char* at = kComponents[c]; *at != 0; ++at) expected += *at + digits;
      expected += std::strchr(suffix, '_');
      const std::string type = "%float 2D 0 0 0 2 " + std::string(kPrefixes[c]) + number;
      EXPECT_EQ(format_name(binding_of_image(type).texel_format), expected) << type;
    }
  }
  EXPECT_EQ(format_name(binding_of_image("%float 2D 0 0 0 2 Rgb10A2").texel_format), "A2B10G10R10_UNORM_PACK32");
}

/// An array of buffers and push constants, both declared by untyped variables, which name the type of their data.
TEST(Reflect, TellsWhatUntypedVariablesHold) {
  const Reflection reflection(spirv::assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main" %buffers %push
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 8
OpDecorate %buffers DescriptorSet 1
OpDecorate %buffers Binding 3
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%four = OpConstant %uint 4
%block = OpTypeStruct %uint
%blocks = OpTypeArray %block %four
OpNoLine
!0x00031141 %to_buffers !12
OpNoLine
!0x00031141 %to_push !9
OpNoLine
!0x00051142 %to_buffers %buffers !12 %blocks
OpNoLine
!0x00051142 %to_push %push !9 %block
OpNoLine
%main = OpFunction %void None %function
%label = OpLabel
OpReturn
OpFunctionEnd
)"));
  ASSERT_TRUE(reflection.ok()) << reflection.message();
  const spalt_reflection_info info = reflection.info();
  ASSERT_EQ(info.binding_count, 1u);
  EXPECT_EQ(info.bindings[0].set, 1u);
  EXPECT_EQ(info.bindings[0].binding, 3u);
  EXPECT_EQ(info.bindings[0].count, 4u);
  EXPECT_EQ(info.bindings[0].type, static_cast<uint32_t>(SPALT_RESOURCE_STORAGE_BUFFER));
  EXPECT_EQ(info.push_constant_offset, 8u);
  EXPECT_EQ(info.push_constant_bytes, 4u);
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

TEST(Reflect, ComputesSizes) {
  std::string module = kVertexAndFragment;
  const std::string lights = "%lights = OpTypeArray %v4 %count\n";
  module.replace(module.find(lights), lights.size(), R"(%six = OpConstant %uint 6
%less = OpSpecConstantOp %bool ULessThan %count %six
%length = OpSpecConstantOp %uint Select %less %six %count
%lights = OpTypeArray %v4 %length
)");
  const std::vector<uint32_t> words = spirv::assemble(module);
  EXPECT_EQ(Reflection(words).info().bindings[2].bytes, 64u + 6 * 32u);
  spalt_reflect_info ask = Reflection::info_for(words);
  spalt_api::Specialization values;
  values.set<uint32_t>(7, 10);
  values.apply(ask);
  EXPECT_EQ(Reflection(ask).info().bindings[2].bytes, 64u + 10 * 32u);
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
