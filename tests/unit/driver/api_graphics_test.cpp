// SPDX-License-Identifier: MIT
// The state of graphics pipelines in the public API: what is refused and why, and what keys depend on.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <functional>
#include <spalt/spalt.hpp>

#include "../spirv/assemble.h"
#include "graphics_test_state.h"

namespace {

using spalt::driver_test::State;
using spalt_api::Compilation;
using spalt_api::Compiler;
using spalt_api::sized;

std::vector<uint32_t> vertex_shader() {
  return spalt::spirv::assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %position %attribute
OpDecorate %position BuiltIn Position
OpDecorate %attribute Location 0
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%out = OpTypePointer Output %vec4
%in = OpTypePointer Input %vec4
%position = OpVariable %out Output
%attribute = OpVariable %in Input
%main = OpFunction %void None %function
%entry = OpLabel
%value = OpLoad %vec4 %attribute
OpStore %position %value
OpReturn
OpFunctionEnd
)");
}

/// Reads location `location` of the vertex shader, writes location 0.
std::vector<uint32_t> fragment_shader(unsigned location, const std::string& color = "%value") {
  return spalt::spirv::assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Fragment %main "main" %color %passed
OpExecutionMode %main OriginUpperLeft
OpDecorate %color Location 0
OpDecorate %passed Location )" + std::to_string(location) +
                                R"(
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%out = OpTypePointer Output %vec4
%in = OpTypePointer Input %vec4
%color = OpVariable %out Output
%passed = OpVariable %in Input
%main = OpFunction %void None %function
%entry = OpLabel
%value = OpLoad %vec4 %passed
%sum = OpFAdd %vec4 %value %value
OpStore %color )" + color +
                                R"(
OpReturn
OpFunctionEnd
)");
}

/// Puts its attribute out as position and as locations 1 and 4.
std::vector<uint32_t> passing_vertex_shader() {
  return spalt::spirv::assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %position %attribute %one %four
OpDecorate %position BuiltIn Position
OpDecorate %attribute Location 0
OpDecorate %one Location 1
OpDecorate %four Location 4
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%out = OpTypePointer Output %vec4
%in = OpTypePointer Input %vec4
%position = OpVariable %out Output
%one = OpVariable %out Output
%four = OpVariable %out Output
%attribute = OpVariable %in Input
%main = OpFunction %void None %function
%entry = OpLabel
%value = OpLoad %vec4 %attribute
OpStore %position %value
OpStore %one %value
OpStore %four %value
OpReturn
OpFunctionEnd
)");
}

/// Puts its attribute out as position, and (0, 1, 0, 1) as location 4.
std::vector<uint32_t> vertex_shader_with_constant() {
  return spalt::spirv::assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %position %attribute %four
OpDecorate %position BuiltIn Position
OpDecorate %attribute Location 0
OpDecorate %four Location 4
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%f0 = OpConstant %float 0
%f1 = OpConstant %float 1
%constant = OpConstantComposite %vec4 %f0 %f1 %f0 %f1
%out = OpTypePointer Output %vec4
%in = OpTypePointer Input %vec4
%position = OpVariable %out Output
%four = OpVariable %out Output
%attribute = OpVariable %in Input
%main = OpFunction %void None %function
%entry = OpLabel
%value = OpLoad %vec4 %attribute
OpStore %position %value
OpStore %four %constant
OpReturn
OpFunctionEnd
)");
}

spalt_compile_info info_for(const std::vector<uint32_t>& words, const spalt_graphics_state* state) {
  spalt_compile_info info = Compiler::info(words);
  info.stage = SPALT_STAGE_VERTEX;
  info.has_stage = 1;
  info.graphics = state;
  return info;
}

struct Refusal {
  const char* message;
  std::function<void(State&)> change;
  spalt_result result = SPALT_ERROR_INVALID_ARGUMENT;
};

