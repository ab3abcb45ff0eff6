// SPDX-License-Identifier: MIT
// The state of a pipeline and of its vertex input, in the form of recorded ones.
#include <spalt/texel.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "replay/pipe/read_members.h"
#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay::pipe {
namespace {

/// By VkPrimitiveTopology.
constexpr std::string_view kTopologies[] = {"POINT_LIST",
                                            "LINE_LIST",
                                            "LINE_STRIP",
                                            "TRIANGLE_LIST",
                                            "TRIANGLE_STRIP",
                                            "TRIANGLE_FAN",
                                            "LINE_LIST_WITH_ADJACENCY",
                                            "LINE_STRIP_WITH_ADJACENCY",
                                            "TRIANGLE_LIST_WITH_ADJACENCY",
                                            "TRIANGLE_STRIP_WITH_ADJACENCY",
                                            "PATCH_LIST"};
constexpr std::string_view kTopologyPrefix = "VK_PRIMITIVE_TOPOLOGY_";
constexpr std::string_view kFormatPrefix = "VK_FORMAT_";
constexpr uint32_t kAllChannels = 0xf;

bool unknown(const Assignment& assignment, const char* what, Problem& problem) {
  return fail_at(problem, assignment.line,
                 assignment.name() + ": there is no " + what + " " + std::string(assignment.value));
}

bool read_topology(const Assignment& assignment, uint32_t& topology, Problem& problem) {
  const std::string_view name = assignment.value;
  const auto* const at = name.starts_with(kTopologyPrefix) ? std::find(std::begin(kTopologies), std::end(kTopologies),
                                                                       name.substr(kTopologyPrefix.size()))
                                                           : std::end(kTopologies);
  if (at == std::end(kTopologies)) return unknown(assignment, "topology", problem);
  topology = static_cast<uint32_t>(at - std::begin(kTopologies));
  return true;
}

bool read_format(const Assignment& assignment, uint32_t& format, Problem& problem) {
  const std::string_view name = assignment.value;
  if (!name.starts_with(kFormatPrefix)) return unknown(assignment, "format", problem);
  format = 0;
  if (name == "VK_FORMAT_UNDEFINED") return true;
  for (size_t i = 0; spalt_known_format(i) != 0; ++i) {
    spalt_format_info info{};
    info.struct_size = sizeof info;
    if (spalt_query_format(spalt_known_format(i), &info) != SPALT_SUCCESS) continue;
    if (name.substr(kFormatPrefix.size()) != info.name) continue;
    format = spalt_known_format(i);
    return true;
  }
  return fail(problem, Cause::unsupported, "format " + std::string(name) + " is not supported");
}

bool read_truth(const Assignment& assignment, uint32_t& value, Problem& problem) {
  bool flag = false;
  if (!read_flag(assignment, flag, problem)) return false;
  value = flag ? 1 : 0;
  return true;
}

bool refuse_when_set(const Assignment& assignment, const char* what, Problem& problem) {
  bool flag = false;
  if (!read_flag(assignment, flag, problem)) return false;
  return !flag || fail(problem, Cause::unsupported, std::string(what) + " is dynamic, which is not supported");
}

struct Target {
  uint32_t format = 0;
  spalt_color_target target{0, kAllChannels, 0, 0};
};

bool read_target(const Assignment& assignment, Target& target, Problem& problem) {
  const std::string_view name = assignment.path.size() == 2 ? assignment.path[1].name : std::string_view();
  if (name == "format") return read_format(assignment, target.format, problem);
  if (name == "blendEnable") return read_truth(assignment, target.target.blend, problem);
  if (name == "blendSrcAlphaToColor") return read_truth(assignment, target.target.blend_reads_alpha, problem);
  if (name != "channelWriteMask") return true;
  const bool read = read_number(assignment, target.target.write_mask, problem);
  target.target.write_mask &= kAllChannels;
  return read;
}

bool take_targets(const std::map<uint32_t, Target>& targets, PipeState& state, Problem& problem) {
  GraphicsState& graphics = *state.pipeline.graphics;
  for (const auto& [index, target] : targets) {
    if (index >= SPALT_MAX_COLOR_TARGETS) {
      return fail(problem, Cause::invalid, "there is no colour buffer " + std::to_string(index));
    }
    graphics.color_formats.resize(index + 1);
    graphics.blends.resize(index + 1);
    graphics.color_formats[index] = target.format;
    graphics.blends[index].target = target.target;
  }
  state.has_targets = !targets.empty();
  return true;
}

/// Members that both kinds of pipelines have.
bool read_option(const Assignment& assignment, ApplicationState& features, Problem& problem) {
  const std::vector<Step>& path = assignment.path;
  if (path.size() == 2 && path[1].name == "robustBufferAccess") {
    return read_flag(assignment, features.robust_buffer_access, problem);
  }
  if (path.size() != 3 || path[1].name != "extendedRobustness") return true;
  if (path[2].name == "robustBufferAccess") return read_flag(assignment, features.robust_buffer_access_2, problem);
  if (path[2].name == "robustImageAccess") return read_flag(assignment, features.robust_image_access_2, problem);
  if (path[2].name == "nullDescriptor") return read_flag(assignment, features.null_descriptor, problem);
  return true;
}

bool read_fixed_member(const Assignment& assignment, spalt_graphics_state& fixed, Problem& problem) {
  const std::string_view name = assignment.path[0].name;
  if (name == "topology") return read_topology(assignment, fixed.topology, problem);
  if (name == "numSamples") return read_number(assignment, fixed.samples, problem);
  if (name == "alphaToCoverageEnable") return read_truth(assignment, fixed.alpha_to_coverage, problem);
  if (name == "dualSourceBlendEnable") return read_truth(assignment, fixed.dual_source_blend, problem);
  if (name == "rasterizerDiscardEnable") return read_truth(assignment, fixed.rasterizer_discard, problem);
  if (name == "dualSourceBlendDynamic") return refuse_when_set(assignment, "whether a target has two sources", problem);
  if (name == "dynamicSampleInfo") return refuse_when_set(assignment, "the number of samples", problem);
  if (name == "provokingVertexMode") {
    fixed.provoking_last = assignment.value.find("LAST") != std::string_view::npos ? 1 : 0;
  } else if (name == "perSampleShading") {
    uint32_t each = 0;
    if (!read_truth(assignment, each, problem)) return false;
    fixed.min_sample_shading = each != 0 ? 1.0f : 0.0f;
  }
  return true;
}

template <class Item>
bool read_item(const Assignment& assignment, std::map<uint32_t, Item>& items,
               bool (*read)(const Assignment&, Item&, Problem&), Problem& problem) {
  return assignment.path.size() != 2 || read(assignment, items[assignment.path[0].index], problem);
}

bool read_binding(const Assignment& assignment, spalt_vertex_binding& binding, Problem& problem) {
  const std::string_view name = assignment.path[1].name;
  if (name == "binding") return read_number(assignment, binding.binding, problem);
  if (name == "stride") return read_number(assignment, binding.stride, problem);
  if (name != "inputRate") return true;
  binding.per_instance = assignment.value.find("INSTANCE") != std::string_view::npos ? 1 : 0;
  return binding.per_instance == 1 || assignment.value.find("VERTEX") != std::string_view::npos ||
         unknown(assignment, "input rate", problem);
}

bool read_attribute(const Assignment& assignment, spalt_vertex_attribute& attribute, Problem& problem) {
  const std::string_view name = assignment.path[1].name;
  if (name == "location") return read_number(assignment, attribute.location, problem);
  if (name == "binding") return read_number(assignment, attribute.binding, problem);
  if (name == "offset") return read_number(assignment, attribute.offset, problem);
  return name != "format" || read_format(assignment, attribute.format, problem);
}

struct Divisor {
  uint32_t binding = 0, divisor = 1;
};

bool read_divisor(const Assignment& assignment, Divisor& divisor, Problem& problem) {
  const std::string_view name = assignment.path[1].name;
  if (name == "binding") return read_number(assignment, divisor.binding, problem);
  return name != "divisor" || read_number(assignment, divisor.divisor, problem);
}

}  // namespace

