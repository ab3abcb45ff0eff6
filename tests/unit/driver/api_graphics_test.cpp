// SPDX-License-Identifier: MIT
// The state of graphics pipelines in the public API: what is refused and why, and what keys depend on.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <spalt/spalt.hpp>

#include "../spirv/assemble.h"

namespace {

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

/// A state with an attribute and a target, and what points into it.
struct State {
  State() {
    state.vertex_bindings = bindings;
    state.vertex_binding_count = 1;
    state.vertex_binding_size = sizeof(spalt_vertex_binding);
    state.vertex_attributes = attributes;
    state.vertex_attribute_count = 1;
    state.vertex_attribute_size = sizeof(spalt_vertex_attribute);
    state.color_targets = targets;
    state.color_target_count = 1;
    state.color_target_size = sizeof(spalt_color_target);
    state.topology = 3;
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  spalt_vertex_binding bindings[2] = {{0, 16, 0, 1}, {1, 16, 0, 1}};
  spalt_vertex_attribute attributes[2] = {{0, 0, 109, 0}, {1, 1, 109, 0}};
  spalt_color_target targets[9] = {{37, 0xf, 0, 0}};
  spalt_graphics_state state = sized<spalt_graphics_state>();
};

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

}  // namespace