TEST(GraphicsState, ContradictionsAreNamed) {
  const std::vector<Refusal> refusals = {
      {"vertex bindings without their array or its element size", [](State& s) { s.state.vertex_bindings = nullptr; }},
      {"vertex binding 32 is not below 32", [](State& s) { s.bindings[0].binding = 32; }},
      {"vertex binding 0 is there twice",
       [](State& s) {
         s.bindings[1].binding = 0;
         s.state.vertex_binding_count = 2;
       }},
      {"vertex attributes without their array or its element size",
       [](State& s) { s.state.vertex_attribute_size = 0; }},
      {"the vertex attribute at location 32 is not below 32", [](State& s) { s.attributes[0].location = 32; }},
      {"the vertex attribute at location 0 is in binding 7, which is not described",
       [](State& s) { s.attributes[0].binding = 7; }},
      {"the vertex attribute at location 0 is in binding 4294967295, which is not described",
       [](State& s) { s.attributes[0].binding = UINT32_MAX; }},
      {"the vertex attribute at location 31 takes the next location, which there is not",
       [](State& s) {
         s.attributes[0].location = 31;
         s.attributes[0].format = 121;  // R64G64B64A64_SFLOAT
       }},
      {"the vertex attribute at location 1 is there twice",
       [](State& s) {
         s.attributes[0].format = 118;  // R64G64B64_SFLOAT, in locations 0 and 1
         s.attributes[1] = s.attributes[0];
         s.attributes[1].format = 109;
         s.attributes[1].location = 1;
         s.state.vertex_attribute_count = 2;
       }},
      {"the vertex attribute at location 0 has no format", [](State& s) { s.attributes[0].format = 0; }},
      {"the vertex attribute at location 0 is there twice",
       [](State& s) {
         s.attributes[1] = s.attributes[0];
         s.state.vertex_attribute_count = 2;
       }},
      {"colour targets without their array or its element size", [](State& s) { s.state.color_targets = nullptr; }},
      {"there are more than 8 colour targets", [](State& s) { s.state.color_target_count = 9; }},
      {"colour target 0 writes channels that do not exist", [](State& s) { s.targets[0].write_mask = 16; }},
      {"topology is no VkPrimitiveTopology", [](State& s) { s.state.topology = 11; }},
      {"primitives with adjacency and patches need stages that are not supported",
       [](State& s) { s.state.topology = 10; }, SPALT_ERROR_UNSUPPORTED},
      {"samples must be 1, 2, 4, 8 or 16", [](State& s) { s.state.samples = 3; }},
      {"samples must be 1, 2, 4, 8 or 16", [](State& s) { s.state.samples = 32; }},
      {"min_sample_shading is not between 0 and 1", [](State& s) { s.state.min_sample_shading = 1.5f; }},
      {"min_sample_shading is not between 0 and 1", [](State& s) { s.state.min_sample_shading = NAN; }},
      {"graphics has no struct_size", [](State& s) { s.state.struct_size = 0; }},
  };
  const Compiler compiler("gfx1030");
  const std::vector<uint32_t> words = vertex_shader();
  for (const Refusal& refusal : refusals) {
    State state;
    refusal.change(state);
    const Compilation refused = compiler.compile_stage(info_for(words, &state.state));
    EXPECT_EQ(refused.result(), refusal.result) << refusal.message;
    EXPECT_EQ(refused.message(), refusal.message);
  }
}

TEST(GraphicsState, NextStageIsAFragmentStage) {
  const Compiler compiler("gfx1030");
  const std::vector<uint32_t> words = vertex_shader();
  State state;
  spalt_compile_info info = info_for(words, &state.state);
  const auto message = [&](const void* data, size_t size) {
    const spalt_stage_object next{data, size};
    info.next_stage = &next;
    return compiler.compile_stage(info).message();
  };
  EXPECT_EQ(message(nullptr, 8), "next_stage has no bytes");
  EXPECT_EQ(message("SPALTSTG", 8), "the stage object does not begin with SPALTSTG");
  info.stage = SPALT_STAGE_FRAGMENT;
  EXPECT_EQ(message("SPALTSTG", 8), "next_stage is for vertex shaders");
}

