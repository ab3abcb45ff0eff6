// SPDX-License-Identifier: MIT
// The public API in its three steps, and what a driver asks for besides: keys, queries, limits, demands, cancellation.
#include <gtest/gtest.h>

#include <cstring>
#include <spalt/spalt.hpp>
#include <stdexcept>
#include <thread>

#include "../spirv/assemble.h"

namespace {

using spalt_api::Compilation;
using spalt_api::Compiler;
using spalt_api::Pipeline;
using spalt_api::Reflection;
using spalt_api::sized;
namespace spirv = spalt::spirv;

/// Stores the value of a specialization constant with id 3 and default 5.
std::vector<uint32_t> store_constant() {
  std::string text = spirv::shader("%c = OpSpecConstant %uint 5", R"(
%at = OpAccessChain %element %buffer %u0 %u0
OpStore %at %c
OpReturn
)");
  const size_t at = text.find("OpDecorate");
  text.insert(at, "OpDecorate %c SpecId 3\n");
  return spirv::assemble(text);
}

std::string bytes_of(std::pair<const uint8_t*, size_t> bytes) {
  return {reinterpret_cast<const char*>(bytes.first), bytes.second};
}

TEST(Steps, ALinkedStageObjectIsTheSameElf) {
  const std::vector<uint32_t> words = store_constant();
  for (const char* target : {"gfx900", "gfx1030", "gfx1100", "gfx1200"}) {
    const Compiler compiler(target);
    const Compilation whole = compiler.compile(Compiler::info(words));
    ASSERT_TRUE(whole.ok()) << whole.message();
    const Compilation stage = compiler.compile_stage(Compiler::info(words));
    ASSERT_TRUE(stage.ok()) << stage.message();
    EXPECT_EQ(stage.elf().second, 0u);
    EXPECT_EQ(whole.stage_object().size, 0u);
    // As another process would have it: only the bytes survive.
    const spalt_stage_object object = stage.stage_object();
    const std::string stored(static_cast<const char*>(object.data), object.size);
    const Pipeline pipeline = Compiler(target).link({{stored.data(), stored.size()}});
    ASSERT_TRUE(pipeline.ok()) << pipeline.message();
    EXPECT_EQ(bytes_of(pipeline.elf()), bytes_of(whole.elf())) << target;
  }
}

TEST(Steps, LinkingRefusesWhatIsNoStageOfThePipeline) {
  const Compiler compiler("gfx1030");
  EXPECT_EQ(compiler.link({}).result(), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(compiler.link({{"SPALTSTG", 8}}).result(), SPALT_ERROR_INVALID_INPUT);
  EXPECT_EQ(compiler.link({{nullptr, 8}}).result(), SPALT_ERROR_INVALID_ARGUMENT);
  const Compilation stage = Compiler("gfx1100").compile_stage(Compiler::info(store_constant()));
  const Pipeline other = compiler.link({stage.stage_object()});
  EXPECT_EQ(other.result(), SPALT_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(other.message(), "the stage object is for gfx1100, not for gfx1030");
  const Pipeline twice = Compiler("gfx1100").link({stage.stage_object(), stage.stage_object()});
  EXPECT_EQ(twice.message(), "a hardware stage is there twice");
  EXPECT_EQ(spalt_link(compiler.handle(), nullptr, nullptr), SPALT_ERROR_INVALID_ARGUMENT);
}

/// The immediate of the store shows which value the compiler saw.
TEST(Steps, SpecializationIsBytes) {
  const std::vector<uint32_t> words = store_constant();
  const Compiler compiler("gfx1030");
  const auto assembly = [&](const spalt_api::Specialization& values) {
    spalt_compile_info info = Compiler::info(words);
    info.want_assembly = 1;
    values.apply(info);
    const Compilation compilation = compiler.compile(info);
    return compilation.ok() ? compilation.assembly() : compilation.message();
  };
  EXPECT_NE(assembly({}).find("v_mov_b32_e32 v0, 5"), std::string::npos) << assembly({});
  spalt_api::Specialization seven;
  seven.set<uint32_t>(3, 7);
  EXPECT_NE(assembly(seven).find("v_mov_b32_e32 v0, 7"), std::string::npos) << assembly(seven);
  spalt_api::Specialization wide;
  wide.set<uint64_t>(3, 7);
  EXPECT_EQ(assembly(wide), "OpSpecConstant: specialization constant 3 has 4 bytes, its value 8");
}

TEST(Steps, SpecializationEntriesAreChecked) {
  const std::vector<uint32_t> words = store_constant();
  const Compiler compiler("gfx1030");
  const uint32_t data = 7;
  const auto outcome = [&](spalt_specialization_entry entry, size_t entry_size, size_t data_size) {
    spalt_compile_info info = Compiler::info(words);
    info.specialization_entries = &entry;
    info.specialization_entry_count = 1;
    info.specialization_entry_size = entry_size;
    info.specialization_data = &data;
    info.specialization_data_size = data_size;
    const Compilation compilation = compiler.compile(info);
    return compilation.ok() ? std::string() : compilation.message();
  };
  EXPECT_EQ(outcome({3, 0, 4}, sizeof(spalt_specialization_entry), 4), "");
  EXPECT_EQ(outcome({3, 1, 4}, sizeof(spalt_specialization_entry), 4),
            "specialization constant 3 lies beyond the specialization data");
  EXPECT_EQ(outcome({3, 0xffffffff, 4}, sizeof(spalt_specialization_entry), 4),
            "specialization constant 3 lies beyond the specialization data");
  EXPECT_EQ(outcome({3, 0, 3}, sizeof(spalt_specialization_entry), 4),
            "specialization constant 3 has no 1, 2, 4 or 8 bytes");
  EXPECT_EQ(outcome({3, 0, 4}, 0, 4), "specialization entries without their array or its element size");
}

/// Elements of a later header are larger: the distance between them is the caller's.
TEST(Steps, ArraysOfANewerHeaderAreRead) {
  struct Newer {
    spalt_specialization_entry entry;
    uint64_t more[3];
  };
  const Newer entries[] = {{{9, 0, 4}, {~0ull, ~0ull, ~0ull}}, {{3, 4, 4}, {~0ull, ~0ull, ~0ull}}};
  const uint32_t data[] = {1, 42};
  const std::vector<uint32_t> words = store_constant();
  spalt_compile_info info = Compiler::info(words);
  info.specialization_entries = &entries[0].entry;
  info.specialization_entry_count = 2;
  info.specialization_entry_size = sizeof(Newer);
  info.specialization_data = data;
  info.specialization_data_size = sizeof data;
  info.want_assembly = 1;
  const Compilation compilation = Compiler("gfx1030").compile(info);
  ASSERT_TRUE(compilation.ok()) << compilation.message();
  EXPECT_NE(compilation.assembly().find("v_mov_b32_e32 v0, 42"), std::string::npos) << compilation.assembly();
  // And id 9, which the module does not have, is a warning.
  const auto diagnostics = compilation.diagnostics();
  ASSERT_EQ(diagnostics.size(), 1u);
  EXPECT_EQ(diagnostics[0].severity, static_cast<uint32_t>(SPALT_SEVERITY_WARNING));
  EXPECT_STREQ(diagnostics[0].message, "the module has no specialization constant 9");
}

// Layouts ------------------------------------------------------------------------------------------------------------

/// The shader uses set 0 binding 0 as a storage buffer.
std::string with_layout(std::vector<spalt_binding_location> bindings) {
  const std::vector<uint32_t> words = store_constant();
  spalt_user_data_layout layout = sized<spalt_user_data_layout>();
  layout.bindings = bindings.data();
  layout.binding_count = bindings.size();
  layout.binding_size = sizeof(spalt_binding_location);
  spalt_compile_info info = Compiler::info(words);
  info.layout = &layout;
  const Compilation compilation = Compiler("gfx1030").compile(info);
  return compilation.ok() ? "ok"
                          : std::string(spalt_result_string(compilation.result())) + ": " + compilation.message();
}

TEST(Layout, SeveralKindsShareAPlace) {
  EXPECT_EQ(with_layout({{0, 0, 1, 0, 0, 32, SPALT_BINDING_IMAGE, nullptr},
                         {0, 0, 1, 1, 0, 16, SPALT_BINDING_RAW_BUFFER, nullptr},
                         {0, 0, 1, 2, 0, 16, SPALT_BINDING_SAMPLER, nullptr}}),
            "ok");
  EXPECT_EQ(with_layout({{0, 0, 1, 0, 0, 16, SPALT_BINDING_RAW_BUFFER, nullptr},
                         {0, 0, 1, 1, 0, 16, SPALT_BINDING_RAW_BUFFER, nullptr}}),
            "invalid argument: set 0 binding 0 is in the layout twice with the same kind");
}

TEST(Layout, BindingsOfASetMayHaveTablesOfTheirOwn) {
  EXPECT_EQ(with_layout({{0, 0, 1, 7, 64, 16, SPALT_BINDING_RAW_BUFFER, nullptr},
                         {0, 1, 1, 3, 0, 16, SPALT_BINDING_RAW_BUFFER, nullptr}}),
            "ok");
}

TEST(Layout, NamesWhatIsNotSupportedOrDoesNotFit) {
  EXPECT_EQ(with_layout({}), "invalid argument: the user-data layout lacks set 0 binding 0, which the shader uses");
  EXPECT_EQ(with_layout({{0, 0, 64, 0, 0, 0, SPALT_BINDING_INLINE_DATA, nullptr}}),
            "invalid argument: set 0 binding 0 is inline data in the layout, but a storage buffer in the shader");
  EXPECT_EQ(with_layout({{0, 0, 64, 0, 6, 0, SPALT_BINDING_INLINE_DATA, nullptr}}),
            "invalid argument: set 0 binding 0 is inline data at an offset that is no multiple of 4");
  EXPECT_EQ(with_layout({{0, 0, 1, 0, 0, 16, SPALT_BINDING_SAMPLER, nullptr}}),
            "invalid argument: set 0 binding 0 is sampler in the layout, but a storage buffer in the shader");
  EXPECT_EQ(with_layout({{0, 0, 1, 128, 0, 16, SPALT_BINDING_RAW_BUFFER, nullptr}}),
            "invalid argument: a layout has at most 128 user-data entries");
  EXPECT_EQ(with_layout({{0, 0, 1, 125, 0, 0, SPALT_BINDING_USER_DATA_BUFFER, nullptr}}),
            "invalid argument: a layout has at most 128 user-data entries");
  EXPECT_EQ(with_layout({{0, 0, 1, 124, 0, 0, SPALT_BINDING_USER_DATA_BUFFER, nullptr}}), "ok");
  EXPECT_EQ(with_layout({{0, 0, 2, 124, 0, 0, SPALT_BINDING_USER_DATA_BUFFER, nullptr}}),
            "invalid argument: a layout has at most 128 user-data entries");
  EXPECT_EQ(with_layout({{0, 0, 1, 0, 0, 16, 77, nullptr}}), "invalid argument: set 0 binding 0 has no known kind");
  const uint32_t words[4] = {};
  EXPECT_EQ(with_layout({{0, 0, 1, 0, 0, 16, SPALT_BINDING_RAW_BUFFER, words}}),
            "invalid argument: set 0 binding 0 has immutable samplers but no sampler");
}

/// Samples the image at set 0 binding 0 with its sampler.
std::vector<uint32_t> sample_image() {
  return spirv::assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %image DescriptorSet 0
OpDecorate %image Binding 0
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 1
%void = OpTypeVoid
%fn = OpTypeFunction %void
%int = OpTypeInt 32 1
%float = OpTypeFloat 32
%v2float = OpTypeVector %float 2
%v4float = OpTypeVector %float 4
%t_image = OpTypeImage %float 2D 0 0 0 1 Unknown
%t_both = OpTypeSampledImage %t_image
%p_both = OpTypePointer UniformConstant %t_both
%image = OpVariable %p_both UniformConstant
%block = OpTypeStruct %v4float
%p_block = OpTypePointer StorageBuffer %block
%p_out = OpTypePointer StorageBuffer %v4float
%out = OpVariable %p_block StorageBuffer
%c0 = OpConstant %int 0
%half = OpConstant %float 0.5
%uv = OpConstantComposite %v2float %half %half
%main = OpFunction %void None %fn
%entry = OpLabel
%both = OpLoad %t_both %image
%texel = OpImageSampleExplicitLod %v4float %both %uv Lod %half
%at = OpAccessChain %p_out %out %c0
OpStore %at %texel
OpReturn
OpFunctionEnd
)");
}

TEST(Layout, WordsOfImmutableSamplersAreConstantsAndInTheKey) {
  const std::vector<uint32_t> words = sample_image();
  const Compiler compiler("gfx1030");
  const uint32_t sampler[] = {0x12345678, 0x23456789, 0x3456789a, 0x456789ab};
  const uint32_t other[] = {0x12345678, 0x23456789, 0x3456789a, 0x456789ac};
  std::vector<std::string> codes;
  std::vector<spalt_key> keys;
  for (const uint32_t* given : {static_cast<const uint32_t*>(nullptr), sampler, other}) {
    const spalt_binding_location bindings[] = {{0, 0, 1, 0, 0, 48, SPALT_BINDING_COMBINED_IMAGE_SAMPLER, given},
                                               {0, 1, 1, 0, 48, 16, SPALT_BINDING_RAW_BUFFER, nullptr}};
    spalt_user_data_layout layout = sized<spalt_user_data_layout>();
    layout.bindings = bindings;
    layout.binding_count = std::size(bindings);
    layout.binding_size = sizeof(spalt_binding_location);
    spalt_compile_info info = Compiler::info(words);
    info.layout = &layout;
    info.want_assembly = 1;
    info.verify = 1;
    const Compilation compilation = compiler.compile(info);
    ASSERT_TRUE(compilation.ok()) << compilation.message();
    codes.emplace_back(compilation.assembly());
    spalt_key key{};
    EXPECT_EQ(spalt_compile_key(compiler.handle(), &info, &key), SPALT_SUCCESS);
    keys.push_back(key);
  }
  for (const char* word : {"0x12345678", "0x23456789", "0x3456789a", "0x456789ab"}) {
    EXPECT_EQ(codes[0].find(word), std::string::npos) << codes[0];
    EXPECT_NE(codes[1].find(word), std::string::npos) << codes[1];
  }
  EXPECT_NE(codes[2].find("0x456789ac"), std::string::npos) << codes[2];
  EXPECT_NE(keys[0].words[0], keys[1].words[0]);
  EXPECT_NE(keys[1].words[0], keys[2].words[0]);
}

/// Two variables at one place, a uniform and a storage buffer: the module is valid, and the descriptor decides.
TEST(Layout, APlaceMayBeUniformAndStorage) {
  const std::vector<uint32_t> words = spirv::assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %in_block Block
OpDecorate %out_block Block
OpMemberDecorate %in_block 0 Offset 0
OpMemberDecorate %out_block 0 Offset 0
OpDecorate %in DescriptorSet 0
OpDecorate %in Binding 4
OpDecorate %out DescriptorSet 0
OpDecorate %out Binding 4
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%in_block = OpTypeStruct %uint
%out_block = OpTypeStruct %uint
%in_pointer = OpTypePointer Uniform %in_block
%out_pointer = OpTypePointer StorageBuffer %out_block
%in_element = OpTypePointer Uniform %uint
%out_element = OpTypePointer StorageBuffer %uint
%in = OpVariable %in_pointer Uniform
%out = OpVariable %out_pointer StorageBuffer
%main = OpFunction %void None %function
%label = OpLabel
%from = OpAccessChain %in_element %in %zero
%to = OpAccessChain %out_element %out %zero
%before = OpLoad %uint %from
%more = OpIAdd %uint %before %before
OpStore %to %more
%after = OpLoad %uint %from
%sum = OpIAdd %uint %after %more
OpStore %to %sum
OpReturn
OpFunctionEnd
)");
  spalt_compile_info info = Compiler::info(words);
  info.want_assembly = 1;
  info.verify = 1;
  const Compilation compilation = Compiler("gfx1030").compile(info);
  ASSERT_TRUE(compilation.ok()) << compilation.message();
  EXPECT_EQ(compilation.layout().binding_count, 1u);
  // The second load is after the first store and reads what that wrote, so that the sum is of two equal numbers; and
  // that store is overwritten.
  const std::string text = compilation.assembly(), sum = "s_add_i32 s4, s4, s4", store = "buffer_store_dword";
  const size_t first = text.find(sum);
  ASSERT_NE(first, std::string::npos) << text;
  EXPECT_NE(text.find(sum, first + 1), std::string::npos) << text;
  EXPECT_EQ(text.find(store), text.rfind(store)) << text;
}

/// What the code expects is what the caller said, kinds included.
TEST(Layout, TellsTheKindThatIsUsed) {
  const std::vector<uint32_t> words = store_constant();
  const spalt_binding_location given = {0, 0, 3, 8, 0, 0, SPALT_BINDING_USER_DATA_BUFFER, nullptr};
  spalt_user_data_layout layout = sized<spalt_user_data_layout>();
  layout.bindings = &given;
  layout.binding_count = 1;
  layout.binding_size = sizeof given;
  spalt_compile_info info = Compiler::info(words);
  info.layout = &layout;
  info.verify = 1;
  const Compilation compilation = Compiler("gfx1030").compile(info);
  ASSERT_TRUE(compilation.ok()) << compilation.message();
  const spalt_user_data_layout used = compilation.layout();
  ASSERT_EQ(used.binding_count, 1u);
  EXPECT_EQ(used.bindings[0].kind, static_cast<uint32_t>(SPALT_BINDING_USER_DATA_BUFFER));
  EXPECT_EQ(used.bindings[0].user_data_entry, 8u);
  EXPECT_EQ(used.bindings[0].count, 3u);
}

TEST(Layout, EveryMissingBindingIsAnError) {
  const std::vector<uint32_t> words = spirv::assemble(R"(
OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint GLCompute %main "main"
OpExecutionMode %main LocalSize 1 1 1
OpDecorate %block Block
OpMemberDecorate %block 0 Offset 0
OpDecorate %a DescriptorSet 0
OpDecorate %a Binding 1
OpDecorate %b DescriptorSet 2
OpDecorate %b Binding 3
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%zero = OpConstant %uint 0
%block = OpTypeStruct %uint
%pointer = OpTypePointer StorageBuffer %block
%element = OpTypePointer StorageBuffer %uint
%a = OpVariable %pointer StorageBuffer
%b = OpVariable %pointer StorageBuffer
%main = OpFunction %void None %function
%label = OpLabel
%from = OpAccessChain %element %a %zero
%to = OpAccessChain %element %b %zero
%value = OpLoad %uint %from
OpStore %to %value
OpReturn
OpFunctionEnd
)");
  const spalt_user_data_layout layout = sized<spalt_user_data_layout>();
  spalt_compile_info info = Compiler::info(words);
  info.layout = &layout;
  const auto diagnostics = Compiler("gfx1030").compile(info).diagnostics();
  EXPECT_EQ(diagnostics.size(), 2u);
}

// Demands, limits, watching ------------------------------------------------------------------------------------------

TEST(Demands, AreCheckedOrHold) {
  const std::vector<uint32_t> words = store_constant();
  const Compiler compiler("gfx1030");
  spalt_compile_info info = Compiler::info(words);
  info.uniform_buffer_robustness = info.storage_buffer_robustness = info.image_robustness = SPALT_ROBUSTNESS_2;
  info.null_descriptors = 1;
  EXPECT_TRUE(compiler.compile(info).ok());
  info.image_robustness = 3;
  EXPECT_EQ(compiler.compile(info).result(), SPALT_ERROR_INVALID_ARGUMENT);
  info = Compiler::info(words);
  info.require_full_subgroups = 1;  // the workgroup has one invocation
  EXPECT_EQ(compiler.compile(info).message(),
            "full subgroups are required, but a row of the workgroup has 1 invocations and a subgroup 32");
  info = Compiler::info(words);
  info.float_modes = 1u << 20;
  EXPECT_EQ(compiler.compile(info).result(), SPALT_ERROR_INVALID_ARGUMENT);
}

/// FLOAT_MODE as the metadata has it.
TEST(Demands, FloatModesReachTheHardware) {
  const std::vector<uint32_t> words = store_constant();
  const auto float_mode = [&](uint32_t modes) {
    spalt_compile_info info = Compiler::info(words);
    info.float_modes = modes;
    const Compilation compilation = Compiler("gfx1030").compile(info);
    const auto [bytes, size] = compilation.elf();
    spalt_metadata* metadata = nullptr;
    EXPECT_EQ(spalt_metadata_read(bytes, size, &metadata), SPALT_SUCCESS);
    const std::string text = spalt_metadata_text(metadata);
    spalt_metadata_destroy(metadata);
    const size_t at = text.find(".float_mode: ");
    return at == std::string::npos ? std::string() : text.substr(at + 13, text.find_first_of(" \n", at + 13) - at - 13);
  };
  EXPECT_EQ(float_mode(0), "192");
  EXPECT_EQ(float_mode(SPALT_FLOAT_PRESERVE_DENORMALS_32), "240");
  EXPECT_EQ(float_mode(SPALT_FLOAT_FLUSH_DENORMALS_16_64), "0");
  EXPECT_EQ(float_mode(SPALT_FLOAT_ROUND_TO_ZERO_32 | SPALT_FLOAT_ROUND_TO_ZERO_16_64), "207");
}

TEST(Limits, AreKept) {
  const std::vector<uint32_t> words = store_constant();
  const Compiler compiler("gfx1030");
  spalt_compile_info info = Compiler::info(words);
  info.max_vgprs = 23;
  EXPECT_EQ(compiler.compile(info).message(), "max_vgprs is below 24");
  info.max_vgprs = 24;
  info.max_sgprs = 31;
  EXPECT_EQ(compiler.compile(info).message(), "max_sgprs is below 32");
  info.max_sgprs = 32;
  EXPECT_TRUE(compiler.compile(info).ok());
}

TEST(Watching, AFlagOfAnotherThreadEndsTheCompilation) {
  const std::vector<uint32_t> words = store_constant();
  const uint32_t stop = 1;
  spalt_compile_info info = Compiler::info(words);
  info.cancel = &stop;
  const Compilation compilation = Compiler("gfx1030").compile(info);
  EXPECT_EQ(compilation.result(), SPALT_ERROR_CANCELLED);
  EXPECT_EQ(compilation.message(), "the compilation was cancelled");
}

/// Between two passes: the flag rises while the first ones run.
TEST(Watching, TheFlagIsReadBetweenPasses) {
  const std::vector<uint32_t> words = store_constant();
  struct State {
    uint32_t stop = 0;
    int passes = 0;
  } state;
  spalt_compile_info info = Compiler::info(words);
  info.cancel = &state.stop;
  info.dump_after = "all";
  info.dump_user = &state;
  info.dump = [](void* user, const char*, const char*) {
    auto* s = static_cast<State*>(user);
    if (++s->passes == 3) s->stop = 1;
  };
  EXPECT_EQ(Compiler("gfx1030").compile(info).result(), SPALT_ERROR_CANCELLED);
  EXPECT_EQ(state.passes, 3);
}

/// A callback that throws stands for any exception that is not ours.
TEST(Watching, ForeignExceptionsBecomeACode) {
  const std::vector<uint32_t> words = store_constant();
  spalt_compile_info info = Compiler::info(words);
  info.dump_after = "all";
  info.dump = [](void*, const char*, const char*) { throw std::runtime_error("from outside"); };
  const Compilation known = Compiler("gfx1030").compile(info);
  EXPECT_EQ(known.result(), SPALT_ERROR_INTERNAL);
  EXPECT_EQ(known.message(), "internal error: from outside");
  info.dump = [](void*, const char*, const char*) { throw 5; };
  EXPECT_EQ(Compiler("gfx1030").compile(info).result(), SPALT_ERROR_INTERNAL);
}

// Keys and queries ---------------------------------------------------------------------------------------------------

TEST(Key, ChangesWithEveryInputAndWithNothingElse) {
  const std::vector<uint32_t> words = store_constant();
  const Compiler compiler("gfx1030");
  const auto key = [](const Compiler& c, const spalt_compile_info& info) {
    spalt_key value{};
    EXPECT_EQ(spalt_compile_key(c.handle(), &info, &value), SPALT_SUCCESS);
    return std::pair(value.words[0], value.words[1]);
  };
  const spalt_compile_info plain = Compiler::info(words);
  std::vector<std::pair<uint64_t, uint64_t>> keys = {key(compiler, plain), key(Compiler("gfx1031"), plain)};
  const auto add = [&](auto change) {
    spalt_compile_info info = plain;
    change(info);
    keys.push_back(key(compiler, info));
  };
  std::vector<uint32_t> other = words;
  other.push_back(0x00010000);
  spalt_api::Specialization constant;
  constant.set<uint32_t>(3, 5);
  const spalt_user_data_layout layout = sized<spalt_user_data_layout>();
  add([&](auto& info) { info.words = other.data(), info.word_count = other.size(); });
  add([](auto& info) { info.entry_point = "main"; });
  add([&](auto& info) { constant.apply(info); });
  add([&](auto& info) { info.layout = &layout; });
  add([](auto& info) { info.has_address_high = 1; });
  add([](auto& info) { info.has_address_high = 1, info.address_high = 0xffff8000; });
  add([](auto& info) { info.wave_size = 64; });
  add([](auto& info) { info.wgp_mode = 1; });
  add([](auto& info) { info.max_workgroup_count[1] = 3; });
  add([](auto& info) { info.float_modes = SPALT_FLOAT_ROUND_TO_ZERO_32; });
  add([](auto& info) { info.max_vgprs = 64; });
  add([](auto& info) { info.max_sgprs = 64; });
  add([](auto& info) { info.max_unroll_instructions = 1; });
  add([](auto& info) { info.optimization = SPALT_OPTIMIZATION_FAST; });
  add([](auto& info) { info.pal_abi_major = 3, info.pal_abi_minor = 6; });
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t k = 0; k < i; ++k) EXPECT_NE(keys[i], keys[k]) << i << " " << k;
  }
  spalt_compile_info watched = plain;
  watched.verify = 1;
  watched.want_assembly = 1;
  EXPECT_EQ(key(compiler, watched), keys[0]);
}

