// SPDX-License-Identifier: MIT
//
// What a .pipe file says of a pipeline, as plain data: what it has in common with recorded pipelines in their form, and
// what only LLPC has (sources of shaders, the places of resources in user data).
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "replay/pipeline_kinds.h"
#include "replay/state.h"

namespace spalt_tool::replay::pipe {

/// Of a shader of the file.
struct ShaderSource {
  enum class Form : uint8_t { glsl, assembly, glsl_file, assembly_file, words_file };

  uint32_t stage = 0;  ///< VkShaderStageFlagBits
  Form form = Form::glsl;
  uint32_t line = 0;      ///< of the first line of the text, or of the file's name
  std::string_view text;  ///< of the shader, or the name of its file
};

/// Bits of LLPC's masks of stages.
enum StageBit : uint32_t { kVertexBit = 1u << 1, kFragmentBit = 1u << 6, kComputeBit = 1u << 7 };
/// 0 for a stage that is not read.
uint32_t stage_bit(uint32_t stage);

enum class NodeType : uint8_t {
  none,
  resource,
  sampler,
  combined_texture,
  texel_buffer,
  fmask,
  buffer,
  table,
  vertex_buffers,
  push_constants,
  buffer_compact,
  stream_out,
  ycbcr_sampler,
  const_buffer,
  const_buffer_compact,
  image,
  const_texel_buffer,
  inline_buffer,
  is_mutable,
  atomic_counter
};
/// As files name it.
const char* node_type_name(NodeType type);
/// NodeType::none when nothing has that name.
NodeType find_node_type(std::string_view name);

/// A range of user data, or of a table that user data points to.
struct Node {
  NodeType type = NodeType::none;
  uint32_t line = 0;  ///< where its first member is
  uint32_t visibility = 0;
  uint32_t offset_dwords = 0, size_dwords = 0, stride_dwords = 0;
  uint32_t set = 0, binding = 0;
  std::map<uint32_t, Node> next;  ///< of a table what is in it
};

/// A descriptor whose value the pipeline layout fixes.
struct FixedDescriptor {
  NodeType type = NodeType::none;
  uint32_t line = 0;
  uint32_t visibility = 0;
  uint32_t set = 0, binding = 0, count = 1;
  std::vector<uint32_t> words;
};

struct PipeState {
  PipelineKind kind = PipelineKind::graphics;
  PipelineState pipeline;             ///< without layout and modules
  std::vector<ShaderSource> sources;  ///< of pipeline.stages, one for each
  ApplicationState features;
  bool has_mapping = false;  ///< else resources are where the compiler would put them
  std::vector<Node> nodes;   ///< of user data
  std::vector<FixedDescriptor> fixed;
  bool has_inputs = false, has_targets = false;  ///< else they are what the shaders declare
};

/// What a file describes, from the names of its sections alone.
PipelineKind find_pipeline_kind(std::string_view text);
/// Reads the text, which must outlive `state`. Files that it names are not opened.
bool read_pipe(std::string_view text, PipeState& state, Problem& problem);

}  // namespace spalt_tool::replay::pipe