TEST(GraphicsState, PreviousStageIsAVertexShader) {
  const Compiler compiler("gfx1030");
  const std::vector<uint32_t> words = vertex_shader(), fragment = fragment_shader(0);
  spalt_compile_info previous = info_for(words, nullptr), info = info_for(words, nullptr);
  info.previous_stage = &previous;
  EXPECT_EQ(compiler.compile_stage(info).message(), "previous_stage is for fragment shaders");
  info = info_for(fragment, nullptr);
  info.stage = SPALT_STAGE_FRAGMENT;
  info.previous_stage = &previous;
  EXPECT_TRUE(compiler.compile_stage(info).ok());
  previous.words = nullptr;
  EXPECT_EQ(compiler.compile_stage(info).message(), "previous_stage has no words");
  previous.struct_size = 0;
  EXPECT_EQ(compiler.compile_stage(info).message(), "previous_stage has no struct_size");
}

TEST(GraphicsState, WorkGroupsAreOfComputeShaders) {
  const std::vector<uint32_t> words = vertex_shader();
  spalt_compile_info info = info_for(words, nullptr);
  info.wgp_mode = 1;
  EXPECT_EQ(Compiler("gfx1030").compile_stage(info).message(), "work-group processor mode is for compute shaders");
}

/// Every member is part of the key, and none is a pointer.
TEST(GraphicsState, IsInTheKey) {
  const Compiler compiler("gfx1030");
  const std::vector<uint32_t> words = vertex_shader();
  const auto key = [&](const spalt_graphics_state* state) {
    const spalt_compile_info info = info_for(words, state);
    spalt_key value{};
    EXPECT_EQ(spalt_compile_key(compiler.handle(), &info, &value), SPALT_SUCCESS);
    return std::pair(value.words[0], value.words[1]);
  };
  const std::vector<std::function<void(State&)>> changes = {
      [](State&) {},
      [](State& s) { s.bindings[0].stride = 32; },
      [](State& s) { s.bindings[0].per_instance = 1; },
      [](State& s) {
        s.bindings[0].per_instance = 1;
        s.bindings[0].divisor = 2;
      },
      [](State& s) { s.attributes[0].location = 1; },
      [](State& s) { s.attributes[0].format = 108; },
      [](State& s) { s.attributes[0].offset = 4; },
      [](State& s) {
        s.state.vertex_binding_count = 2;
        s.attributes[0].binding = 1;
      },
      [](State& s) { s.state.topology = 0; },
      [](State& s) { s.state.provoking_last = 1; },
      [](State& s) { s.state.rasterizer_discard = 1; },
      [](State& s) { s.state.samples = 4; },
      [](State& s) { s.state.min_sample_shading = 0.5f; },
      [](State& s) { s.state.alpha_to_coverage = 1; },
      [](State& s) { s.state.alpha_to_one = 1; },
      [](State& s) { s.state.dual_source_blend = 1; },
      [](State& s) { s.targets[0].format = 44; },
      [](State& s) { s.targets[0].write_mask = 7; },
      [](State& s) { s.targets[0].blend = 1; },
      [](State& s) { s.targets[0].blend_reads_alpha = 1; },
      [](State& s) { s.state.color_target_count = 0; },
  };
  std::vector<std::pair<uint64_t, uint64_t>> keys = {key(nullptr)};
  for (const auto& change : changes) {
    State state, same;
    change(state);
    change(same);
    keys.push_back(key(&state.state));
    EXPECT_EQ(keys.back(), key(&same.state));
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    for (size_t k = 0; k < i; ++k) EXPECT_NE(keys[i], keys[k]) << i << " " << k;
  }
}

