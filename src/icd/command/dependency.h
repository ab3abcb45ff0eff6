// SPDX-License-Identifier: MIT
//
// What a barrier means to an emulated device, by its stages and accesses.
#pragma once

#include <vulkan/vulkan.h>

#include <cstdint>

namespace spalt::icd {

/// Kinds of work that a queue has, as bits.
enum WorkKind : uint32_t { kDispatchWork = 1, kTransferWork = 2 };

/// Parts of a barrier, all of them together.
struct Dependency {
  uint32_t waits_for = 0;         // of WorkKind: work before it that must end before what comes after it
  uint32_t cache_operations = 0;  // of spalt_cache_operation

  void add(VkPipelineStageFlags2 source_stages, VkAccessFlags2 source_accesses,
           VkPipelineStageFlags2 destination_stages, VkAccessFlags2 destination_accesses);
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
