// SPDX-License-Identifier: MIT
//
// Images, samplers and texels that must be rejected, each with the sentence that a person should read.
#include <gtest/gtest.h>

#include "assemble.h"
#include "spirv/reader.h"

namespace spalt::spirv {
namespace {

struct Case {
  const char* name;
  const char* declarations;
  const char* body;
  const char* message;  ///< a part of it
  Status status = Status::invalid_input;
};

std::string image_shader(const std::string& declarations, const std::string& body) {
  std::string text = R"(
OpCapability Shader
OpCapability ImageBuffer
OpCapability ImageQuery
OpCapability StorageImageMultisample
OpCapability SparseResidency
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
)";
  int binding = 0;
  for (const char* name : {"%stored", "%fixed", "%sampled", "%many", "%texels", "%pair", "%alone", "%list"}) {
    text += std::string("OpDecorate ") + name + " DescriptorSet 0\nOpDecorate " + name + " Binding " +
            std::to_string(binding++) + "\n";
  }
  return text + R"(
OpDecorate %fixed NonWritable
%void = OpTypeVoid
%main_type = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v2uint = OpTypeVector %uint 2
%v3uint = OpTypeVector %uint 3
%v2float = OpTypeVector %float 2
%v4float = OpTypeVector %float 4
%v4uint = OpTypeVector %uint 4
%code = OpTypeStruct %uint %v4float
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%f1 = OpConstant %float 1
%true = OpConstantTrue %bool
%at2 = OpConstantComposite %v2uint %u1 %u1
%at3 = OpConstantComposite %v3uint %u1 %u1 %u1
%texel = OpConstantComposite %v4float %f1 %f1 %f1 %f1
%storage = OpTypeImage %float 2D 0 0 0 2 R32f
%words = OpTypeImage %uint 2D 0 0 0 2 R32ui
%texture = OpTypeImage %float 2D 0 0 0 1 Unknown
%cube = OpTypeImage %float Cube 0 0 0 1 Unknown
%multisampled = OpTypeImage %float 2D 0 0 1 2 R32f
%numbers = OpTypeImage %float Buffer 0 0 0 2 R32f
%sampler = OpTypeSampler
%both = OpTypeSampledImage %texture
%array = OpTypeArray %storage %u1
%p_storage = OpTypePointer UniformConstant %storage
%p_words = OpTypePointer UniformConstant %words
%p_texture = OpTypePointer UniformConstant %texture
%p_multisampled = OpTypePointer UniformConstant %multisampled
%p_numbers = OpTypePointer UniformConstant %numbers
%p_sampler = OpTypePointer UniformConstant %sampler
%p_both = OpTypePointer UniformConstant %both
%p_array = OpTypePointer UniformConstant %array
%p_float = OpTypePointer UniformConstant %float
%t_float = OpTypePointer Image %float
%t_uint = OpTypePointer Image %uint
%stored = OpVariable %p_storage UniformConstant
%fixed = OpVariable %p_storage UniformConstant
%sampled = OpVariable %p_texture UniformConstant
%many = OpVariable %p_multisampled UniformConstant
%texels = OpVariable %p_numbers UniformConstant
%pair = OpVariable %p_both UniformConstant
%alone = OpVariable %p_sampler UniformConstant
%list = OpVariable %p_array UniformConstant
)" + declarations +
         R"(
%main = OpFunction %void None %main_type
%entry = OpLabel
%i = OpLoad %storage %stored
%f = OpLoad %storage %fixed
%t = OpLoad %texture %sampled
%m = OpLoad %multisampled %many
%n = OpLoad %numbers %texels
%c = OpLoad %both %pair
%s = OpLoad %sampler %alone
)" + body +
         "OpReturn\nOpFunctionEnd\n";
}