/// What spalt_metadata_read finds, or the text of the document when that is nothing.
std::string metadata_of(std::pair<const uint8_t*, size_t> elf) {
  spalt_metadata* metadata = nullptr;
  spalt_metadata_read(elf.first, elf.second, &metadata);
  std::string text;
  for (size_t i = 0; i < spalt_metadata_finding_count(metadata); ++i) {
    auto finding = sized<spalt_metadata_finding>();
    spalt_metadata_get_finding(metadata, i, &finding);
    text += std::string("finding: ") + finding.path + ": " + finding.message + "\n";
  }
  if (text.empty() && spalt_metadata_text(metadata) != nullptr) text = spalt_metadata_text(metadata);
  spalt_metadata_destroy(metadata);
  return text;
}

struct Stages {
  Compilation vertex, fragment;
};

/// Both stages; the vertex stage knows the fragment stage, or does not.
Stages compile_both(const Compiler& compiler, const std::vector<uint32_t>& vertex,
                    const std::vector<uint32_t>& fragment, bool apart) {
  spalt_compile_info info = info_for(fragment, nullptr);
  info.stage = SPALT_STAGE_FRAGMENT;
  Compilation compiled_fragment = compiler.compile_stage(info);
  EXPECT_TRUE(compiled_fragment.ok()) << compiled_fragment.message();
  const spalt_stage_object next = compiled_fragment.stage_object();
  info = info_for(vertex, nullptr);
  if (!apart) info.next_stage = &next;
  Compilation compiled_vertex = compiler.compile_stage(info);
  EXPECT_TRUE(compiled_vertex.ok()) << compiled_vertex.message();
  return {std::move(compiled_vertex), std::move(compiled_fragment)};
}

TEST(GraphicsStages, LinkOnEveryTarget) {
  const std::vector<uint32_t> vertex = passing_vertex_shader(), fragment = fragment_shader(4);
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    const Compiler compiler(spalt_target_name(i));
    const Stages stages = compile_both(compiler, vertex, fragment, false);
    const auto pipeline = compiler.link({stages.vertex.stage_object(), stages.fragment.stage_object()});
    ASSERT_TRUE(pipeline.ok()) << pipeline.message();
    const std::string text = metadata_of(pipeline.elf());
    EXPECT_EQ(text.find("finding:"), std::string::npos) << spalt_target_name(i) << ": " << text;
    EXPECT_NE(text.find(".ps:"), std::string::npos) << text;
  }
}

/// Without the fragment stage both outputs are kept, and linking finds the one that is read.
TEST(GraphicsStages, KeepOutputsThatAreRead) {
  const std::vector<uint32_t> vertex = passing_vertex_shader();
  for (const char* target : {"gfx1010", "gfx1100", "gfx1200"}) {
    const Compiler compiler(target);
    for (unsigned read : {1u, 4u, 2u}) {
      const std::vector<uint32_t> fragment = fragment_shader(read);
      for (bool apart : {false, true}) {
        const Stages stages = compile_both(compiler, vertex, fragment, apart);
        const auto pipeline = compiler.link({stages.vertex.stage_object(), stages.fragment.stage_object()});
        ASSERT_TRUE(pipeline.ok()) << pipeline.message();
        const std::string text = metadata_of(pipeline.elf());
        const auto has = [&](const std::string& line) { return text.find(line) != std::string::npos; };
        EXPECT_EQ(has(".vs_export_count: 1"), apart) << text;
        EXPECT_EQ(has(".no_pc_export: true"), !apart && read == 2) << text;
        const unsigned slot = read == 2 ? 32 : apart && read == 4 ? 1 : 0;
        EXPECT_TRUE(has("- .offset: " + std::to_string(slot))) << text;
      }
    }
  }
}

TEST(GraphicsStages, NothingIsReadWhereNoStageFollows) {
  const std::vector<uint32_t> vertex = passing_vertex_shader();
  const Compiler compiler("gfx1030");
  const spalt_stage_object none{};
  for (const bool told : {false, true}) {
    spalt_compile_info info = info_for(vertex, nullptr);
    if (told) info.next_stage = &none;
    const Compilation compiled = compiler.compile_stage(info);
    ASSERT_TRUE(compiled.ok()) << compiled.message();
    const auto pipeline = compiler.link({compiled.stage_object()});
    ASSERT_TRUE(pipeline.ok()) << pipeline.message();
    const std::string text = metadata_of(pipeline.elf());
    EXPECT_EQ(text.find(".no_pc_export: true") != std::string::npos, told) << text;
  }
}

