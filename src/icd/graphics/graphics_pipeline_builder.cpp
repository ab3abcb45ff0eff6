// SPDX-License-Identifier: MIT
#include "icd/graphics/graphics_pipeline_builder.h"

#include <algorithm>
#include <new>

#include "icd/object/result.h"

namespace spalt::icd {
namespace {

constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr VkPipelineCreateFlags kMayNotCompile = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;

spalt_stage_object stage_object(const CompiledShader& shader) {
  return {shader.elf.data(), shader.elf.size()};
}

void send_error(Device& device, const char* text) {
  DebugMessage message;
  message.id = "spalt-link";
  message.text = std::string("a graphics pipeline cannot be linked: ") + text;
  device.send(message);
}

}  // namespace

GraphicsPipelineBuilder::GraphicsPipelineBuilder(Device& device, ShaderCache* cache,
                                                 const VkGraphicsPipelineCreateInfo& info)
    : device_(device), cache_(cache), info_(info), parts_(gather_graphics_parts(info)) {
  const bool known = std::all_of(parts_.stages.begin(), parts_.stages.end(),
                                 [](const auto& stage) { return (stage.info->stage & kStages) != 0; });
  const bool is_library = (info.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) != 0;
  if (!known || (!is_library && parts_.find(VK_SHADER_STAGE_VERTEX_BIT) == nullptr)) {
    throw VulkanError{VK_ERROR_FEATURE_NOT_PRESENT};
  }
}

Pipeline* GraphicsPipelineBuilder::build(const VkAllocationCallbacks* callbacks) {
  if ((info_.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) != 0) {
    cache_hit_ = false;
    return create_child<Pipeline>(device_, callbacks, make_graphics_library(std::move(parts_)));
  }
  if (parts_.layout == nullptr) parts_.layout = std::make_shared<PipelineLayoutContents>();
  ProgramRef program;
  try {
    program = make_program();
  } catch (const VulkanError&) {
    if (!used_cache_) throw;
    // What a cache holds may be damaged.
    reads_cache_ = used_cache_ = false;
    stages_.clear();
    program = make_program();
  }
  return create_child<Pipeline>(device_, callbacks, std::move(program), parts_.layout, std::move(stages_),
                                std::make_shared<GraphicsContents>(std::move(parts_.contents)));
}

ProgramRef GraphicsPipelineBuilder::make_program() {
  const GraphicsParts::Stage& vertex = *parts_.find(VK_SHADER_STAGE_VERTEX_BIT);
  const GraphicsParts::Stage* fragment = parts_.find(VK_SHADER_STAGE_FRAGMENT_BIT);
  if (parts_.contents.compiler_state().rasterizer_discard != 0) fragment = nullptr;
  if (fragment == nullptr) return link({make_stage(vertex, nullptr)}, vertex.info->pName);
  const CompiledShaderRef last = make_stage(*fragment, nullptr);
  const spalt_stage_object next = stage_object(*last);
  const CompiledShaderRef first = make_stage(vertex, &next);
  std::reverse(stages_.begin(), stages_.end());
  return link({first, last}, vertex.info->pName);
}

CompiledShaderRef GraphicsPipelineBuilder::make_stage(const GraphicsParts::Stage& stage,
                                                      const spalt_stage_object* next) {
  const spalt_graphics_state state = parts_.contents.compiler_state();
  CompileRequest request(device_, *stage.info, stage.pipeline_chain, *parts_.layout);
  request.set_graphics(state, next);
  PipelineStage& told = stages_.emplace_back(PipelineStage{stage.info->stage, stage.info->pName, {}, {}});
  const bool may_compile = (info_.flags & kMayNotCompile) == 0 && !request.module().words.empty();
  // Texts come from the compiler only.
  const bool wants_texts =
      (info_.flags & VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR) != 0 && may_compile;
  const auto key = cache_ != nullptr ? request.key(device_.compiler()) : std::nullopt;
  CompiledShaderRef shader = key && !wants_texts && reads_cache_ ? cache_->find(cache_key(*key)) : nullptr;
  if (shader != nullptr) {
    used_cache_ = true;
  } else {
    if (!may_compile) throw VulkanError{VK_PIPELINE_COMPILE_REQUIRED};
    cache_hit_ = false;
    shader = compile_stage(device_, request, wants_texts ? &told.representations : nullptr);
    if (key && !reads_cache_) cache_->erase(cache_key(*key));
    if (key) cache_->insert(cache_key(*key), shader);
  }
  told.statistics = shader->statistics;
  return shader;
}

ProgramRef GraphicsPipelineBuilder::link(const std::vector<CompiledShaderRef>& shaders, const std::string& name) {
  std::vector<spalt_stage_object> objects;
  for (const CompiledShaderRef& shader : shaders) objects.push_back(stage_object(*shader));
  const spalt_api::Pipeline linked = device_.compiler().link(objects);
  if (linked.result() == SPALT_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (!linked.ok()) {
    if (!used_cache_) send_error(device_, linked.message().c_str());
    throw VulkanError{VK_ERROR_UNKNOWN};
  }
  auto pipeline = std::make_shared<CompiledShader>();
  pipeline->statistics = shaders[0]->statistics;
  const auto [bytes, size] = linked.elf();
  const auto* begin = reinterpret_cast<const std::byte*>(bytes);
  pipeline->elf.assign(begin, begin + size);
  return std::make_shared<const Program>(device_, std::move(pipeline), std::span<const uint32_t>(), name);
}

}  // namespace spalt::icd
