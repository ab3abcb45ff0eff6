// SPDX-License-Identifier: MIT
//
// Markers of VK_AMD_buffer_marker, breadcrumbs that tell how far a queue has come when the device is lost.
#include <cstring>

#include "commands.h"
#include "icd/command/execution.h"

namespace spalt::icd {
namespace {

struct Marker {
  MemoryRange range;
  uint32_t value;
  bool early;  // before the work that no barrier has ordered before it
  bool execute(Execution& execution) const {
    if (!(early ? execution.reach(kAnyStage) : execution.flush())) return false;
    if (!execution.can_touch(range, SPALT_ACCESS_STORE)) return execution.goes_on();
    std::memcpy(range.host, &value, sizeof value);
    return true;
  }
};

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdWriteBufferMarker2AMD(VkCommandBuffer commandBuffer, VkPipelineStageFlags2 stage,
                                                           VkBuffer dstBuffer, VkDeviceSize dstOffset,
                                                           uint32_t marker) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    const MemoryRange range = buffer_range(from_nullable<Buffer>(dstBuffer), dstOffset, sizeof marker);
    const bool early = (stage & ~VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT) == 0;
    if (range.size == sizeof marker) commands.append(Marker{range, marker, early});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdWriteBufferMarkerAMD(VkCommandBuffer commandBuffer,
                                                          VkPipelineStageFlagBits pipelineStage, VkBuffer dstBuffer,
                                                          VkDeviceSize dstOffset, uint32_t marker) {
  entry::CmdWriteBufferMarker2AMD(commandBuffer, static_cast<VkPipelineStageFlags2>(pipelineStage), dstBuffer,
                                  dstOffset, marker);
}

}  // namespace spalt::icd
