// SPDX-License-Identifier: MIT
#include "icd/command/dependency.h"

#include "spalt/device.h"

namespace spalt::icd {
namespace {

struct StageKind {
  VkPipelineStageFlags2 stages;
  WorkKind kind;
};

// The end of the pipeline as a source is everything, and so is its top as a destination.
constexpr VkPipelineStageFlags2 kEverything =
    VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT;
constexpr StageKind kSourceStages[] = {
    {kEverything | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, kDispatchWork},
    {kEverything | VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
         VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT,
     kTransferWork},
};

struct AccessOperations {
  VkAccessFlags2 accesses;
  uint32_t operations;
};

// docs/emulator.md, "Caches between dispatches". Transfers, indirect counts and conditions are the host's business
// here: they see what has arrived.
constexpr AccessOperations kSourceAccesses[] = {
    {VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
     SPALT_CACHE_COMPLETE_STORES},
    {VK_ACCESS_2_HOST_WRITE_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT, SPALT_CACHE_INVALIDATE_L2},
};
constexpr AccessOperations kDestinationAccesses[] = {
    {VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT |
         VK_ACCESS_2_UNIFORM_READ_BIT | VK_ACCESS_2_MEMORY_READ_BIT,
     SPALT_CACHE_INVALIDATE_VECTOR | SPALT_CACHE_INVALIDATE_SCALAR},
    {VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
     SPALT_CACHE_INVALIDATE_VECTOR},
    {VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT | VK_ACCESS_2_MEMORY_READ_BIT |
         VK_ACCESS_2_MEMORY_WRITE_BIT,
     SPALT_CACHE_WRITE_BACK_L2},
};

}  // namespace

void Dependency::add(VkPipelineStageFlags2 source_stages, VkAccessFlags2 source_accesses,
                     VkPipelineStageFlags2 destination_stages, VkAccessFlags2 destination_accesses) {
  // Any stage may be the middle of a chain of barriers, also one of the host or one that no work here has. Only the end
  // of the pipeline is before nothing.
  if ((destination_stages & ~VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT) != 0) {
    for (const StageKind& row : kSourceStages) {
      if ((source_stages & row.stages) != 0) waits_for |= row.kind;
    }
  }
  for (const AccessOperations& row : kSourceAccesses) {
    if ((source_accesses & row.accesses) != 0) cache_operations |= row.operations;
  }
  for (const AccessOperations& row : kDestinationAccesses) {
    if ((destination_accesses & row.accesses) != 0) cache_operations |= row.operations;
  }
}

Dependency make_dependency(const VkDependencyInfo& info) {
  Dependency result;
  const auto add = [&](const auto* barriers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      result.add(barriers[i].srcStageMask, barriers[i].srcAccessMask, barriers[i].dstStageMask,
                 barriers[i].dstAccessMask);
    }
  };
  add(info.pMemoryBarriers, info.memoryBarrierCount);
  add(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount);
  add(info.pImageMemoryBarriers, info.imageMemoryBarrierCount);
  return result;
}

Dependency make_dependency(const BarrierArrays& arrays) {
  Dependency result;
  result.add(arrays.source_stages, 0, arrays.destination_stages, 0);
  const auto add = [&](const auto* barriers, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) result.add(0, barriers[i].srcAccessMask, 0, barriers[i].dstAccessMask);
  };
  add(arrays.memory, arrays.memory_count);
  add(arrays.buffers, arrays.buffer_count);
  add(arrays.images, arrays.image_count);
  return result;
}

}  // namespace spalt::icd
