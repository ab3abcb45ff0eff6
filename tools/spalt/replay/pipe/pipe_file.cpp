// SPDX-License-Identifier: MIT
#include "replay/pipe/pipe_file.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <utility>

#include "graphics_state.h"
#include "replay/byte_source.h"
#include "replay/code_hash.h"
#include "replay/pipe/node_layout.h"
#include "replay/vulkan_numbers.h"
#include "shader_input/shader_input.h"

namespace spalt_tool::replay::pipe {
namespace {

using Form = ShaderSource::Form;

/// Of a .pipe file, and of each file that it names.
constexpr uint64_t kMaxFileBytes = uint64_t{64} << 20;

bool read_text(const std::string& path, std::string& text, std::string& error) {
  const std::unique_ptr<ByteSource> source = open_file(path, error);
  if (source == nullptr) return false;
  if (source->size() > kMaxFileBytes) {
    error = "is larger than 64 MiB";
    return false;
  }
  text.resize(source->size());
  if (source->read(0, text.data(), text.size())) return true;
  error = "cannot be read";
  return false;
}

bool is_named(const ShaderSource& source) {
  return source.form != Form::glsl && source.form != Form::assembly;
}

/// The file of a shader, which is named from the folder of the .pipe file.
std::string path_of(const PipeFile& file, const ShaderSource& source) {
  return (std::filesystem::path(file.path).parent_path() / std::string(source.text)).string();
}

const char* stage_suffix(uint32_t stage) {
  return stage == vulkan::kVertex ? "vert" : stage == vulkan::kFragment ? "frag" : "comp";
}

/// With the place in front: what is said of a line becomes PATH:LINE.
void name_place(const std::string& path, Problem& problem) {
  constexpr std::string_view kLine = "line ";
  if (problem.cause != Cause::invalid) return;
  const bool has_line = problem.message.starts_with(kLine);
  problem.message = path + (has_line ? ":" : ": ") + problem.message.substr(has_line ? kLine.size() : 0);
}

bool to_words(const std::string& path, const std::string& bytes, std::vector<uint32_t>& words, Problem& problem) {
  if (bytes.size() % sizeof(uint32_t) != 0) {
    return fail(problem, Cause::invalid, path + ": not a whole number of SPIR-V words");
  }
  words.resize(bytes.size() / sizeof(uint32_t));
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
  return true;
}

/// Blank lines in front make the lines of messages those of the file that the text is in.
std::string with_lines_before(const ShaderSource& source) {
  std::string text(source.line - 1, '\n');
  text += source.text;
  return text;
}

bool load_words(const PipeFile& file, const ShaderSource& source, std::vector<uint32_t>& words, Problem& problem) {
  std::string path = file.path, text, message;
  if (is_named(source)) {
    path = path_of(file, source);
    if (!read_text(path, text, message)) {
      return fail(
          problem, Cause::missing,
          file.path + ":" + std::to_string(source.line) + ": the shader " + std::string(source.text) + " " + message);
    }
    if (source.form == Form::words_file) return to_words(path, text, words, problem);
  } else {
    text = with_lines_before(source);
  }
  shader_input::Options options;
  options.stage = stage_suffix(source.stage);
  options.version_comment = true;
  const bool glsl = source.form == Form::glsl || source.form == Form::glsl_file;
  const auto language = glsl ? shader_input::Language::glsl : shader_input::Language::assembly;
  if (shader_input::translate(path, text, language, options, words, message)) return true;
  return fail(problem, Cause::invalid, message);
}

/// What the file leaves out is what the shaders declare, as `spalt compile` takes it.
bool derive_state(Pipeline& pipeline, Problem& problem) {
  PipeState& state = pipeline.state;
  if (!state.pipeline.graphics || (state.has_inputs && state.has_targets)) return true;
  std::span<const uint32_t> vertex, fragment;
  for (size_t i = 0; i < state.sources.size(); ++i) {
    (state.sources[i].stage == vulkan::kVertex ? vertex : fragment) = pipeline.words[i];
  }
  spalt_tool::GraphicsState derived;
  std::string error;
  if (!derived.derive(vertex, fragment, error)) return fail(problem, Cause::invalid, error);
  replay::GraphicsState& graphics = *state.pipeline.graphics;
  const spalt_graphics_state& from = *derived.get();
  if (!state.has_inputs) {
    graphics.bindings.assign(from.vertex_bindings, from.vertex_bindings + from.vertex_binding_count);
    graphics.attributes.assign(from.vertex_attributes, from.vertex_attributes + from.vertex_attribute_count);
  }
  for (size_t i = 0; i < from.color_target_count && !state.has_targets; ++i) {
    graphics.color_formats.push_back(from.color_targets[i].format);
    graphics.blends.push_back({from.color_targets[i], false});
  }
  return true;
}

bool load_stages(const PipeFile& file, uint32_t max_entries, Pipeline& pipeline, Problem& problem) {
  PipeState& state = pipeline.state;
  for (size_t i = 0; i < state.sources.size(); ++i) {
    if (!load_words(file, state.sources[i], pipeline.words[i], problem)) return false;
    if (!state.has_mapping) continue;
    if (!lay_out_nodes(state, state.sources[i].stage, max_entries, pipeline.layouts[i], problem)) {
      name_place(file.path, problem);
      return false;
    }
  }
  return true;
}

}  // namespace

bool find_pipe(const std::string& path, PipeFile& file, std::string& error) {
  std::string text;
  if (!read_text(path, text, error)) return false;
  file = {path, find_pipeline_kind(text), hash_bytes(text.data(), text.size()), text.size()};
  PipeState state;
  Problem ignored;  // found again when the pipeline is compiled
  read_pipe(text, state, ignored);
  for (const ShaderSource& source : state.sources) {
    std::string shader, message;
    if (is_named(source) && read_text(path_of(file, source), shader, message)) {
      file.hash = hash_bytes(shader.data(), shader.size(), file.hash);
    }
  }
  return true;
}

bool load_pipeline(const PipeFile& file, uint32_t max_user_data_entries, Pipeline& pipeline, Problem& problem) {
  std::string error;
  if (!read_text(file.path, pipeline.text, error)) return fail(problem, Cause::missing, file.path + ": " + error);
  if (!read_pipe(pipeline.text, pipeline.state, problem)) {
    name_place(file.path, problem);
    return false;
  }
  if (!load_stages(file, max_user_data_entries, pipeline, problem)) return false;
  if (!derive_state(pipeline, problem)) {
    name_place(file.path, problem);
    return false;
  }
  pipeline.color_formats =
      pipeline.state.pipeline.graphics ? pipeline.state.pipeline.graphics->color_formats : std::vector<uint32_t>();
  return true;
}

}  // namespace spalt_tool::replay::pipe
