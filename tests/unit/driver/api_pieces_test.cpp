// SPDX-License-Identifier: MIT
// Bodies and pieces in the public API: what they link to, when pieces are the same, and what is refused.
#include <gtest/gtest.h>

#include <spalt/spalt.hpp>

#include "../spirv/assemble.h"
#include "graphics_test_state.h"

namespace {

using spalt_api::Compilation;
using spalt_api::Compiler;
using spalt_api::sized;

/// Reads one attribute, adds it to itself so many times, and puts it out as position.
std::vector<uint32_t> vertex_shader(unsigned location, unsigned sums) {
  std::string code;
  std::string value = "%value0";
  for (unsigned i = 0; i < sums; ++i) {
    const std::string next = "%value" + std::to_string(i + 1);
    code += next + " = OpFAdd %vec4 " + value + " %value0\n";
    value = next;
  }
  return spalt::spirv::assemble(R"(OpCapability Shader
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %position %attribute
OpDecorate %position BuiltIn Position
OpDecorate %attribute Location )" +
                                std::to_string(location) + R"(
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
%value0 = OpLoad %vec4 %attribute
)" + code + "OpStore %position " +
                                value + R"(
OpReturn
OpFunctionEnd
)");
}

/// Writes a constant to one output, of which `place` is the decoration.
std::vector<uint32_t> constant_shader(const std::string& entry_point, const std::string& place) {
  return spalt::spirv::assemble("OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint " + entry_point +
                                "\nOpDecorate %output " + place + R"(
%void = OpTypeVoid
%function = OpTypeFunction %void
%float = OpTypeFloat 32
%vec4 = OpTypeVector %float 4
%out = OpTypePointer Output %vec4
%half = OpConstant %float 0.5
%value = OpConstantComposite %vec4 %half %half %half %half
%output = OpVariable %out Output
%main = OpFunction %void None %function
%entry = OpLabel
OpStore %output %value
OpReturn
OpFunctionEnd
)");
}

std::vector<uint32_t> fragment_shader(unsigned location) {
  return constant_shader("Fragment %main \"main\" %output\nOpExecutionMode %main OriginUpperLeft",
                         "Location " + std::to_string(location));
}

/// Reads no attribute.
std::vector<uint32_t> constant_vertex_shader() {
  return constant_shader("Vertex %main \"main\" %output", "BuiltIn Position");
}

/// Two attributes, the second for each third instance, and two targets.
struct State : spalt::driver_test::State {
  State() : spalt::driver_test::State(2) {
    bindings[1] = {1, 16, 1, 3};
    attributes[1] = {1, 1, 44, 0};
  }
};

Compilation compile_body(const Compiler& compiler, const std::vector<uint32_t>& words, spalt_shader_stage stage,
                         const spalt_graphics_state* state = nullptr) {
  spalt_compile_info info = Compiler::info(words);
  info.stage = stage;
  info.has_stage = 1;
  info.body_only = 1;
  info.graphics = state;
  info.verify = 1;
  return compiler.compile_stage(info);
}

Compilation compile_piece(const Compiler& compiler, const Compilation& body, const spalt_graphics_state* state) {
  spalt_piece_info info = Compiler::piece_info(body.stage_object());
  info.graphics = state;
  info.verify = 1;
  return compiler.compile_piece(info);
}

/// The document, or what is wrong with it.
std::string metadata_of(std::pair<const uint8_t*, size_t> elf) {
  spalt_metadata* metadata = nullptr;
  const spalt_result result = spalt_metadata_read(elf.first, elf.second, &metadata);
  EXPECT_EQ(result, SPALT_SUCCESS);
  const char* text = spalt_metadata_text(metadata);
  const std::string copy = text != nullptr ? text : "";
  spalt_metadata_destroy(metadata);
  return copy;
}

void expect_link_on_every_target(const std::vector<uint32_t>& vertex, const std::vector<uint32_t>& fragment) {
  State state;
  for (size_t i = 0; i < spalt_target_count(); ++i) {
    const Compiler compiler(spalt_target_name(i));
    const Compilation vertex_body = compile_body(compiler, vertex, SPALT_STAGE_VERTEX);
    const Compilation fragment_body = compile_body(compiler, fragment, SPALT_STAGE_FRAGMENT);
    ASSERT_TRUE(vertex_body.ok() && fragment_body.ok()) << vertex_body.message() << fragment_body.message();
    for (const spalt_graphics_state* given :
         {static_cast<const spalt_graphics_state*>(nullptr), &std::as_const(state.state)}) {
      const Compilation prolog = compile_piece(compiler, vertex_body, given);
      const Compilation epilog = compile_piece(compiler, fragment_body, given);
      ASSERT_TRUE(prolog.ok() && epilog.ok()) << prolog.message() << epilog.message();
      const auto pipeline = compiler.link(
          {vertex_body.stage_object(), prolog.stage_object(), fragment_body.stage_object(), epilog.stage_object()});
      ASSERT_TRUE(pipeline.ok()) << spalt_target_name(i) << ": " << pipeline.message();
      const std::string text = metadata_of(pipeline.elf());
      EXPECT_NE(text.find(".ps:"), std::string::npos) << text;
    }
  }
}

TEST(Pieces, LinkOnEveryTarget) {
  expect_link_on_every_target(vertex_shader(0, 1), fragment_shader(0));
  expect_link_on_every_target(constant_vertex_shader(), fragment_shader(2));
}

