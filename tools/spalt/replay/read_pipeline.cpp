// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>
#include <utility>

#include "replay/decode.h"
#include "replay/read_state.h"
#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay {
namespace {

std::string unknown_structure(const char* where, uint64_t type) {
  return std::string(where) + " has structure " + std::to_string(type) + " in its pNext chain, which is not supported";
}

void read_robustness(Fields& fields, std::optional<RobustnessState>& state) {
  RobustnessState read;
  read.uniform_buffers = static_cast<uint32_t>(fields.number("uniformBuffers"));
  read.storage_buffers = static_cast<uint32_t>(fields.number("storageBuffers"));
  read.images = static_cast<uint32_t>(fields.number("images"));
  state = read;
}

void read_specialization(Fields fields, SpecializationState& state) {
  const uint64_t size = fields.number("dataSize");
  const std::string data = fields.text("data");
  if (!decode_base64(data, state.data) || state.data.size() != size) {
    fields.wrong("the specialization data is not what its size says");
  }
  fields.for_each("mapEntries", [&](const nlohmann::json& value) {
    Fields entry(value, "a specialization entry", fields.problem());
    SpecializationState::Entry read;
    read.constant_id = static_cast<uint32_t>(entry.number("constantID"));
    read.offset = static_cast<uint32_t>(entry.number("offset"));
    read.size = static_cast<uint32_t>(entry.number("size"));
    state.entries.push_back(read);
  });
}

void read_stage_structure(Fields next, StageState& state) {
  const uint64_t type = next.number("sType");
  if (type == vulkan::kRequiredSubgroupSize) {
    state.required_subgroup_size = static_cast<uint32_t>(next.number("requiredSubgroupSize"));
  } else if (type == vulkan::kPipelineRobustness) {
    read_robustness(next, state.robustness);
  } else if (next.ok()) {
    fail(next.problem(), Cause::unsupported, unknown_structure("the stage", type));
  }
}

/// Modules of old recorders are base64 in the description.
bool read_base64_module(Fields& fields, std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes;
  if (!decode_base64(fields.text("code"), bytes) || bytes.size() % 4 != 0) {
    fields.wrong("its code is not base64 of words");
    return false;
  }
  words.resize(bytes.size() / 4);
  for (size_t i = 0; i < words.size(); ++i) {
    const uint8_t* at = bytes.data() + 4 * i;
    words[i] = uint32_t{at[0]} | uint32_t{at[1]} << 8 | uint32_t{at[2]} << 16 | uint32_t{at[3]} << 24;
  }
  return fields.ok();
}

}  // namespace

void read_stage(Fields fields, StageState& state) {
  state.stage = static_cast<uint32_t>(fields.number("stage"));
  state.flags = static_cast<uint32_t>(fields.number("flags"));
  state.module = fields.hash("module");
  state.entry_point = fields.text("name");
  if (state.entry_point.find('\0') != std::string::npos) fields.wrong("the name of the entry point has a zero byte");
  fields.for_each("pNext", [&](const nlohmann::json& value) {
    read_stage_structure(Fields(value, "a structure of the stage", fields.problem()), state);
  });
  if (fields.has("specializationInfo")) {
    const nlohmann::json& object = fields.object("specializationInfo");
    read_specialization(Fields(object, "the specialization", fields.problem()), state.specialization);
  }
}

void read_pipeline_structure(Fields next, PipelineState& state) {
  const uint64_t type = next.number("sType");
  if (type == vulkan::kPipelineCreateFlags2) {
    state.flags = next.number("flags", UINT64_MAX);
  } else if (type == vulkan::kPipelineRobustness) {
    read_robustness(next, state.robustness);
  } else if (next.ok()) {
    fail(next.problem(), Cause::unsupported, unknown_structure("the pipeline", type));
  }
}

bool read_compute_pipeline(const Document& document, uint64_t hash, PipelineState& state, Problem& problem) {
  const nlohmann::json* object = document.find("computePipelines", hash, problem);
  if (object == nullptr) return false;
  Fields fields(*object, "the pipeline", problem);
  state.flags = fields.number("flags");
  state.layout = fields.hash("layout");
  fields.for_each("pNext", [&](const nlohmann::json& value) {
    read_pipeline_structure(Fields(value, "a structure of the pipeline", problem), state);
  });
  const nlohmann::json& stage = fields.object("stage");
  if (!fields.ok()) return false;
  read_stage(Fields(stage, "the stage", problem), state.stages.emplace_back());
  if (fields.ok() && state.stages[0].stage != vulkan::kCompute) {
    fail(problem, Cause::invalid, "the stage of the pipeline is not the compute stage");
  }
  return fields.ok();
}

bool read_shader_module(const Document& document, uint64_t hash, std::vector<uint32_t>& words, Problem& problem) {
  const nlohmann::json* object = document.find("shaderModules", hash, problem);
  if (object == nullptr) return false;
  Fields fields(*object, "the module", problem);
  if (!fields.has("varintOffset")) return read_base64_module(fields, words);
  const uint64_t offset = fields.number("varintOffset", UINT64_MAX);
  const uint64_t size = fields.number("varintSize", UINT64_MAX);
  const uint64_t code_bytes = fields.number("codeSize", UINT64_MAX);
  if (!fields.ok()) return false;
  const std::span<const uint8_t> data = document.data();
  if (offset > data.size() || size > data.size() - offset || code_bytes % 4 != 0) {
    fields.wrong("its code lies beyond its data");
  } else if (!decode_varint(data.subspan(offset, size), code_bytes / 4, words)) {
    fields.wrong("its code cannot be decoded");
  }
  return fields.ok();
}

}  // namespace spalt_tool::replay
