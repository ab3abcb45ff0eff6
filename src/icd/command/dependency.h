// SPDX-License-Identifier: MIT
//
// What a barrier means to an emulated device, by its stages and accesses.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>

namespace spalt::icd {

/// Stages of what a queue does, as bits. Those that no work here has may still be the middle of a chain of barriers.
enum StageBit : uint32_t {
  kIndirectStage = 1,   // reads the counts of a dispatch
  kConditionStage = 2,  // reads conditions
  kComputeStage = 4,
  kTransferStage = 8,
  kHostStage = 16,
  kOtherStage = 32,
  kAnyStage = 63
};

/// Parts of a barrier, all of them together.
struct Dependency {
  uint32_t sources = 0;           // of StageBit: what before it must end
  uint32_t destinations = 0;      // before these begin after it
  uint32_t cache_operations = 0;  // of spalt_cache_operation

  void add(VkPipelineStageFlags2 source_stages, VkAccessFlags2 source_accesses,
           VkPipelineStageFlags2 destination_stages, VkAccessFlags2 destination_accesses);
  void add(const Dependency& other);
};

Dependency make_dependency(const VkDependencyInfo& info);

/// The parts of vkCmdPipelineBarrier and vkCmdWaitEvents. The bits of stages and accesses are those of the new form.
struct BarrierArrays {
  VkPipelineStageFlags source_stages, destination_stages;
  uint32_t memory_count;
  const VkMemoryBarrier* memory;
  uint32_t buffer_count;
  const VkBufferMemoryBarrier* buffers;
  uint32_t image_count;
  const VkImageMemoryBarrier* images;
};
Dependency make_dependency(const BarrierArrays& arrays);

}  // namespace spalt::icd