const Case kCases[] = {
    {"pair_of_no_image", "%bad = OpTypeSampledImage %float", "", "expected an image type"},
    {"pair_of_storage_image", "%bad = OpTypeSampledImage %storage", "", "images that can be sampled"},
    {"unknown_dimension", "%rect = OpTypeImage %float Rect 0 0 0 1 Unknown",
     "%x = OpUndef %rect\n%y = OpCopyObject %rect %x\n", "cannot be used as a value"},
    {"variable_of_numbers", "%own = OpVariable %p_float UniformConstant", "%x = OpLoad %float %own\n",
     "to be an image or a sampler"},
    {"variable_without_place", "%lost = OpVariable %p_storage UniformConstant", "%x = OpLoad %storage %lost\n",
     "no DescriptorSet or Binding"},
    {"array_as_value", "", "%x = OpLoad %array %list\n", "is not one that a value can have"},
    {"constructed_image", "", "%x = OpCompositeConstruct %storage\n", "expected a composite result type"},
    {"null_image", "%null = OpConstantNull %storage", "", "cannot be null"},
    {"stored_handle", "", "OpStore %stored %i\n", "a store to memory that is read only"},
    {"read_of_pair", "", "%x = OpImageRead %v4float %c %at2\n", "to be an image"},
    {"read_of_number", "", "%x = OpImageRead %v4float %u1 %at2\n", "to be an image"},
    {"coordinates_missing", "", "%x = OpImageRead %v4float %i %u1\n", "expected 2 coordinates, found 1"},
    {"coordinates_float", "%f2 = OpConstantComposite %v2float %f1 %f1", "%x = OpImageRead %v4float %i %f2\n",
     "to be a integer scalar or vector"},
    {"texel_type", "", "%x = OpImageRead %v4uint %i %at2\n", "components of the image's sampled type"},
    {"stored_type", "", "OpImageWrite %i %at2 %u1\n", "to be a 32-bit float scalar or vector"},
    {"store_to_texture", "", "OpImageWrite %t %at2 %texel\n", "can only be sampled"},
    {"store_to_read_only", "", "OpImageWrite %f %at2 %texel\n", "an image that is read only"},
    {"fetch_from_storage", "", "%x = OpImageFetch %v4float %i %at2\n", "an image that can be sampled"},
    {"sample_missing", "", "%x = OpImageRead %v4float %m %at2\n", "expected the Sample image operand"},
    {"sample_unwanted", "", "%x = OpImageRead %v4float %i %at2 Sample %u1\n", "a sample of an image that has none"},
    {"bias_of_fetch", "", "%x = OpImageFetch %v4float %t %at2 Bias %f1\n", "only samples can have"},
    {"offset_components", "", "%x = OpImageFetch %v4float %t %at2 ConstOffset %at3\n", "to have 2 components"},
    {"sparse_result", "", "%x = OpImageSparseRead %v4float %i %at2\n", "a struct of a residency code and a texel"},
    {"resident_type", "", "%x = OpImageSparseTexelsResident %uint %u1\n", "to be a boolean"},
    {"level_of_multisampled", "", "%x = OpImageQueryLevels %uint %m\n", "can have levels"},
    {"samples_of_one", "", "%x = OpImageQuerySamples %uint %i\n", "expected a multisampled image"},
    {"size_components", "", "%x = OpImageQuerySize %v3uint %i\n", "expected a result of 2 components"},
    {"size_of_buffer_level", "", "%x = OpImageQuerySizeLod %uint %n %u0\n", "can have levels"},
    {"image_of_image", "", "%x = OpImage %texture %t\n", "expected a sampled image"},
    {"pair_with_image", "", "%x = OpSampledImage %both %t %t\n", "expected a sampler"},
    {"pair_of_other_image", "", "%x = OpSampledImage %both %i %s\n", "the type of its combination"},
    {"pointer_to_texture", "", "%x = OpImageTexelPointer %t_float %sampled %at2 %u0\n", "a pointer to a storage image"},
    {"pointer_class", "", "%x = OpImageTexelPointer %p_float %stored %at2 %u0\n", "storage class Image"},
    {"pointer_type", "", "%x = OpImageTexelPointer %t_uint %stored %at2 %u0\n", "the image's sampled type"},
    {"pointer_sample", "", "%x = OpImageTexelPointer %t_float %stored %at2 %u1\n", "expected sample 0"},
    {"texel_loaded", "", "%x = OpImageTexelPointer %t_float %stored %at2 %u0\n%y = OpLoad %float %x\n",
     "something that can be loaded"},
    {"texel_stored", "", "%x = OpImageTexelPointer %t_float %stored %at2 %u0\nOpStore %x %f1\n", "read only"},
    {"float_addition", "",
     "%x = OpImageTexelPointer %t_float %stored %at2 %u0\n%y = OpAtomicIAdd %float %x %u1 %u0 %f1\n",
     "an integer in memory"},
    {"atomic_on_read_only", "",
     "%x = OpImageTexelPointer %t_float %fixed %at2 %u0\n%y = OpAtomicExchange %float %x %u1 %u0 %f1\n",
     "memory that is read only"},
    {"attachment_in_compute",
     "%input = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n%p_input = OpTypePointer UniformConstant %input\n"
     "%own = OpVariable %p_input UniformConstant",
     "%x = OpLoad %input %own\n", "expected a fragment shader"},
    {"sampled_attachment", "%input = OpTypeImage %float SubpassData 0 0 0 1 Unknown",
     "%x = OpUndef %input\n%y = OpCopyObject %input %x\n", "cannot be used as a value"},
    {"query_of_attachment", "%input = OpTypeImage %float SubpassData 0 0 0 2 Unknown",
     "%z = OpUndef %input\n%x = OpImageQuerySize %v2uint %z\n", "a query of an input attachment"},
    {"store_to_attachment", "%input = OpTypeImage %float SubpassData 0 0 0 2 Unknown",
     "%z = OpUndef %input\nOpImageWrite %z %at2 %texel\n", "a store to an input attachment"},
    {"sparse_read_of_attachment", "%input = OpTypeImage %float SubpassData 0 0 0 2 Unknown",
     "%z = OpUndef %input\n%x = OpImageSparseRead %code %z %at2\n", "a sparse read of an input attachment"},
    {"level_of_attachment", "%input = OpTypeImage %float SubpassData 0 0 0 2 Unknown",
     "%z = OpUndef %input\n%x = OpImageRead %v4float %z %at2 Lod %u1\n", "a level of an image that has one"},
    {"chosen_at_run_time", "",
     "%z = OpImageQuerySize %v2uint %i\n%w = OpCompositeExtract %uint %z 0\n%q = OpIEqual %bool %w %u1\n"
     "%x = OpSelect %storage %q %i %f\n%y = OpImageRead %v4float %x %at2\n",
     "an image or sampler that is chosen at run time", Status::unsupported},
};

