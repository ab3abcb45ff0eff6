// SPDX-License-Identifier: MIT
#include "icd/graphics/graphics_pipeline_builder.h"

#include <algorithm>
#include <new>

#include "icd/object/result.h"
#include "icd/shader/piece_cache.h"

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

/// A stage is what its body and its piece are together.
void add_piece(const spalt_statistics& piece, spalt_statistics& whole) {
  whole.instructions += piece.instructions;
  whole.code_bytes += piece.code_bytes;
  whole.sgprs = std::max(whole.sgprs, piece.sgprs);
  whole.vgprs = std::max(whole.vgprs, piece.vgprs);
  whole.waves_per_simd = std::min(whole.waves_per_simd, piece.waves_per_simd);
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
  if (parts_.layout == nullptr) parts_.layout = std::make_shared<PipelineLayoutContents>();
  if ((info_.flags & VK_PIPELINE_CREATE_LIBRARY_BIT_KHR) != 0) return build_library(callbacks);
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

Pipeline* GraphicsPipelineBuilder::build_library(const VkAllocationCallbacks* callbacks) {
  auto library = make_graphics_library(parts_, info_.flags);
  cache_hit_ = false;
  for (const auto& stage : library->stages) {
    const VkShaderStageFlagBits kind = stage->info().stage;
    const bool is_drawn = kind != VK_SHADER_STAGE_FRAGMENT_BIT || !parts_.contents.never_rasterizes();
    if (!is_drawn) continue;
    const GraphicsParts::Stage part{&stage->info(), nullptr, stage};
    if (stage->library_code() == LibraryCode::body) compile_body(part);
    if (stage->library_code() == LibraryCode::whole) compile_apart(part);
  }
  return create_child<Pipeline>(device_, callbacks, std::move(library));
}

ProgramRef GraphicsPipelineBuilder::make_program() {
  const GraphicsParts::Stage& vertex = *parts_.find(VK_SHADER_STAGE_VERTEX_BIT);
  const GraphicsParts::Stage* fragment = parts_.find(VK_SHADER_STAGE_FRAGMENT_BIT);
  if (parts_.contents.never_rasterizes()) fragment = nullptr;
  const bool is_optimized = (info_.flags & VK_PIPELINE_CREATE_LINK_TIME_OPTIMIZATION_BIT_EXT) != 0;
  if (vertex.retained != nullptr && !is_optimized) {
    if (ProgramRef program = make_apart(vertex, fragment)) return program;
    stages_.clear();
  }
  return make_whole(vertex, fragment);
}

ProgramRef GraphicsPipelineBuilder::make_whole(const GraphicsParts::Stage& vertex,
                                               const GraphicsParts::Stage* fragment) {
  const spalt_stage_object nothing{};
  if (fragment == nullptr) return link({make_stage(vertex, &nothing, nullptr)}, vertex.info->pName, false);
  const CompiledShaderRef last = make_stage(*fragment, nullptr, nullptr, &vertex);
  const spalt_stage_object next = stage_object(*last);
  const CompiledShaderRef first = make_stage(vertex, &next, nullptr);
  std::reverse(stages_.begin(), stages_.end());
  return link({first, last}, vertex.info->pName, false);
}

/// nullptr: the fragment stage wants what a vertex stage has only when it is asked for it.
ProgramRef GraphicsPipelineBuilder::make_apart(const GraphicsParts::Stage& vertex,
                                               const GraphicsParts::Stage* fragment) {
  std::vector<CompiledShaderRef> shaders;
  add_apart(vertex, shaders);
  if (fragment != nullptr) add_apart(*fragment, shaders);
  return link(shaders, vertex.info->pName, true);
}

CompiledShaderRef GraphicsPipelineBuilder::compile_apart(const GraphicsParts::Stage& stage) {
  return make_stage(stage, nullptr, stage.retained != nullptr ? &stage.retained->compiled() : nullptr);
}

CompiledShaderRef GraphicsPipelineBuilder::compile_body(const GraphicsParts::Stage& stage) {
  return make_stage(stage, nullptr, &stage.retained->compiled(), nullptr, Extent::body);
}

void GraphicsPipelineBuilder::add_apart(const GraphicsParts::Stage& stage, std::vector<CompiledShaderRef>& shaders) {
  const CompiledShaderRef body = stage.is_open() ? compile_body(stage) : nullptr;
  const spalt_graphics_state state = parts_.contents.compiler_state(stage.info->stage);
  const CompiledShaderRef piece =
      body != nullptr ? PieceCache::of(device_).find_or_make(device_, *body, state) : nullptr;
  if (piece != nullptr) {
    add_piece(piece->statistics, stages_.back().statistics);
    shaders.push_back(body);
    shaders.push_back(piece);
    return;
  }
  if (body != nullptr) stages_.pop_back();
  shaders.push_back(compile_apart(stage));
}

/// The library's own where that does: then the code is the same in every pipeline.
const PipelineLayoutContents& GraphicsPipelineBuilder::layout_of(const GraphicsParts::Stage& stage,
                                                                 const ShaderCache* library) const {
  const bool has_own = library != nullptr && stage.retained->layout() != nullptr;
  return has_own && is_part_of(*stage.retained->layout(), *parts_.layout) ? *stage.retained->layout() : *parts_.layout;
}

CompiledShaderRef GraphicsPipelineBuilder::make_stage(const GraphicsParts::Stage& stage, const spalt_stage_object* next,
                                                      ShaderCache* library, const GraphicsParts::Stage* previous,
                                                      Extent extent) {
  const VkShaderStageFlagBits kind = stage.info->stage;
  const bool is_body = extent == Extent::body;
  spalt_graphics_state state = is_body ? parts_.contents.body_state(kind) : parts_.contents.compiler_state(kind);
  // The code of a library is found whatever the primitives are, unless it depends on them.
  if (kind == VK_SHADER_STAGE_FRAGMENT_BIT && (library == nullptr || stage.reads_barycentrics())) {
    state.topology = parts_.contents.primitive_shape();
  }
  const auto module_of = [](const GraphicsParts::Stage& some) {
    return some.retained != nullptr ? some.retained->module() : resolve_module(*some.info);
  };
  CompileRequest request(device_, *stage.info, module_of(stage), stage.pipeline_chain, layout_of(stage, library));
  // What a library has compiled is the same in every pipeline.
  request.set_flags(library != nullptr ? stage.retained->flags() : info_.flags);
  request.set_graphics(state, next);
  std::optional<CompileRequest> before;
  if (previous != nullptr) {
    before.emplace(device_, *previous->info, module_of(*previous), previous->pipeline_chain,
                   layout_of(*previous, library));
    request.set_previous(*before);
  }
  if (is_body) request.leave_open();
  PipelineStage& told = stages_.emplace_back(PipelineStage{stage.info->stage, stage.info->pName, {}, {}});
  const bool may_compile = (info_.flags & kMayNotCompile) == 0 && !request.module().words.empty();
  // Texts come from the compiler only.
  const bool wants_texts =
      (info_.flags & VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR) != 0 && may_compile;
  const bool wants_key = cache_ != nullptr || library != nullptr;
  const auto key = wants_key ? request.key(device_.compiler()) : std::nullopt;
  CompiledShaderRef shader;
  if (key && library != nullptr && !wants_texts) shader = library->find(cache_key(*key));
  if (shader != nullptr) {
    cache_hit_ = false;
  } else if (key && cache_ != nullptr && !wants_texts && reads_cache_) {
    shader = cache_->find(cache_key(*key));
    used_cache_ |= shader != nullptr;
  }
  if (shader == nullptr) {
    if (!may_compile) throw VulkanError{VK_PIPELINE_COMPILE_REQUIRED};
    cache_hit_ = false;
    shader = compile_stage(device_, request, wants_texts ? &told.representations : nullptr);
    if (shader == nullptr) {
      stages_.pop_back();
      return nullptr;
    }
    if (key && cache_ != nullptr && !reads_cache_) cache_->erase(cache_key(*key));
    if (key && library != nullptr) library->insert(cache_key(*key), shader);
  }
  if (key && cache_ != nullptr) cache_->insert(cache_key(*key), shader);
  told.statistics = shader->statistics;
  return shader;
}

ProgramRef GraphicsPipelineBuilder::link(const std::vector<CompiledShaderRef>& shaders, const std::string& name,
                                         bool silently) {
  std::vector<spalt_stage_object> objects;
  for (const CompiledShaderRef& shader : shaders) objects.push_back(stage_object(*shader));
  const spalt_api::Pipeline linked = device_.compiler().link(objects);
  if (linked.result() == SPALT_ERROR_OUT_OF_MEMORY) throw std::bad_alloc();
  if (!linked.ok()) {
    if (silently) return nullptr;
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
