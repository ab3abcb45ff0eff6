// SPDX-License-Identifier: MIT
#include "icd/command/dependency.h"

#include "spalt/device.h"

namespace spalt::icd {
namespace {

constexpr uint32_t kCommandStages = kIndirectStage | kConditionStage | kComputeStage | kTransferStage | kOtherStage;
constexpr VkPipelineStageFlags2 kTransfers = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_COPY_BIT |
                                             VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT |
                                             VK_PIPELINE_STAGE_2_CLEAR_BIT;
constexpr VkPipelineStageFlags2 kOthers =
    ~(kTransfers | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT |
      VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT |
      VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT);

struct StageRow {
  VkPipelineStageFlags2 stages;
  uint32_t as_source, as_destination;
};

// Sources bring the stages before them in their pipeline, destinations those after them. The end of the pipeline as a
// source is everything and as a destination nothing, its top the other way round.
constexpr StageRow kStages[] = {
    {VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, 0, kCommandStages},
    {VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, kCommandStages, 0},
    {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, kCommandStages, kCommandStages},
    {VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, kConditionStage, kConditionStage},
    {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, kIndirectStage, kIndirectStage | kComputeStage | kOtherStage},
    {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, kIndirectStage | kComputeStage, kComputeStage},
    {kTransfers, kTransferStage, kTransferStage},
    {VK_PIPELINE_STAGE_2_HOST_BIT, kHostStage, kHostStage},
    {kOthers, kIndirectStage | kOtherStage, kOtherStage},
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
         VK_ACCESS_2_UNIFORM_READ_BIT | VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT | VK_ACCESS_2_MEMORY_READ_BIT,
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
  for (const StageRow& row : kStages) {
    if ((source_stages & row.stages) != 0) sources |= row.as_source;
    if ((destination_stages & row.stages) != 0) destinations |= row.as_destination;
  }
  for (const AccessOperations& row : kSourceAccesses) {
    if ((source_accesses & row.accesses) != 0) cache_operations |= row.operations;
  }
  for (const AccessOperations& row : kDestinationAccesses) {
    if ((destination_accesses & row.accesses) != 0) cache_operations |= row.operations;
  }
}

void Dependency::add(const Dependency& other) {
  sources |= other.sources;
  destinations |= other.destinations;
  cache_operations |= other.cache_operations;
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