/// A fragment shader that knows the vertex shader reads no output that is a constant there.
TEST(GraphicsStages, ConstantOutputsAreNotRead) {
  const std::vector<uint32_t> constant = vertex_shader_with_constant(), passing = passing_vertex_shader(),
                              fragment = fragment_shader(4);
  const Compiler compiler("gfx1030");
  for (const auto* vertex : {&passing, &constant}) {
    const spalt_compile_info previous = info_for(*vertex, nullptr);
    spalt_compile_info info = info_for(fragment, nullptr);
    info.stage = SPALT_STAGE_FRAGMENT;
    spalt_key apart{}, together{};
    EXPECT_EQ(spalt_compile_key(compiler.handle(), &info, &apart), SPALT_SUCCESS);
    info.previous_stage = &previous;
    EXPECT_EQ(spalt_compile_key(compiler.handle(), &info, &together), SPALT_SUCCESS);
    EXPECT_NE(std::memcmp(&apart, &together, sizeof apart), 0);
    const Compilation last = compiler.compile_stage(info);
    ASSERT_TRUE(last.ok()) << last.message();
    const spalt_stage_object next = last.stage_object();
    info = previous;
    info.next_stage = &next;
    const Compilation first = compiler.compile_stage(info);
    ASSERT_TRUE(first.ok()) << first.message();
    const auto pipeline = compiler.link({first.stage_object(), next});
    ASSERT_TRUE(pipeline.ok()) << pipeline.message();
    const std::string text = metadata_of(pipeline.elf());
    EXPECT_EQ(text.find(".no_pc_export: true") != std::string::npos, vertex == &constant) << text;
  }
}

/// A fragment shader that knows the vertex shader leaves it what it can do, and links with what has done it alone.
TEST(GraphicsStages, WorkMovesToTheVertices) {
  const std::vector<uint32_t> vertex = passing_vertex_shader(), fragment = fragment_shader(4, "%sum");
  for (const char* target : {"gfx900", "gfx1030", "gfx1100", "gfx1200"}) {
    const Compiler compiler(target);
    const spalt_compile_info vertex_info = info_for(vertex, nullptr);
    spalt_compile_info info = info_for(fragment, nullptr);
    info.stage = SPALT_STAGE_FRAGMENT;
    const Compilation apart = compiler.compile_stage(info);
    info.previous_stage = &vertex_info;
    const Compilation moved = compiler.compile_stage(info);
    ASSERT_TRUE(apart.ok() && moved.ok()) << apart.message() << moved.message();
    const spalt_stage_object apart_object = apart.stage_object(), moved_object = moved.stage_object();
    EXPECT_LT(moved.statistics().instructions, apart.statistics().instructions);
    info = vertex_info;
    const Compilation knows_nothing = compiler.compile_stage(info);
    info.next_stage = &apart_object;
    const Compilation passes_on = compiler.compile_stage(info);
    info.next_stage = &moved_object;
    const Compilation works = compiler.compile_stage(info);
    ASSERT_TRUE(knows_nothing.ok() && passes_on.ok() && works.ok());
    EXPECT_TRUE(compiler.link({works.stage_object(), moved_object}).ok());
    EXPECT_TRUE(compiler.link({passes_on.stage_object(), apart_object}).ok());
    EXPECT_EQ(compiler.link({knows_nothing.stage_object(), moved_object}).message(),
              "the pixel stage leaves work to the vertex stage, which was not compiled for it");
    EXPECT_EQ(compiler.link({works.stage_object(), apart_object}).message(),
              "the vertex stage does work that another pixel stage leaves to it");
  }
}

