// SPDX-License-Identifier: MIT
// A recorded pipeline becomes the code that the compiler makes with the layout that the rule says, which is written out
// here by hand.
#include <gtest/gtest.h>

#include <spalt/spalt.hpp>

#include "../spirv/assemble.h"
#include "recorded.h"
#include "replay/code_hash.h"
#include "replay/replayer.h"

namespace spalt_tool::replay {
namespace {

/// Adds a push constant and a word of inline data (set 1 binding 3) to buffers: set 0 binding 2, set 1 bindings 4
/// and 5.
constexpr const char* kShader = R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 64 1 1
OpDecorate %words ArrayStride 4
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %push_block Block
OpMemberDecorate %push_block 0 Offset 16
OpDecorate %inline_block Block
OpMemberDecorate %inline_block 0 Offset 12
OpDecorate %inline DescriptorSet 1
OpDecorate %inline Binding 3
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 2
OpDecorate %b DescriptorSet 1
OpDecorate %b Binding 4
OpDecorate %c DescriptorSet 1
OpDecorate %c Binding 5
OpDecorate %constant SpecId 7
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%words = OpTypeRuntimeArray %uint
%block = OpTypeStruct %words
%buffer_type = OpTypePointer StorageBuffer %block
%element = OpTypePointer StorageBuffer %uint
%push_block = OpTypeStruct %uint
%push_type = OpTypePointer PushConstant %push_block
%push_element = OpTypePointer PushConstant %uint
%inline_block = OpTypeStruct %uint
%inline_type = OpTypePointer Uniform %inline_block
%inline_element = OpTypePointer Uniform %uint
%zero = OpConstant %uint 0
%constant = OpSpecConstant %uint 3
%a = OpVariable %buffer_type StorageBuffer
%b = OpVariable %buffer_type StorageBuffer
%c = OpVariable %buffer_type StorageBuffer
%push = OpVariable %push_type PushConstant
%inline = OpVariable %inline_type Uniform
%main = OpFunction %void None %function
%start = OpLabel
%push_at = OpAccessChain %push_element %push %zero
%push_value = OpLoad %uint %push_at
%inline_at = OpAccessChain %inline_element %inline %zero
%inline_value = OpLoad %uint %inline_at
%pushed = OpIAdd %uint %push_value %inline_value
%a_at = OpAccessChain %element %a %zero %constant
%b_at = OpAccessChain %element %b %zero %constant
%c_at = OpAccessChain %element %c %zero %constant
%a_old = OpLoad %uint %a_at
%a_new = OpIAdd %uint %a_old %pushed
OpStore %a_at %a_new
%b_old = OpLoad %uint %b_at
%b_new = OpIAdd %uint %b_old %pushed
OpStore %b_at %b_new
%c_old = OpLoad %uint %c_at
%c_new = OpIAdd %uint %c_old %pushed
OpStore %c_at %c_new
OpReturn
OpFunctionEnd
)";

constexpr const char* kFirstSet = R"({"flags": 0, "bindings": [
  {"binding": 0, "descriptorType": 0, "descriptorCount": 1, "stageFlags": 32, "immutableSamplers": ["0000000000000005"]},
  {"binding": 2, "descriptorType": 7, "descriptorCount": 1, "stageFlags": 32},
  {"binding": 1, "descriptorType": 1, "descriptorCount": 3, "stageFlags": 16}]})";
constexpr const char* kSecondSet = R"({"flags": 0, "bindings": [
  {"binding": 3, "descriptorType": 1000138000, "descriptorCount": 20, "stageFlags": 32},
  {"binding": 1, "descriptorType": 8, "descriptorCount": 2, "stageFlags": 32},
  {"binding": 5, "descriptorType": 9, "descriptorCount": 1, "stageFlags": 32},
  {"binding": 4, "descriptorType": 6, "descriptorCount": 1, "stageFlags": 32}]})";
constexpr const char* kSampler = R"({"flags": 0, "minFilter": 1, "magFilter": 1, "maxAnisotropy": 1.0, "compareOp": 0,
  "anisotropyEnable": 0, "mipmapMode": 1, "addressModeU": 2, "addressModeV": 2, "addressModeW": 2, "borderColor": 0,
  "unnormalizedCoordinates": 0, "compareEnable": 0, "mipLodBias": 0.0, "minLod": 0.0, "maxLod": 1e300})";
constexpr const char* kLayout = R"({"flags": 0, "setLayouts": ["0000000000000001", "0000000000000002"],
  "pushConstantRanges": [{"stageFlags": 32, "offset": 16, "size": 4}]})";
