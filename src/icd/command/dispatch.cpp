// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstring>

#include "commands.h"
#include "icd/command/execution.h"
#include "icd/command/image_checks.h"

namespace spalt::icd {
namespace {

struct DirectDispatch {
  Dispatch dispatch;
  bool execute(Execution& execution) const { return execution.dispatch(dispatch); }
};

/// The counts are read when it executes, and cut to what the device allows.
struct IndirectDispatch {
  Dispatch dispatch;  // without its counts
  MemoryRange counts;
  bool execute(Execution& execution) const {
    if (!execution.reach(kIndirectStage)) return false;
    if (!execution.can_touch(counts, SPALT_ACCESS_LOAD)) return execution.goes_on();
    Dispatch now = dispatch;
    std::memcpy(now.count.data(), counts.host, sizeof now.count);
    const auto& limits = execution.device().physical().properties().core.limits.maxComputeWorkGroupCount;
    for (int i = 0; i < 3; ++i) now.count[i] = std::min(now.count[i], limits[i]);
    return execution.dispatch(now);
  }
};

/// What the bound state makes of a dispatch. No pipeline: nothing could run.
Dispatch bound_dispatch(CommandBuffer& commands) {
  BindingState& bindings = commands.bindings();
  return {bindings.pipeline(), bindings.snapshot(commands.arena(), commands.device().printf_log()), {}, {}};
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdDispatchBase(VkCommandBuffer commandBuffer, uint32_t baseGroupX,
                                                  uint32_t baseGroupY, uint32_t baseGroupZ, uint32_t groupCountX,
                                                  uint32_t groupCountY, uint32_t groupCountZ) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    if (commands.bindings().pipeline() == nullptr) return;
    Dispatch dispatch = bound_dispatch(commands);
    dispatch.first = {baseGroupX, baseGroupY, baseGroupZ};
    dispatch.count = {groupCountX, groupCountY, groupCountZ};
    if (groupCountX != 0 && groupCountY != 0 && groupCountZ != 0) record_described_accesses(commands);
    commands.append(DirectDispatch{dispatch});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDispatch(VkCommandBuffer commandBuffer, uint32_t groupCountX, uint32_t groupCountY,
                                              uint32_t groupCountZ) {
  entry::CmdDispatchBase(commandBuffer, 0, 0, 0, groupCountX, groupCountY, groupCountZ);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdDispatchIndirect(VkCommandBuffer commandBuffer, VkBuffer buffer,
                                                      VkDeviceSize offset) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    const MemoryRange counts = buffer_range(from_nullable<Buffer>(buffer), offset, sizeof(VkDispatchIndirectCommand));
    if (commands.bindings().pipeline() == nullptr || counts.size < sizeof(VkDispatchIndirectCommand)) return;
    record_described_accesses(commands);
    commands.append(IndirectDispatch{bound_dispatch(commands), counts});
  });
}

}  // namespace spalt::icd
