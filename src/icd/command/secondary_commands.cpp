// SPDX-License-Identifier: MIT
//
// Command buffers that execute others. What these have recorded is shared, not copied, so that one may be in several.
#include <algorithm>

#include "commands.h"
#include "icd/command/execution.h"

namespace spalt::icd {
namespace {

struct CallCommands {
  const Recording* const* recordings;
  uint32_t count;
  bool execute(Execution& execution) const { return execution.call(recordings, count); }
};

/// Nobody keeps what is not complete: it might come to execute, and so to keep, what keeps it.
const Recording* share(CommandBuffer& commands, const CommandBuffer& secondary) {
  RecordingRef recording = secondary.recorded();
  const Recording* place = recording.get();
  if (place != nullptr && place->ended && !commands.recording().ended) commands.keep(std::move(recording));
  return place;
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdExecuteCommands(VkCommandBuffer commandBuffer, uint32_t commandBufferCount,
                                                     const VkCommandBuffer* pCommandBuffers) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    auto* copy = commands.arena().allocate_array<const Recording*>(commandBufferCount);
    std::transform(pCommandBuffers, pCommandBuffers + commandBufferCount, copy,
                   [&](VkCommandBuffer buffer) { return share(commands, from_handle<CommandBuffer>(buffer)); });
    commands.append(CallCommands{copy, commandBufferCount});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDeviceMask(VkCommandBuffer, uint32_t) {}

}  // namespace spalt::icd
