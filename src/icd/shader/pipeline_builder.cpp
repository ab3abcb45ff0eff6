// SPDX-License-Identifier: MIT
#include "icd/shader/pipeline_builder.h"

#include "icd/object/result.h"

namespace spalt::icd {

PipelineBuilder::PipelineBuilder(Device& device, ShaderCache* cache, const VkComputePipelineCreateInfo& info)
    : device_(device),
      cache_(cache),
      info_(info),
      layout_(from_handle<PipelineLayout>(info.layout).contents),
      request_(device, info.stage, info.pNext, *layout_) {
  request_.set_flags(info.flags);
}

Pipeline* PipelineBuilder::build(const VkAllocationCallbacks* callbacks) {
  std::optional<CacheKey> key;
  if (cache_ != nullptr) {
    if (const auto request_key = request_.key(device_.compiler())) key = cache_key(*request_key);
  }
  ProgramRef program = find_cached(key);
  if (program == nullptr) program = compile(key);
  std::vector<PipelineStage> stages;
  stages.push_back(
      {VK_SHADER_STAGE_COMPUTE_BIT, request_.entry_point(), program->shader().statistics, std::move(representations_)});
  return create_child<Pipeline>(device_, callbacks, std::move(program), layout_, std::move(stages));
}

/// Texts come from the compiler only, so that the cache does not help where it may run.
bool PipelineBuilder::wants_representations() const {
  constexpr VkPipelineCreateFlags kMayNotCompile = VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT;
  return (info_.flags & VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR) != 0 &&
         (info_.flags & kMayNotCompile) == 0 && !request_.module().words.empty();
}

ProgramRef PipelineBuilder::find_cached(const std::optional<CacheKey>& key) {
  if (!key || wants_representations()) return nullptr;
  CompiledShaderRef shader = cache_->find(*key);
  if (shader == nullptr) return nullptr;
  try {
    ProgramRef program = load(std::move(shader));
    cache_hit_ = true;
    return program;
  } catch (const VulkanError&) {
    cache_->erase(*key);
    return nullptr;
  }
}

ProgramRef PipelineBuilder::compile(const std::optional<CacheKey>& key) {
  const bool may_compile = (info_.flags & VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) == 0;
  if (!may_compile || request_.module().words.empty()) throw VulkanError{VK_PIPELINE_COMPILE_REQUIRED};
  CompiledShaderRef shader = compile_shader(device_, request_, wants_representations() ? &representations_ : nullptr);
  ProgramRef program = load(shader);
  if (key) cache_->insert(*key, std::move(shader));
  return program;
}

ProgramRef PipelineBuilder::load(CompiledShaderRef shader) {
  return std::make_shared<const Program>(device_, std::move(shader), request_.module().words, request_.entry_point());
}

}  // namespace spalt::icd