/// What the format of an attribute lacks does not pass between the stages, and what instances have is not interpolated.
/// A body does not know its attributes, whatever its state says.
TEST(GraphicsStages, AttributesOfTheVertexShaderAreKnown) {
  constexpr uint32_t kR8Unorm = 9, kRgba8Unorm = 37;
  const std::vector<uint32_t> vertex = passing_vertex_shader(), fragment = fragment_shader(4);
  struct Facts {
    uint32_t instructions;
    spalt_key key;
  };
  const auto compile = [&](uint32_t format, uint32_t per_instance, uint32_t body_only) {
    State state;
    state.attributes[0].format = format;
    state.bindings[0].per_instance = per_instance;
    const Compiler compiler("gfx1030");
    spalt_compile_info previous = info_for(vertex, &state.state);
    previous.body_only = body_only;
    spalt_compile_info info = info_for(fragment, nullptr);
    info.stage = SPALT_STAGE_FRAGMENT;
    info.previous_stage = &previous;
    Facts facts{};
    EXPECT_EQ(spalt_compile_key(compiler.handle(), &info, &facts.key), SPALT_SUCCESS);
    const Compilation compiled = compiler.compile_stage(info);
    EXPECT_TRUE(compiled.ok()) << compiled.message();
    facts.instructions = compiled.statistics().instructions;
    return facts;
  };
  const Facts whole = compile(kRgba8Unorm, 0, 0), red = compile(kR8Unorm, 0, 0), instances = compile(kRgba8Unorm, 1, 0),
              body = compile(kR8Unorm, 1, 1);
  EXPECT_EQ(whole.instructions - red.instructions, 6u);        // two steps of interpolation for each of three
  EXPECT_EQ(whole.instructions - instances.instructions, 4u);  // one step instead of two
  EXPECT_EQ(body.instructions, whole.instructions);
  EXPECT_NE(std::memcmp(&whole.key, &red.key, sizeof whole.key), 0);
  EXPECT_NE(std::memcmp(&whole.key, &instances.key, sizeof whole.key), 0);
}

/// Of the first parameter that is exported.
unsigned parameter_channels(const std::string& assembly) {
  const size_t at = assembly.find("exp param0");
  if (at == std::string::npos) return 0;
  const std::string line = assembly.substr(at, assembly.find('\n', at) - at);
  unsigned channels = 4;
  for (size_t off = line.find("off"); off != std::string::npos; off = line.find("off", off + 1)) --channels;
  return channels;
}

/// What the targets do not take is gone before the vertex shader learns what is read.
TEST(GraphicsStages, MaskedOutputsAskNothingOfTheVertices) {
  constexpr uint32_t kR8Unorm = 9, kRgba8Unorm = 37;
  const std::vector<uint32_t> vertex = passing_vertex_shader(), fragment = fragment_shader(4, "%sum");
  struct Case {
    uint32_t format, write_mask, blend_reads_alpha;
    unsigned channels;  // that pass between the stages
  };
  for (const Case& tried :
       {Case{kRgba8Unorm, 0xf, 0, 4}, Case{kRgba8Unorm, 0, 0, 0}, Case{kRgba8Unorm, 8, 0, 1}, Case{kR8Unorm, 0xf, 0, 1},
        Case{kR8Unorm, 0xe, 0, 0}, Case{kR8Unorm, 0xf, 1, 2}, Case{0, 0xf, 0, 0}}) {
    State state;
    state.targets[0].format = tried.format;
    state.targets[0].write_mask = tried.write_mask;
    state.targets[0].blend_reads_alpha = tried.blend_reads_alpha;
    const Compiler compiler("gfx1030");
    const spalt_compile_info previous = info_for(vertex, &state.state);
    spalt_compile_info info = info_for(fragment, &state.state);
    info.stage = SPALT_STAGE_FRAGMENT;
    info.previous_stage = &previous;
    const Compilation last = compiler.compile_stage(info);
    ASSERT_TRUE(last.ok()) << last.message();
    const spalt_stage_object next = last.stage_object();
    info = previous;
    info.next_stage = &next;
    info.want_assembly = 1;
    const Compilation first = compiler.compile_stage(info);
    ASSERT_TRUE(first.ok()) << first.message();
    EXPECT_TRUE(compiler.link({first.stage_object(), next}).ok());
    const std::string text = spalt_compilation_assembly(first.handle());
    EXPECT_EQ(parameter_channels(text), tried.channels) << text;
  }
}