bool read_graphics_state(const Section& section, PipeState& state, Problem& problem) {
  std::vector<Assignment> assignments;
  if (!read_assignments(section, assignments, problem)) return false;
  std::map<uint32_t, Target> targets;
  for (const Assignment& assignment : assignments) {
    const Step& first = assignment.path[0];
    const bool read = first.name == "colorBuffer" ? read_target(assignment, targets[first.index], problem)
                      : first.name == "options"
                          ? read_option(assignment, state.features, problem)
                          : read_fixed_member(assignment, state.pipeline.graphics->fixed, problem);
    if (!read) return false;
  }
  uint32_t& samples = state.pipeline.graphics->fixed.samples;
  samples = std::max(samples, 1u);
  return take_targets(targets, state, problem);
}

bool read_compute_state(const Section& section, PipeState& state, Problem& problem) {
  std::vector<Assignment> assignments;
  if (!read_assignments(section, assignments, problem)) return false;
  return std::all_of(assignments.begin(), assignments.end(), [&](const Assignment& assignment) {
    return assignment.path[0].name != "options" || read_option(assignment, state.features, problem);
  });
}

bool read_vertex_input_state(const Section& section, PipeState& state, Problem& problem) {
  std::vector<Assignment> assignments;
  if (!read_assignments(section, assignments, problem)) return false;
  std::map<uint32_t, spalt_vertex_binding> bindings;
  std::map<uint32_t, spalt_vertex_attribute> attributes;
  std::map<uint32_t, Divisor> divisors;
  for (const Assignment& assignment : assignments) {
    const std::string_view name = assignment.path[0].name;
    bool read = true;
    if (name == "binding") read = read_item(assignment, bindings, read_binding, problem);
    if (name == "attribute") read = read_item(assignment, attributes, read_attribute, problem);
    if (name == "divisor") read = read_item(assignment, divisors, read_divisor, problem);
    if (!read) return false;
  }
  GraphicsState& graphics = *state.pipeline.graphics;
  for (auto& [index, binding] : bindings) {
    binding.divisor = 1;
    for (const auto& [i, divisor] : divisors) {
      if (divisor.binding == binding.binding) binding.divisor = divisor.divisor;
    }
    graphics.bindings.push_back(binding);
  }
  for (const auto& [index, attribute] : attributes) graphics.attributes.push_back(attribute);
  state.has_inputs = !attributes.empty();
  return true;
}

}  // namespace spalt_tool::replay::pipe
