// SPDX-License-Identifier: MIT
//
// vkCreateComputePipelines: each pipeline of the array by itself, so that one that fails leaves the others.
#include "icd/shader/compute_pipeline.h"

#include "commands.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

ComputePipeline* create_pipeline(Device& device, const VkComputePipelineCreateInfo& info,
                                 const VkAllocationCallbacks* callbacks) {
  const PipelineLayoutRef layout = from_handle<PipelineLayout>(info.layout).contents;
  const CompileRequest request(device, info, *layout);
  auto program = std::make_shared<const Program>(device, compile_shader(device, request, info.stage.module),
                                                 request.entry_point());
  return create_child<ComputePipeline>(device, callbacks, std::move(program), layout);
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateComputePipelines(VkDevice device, VkPipelineCache, uint32_t createInfoCount,
                                                             const VkComputePipelineCreateInfo* pCreateInfos,
                                                             const VkAllocationCallbacks* pAllocator,
                                                             VkPipeline* pPipelines) {
  VkResult result = VK_SUCCESS;
  for (uint32_t i = 0; i < createInfoCount; ++i) {
    pPipelines[i] = VK_NULL_HANDLE;
    const VkResult outcome = guarded([&] {
      pPipelines[i] = to_handle(create_pipeline(from_handle<Device>(device), pCreateInfos[i], pAllocator));
      return VK_SUCCESS;
    });
    if (outcome != VK_SUCCESS) result = outcome;
  }
  return result;
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyPipeline(VkDevice device, VkPipeline pipeline,
                                                  const VkAllocationCallbacks* pAllocator) {
  destroy_child<ComputePipeline>(from_handle<Device>(device), pAllocator, pipeline);
}

}  // namespace spalt::icd
