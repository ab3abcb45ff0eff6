// SPDX-License-Identifier: MIT
// Graphics pipelines and render passes: what code depends on is read, the rest is left alone. Members that Vulkan lets
// an application leave out are missing in the recording; then the state has the default of the compiler's interface.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "replay/read_state.h"
#include "replay/vulkan_numbers.h"

namespace spalt_tool::replay {
namespace {

/// Far above what devices have. Each divisor is looked for among all bindings.
constexpr size_t kMaxVertexBindings = 1024;
constexpr size_t kMaxSubpasses = 1024;

uint32_t number(Fields& fields, const char* name) {
  return static_cast<uint32_t>(fields.number(name));
}

void refuse(Problem& problem, const std::string& what) {
  if (problem.cause == Cause::none) fail(problem, Cause::unsupported, what + ", which is not supported");
}

/// Calls read(fields) for a member that is an object, if it is there.
template <class Read>
void read_part(Fields& pipeline, const char* name, const char* what, Read read) {
  if (!pipeline.ok() || !pipeline.has(name)) return;
  read(Fields(pipeline.object(name), what, pipeline.problem()));
}

/// The structures of a part's pNext chain. read(fields, type) says whether it knows one.
template <class Read>
void read_chain(Fields& part, Read read) {
  part.for_each("pNext", [&](const nlohmann::json& value) {
    Fields next(value, "a structure of " + part.what(), part.problem());
    const uint32_t type = number(next, "sType");
    if (next.ok() && !read(next, type)) refuse(part.problem(), part.what() + " has structure " + std::to_string(type));
  });
}

void read_vertex_input(Fields input, GraphicsState& state) {
  input.for_each("bindings", [&](const nlohmann::json& value) {
    Fields fields(value, "a vertex binding", input.problem());
    if (state.bindings.size() == kMaxVertexBindings)
      return refuse(input.problem(), "there are over 1024 vertex bindings");
    const uint32_t binding = number(fields, "binding"), stride = number(fields, "stride");
    state.bindings.push_back({binding, stride, number(fields, "inputRate"), 1});
  });
  input.for_each("attributes", [&](const nlohmann::json& value) {
    Fields fields(value, "a vertex attribute", input.problem());
    const uint32_t location = number(fields, "location"), binding = number(fields, "binding");
    const uint32_t format = number(fields, "format");
    state.attributes.push_back({location, binding, format, number(fields, "offset")});
  });
  read_chain(input, [&](Fields& next, uint32_t type) {
    if (type != vulkan::kVertexInputDivisors) return false;
    next.for_each("vertexBindingDivisors", [&](const nlohmann::json& value) {
      Fields fields(value, "a divisor", input.problem());
      const uint32_t binding = number(fields, "binding"), divisor = number(fields, "divisor");
      for (spalt_vertex_binding& b : state.bindings) {
        if (b.binding == binding) b.divisor = divisor;
      }
    });
    return true;
  });
}

void read_rasterization(Fields raster, GraphicsState& state) {
  state.fixed.rasterizer_discard = number(raster, "rasterizerDiscardEnable");
  read_chain(raster, [&](Fields& next, uint32_t type) {
    switch (type) {
      case vulkan::kProvokingVertex:
        state.fixed.provoking_last = number(next, "provokingVertexMode");
        return true;
      case vulkan::kRasterizationStream:
      case vulkan::kConservativeRasterization:
      case vulkan::kDepthClip:
      case vulkan::kLineRasterization:
        return true;  // no code depends on it
      default:
        return false;
    }
  });
}

void read_samples(Fields samples, GraphicsState& state) {
  state.fixed.samples = number(samples, "rasterizationSamples");
  const bool shading = samples.number("sampleShadingEnable") != 0;
  const double fraction = samples.real("minSampleShading");
  // Written so that what is no number is none.
  if (shading && fraction > 0) state.fixed.min_sample_shading = static_cast<float>(std::min(fraction, 1.0));
  state.fixed.alpha_to_coverage = number(samples, "alphaToCoverageEnable");
  state.fixed.alpha_to_one = number(samples, "alphaToOneEnable");
  read_chain(samples, [](Fields&, uint32_t type) { return type == vulkan::kSampleLocations; });
}

void read_blend(Fields fields, GraphicsState::Blend& blend) {
  constexpr const char* kFactors[] = {"srcColorBlendFactor", "dstColorBlendFactor", "srcAlphaBlendFactor",
                                      "dstAlphaBlendFactor"};
  blend.target.write_mask = number(fields, "colorWriteMask") & 0xf;
  blend.target.blend = fields.number("blendEnable") != 0 ? 1 : 0;
  for (const char* name : kFactors) {
    const uint32_t factor = number(fields, name);
    if (blend.target.blend == 0) continue;
    const bool reads_alpha = factor == vulkan::kSourceAlpha || factor == vulkan::kOneMinusSourceAlpha ||
                             factor == vulkan::kSourceAlphaSaturate;
    if (reads_alpha) blend.target.blend_reads_alpha = 1;
    blend.dual_source |= factor >= vulkan::kFirstDualSource && factor <= vulkan::kLastDualSource;
  }
}

void read_blends(Fields fields, GraphicsState& state) {
  fields.for_each("attachments", [&](const nlohmann::json& value) {
    read_blend(Fields(value, "a blend attachment", fields.problem()), state.blends.emplace_back());
  });
  read_chain(fields, [](Fields&, uint32_t type) { return type == vulkan::kColorWrite; });
}

void read_dynamic_state(Fields fields, GraphicsState& state) {
  for (const uint32_t dynamic : fields.numbers("dynamicState")) {
    switch (dynamic) {
      case vulkan::kDynamicRasterizerDiscard:
        state.fixed.rasterizer_discard = 0;  // there may be fragments
        break;
      case vulkan::kDynamicVertexInput:
      case vulkan::kDynamicSamples:
      case vulkan::kDynamicAlphaToCoverage:
      case vulkan::kDynamicAlphaToOne:
      case vulkan::kDynamicBlendEnable:
      case vulkan::kDynamicBlendEquation:
      case vulkan::kDynamicWriteMask:
      case vulkan::kDynamicBlendAdvanced:
      case vulkan::kDynamicProvokingVertex:
        refuse(fields.problem(), "the pipeline has dynamic state " + std::to_string(dynamic));
        break;
      default:
        break;  // no code depends on it
    }
  }
}

void read_structure(Fields next, PipelineState& state) {
  if (next.number("sType") == vulkan::kPipelineRendering) {
    state.graphics->color_formats = next.numbers("colorAttachmentFormats");
  } else {
    read_pipeline_structure(std::move(next), state);
  }
}

/// The vertex stage first; others than these two are refused.
void read_stages(Fields& fields, PipelineState& state) {
  fields.for_each("stages", [&](const nlohmann::json& value) {
    StageState stage;
    read_stage(Fields(value, "a stage", fields.problem()), stage);
    if (stage.stage == vulkan::kVertex || stage.stage == vulkan::kFragment) {
      state.stages.push_back(std::move(stage));
    } else if (fields.ok()) {
      refuse(fields.problem(), "the pipeline has a stage of VkShaderStageFlagBits " + std::to_string(stage.stage));
    }
  });
  std::stable_sort(state.stages.begin(), state.stages.end(),
                   [](const StageState& a, const StageState& b) { return a.stage < b.stage; });
  const bool has_vertex = !state.stages.empty() && state.stages[0].stage == vulkan::kVertex;
  const bool is_twice = std::adjacent_find(state.stages.begin(), state.stages.end(), [](const auto& a, const auto& b) {
                          return a.stage == b.stage;
                        }) != state.stages.end();
  if (fields.ok() && (!has_vertex || is_twice)) {
    fail(fields.problem(), Cause::invalid, "the pipeline has not one vertex stage and at most one fragment stage");
  }
}

uint32_t color_format(Fields reference, const std::vector<uint32_t>& formats) {
  const uint32_t attachment = number(reference, "attachment");
  if (attachment == vulkan::kAttachmentUnused) return 0;
  if (attachment < formats.size()) return formats[attachment];
  reference.wrong("a subpass names attachment " + std::to_string(attachment) + ", which the render pass has not");
  return 0;
}

}  // namespace

bool read_graphics_pipeline(const Document& document, uint64_t hash, PipelineState& state, Problem& problem) {
  const nlohmann::json* object = document.find("graphicsPipelines", hash, problem);
  if (object == nullptr) return false;
  Fields fields(*object, "the pipeline", problem);
  GraphicsState& graphics = state.graphics.emplace();
  graphics.fixed.struct_size = sizeof graphics.fixed;
  graphics.fixed.topology = vulkan::kTriangleList;
  graphics.fixed.samples = 1;
  state.flags = fields.number("flags");
  state.layout = fields.hash("layout");
  graphics.render_pass = fields.hash("renderPass");
  graphics.subpass = number(fields, "subpass");
  fields.for_each("pNext", [&](const nlohmann::json& value) {
    read_structure(Fields(value, "a structure of the pipeline", problem), state);
  });
  read_stages(fields, state);
  read_part(fields, "vertexInputState", "the vertex input state",
            [&](Fields part) { read_vertex_input(std::move(part), graphics); });
  read_part(fields, "inputAssemblyState", "the input assembly state",
            [&](Fields part) { graphics.fixed.topology = number(part, "topology"); });
  read_part(fields, "rasterizationState", "the rasterization state",
            [&](Fields part) { read_rasterization(std::move(part), graphics); });
  read_part(fields, "multisampleState", "the multisample state",
            [&](Fields part) { read_samples(std::move(part), graphics); });
  read_part(fields, "colorBlendState", "the blend state", [&](Fields part) { read_blends(std::move(part), graphics); });
  read_part(fields, "dynamicState", "the dynamic state",
            [&](Fields part) { read_dynamic_state(std::move(part), graphics); });
  return fields.ok();
}

bool read_render_pass(const Document& document, uint64_t hash, RenderPassState& state, Problem& problem) {
  const nlohmann::json* object = document.find("renderPasses", hash, problem);
  if (object == nullptr) return false;
  Fields fields(*object, "the render pass", problem);
  std::vector<uint32_t> formats;
  fields.for_each("attachments", [&](const nlohmann::json& value) {
    Fields attachment(value, "an attachment", problem);
    formats.push_back(number(attachment, "format"));
  });
  fields.for_each("subpasses", [&](const nlohmann::json& value) {
    if (state.subpasses.size() == kMaxSubpasses) return refuse(problem, "there are over 1024 subpasses");
    Fields subpass(value, "a subpass", problem);
    std::vector<uint32_t>& colors = state.subpasses.emplace_back();
    subpass.for_each("colorAttachments", [&](const nlohmann::json& reference) {
      colors.push_back(color_format(Fields(reference, "a colour attachment", problem), formats));
    });
  });
  return fields.ok();
}

}  // namespace spalt_tool::replay
