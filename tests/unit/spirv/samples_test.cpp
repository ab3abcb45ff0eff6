// SPDX-License-Identifier: MIT
//
// Samples that must be rejected, each with the sentence that a person should read, and levels that SPIR-V leaves open.
#include <gtest/gtest.h>

#include "assemble.h"
#include "ir/printer.h"
#include "spirv/reader.h"

namespace spalt::spirv {
namespace {

struct Case {
  const char* name;
  const char* sample;  ///< instructions; %flat, %solid, %cube, %layers, %many are sampled images
  const char* message;
  Status status = Status::invalid_input;
};

const char kDeclarations[] = R"(
%v3float = OpTypeVector %float 3
%v2int = OpTypeVector %int 2
%c1 = OpConstant %int 1
%c5 = OpConstant %int 5
%uv = OpConstantComposite %v2float %f0 %f1
%uvw = OpConstantComposite %v3float %f0 %f1 %f1
%offset = OpConstantComposite %v2int %c1 %c5
%two = OpTypeArray %v2int %u2
%offsets2 = OpConstantComposite %two %offset %offset
%t_flat = OpTypeImage %float 2D 0 0 0 1 Unknown
%t_solid = OpTypeImage %float 3D 0 0 0 1 Unknown
%t_cube = OpTypeImage %float Cube 0 0 0 1 Unknown
%t_layers = OpTypeImage %float 2D 0 1 0 1 Unknown
%t_many = OpTypeImage %float 2D 0 0 1 1 Unknown
%s_flat = OpTypeSampledImage %t_flat
%s_solid = OpTypeSampledImage %t_solid
%s_cube = OpTypeSampledImage %t_cube
%s_layers = OpTypeSampledImage %t_layers
%s_many = OpTypeSampledImage %t_many
%sparse = OpTypeStruct %float %v4float
%flat = OpUndef %s_flat
%solid = OpUndef %s_solid
%cube = OpUndef %s_cube
%layers = OpUndef %s_layers
%many = OpUndef %s_many
)";

const Case kSamples[] = {
    {"not_an_image", "%x = OpImageSampleExplicitLod %v4float %u1 %uv Lod %f0\n", "to be a sampled image"},
    {"several_samples", "%x = OpImageSampleExplicitLod %v4float %many %uv Lod %f0\n", "can only be fetched from"},
    {"no_level", "%x = OpImageSampleExplicitLod %v4float %flat %uv None\n", "either the Lod or the Grad"},
    {"two_levels", "%x = OpImageSampleExplicitLod %v4float %flat %uv Lod|Grad %f0 %uv %uv\n",
     "either the Lod or the Grad"},
    {"implicit_with_level", "%x = OpImageSampleImplicitLod %v4float %flat %uv Lod %f0\n", "explicit level of detail"},
    {"explicit_with_bias", "%x = OpImageSampleExplicitLod %v4float %flat %uv Bias|Lod %f0 %f0\n", "a bias of"},
    {"least_level_of_level", "%x = OpImageSampleExplicitLod %v4float %flat %uv Lod|MinLod %f0 %f0\n", "a least level"},
    {"level_is_integer", "%x = OpImageSampleExplicitLod %v4float %flat %uv Lod %c1\n", "float"},
    {"too_few_coordinates", "%x = OpImageSampleExplicitLod %v4float %layers %uv Lod %f0\n",
     "expected 3 coordinates, found 2"},
    {"no_divisor", "%x = OpImageSampleProjExplicitLod %v4float %flat %uv Lod %f0\n", "expected 3 coordinates, found 2"},
    {"projected_array", "%x = OpImageSampleProjExplicitLod %v4float %layers %uvw Lod %f0\n", "a projection onto"},
    {"compared_3d", "%x = OpImageSampleDrefExplicitLod %float %solid %uvw %f0 Lod %f0\n", "a depth comparison in"},
    {"compared_vector", "%x = OpImageSampleDrefExplicitLod %v4float %flat %uv %f0 Lod %f0\n", "expected a scalar"},
    {"gradient_too_short", "%x = OpImageSampleExplicitLod %v4float %solid %uvw Grad %uv %uv\n", "3 components"},
    {"offset_in_cube", "%x = OpImageSampleExplicitLod %v4float %cube %uvw Lod|ConstOffset %f0 %offset\n",
     "an offset in a cube"},
    {"two_offsets", "%x = OpImageSampleExplicitLod %v4float %flat %uv Lod|ConstOffset|Offset %f0 %offset %offset\n",
     "two offsets"},
    {"four_offsets", "%x = OpImageSampleExplicitLod %v4float %flat %uv Lod|ConstOffsets %f0 %offsets2\n",
     "are for gathers"},
    {"sample_number", "%x = OpImageSampleExplicitLod %v4float %flat %uv Lod|Sample %f0 %c1\n", "is for fetches"},
    {"wrong_texel", "%x = OpImageSampleExplicitLod %v2uint %flat %uv Lod %f0\n", "the image's sampled type"},
    {"sparse_without_code", "%x = OpImageSparseSampleExplicitLod %v4float %flat %uv Lod %f0\n", "a residency code"},
    {"sparse_float_code", "%x = OpImageSparseSampleExplicitLod %sparse %flat %uv Lod %f0\n", "a residency code"},
    {"operand_missing", "%x = OpImageGather %v4float %flat %uv\n", ""},
    {"gather_of_3d", "%x = OpImageGather %v4float %solid %uvw %c1\n", "that is not 2d"},
    {"gather_component", "%x = OpImageGather %v4float %flat %uv %c5\n", "components 0 to 3"},
    {"gather_level", "%x = OpImageGather %v4float %flat %uv %c1 Lod %f0\n", "another level", Status::unsupported},
    {"gather_gradient", "%x = OpImageGather %v4float %flat %uv %c1 Grad %uv %uv\n", "gathers do not have"},
    {"gather_two_offsets", "%x = OpImageGather %v4float %flat %uv %c1 ConstOffsets %offsets2\n", "an array of four"},
    {"gather_scalar", "%x = OpImageGather %float %flat %uv %c1\n", "a result of 4 components"},
    {"query_scalar", "%x = OpImageQueryLod %float %flat %uv\n", "a result of 2 components"},
    {"derivative", "%x = OpDPdx %float %f1\n", "without groups of neighbours", Status::unsupported},
};

class MalformedSample : public testing::TestWithParam<Case> {};

TEST_P(MalformedSample, IsRejectedWithItsReason) {
  const Case& c = GetParam();
  CompileContext context;
  const std::string body = std::string(c.sample) + "OpReturn\n";
  std::vector<uint32_t> words;
  try {
    words = assemble(shader(kDeclarations, body));
  } catch (const std::runtime_error&) {
    ASSERT_STREQ(c.message, "");  // not even the assembler takes it
    return;
  }
  const Result<ir::Module> module = read(words, {}, context);
  ASSERT_FALSE(module.ok());
  EXPECT_NE(module.error().message.find(c.message), std::string::npos) << module.error().message;
  EXPECT_EQ(module.error().status, c.status);
  EXPECT_NE(module.error().offset, Error::kNoOffset);
}

std::string case_name(const testing::TestParamInfo<Case>& parameter) {
  return parameter.param.name;
}
INSTANTIATE_TEST_SUITE_P(Samples, MalformedSample, testing::ValuesIn(kSamples), case_name);

TEST(Samples, OfAnImageThatIsUndefinedAreUndefined) {
  CompileContext context;
  const char* body =
      "%x = OpImageSampleExplicitLod %v4float %flat %uv Lod %f0\n%y = OpImageGather %v4float %cube %uvw "
      "%c1\nOpReturn\n";
  const Result<ir::Module> module = read(assemble(shader(kDeclarations, body)), {}, context);
  ASSERT_TRUE(module.ok()) << module.error().message;
  EXPECT_EQ(ir::print(*module).find("image_"), std::string::npos);
}

/// A shader that samples with these operands and stores the texel.
std::string sampling_shader(const std::string& mode, const std::string& sample) {
  return "OpCapability Shader\nOpCapability MinLod\nOpCapability ImageQuery\nOpMemoryModel Logical GLSL450\n"
         "OpEntryPoint GLCompute %main \"main\"\nOpExecutionMode %main LocalSize 2 2 1\n" +
         mode +
         "OpDecorate %image DescriptorSet 0\nOpDecorate %image Binding 0\n"
         "OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\n"
         "OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 1\n"
         "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%float = OpTypeFloat 32\n%int = OpTypeInt 32 1\n"
         "%v2float = OpTypeVector %float 2\n%v4float = OpTypeVector %float 4\n"
         "%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown\n%t_both = OpTypeSampledImage %t_image\n"
         "%p_both = OpTypePointer UniformConstant %t_both\n%image = OpVariable %p_both UniformConstant\n"
         "%block = OpTypeStruct %v4float\n%p_block = OpTypePointer StorageBuffer %block\n"
         "%p_out = OpTypePointer StorageBuffer %v4float\n%out = OpVariable %p_block StorageBuffer\n"
         "%c0 = OpConstant %int 0\n%half = OpConstant %float 0.5\n%f2 = OpConstant %float 2\n%f3 = OpConstant %float "
         "3\n"
         "%uv = OpConstantComposite %v2float %half %f2\n"
         "%main = OpFunction %void None %fn\n%entry = OpLabel\n%both = OpLoad %t_both %image\n" +
         sample + "%at = OpAccessChain %p_out %out %c0\nOpStore %at %texel\nOpReturn\nOpFunctionEnd\n";
}

std::string read_text(const std::string& source) {
  CompileContext context;
  const Result<ir::Module> module = read(assemble(source), {}, context);
  return module ? ir::print(*module) : module.error().message;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

TEST(Samples, ImplicitLevelsAreZeroAndBiasWithoutNeighbours) {
  const std::string plain = read_text(sampling_shader("", "%texel = OpImageSampleImplicitLod %v4float %both %uv\n"));
  EXPECT_TRUE(contains(plain, "f32 0.5, f32 2.0, f32 0.0, lod, read_only")) << plain;
  const std::string biased =
      read_text(sampling_shader("", "%texel = OpImageSampleImplicitLod %v4float %both %uv Bias|MinLod %f2 %f3\n"));
  EXPECT_TRUE(contains(biased, "f32 0.5, f32 2.0, f32 3.0, lod, read_only")) << biased;
  const std::string query = read_text(sampling_shader(
      "", "%levels = OpImageQueryLod %v2float %both %uv\n%texel = OpVectorShuffle %v4float %levels %levels 0 1 0 1\n"));
  EXPECT_FALSE(contains(query, "image_query_lod")) << query;
}

TEST(Samples, ImplicitLevelsStayWithNeighbours) {
  const std::string mode = "OpExecutionMode %main DerivativeGroupLinearNV\n";
  const std::string text =
      read_text(sampling_shader(mode, "%texel = OpImageSampleImplicitLod %v4float %both %uv Bias|MinLod %f2 %f3\n"));
  EXPECT_TRUE(contains(text, "derivative_group linear")) << text;
  EXPECT_TRUE(contains(text, "f32 2.0, f32 0.5, f32 2.0, f32 3.0, bias, min_lod, read_only")) << text;
}

TEST(Samples, GroupsOfNeighboursFillTheWorkgroup) {
  const char* sample = "%texel = OpImageSampleImplicitLod %v4float %both %uv\n";
  const auto text = [&](const char* size, const char* mode) {
    std::string source = sampling_shader(std::string("OpExecutionMode %main ") + mode + "\n", sample);
    source.replace(source.find("LocalSize 2 2 1"), 15, std::string("LocalSize ") + size);
    return read_text(source);
  };
  EXPECT_TRUE(contains(text("3 2 1", "DerivativeGroupQuadsNV"), "of odd size"));
  EXPECT_TRUE(contains(text("2 1 2", "DerivativeGroupQuadsNV"), "of odd size"));
  EXPECT_TRUE(contains(text("3 2 1", "DerivativeGroupLinearNV"), "another multiple"));
  EXPECT_TRUE(contains(text("1 1 4", "DerivativeGroupLinearNV"), "derivative_group linear"));
}

}  // namespace
}  // namespace spalt::spirv
