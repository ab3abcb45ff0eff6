// SPDX-License-Identifier: MIT
//
// Pipeline barriers. Commands that execute one after another need none; they are recorded where SPALT_ICD_OVERLAP or
// SPALT_ICD_CACHES gives them a meaning, and their transitions where SPALT_ICD_LAYOUTS follows them.
#include "commands.h"
#include "icd/command/dependency.h"
#include "icd/command/execution.h"
#include "icd/command/image_checks.h"

namespace spalt::icd {
namespace {

struct Barrier {
  Dependency dependency;
  bool execute(Execution& execution) const {
    execution.depend(dependency);
    return true;
  }
};

void record_barrier(CommandBuffer& commands, const Dependency& dependency) {
  const Settings& settings = commands.device().settings();
  if (settings.overlap_seed || settings.cache_seed) commands.append(Barrier{dependency});
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdPipelineBarrier(
    VkCommandBuffer commandBuffer, VkPipelineStageFlags srcStageMask, VkPipelineStageFlags dstStageMask,
    VkDependencyFlags, uint32_t memoryBarrierCount, const VkMemoryBarrier* pMemoryBarriers,
    uint32_t bufferMemoryBarrierCount, const VkBufferMemoryBarrier* pBufferMemoryBarriers,
    uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier* pImageMemoryBarriers) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    record_barrier(commands,
                   make_dependency(BarrierArrays{srcStageMask, dstStageMask, memoryBarrierCount, pMemoryBarriers,
                                                 bufferMemoryBarrierCount, pBufferMemoryBarriers,
                                                 imageMemoryBarrierCount, pImageMemoryBarriers}));
    record_transitions(commands, imageMemoryBarrierCount, pImageMemoryBarriers);
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdPipelineBarrier2(VkCommandBuffer commandBuffer,
                                                      const VkDependencyInfo* pDependencyInfo) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    record_barrier(commands, make_dependency(*pDependencyInfo));
    record_transitions(commands, pDependencyInfo->imageMemoryBarrierCount, pDependencyInfo->pImageMemoryBarriers);
  });
}

}  // namespace spalt::icd
