// SPDX-License-Identifier: MIT
//
// Command buffers that execute others. These are referred to, not copied, so that one may be in several.
#include <algorithm>

#include "commands.h"
#include "icd/command/execution.h"

namespace spalt::icd {
namespace {

struct CallCommands {
  const CommandBuffer* const* buffers;
  uint32_t count;
  bool execute(Execution& execution) const { return execution.call(buffers, count); }
};

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdExecuteCommands(VkCommandBuffer commandBuffer, uint32_t commandBufferCount,
                                                     const VkCommandBuffer* pCommandBuffers) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    auto* copy = commands.arena().allocate_array<const CommandBuffer*>(commandBufferCount);
    std::transform(pCommandBuffers, pCommandBuffers + commandBufferCount, copy,
                   [](VkCommandBuffer buffer) { return from_nullable<CommandBuffer>(buffer); });
    commands.append(CallCommands{copy, commandBufferCount});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetDeviceMask(VkCommandBuffer, uint32_t) {}

}  // namespace spalt::icd
