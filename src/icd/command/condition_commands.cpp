// SPDX-License-Identifier: MIT
//
// Conditions of VK_EXT_conditional_rendering: a word in a buffer, read when the condition begins, decides on
// dispatches.
#include <cstring>

#include "commands.h"
#include "icd/command/execution.h"

namespace spalt::icd {
namespace {

struct BeginCondition {
  MemoryRange range;
  bool inverted;
  bool execute(Execution& execution) const {
    if (!execution.reach(kConditionStage)) return false;
    if (!execution.can_touch(range, SPALT_ACCESS_LOAD)) return execution.goes_on();
    uint32_t word = 0;
    if (range.size == sizeof word) std::memcpy(&word, range.host, sizeof word);
    execution.set_condition((word != 0) != inverted);
    return true;
  }
};

struct EndCondition {
  bool execute(Execution& execution) const {
    execution.set_condition(true);
    return true;
  }
};

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginConditionalRenderingEXT(
    VkCommandBuffer commandBuffer, const VkConditionalRenderingBeginInfoEXT* pConditionalRenderingBegin) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    const VkConditionalRenderingBeginInfoEXT& info = *pConditionalRenderingBegin;
    commands.append(BeginCondition{buffer_range(from_nullable<Buffer>(info.buffer), info.offset, sizeof(uint32_t)),
                                   (info.flags & VK_CONDITIONAL_RENDERING_INVERTED_BIT_EXT) != 0});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndConditionalRenderingEXT(VkCommandBuffer commandBuffer) {
  record(commandBuffer, [&](CommandBuffer& commands) { commands.append(EndCondition{}); });
}

}  // namespace spalt::icd
