// SPDX-License-Identifier: MIT
//
// Labels of VK_EXT_debug_utils in command buffers; messages about faults name those that are open.
#include <cstring>

#include "commands.h"
#include "icd/command/execution.h"

namespace spalt::icd {
namespace {

struct OpenLabel {
  const char* name;
  bool execute(Execution& execution) const {
    execution.labels().open(name);
    return true;
  }
};

struct InsertLabel {
  const char* name;
  bool execute(Execution& execution) const {
    execution.labels().insert(name);
    return true;
  }
};

struct CloseLabel {
  bool execute(Execution& execution) const {
    execution.labels().close();
    return true;
  }
};

const char* copy_text(CommandBuffer& commands, const char* text) {
  if (text == nullptr) return "";
  const size_t size = std::strlen(text) + 1;
  return static_cast<const char*>(std::memcpy(commands.arena().allocate(size), text, size));
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginDebugUtilsLabelEXT(VkCommandBuffer commandBuffer,
                                                             const VkDebugUtilsLabelEXT* pLabelInfo) {
  record(commandBuffer,
         [&](CommandBuffer& commands) { commands.append(OpenLabel{copy_text(commands, pLabelInfo->pLabelName)}); });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdInsertDebugUtilsLabelEXT(VkCommandBuffer commandBuffer,
                                                              const VkDebugUtilsLabelEXT* pLabelInfo) {
  record(commandBuffer,
         [&](CommandBuffer& commands) { commands.append(InsertLabel{copy_text(commands, pLabelInfo->pLabelName)}); });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndDebugUtilsLabelEXT(VkCommandBuffer commandBuffer) {
  record(commandBuffer, [&](CommandBuffer& commands) { commands.append(CloseLabel{}); });
}

}  // namespace spalt::icd