/// Points have one vertex, whose values need no interpolation.
TEST(GraphicsStages, InputsOfPointsAreNotInterpolated) {
  const std::vector<uint32_t> fragment = fragment_shader(4);
  State state;
  for (uint32_t topology = 0; topology <= 5; ++topology) {
    state.state.topology = topology;
    spalt_compile_info info = info_for(fragment, &state.state);
    info.stage = SPALT_STAGE_FRAGMENT;
    info.want_assembly = 1;
    const Compilation compiled = Compiler("gfx1030").compile_stage(info);
    ASSERT_TRUE(compiled.ok()) << compiled.message();
    const std::string text = spalt_compilation_assembly(compiled.handle());
    EXPECT_EQ(text.find("v_interp_p2") != std::string::npos, topology != 0) << text;
    EXPECT_EQ(text.find("v_interp_mov") != std::string::npos, topology == 0) << text;
  }
}

/// Compilations for a frame that waits leave each stage what it says.
TEST(GraphicsStages, NoWorkMovesInAHurry) {
  const std::vector<uint32_t> vertex = passing_vertex_shader(), fragment = fragment_shader(4, "%sum");
  const Compiler compiler("gfx1030");
  const spalt_compile_info vertex_info = info_for(vertex, nullptr);
  spalt_compile_info info = info_for(fragment, nullptr);
  info.stage = SPALT_STAGE_FRAGMENT;
  info.optimization = SPALT_OPTIMIZATION_FAST;
  info.previous_stage = &vertex_info;
  const Compilation last = compiler.compile_stage(info), first = compiler.compile_stage(vertex_info);
  ASSERT_TRUE(last.ok() && first.ok()) << last.message() << first.message();
  EXPECT_TRUE(compiler.link({first.stage_object(), last.stage_object()}).ok());
}

TEST(GraphicsStages, AloneMakeAnElf) {
  const std::vector<uint32_t> vertex = vertex_shader(), fragment = fragment_shader(0);
  for (const char* target : {"gfx900", "gfx1030", "gfx1150", "gfx1200"}) {
    const Compiler compiler(target);
    spalt_compile_info info = info_for(vertex, nullptr);
    const Compilation with_null = compiler.compile(info);
    ASSERT_TRUE(with_null.ok()) << with_null.message();
    EXPECT_EQ(metadata_of(with_null.elf()).find("finding:"), std::string::npos) << metadata_of(with_null.elf());
    info = info_for(fragment, nullptr);
    info.stage = SPALT_STAGE_FRAGMENT;
    const Compilation alone = compiler.compile(info);
    ASSERT_TRUE(alone.ok()) << alone.message();
    EXPECT_EQ(metadata_of(alone.elf()).find("finding:"), std::string::npos) << metadata_of(alone.elf());
  }
}

/// What code does not depend on may still be in registers, and then in the hash that loaders look pipelines up with.
TEST(GraphicsStages, HashesTellStatesApart) {
  const std::vector<uint32_t> words = vertex_shader();
  const Compiler compiler("gfx1030");
  State kept, discarded;
  discarded.state.rasterizer_discard = 1;
  const Compilation a = compiler.compile(info_for(words, &kept.state));
  const Compilation b = compiler.compile(info_for(words, &discarded.state));
  ASSERT_TRUE(a.ok() && b.ok()) << a.message() << b.message();
  const auto hash = [](const Compilation& c) {
    const std::string text = metadata_of(c.elf());
    const size_t at = text.find(".internal_pipeline_hash");
    return text.substr(at, text.find(".shaders") - at);
  };
  EXPECT_NE(hash(a), hash(b));
  EXPECT_NE(metadata_of(b.elf()).find(".rasterization_kill: true"), std::string::npos);
}

}  // namespace