class MalformedImage : public testing::TestWithParam<Case> {};

TEST_P(MalformedImage, IsRejectedWithItsReason) {
  const Case& c = GetParam();
  CompileContext context;
  const Result<ir::Module> module = read(assemble(image_shader(c.declarations, c.body)), {}, context);
  ASSERT_FALSE(module.ok());
  EXPECT_NE(module.error().message.find(c.message), std::string::npos) << module.error().message;
  EXPECT_EQ(module.error().status, c.status);
  EXPECT_NE(module.error().offset, Error::kNoOffset);
}

/// The module around the cases is accepted: what fails is what a case says.
TEST(ImageShader, IsAcceptedWithoutAFault) {
  CompileContext context;
  const Result<ir::Module> module =
      read(assemble(image_shader("", "%x = OpImageRead %v4float %i %at2\n")), {}, context);
  EXPECT_TRUE(module.ok()) << (module.ok() ? "" : module.error().message);
}

/// HLSL that was not legalized copies images to local variables.
TEST(ImageShader, MayKeepAnImageInALocalVariable) {
  CompileContext context;
  const Result<ir::Module> module =
      read(assemble(image_shader("%local = OpTypePointer Function %storage\n%nothing = OpUndef %storage\n",
                                 "%v = OpVariable %local Function\nOpStore %v %i\n"
                                 "%x = OpImageTexelPointer %t_float %v %at2 %u0\nOpAtomicStore %x %u1 %u0 %f1\n"
                                 "OpStore %v %nothing\n%y = OpImageTexelPointer %t_float %v %at2 %u0\n"
                                 "%z = OpAtomicExchange %float %y %u1 %u0 %f1\nOpAtomicStore %y %u1 %u0 %z\n")),
           {}, context);
  ASSERT_TRUE(module.ok()) << module.error().message;
  unsigned stores = 0;
  const ir::Function& function = module->functions[0];
  for (const ir::Value value : ir::insts(function, function.entry())) {
    const ir::Op op = function.inst(value).op;
    stores += op == ir::Op::image_store ? 1 : 0;
    EXPECT_NE(op, ir::Op::image_atomic);  // what is undefined does nothing
  }
  EXPECT_EQ(stores, 1u);
}

std::string case_name(const testing::TestParamInfo<Case>& parameter) {
  return parameter.param.name;
}
INSTANTIATE_TEST_SUITE_P(Images, MalformedImage, testing::ValuesIn(kCases), case_name);

}  // namespace
}  // namespace spalt::spirv