/// The value 5 in little-endian bytes.
constexpr const char* kSpecialization = R"(, "specializationInfo": {"dataSize": 4, "data": "BQAAAA==",
  "mapEntries": [{"constantID": 7, "offset": 0, "size": 4}]})";

std::vector<PipelineResult> replay(const std::string& records, const Settings& settings) {
  const Database database = database_of(records);
  RunOptions options;
  options.kinds = {PipelineKind::compute};
  Progress progress(Progress::Mode::off);
  Replayer replayer(database, {}, options, progress);
  Results results;
  Problem problem;
  EXPECT_TRUE(replayer.run(settings, results, problem)) << problem.message;
  return results.pipelines;
}

uint64_t direct(const std::vector<uint32_t>& words, const char* target, uint32_t constant) {
  const auto place = [](uint32_t set, uint32_t number, uint32_t entry, uint32_t offset, uint32_t bytes = 0) {
    spalt_binding_location location{};
    location.set = set;
    location.binding = number;
    location.count = bytes > 0 ? bytes : 1;
    location.user_data_entry = entry;
    location.offset = offset;
    location.stride = 16;
    location.kind = bytes > 0 ? SPALT_BINDING_INLINE_DATA : SPALT_BINDING_RAW_BUFFER;
    return location;
  };
  // Set 0: sampler at 0, three combined ones at 16, the buffer at 160. Set 1: 32 bytes of inline data, the buffer at
  // 32; in the table of dynamic buffers two of binding 1, then binding 5. Five entries for 20 bytes of push constants.
  const spalt_binding_location places[] = {place(0, 2, 0, 160), place(1, 3, 1, 0, 20), place(1, 4, 1, 32),
                                           place(1, 5, 2, 32)};
  spalt_user_data_layout layout = spalt_api::sized<spalt_user_data_layout>();
  layout.bindings = places;
  layout.binding_count = 4;
  layout.binding_size = sizeof places[0];
  layout.push_constant_entry = 3;
  layout.push_constant_dwords = 5;
  spalt_compile_info info = spalt_api::Compiler::info(words);
  info.layout = &layout;
  spalt_api::Specialization specialization;
  specialization.set<uint32_t>(7, constant);
  specialization.apply(info);
  const spalt_api::Compilation compilation = spalt_api::Compiler(target).compile(info);
  EXPECT_TRUE(compilation.ok()) << compilation.message();
  const auto [bytes, size] = compilation.elf();
  return code_hash(bytes, size);
}

TEST(Replay, CodeIsThatOfTheLayoutWrittenByHand) {
  const std::vector<uint32_t> words = spalt::spirv::assemble(kShader);
  const std::string records = object_record(Tag::set_layout, "setLayouts", 1, kFirstSet) +
                              object_record(Tag::set_layout, "setLayouts", 2, kSecondSet) +
                              object_record(Tag::sampler, "samplers", 5, kSampler) +
                              object_record(Tag::pipeline_layout, "pipelineLayouts", 3, kLayout) +
                              module_record(4, words) + pipeline_record(10, 3, 4) +
                              pipeline_record(11, 3, 4, kSpecialization);
  for (const char* target : {"gfx900", "gfx1030", "gfx1100", "gfx1200"}) {
    Settings settings;
    settings.target = target;
    const std::vector<PipelineResult> results = replay(records, settings);
    ASSERT_EQ(results.size(), 2u);
    for (const PipelineResult& result : results) EXPECT_TRUE(result.compiled()) << result.problem.message;
    EXPECT_EQ(results[0].code_hash, direct(words, target, 3)) << target;
    EXPECT_EQ(results[1].code_hash, direct(words, target, 5)) << target;
    EXPECT_NE(results[0].code_hash, results[1].code_hash);
    EXPECT_NE(results[0].code_hash, 0u);
  }
}

TEST(CodeHash, IsOfTheInstructionsAlone) {
  const std::vector<uint32_t> words = spalt::spirv::assemble(kShader);
  const spalt_api::Compiler compiler("gfx1030");
  const auto hash = [&](uint32_t major, uint32_t minor, uint32_t wave) {
    spalt_compile_info info = spalt_api::Compiler::info(words);
    info.pal_abi_major = major;
    info.pal_abi_minor = minor;
    info.wave_size = wave;
    const spalt_api::Compilation compilation = compiler.compile(info);
    EXPECT_TRUE(compilation.ok()) << compilation.message();
    const auto [bytes, size] = compilation.elf();
    return code_hash(bytes, size);
  };
  EXPECT_EQ(hash(2, 6, 32), hash(3, 0, 32));
  EXPECT_EQ(code_hash("no ELF", 6), 0u);
  EXPECT_EQ(code_hash(nullptr, 0), 0u);
}

}  // namespace
}  // namespace spalt_tool::replay