std::pair<uint64_t, uint64_t> key_of(const Compiler& compiler, const Compilation& body,
                                     const spalt_graphics_state& state) {
  spalt_piece_info info = Compiler::piece_info(body.stage_object());
  info.graphics = &state;
  spalt_key key{};
  EXPECT_EQ(spalt_piece_key(compiler.handle(), &info, &key), SPALT_SUCCESS);
  return {key.words[0], key.words[1]};
}

/// Shaders that read the same attribute have one prolog, whatever the state says of others and of targets.
TEST(Pieces, KeysLeaveOutWhatDoesNotMatter) {
  const Compiler compiler("gfx1030");
  const Compilation body = compile_body(compiler, vertex_shader(0, 1), SPALT_STAGE_VERTEX);
  const Compilation same = compile_body(compiler, vertex_shader(0, 5), SPALT_STAGE_VERTEX);
  const Compilation other = compile_body(compiler, vertex_shader(1, 1), SPALT_STAGE_VERTEX);
  const State state;
  const auto key = key_of(compiler, body, state.state);
  EXPECT_EQ(key_of(compiler, same, state.state), key);
  EXPECT_NE(key_of(compiler, other, state.state), key);
  State changed;
  changed.attributes[1].format = 109;
  changed.targets[0].format = 109;
  changed.state.samples = 4;
  changed.state.alpha_to_one = 1;
  EXPECT_EQ(key_of(compiler, body, changed.state), key);
  EXPECT_NE(key_of(compiler, other, changed.state), key_of(compiler, other, state.state));
  State stride, topology;
  stride.bindings[0].stride = 20;
  topology.state.topology = 0;
  EXPECT_NE(key_of(compiler, body, stride.state), key);
  EXPECT_NE(key_of(compiler, body, topology.state), key);
}

TEST(Pieces, KeysOfEpilogsKnowTheirTargets) {
  const Compiler compiler("gfx1100");
  const Compilation body = compile_body(compiler, fragment_shader(1), SPALT_STAGE_FRAGMENT);
  const State state;
  State not_written, format, coverage;
  not_written.targets[0].format = 109;
  not_written.attributes[0].format = 44;
  format.targets[1].format = 109;
  coverage.state.alpha_to_coverage = 1;
  const auto key = key_of(compiler, body, state.state);
  EXPECT_EQ(key_of(compiler, body, not_written.state), key);
  EXPECT_NE(key_of(compiler, body, format.state), key);
  EXPECT_NE(key_of(compiler, body, coverage.state), key);
}

/// Equal bytes, too: a body does not depend on what it was not told.
TEST(Pieces, BodiesDoNotLookAtWhatPiecesBring) {
  const Compiler compiler("gfx1200");
  State state;
  state.attributes[0].format = 44;
  state.state.topology = 0;
  const auto bytes = [](const Compilation& body) {
    const spalt_stage_object object = body.stage_object();
    return std::string(static_cast<const char*>(object.data), object.size);
  };
  const Compilation plain = compile_body(compiler, vertex_shader(0, 1), SPALT_STAGE_VERTEX);
  const Compilation told = compile_body(compiler, vertex_shader(0, 1), SPALT_STAGE_VERTEX, &state.state);
  ASSERT_TRUE(plain.ok() && told.ok());
  EXPECT_EQ(bytes(plain), bytes(told));
}

TEST(Pieces, NameWhatIsWrong) {
  const Compiler compiler("gfx1030");
  const std::vector<uint32_t> vertex = vertex_shader(0, 1);
  const Compilation body = compile_body(compiler, vertex, SPALT_STAGE_VERTEX);
  spalt_compile_info info = Compiler::info(vertex);
  info.stage = SPALT_STAGE_VERTEX;
  info.has_stage = 1;
  const Compilation whole = compiler.compile_stage(info);
  const auto message = [&](const spalt_stage_object& object) {
    return compiler.compile_piece(Compiler::piece_info(object)).message();
  };
  EXPECT_EQ(message({}), "a piece without the body that it is for");
  EXPECT_EQ(message({"SPALTSTG", 8}), "the stage object does not begin with SPALTSTG");
  EXPECT_EQ(message(whole.stage_object()), "the stage object is no body: it was not compiled as one");
  EXPECT_EQ(Compiler("gfx1100").compile_piece(Compiler::piece_info(body.stage_object())).message(),
            "the body is for gfx1030, not for gfx1100");
  EXPECT_EQ(compiler.link({body.stage_object()}).message(),
            "the body of a stage comes without the piece that completes it");
  State state;
  state.attributes[0].format = 1;  // R4G4_UNORM_PACK8
  const Compilation refused = compile_piece(compiler, body, &state.state);
  EXPECT_EQ(refused.result(), SPALT_ERROR_UNSUPPORTED);
  EXPECT_EQ(refused.message(), "the vertex attribute at location 0 has format 1 at offset 0, which is not supported");
}

TEST(Pieces, SamplesMayBeUnknownToBodies) {
  const Compiler compiler("gfx1030");
  State state;
  state.state.samples = 0;
  state.state.min_sample_shading = 0.5f;
  EXPECT_EQ(compile_body(compiler, fragment_shader(0), SPALT_STAGE_FRAGMENT, &state.state).message(),
            "min_sample_shading says nothing where the number of samples is not known");
  state.state.min_sample_shading = 0;
  EXPECT_TRUE(compile_body(compiler, fragment_shader(0), SPALT_STAGE_FRAGMENT, &state.state).ok());
}

}  // namespace
