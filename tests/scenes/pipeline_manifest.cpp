// SPDX-License-Identifier: MIT
#include "pipeline_manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "meshes.h"
#include "names.h"
#include "vkrun/data_init.h"
#include "vkrun/image_manifest.h"

namespace spalt::scenes {
namespace {

using nlohmann::json;
using vkrun::expect_members;

// ---- vertex input ----

struct MeshAttribute {
  const char* name;
  VkFormat format;
  uint32_t offset;
};

constexpr MeshAttribute kMeshAttributes[] = {
    {"position", VK_FORMAT_R32G32B32_SFLOAT, offsetof(MeshVertex, position)},
    {"normal", VK_FORMAT_R32G32B32_SFLOAT, offsetof(MeshVertex, normal)},
    {"uv", VK_FORMAT_R32G32_SFLOAT, offsetof(MeshVertex, uv)},
    {"tangent", VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(MeshVertex, tangent)},
};

VkVertexInputAttributeDescription mesh_attribute(const std::string& name, uint32_t location) {
  for (const MeshAttribute& attribute : kMeshAttributes) {
    if (name == attribute.name) return {location, 0, attribute.format, attribute.offset};
  }
  throw Error("the vertices of a mesh have no '" + name + "'");
}

/// No image has several components of 64 bits.
VkFormat attribute_format(const std::string& name) {
  constexpr std::pair<const char*, VkFormat> kWide[] = {
      {"R64_SFLOAT", VK_FORMAT_R64_SFLOAT},
      {"R64G64_SFLOAT", VK_FORMAT_R64G64_SFLOAT},
      {"R64G64B64_SFLOAT", VK_FORMAT_R64G64B64_SFLOAT},
      {"R64G64B64A64_SFLOAT", VK_FORMAT_R64G64B64A64_SFLOAT},
      {"R64G64_SINT", VK_FORMAT_R64G64_SINT},
  };
  for (const auto& [wide, format] : kWide) {
    if (name == wide) return format;
  }
  return static_cast<VkFormat>(vkrun::format_named(name)->vk);
}

void parse_attributes(const json& list, Pipeline& pipeline) {
  bool from_mesh = false;
  for (const json& item : list) {
    if (item.is_string()) {
      pipeline.attributes.push_back(
          mesh_attribute(item.get<std::string>(), static_cast<uint32_t>(pipeline.attributes.size())));
      from_mesh = true;
      continue;
    }
    expect_members(item, "an attribute", {"location", "binding", "format", "offset"});
    pipeline.attributes.push_back({item.at("location").get<uint32_t>(), item.value("binding", 0u),
                                   attribute_format(item.at("format").get<std::string>()), item.value("offset", 0u)});
  }
  if (from_mesh) pipeline.bindings.push_back({0, sizeof(MeshVertex), VK_VERTEX_INPUT_RATE_VERTEX});
}

void parse_vertex_bindings(const json& list, Pipeline& pipeline) {
  for (const json& item : list) {
    expect_members(item, "a vertex binding", {"binding", "stride", "rate", "divisor"});
    const auto binding = item.at("binding").get<uint32_t>();
    const bool per_instance = item.value("rate", "vertex") == "instance";
    pipeline.bindings.push_back({binding, item.at("stride").get<uint32_t>(),
                                 per_instance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX});
    if (item.contains("divisor")) pipeline.divisors.push_back({binding, item.at("divisor").get<uint32_t>()});
  }
}

void parse_assembly(const json& object, Pipeline& pipeline) {
  pipeline.assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  pipeline.assembly.topology = topology_named(object.value("topology", "triangle_list"));
  pipeline.assembly.primitiveRestartEnable = object.value("primitive_restart", false);
}

// ---- rasterization ----

void parse_line(const json& object, Pipeline& pipeline) {
  expect_members(object, "a line state", {"mode", "stipple_factor", "stipple_pattern"});
  VkPipelineRasterizationLineStateCreateInfoEXT& line = pipeline.line.emplace();
  line.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO_EXT;
  line.lineRasterizationMode = line_mode_named(object.value("mode", "default"));
  line.stippledLineEnable = object.contains("stipple_pattern");
  line.lineStippleFactor = object.value("stipple_factor", 1u);
  line.lineStipplePattern = object.value("stipple_pattern", uint16_t{0});
}

void parse_rasterization(const json& object, Pipeline& pipeline) {
  VkPipelineRasterizationStateCreateInfo& state = pipeline.rasterization;
  state.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  state.depthClampEnable = object.value("depth_clamp", false);
  state.rasterizerDiscardEnable = object.value("rasterizer_discard", false);
  state.polygonMode = polygon_mode_named(object.value("polygon_mode", "fill"));
  state.cullMode = cull_mode_named(object.value("cull", "none"));
  state.frontFace = front_face_named(object.value("front_face", "counter_clockwise"));
  state.lineWidth = object.value("line_width", 1.0f);
  if (object.contains("depth_bias")) {
    const json& bias = object.at("depth_bias");
    expect_members(bias, "a depth bias", {"constant", "clamp", "slope"});
    state.depthBiasEnable = VK_TRUE;
    state.depthBiasConstantFactor = bias.value("constant", 0.0f);
    state.depthBiasClamp = bias.value("clamp", 0.0f);
    state.depthBiasSlopeFactor = bias.value("slope", 0.0f);
  }
  if (object.contains("line")) parse_line(object.at("line"), pipeline);
  pipeline.provoking_last = object.value("provoking", "first") == "last";
  if (object.contains("depth_clip")) pipeline.depth_clip = object.at("depth_clip").get<bool>();
}

void parse_multisample(const json& object, Pipeline& pipeline) {
  VkPipelineMultisampleStateCreateInfo& state = pipeline.multisample;
  state.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  state.sampleShadingEnable = object.contains("min_sample_shading");
  state.minSampleShading = object.value("min_sample_shading", 0.0f);
  state.alphaToCoverageEnable = object.value("alpha_to_coverage", false);
  state.alphaToOneEnable = object.value("alpha_to_one", false);
  if (object.contains("sample_mask")) pipeline.sample_mask = object.at("sample_mask").get<uint32_t>();
}

// ---- depth and stencil ----

void parse_stencil_face(const json& object, VkStencilOpState& face) {
  face.failOp = stencil_op_named(object.value("fail", "keep"));
  face.passOp = stencil_op_named(object.value("pass", "keep"));
  face.depthFailOp = stencil_op_named(object.value("depth_fail", "keep"));
  face.compareOp = compare_op_named(object.value("compare", "always"));
  face.compareMask = object.value("compare_mask", 0xffu);
  face.writeMask = object.value("write_mask", 0xffu);
  face.reference = object.value("reference", 0u);
}

#define SPALT_STENCIL_MEMBERS "fail", "pass", "depth_fail", "compare", "compare_mask", "write_mask", "reference"

void parse_stencil(const json& object, VkPipelineDepthStencilStateCreateInfo& state) {
  expect_members(object, "a stencil state", {SPALT_STENCIL_MEMBERS, "back"});
  state.stencilTestEnable = VK_TRUE;
  parse_stencil_face(object, state.front);
  state.back = state.front;
  if (!object.contains("back")) return;
  expect_members(object.at("back"), "the back of a stencil state", {SPALT_STENCIL_MEMBERS});
  parse_stencil_face(object.at("back"), state.back);
}

void parse_depth_stencil(const json& object, Pipeline& pipeline) {
  VkPipelineDepthStencilStateCreateInfo& state = pipeline.depth_stencil;
  state.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
  state.maxDepthBounds = 1.0f;
  if (object.contains("depth")) {
    const json& depth = object.at("depth");
    expect_members(depth, "a depth state", {"compare", "write", "bounds"});
    state.depthTestEnable = VK_TRUE;
    state.depthWriteEnable = depth.value("write", true);
    state.depthCompareOp = compare_op_named(depth.value("compare", "less"));
    if (depth.contains("bounds")) {
      state.depthBoundsTestEnable = VK_TRUE;
      state.minDepthBounds = depth.at("bounds").at(0).get<float>();
      state.maxDepthBounds = depth.at("bounds").at(1).get<float>();
    }
  }
  if (object.contains("stencil")) parse_stencil(object.at("stencil"), state);
}

// ---- colours ----

/// ["src_alpha", "add", "one"] is source factor, operation, destination factor.
void parse_equation(const json& equation, VkBlendFactor& source, VkBlendOp& operation, VkBlendFactor& destination) {
  if (!equation.is_array() || equation.size() != 3) throw Error("a blend equation has three members");
  source = blend_factor_named(equation[0].get<std::string>());
  operation = blend_op_named(equation[1].get<std::string>());
  destination = blend_factor_named(equation[2].get<std::string>());
}

VkPipelineColorBlendAttachmentState parse_target(const json& object) {
  expect_members(object, "a blend state", {"color", "alpha", "mask"});
  VkPipelineColorBlendAttachmentState state{};
  state.colorWriteMask = component_mask(object.value("mask", "rgba"));
  state.blendEnable = object.contains("color");
  if (state.blendEnable == VK_FALSE) return state;
  parse_equation(object.at("color"), state.srcColorBlendFactor, state.colorBlendOp, state.dstColorBlendFactor);
  parse_equation(object.value("alpha", object.at("color")), state.srcAlphaBlendFactor, state.alphaBlendOp,
                 state.dstAlphaBlendFactor);
  return state;
}

void parse_blend(const json& object, Pipeline& pipeline) {
  VkPipelineColorBlendStateCreateInfo& state = pipeline.blend;
  state.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  const json blend = object.value("blend", json::object());
  for (const json& item : blend.is_array() ? blend : json::array({blend})) {
    pipeline.targets.push_back(parse_target(item));
  }
  if (object.contains("logic_op")) {
    state.logicOpEnable = VK_TRUE;
    state.logicOp = logic_op_named(object.at("logic_op").get<std::string>());
  }
  const auto constants = object.value("blend_constants", std::array<float, 4>{});
  std::copy(constants.begin(), constants.end(), state.blendConstants);
}

// ---- viewports, dynamic state ----

void parse_viewports(const json& object, Pipeline& pipeline) {
  for (const json& item : object.value("viewports", json::array())) {
    if (!item.is_array() || (item.size() != 4 && item.size() != 6)) {
      throw Error("a viewport is [x, y, width, height] or has minimum and maximum depth besides");
    }
    const auto at = [&item](size_t i) { return item[i].get<float>(); };
    pipeline.viewports.push_back(
        {at(0), at(1), at(2), at(3), item.size() == 6 ? at(4) : 0.0f, item.size() == 6 ? at(5) : 1.0f});
  }
  for (const json& item : object.value("scissors", json::array())) {
    const auto numbers = item.get<std::array<int32_t, 4>>();
    pipeline.scissors.push_back(
        {{numbers[0], numbers[1]}, {static_cast<uint32_t>(numbers[2]), static_cast<uint32_t>(numbers[3])}});
  }
}

struct DynamicName {
  const char* name;
  VkDynamicState state;
};

constexpr DynamicName kDynamicNames[] = {
    {"viewport", VK_DYNAMIC_STATE_VIEWPORT},
    {"scissor", VK_DYNAMIC_STATE_SCISSOR},
    {"line_width", VK_DYNAMIC_STATE_LINE_WIDTH},
    {"depth_bias", VK_DYNAMIC_STATE_DEPTH_BIAS},
    {"blend_constants", VK_DYNAMIC_STATE_BLEND_CONSTANTS},
    {"stencil_compare_mask", VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK},
    {"stencil_write_mask", VK_DYNAMIC_STATE_STENCIL_WRITE_MASK},
    {"stencil_reference", VK_DYNAMIC_STATE_STENCIL_REFERENCE},
    {"cull", VK_DYNAMIC_STATE_CULL_MODE},
    {"front_face", VK_DYNAMIC_STATE_FRONT_FACE},
    {"topology", VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY},
    {"depth_test", VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE},
    {"depth_write", VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE},
    {"depth_compare", VK_DYNAMIC_STATE_DEPTH_COMPARE_OP},
    {"stencil_test", VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE},
    {"stencil_op", VK_DYNAMIC_STATE_STENCIL_OP},
    {"vertex_stride", VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE},
};

VkDynamicState dynamic_state_named(const std::string& name) {
  for (const DynamicName& entry : kDynamicNames) {
    if (name == entry.name) return entry.state;
  }
  throw Error("unknown dynamic state '" + name + "'");
}

}  // namespace

Pipeline parse_pipeline(const json& object) {
  expect_members(object, "a pipeline",
                 {"like",
                  "vertex",
                  "geometry",
                  "fragment",
                  "spec",
                  "attributes",
                  "vertex_bindings",
                  "topology",
                  "primitive_restart",
                  "polygon_mode",
                  "cull",
                  "front_face",
                  "depth_clamp",
                  "depth_clip",
                  "rasterizer_discard",
                  "depth_bias",
                  "line_width",
                  "line",
                  "provoking",
                  "min_sample_shading",
                  "sample_mask",
                  "alpha_to_coverage",
                  "alpha_to_one",
                  "depth",
                  "stencil",
                  "blend",
                  "blend_constants",
                  "logic_op",
                  "viewports",
                  "scissors",
                  "dynamic"});
  Pipeline pipeline;
  pipeline.vertex = object.at("vertex").get<std::string>();
  pipeline.geometry = object.value("geometry", "");
  pipeline.fragment = object.value("fragment", "");
  if (object.contains("spec")) pipeline.spec = vkrun::parse_spec(object.at("spec"));
  parse_attributes(object.value("attributes", json::array()), pipeline);
  parse_vertex_bindings(object.value("vertex_bindings", json::array()), pipeline);
  parse_assembly(object, pipeline);
  parse_rasterization(object, pipeline);
  parse_multisample(object, pipeline);
  parse_depth_stencil(object, pipeline);
  parse_blend(object, pipeline);
  parse_viewports(object, pipeline);
  for (const json& name : object.value("dynamic", json::array())) {
    pipeline.dynamic.push_back(dynamic_state_named(name.get<std::string>()));
  }
  return pipeline;
}

}  // namespace spalt::scenes