TEST(Query, TellsWhatCompiles) {
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    spalt_target_info info = sized<spalt_target_info>();
    ASSERT_EQ(spalt_query_target(spalt_target_name(i), &info), SPALT_SUCCESS);
    EXPECT_STREQ(info.name, spalt_target_name(i));
    EXPECT_EQ(info.stages, 1u << SPALT_STAGE_COMPUTE | 1u << SPALT_STAGE_VERTEX | 1u << SPALT_STAGE_FRAGMENT);
    for (uint32_t size : {32u, 64u}) {
      EXPECT_EQ((info.wave_sizes & size) != 0, spalt_target_supports(info.name, size, 0) != 0);
    }
    EXPECT_EQ(info.has_wgp_mode != 0, spalt_target_supports(info.name, 64, 1) != 0);
    EXPECT_GE(info.pal_abi_version_count, 1u);
  }
  spalt_target_info info = sized<spalt_target_info>();
  EXPECT_EQ(spalt_query_target("gfx1", &info), SPALT_ERROR_UNSUPPORTED);
  EXPECT_EQ(spalt_query_target(nullptr, &info), SPALT_ERROR_INVALID_ARGUMENT);
}

/// The reader takes exactly the capabilities that the query lists.
TEST(Query, CapabilitiesAreThoseOfTheReader) {
  const std::vector<uint32_t> words = store_constant();
  const Compiler compiler("gfx1030");
  spalt_target_info info = sized<spalt_target_info>();
  ASSERT_EQ(spalt_query_target("gfx1030", &info), SPALT_SUCCESS);
  for (uint32_t capability = 0; capability < 6500; ++capability) {
    const bool listed = std::find(info.spirv_capabilities, info.spirv_capabilities + info.spirv_capability_count,
                                  capability) != info.spirv_capabilities + info.spirv_capability_count;
    std::vector<uint32_t> changed = words;
    changed.insert(changed.begin() + 5, {2u << 16 | 17, capability});
    spalt_compile_info compile = Compiler::info(changed);
    compile.stop_after = "read";
    EXPECT_EQ(compiler.compile(compile).result(), listed ? SPALT_STOPPED : SPALT_ERROR_UNSUPPORTED) << capability;
  }
}

TEST(Query, TheBuildHasAnIdentifier) {
  const std::string identifier = spalt_build_identifier();
  EXPECT_EQ(identifier.size(), 32u);
  EXPECT_EQ(identifier.find_first_not_of("0123456789abcdef"), std::string::npos);
}

}  // namespace
