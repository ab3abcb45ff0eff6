// SPDX-License-Identifier: MIT
#include "write_pipelines.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "scene_manifest.h"
#include "scene_shaders.h"

namespace spalt::scenes {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTopologies[] = {"point_list",    "line_list",      "line_strip",
                                       "triangle_list", "triangle_strip", "triangle_fan"};

bool reads_source_alpha(VkBlendFactor factor) {
  return factor == VK_BLEND_FACTOR_SRC_ALPHA || factor == VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA ||
         factor == VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
}

bool is_second_source(VkBlendFactor factor) {
  return factor >= VK_BLEND_FACTOR_SRC1_COLOR && factor <= VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
}

Json vertex_bindings_of(const Pipeline& pipeline) {
  auto list = Json::array();
  for (const VkVertexInputBindingDescription& binding : pipeline.bindings) {
    Json item = {{"binding", binding.binding}, {"stride", binding.stride}};
    if (binding.inputRate == VK_VERTEX_INPUT_RATE_INSTANCE) item["rate"] = "instance";
    for (const VkVertexInputBindingDivisorDescriptionEXT& divisor : pipeline.divisors) {
      if (divisor.binding == binding.binding) item["divisor"] = divisor.divisor;
    }
    list.push_back(item);
  }
  return list;
}

Json attributes_of(const Pipeline& pipeline) {
  auto list = Json::array();
  for (const VkVertexInputAttributeDescription& attribute : pipeline.attributes) {
    list.push_back({{"location", attribute.location},
                    {"binding", attribute.binding},
                    {"format", static_cast<uint32_t>(attribute.format)},
                    {"offset", attribute.offset}});
  }
  return list;
}

Json color_target(const Scene& scene, const std::optional<Attachment>& attachment,
                  const VkPipelineColorBlendAttachmentState& blend) {
  Json target = {{"format", attachment ? static_cast<uint32_t>(scene.images[attachment->image].view_format) : 0}};
  std::string mask;
  for (size_t i = 0; i < 4; ++i) {
    if ((blend.colorWriteMask >> i & 1) != 0) mask += "rgba"[i];
  }
  target["write_mask"] = mask;
  if (blend.blendEnable == VK_FALSE) return target;
  target["blend"] = true;
  for (const VkBlendFactor factor :
       {blend.srcColorBlendFactor, blend.dstColorBlendFactor, blend.srcAlphaBlendFactor, blend.dstAlphaBlendFactor}) {
    if (reads_source_alpha(factor)) target["blend_reads_alpha"] = true;
  }
  return target;
}

/// docs/graphics-state.md
Json state_of(const Scene& scene, const Pass& pass, const Pipeline& pipeline) {
  Json state = {{"vertex_bindings", vertex_bindings_of(pipeline)}, {"vertex_attributes", attributes_of(pipeline)}};
  if (pipeline.assembly.topology >= std::size(kTopologies)) throw Error("a topology that lists of pipelines lack");
  state["topology"] = kTopologies[pipeline.assembly.topology];
  if (pipeline.provoking_last) state["provoking_vertex"] = "last";
  if (pipeline.rasterization.rasterizerDiscardEnable == VK_TRUE) state["rasterizer_discard"] = true;
  state["samples"] = static_cast<uint32_t>(pass.samples);
  if (pipeline.multisample.sampleShadingEnable == VK_TRUE) {
    state["min_sample_shading"] = pipeline.multisample.minSampleShading;
  }
  if (pipeline.multisample.alphaToCoverageEnable == VK_TRUE) state["alpha_to_coverage"] = true;
  if (pipeline.multisample.alphaToOneEnable == VK_TRUE) state["alpha_to_one"] = true;
  auto targets = Json::array();
  for (size_t i = 0; i < pass.colors.size(); ++i) {
    const VkPipelineColorBlendAttachmentState& blend = pipeline.targets.at(pipeline.targets.size() == 1 ? 0 : i);
    if (blend.blendEnable == VK_TRUE &&
        (is_second_source(blend.srcColorBlendFactor) || is_second_source(blend.dstColorBlendFactor))) {
      state["dual_source_blend"] = true;
    }
    targets.push_back(color_target(scene, pass.colors[i], blend));
  }
  state["color_targets"] = targets;
  return state;
}

class Writer {
 public:
  explicit Writer(std::filesystem::path folder) : folder_(std::move(folder)) {}

  void add(const Scene& scene, const ShaderWords& shaders, const Pass& pass, const Pipeline& pipeline) {
    if (!pipeline.geometry.empty()) return;
    Json item = {{"vertex", shader(shaders.at(pipeline.vertex), "vert")}};
    if (!pipeline.fragment.empty()) item["fragment"] = shader(shaders.at(pipeline.fragment), "frag");
    for (const auto& [id, words] : pipeline.spec) item["specialization"][std::to_string(id)] = words;
    item["state"] = state_of(scene, pass, pipeline);
    if (!known_.insert(item.dump()).second) return;
    const std::string name = scene.name + "." + pipeline.name;
    const size_t count = ++names_[name];
    item["name"] = count == 1 ? name : name + "." + std::to_string(count);
    list_.push_back(item);
  }

  size_t finish() {
    std::ofstream file(folder_ / "pipelines.json");
    file << list_.dump(1) << '\n';
    if (!file.flush()) throw Error("cannot write " + folder_.string());
    return list_.size();
  }

 private:
  /// The file of these words, which many pipelines may share.
  std::string shader(const std::vector<uint32_t>& words, const char* stage) {
    const auto [place, is_new] = files_.try_emplace(words);
    if (!is_new) return place->second;
    place->second = std::to_string(files_.size()) + "." + stage + ".spv";
    std::ofstream file(folder_ / place->second, std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
    return place->second;
  }

  std::filesystem::path folder_;
  Json list_ = Json::array();
  std::map<std::vector<uint32_t>, std::string> files_;
  std::set<std::string> known_;
  std::map<std::string, size_t> names_;
};

}  // namespace

size_t write_pipelines(const std::vector<std::string>& scenes, vkrun::Variant variant, const std::string& folder) {
  std::filesystem::create_directories(folder);
  Writer writer(folder);
  for (const std::string& path : scenes) {
    const Scene scene = load_scene(path);
    const ShaderWords shaders = load_shaders(scene, variant, false);
    for (const Pass& pass : scene.passes) {
      for (const Draw& draw : pass.draws) writer.add(scene, shaders, pass, draw.pipeline);
    }
  }
  return writer.finish();
}

}  // namespace spalt::scenes
