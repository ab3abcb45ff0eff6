// SPDX-License-Identifier: MIT
//
// Events in command buffers. A queue that waits for one waits in the monitor of the device, since the host may set it.
#include <algorithm>

#include "commands.h"
#include "icd/command/execution.h"
#include "icd/command/image_checks.h"
#include "icd/sync/sync_objects.h"

namespace spalt::icd {
namespace {

struct ChangeEvent {
  Event* event;
  bool signaled;
  Dependency dependency;  // of vkCmdSetEvent2
  bool complete(Execution& execution) const {
    execution.operate_caches(dependency.cache_operations);
    Monitor& monitor = execution.device().monitor();
    const Monitor::Lock lock = monitor.lock();
    event->signaled = signaled;
    monitor.notify();
    return true;
  }
  bool execute(Execution& execution) const { return execution.when_complete(*this); }
};

/// Ends all work before it, so that what the host waits for comes to pass.
struct WaitForEvents {
  const Event* const* events;
  uint32_t count;
  Dependency dependency;
  bool execute(Execution& execution) const {
    if (!execution.flush()) return false;
    Monitor& monitor = execution.device().monitor();
    Monitor::Lock lock = monitor.lock();
    const auto all_set = [&] {
      return std::all_of(events, events + count, [](const Event* event) { return event->signaled; });
    };
    if (!monitor.wait_at_work(lock, all_set)) return false;
    lock.unlock();
    execution.depend(dependency);
    return true;
  }
};

void record_change(VkCommandBuffer handle, VkEvent event, bool signaled, const Dependency& dependency) {
  record(handle, [&](CommandBuffer& commands) {
    commands.append(ChangeEvent{from_nullable<Event>(event), signaled, dependency});
  });
}

void record_wait(CommandBuffer& commands, uint32_t count, const VkEvent* events, const Dependency& dependency) {
  auto* copy = commands.arena().allocate_array<const Event*>(count);
  std::transform(events, events + count, copy, [](VkEvent event) { return from_nullable<Event>(event); });
  commands.append(WaitForEvents{copy, count, dependency});
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdSetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags) {
  record_change(commandBuffer, event, true, {});
}

VKAPI_ATTR void VKAPI_CALL entry::CmdSetEvent2(VkCommandBuffer commandBuffer, VkEvent event,
                                               const VkDependencyInfo* pDependencyInfo) {
  record_change(commandBuffer, event, true, make_dependency(*pDependencyInfo));
}

VKAPI_ATTR void VKAPI_CALL entry::CmdResetEvent(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags) {
  record_change(commandBuffer, event, false, {});
}

VKAPI_ATTR void VKAPI_CALL entry::CmdResetEvent2(VkCommandBuffer commandBuffer, VkEvent event, VkPipelineStageFlags2) {
  record_change(commandBuffer, event, false, {});
}

VKAPI_ATTR void VKAPI_CALL entry::CmdWaitEvents(
    VkCommandBuffer commandBuffer, uint32_t eventCount, const VkEvent* pEvents, VkPipelineStageFlags srcStageMask,
    VkPipelineStageFlags dstStageMask, uint32_t memoryBarrierCount, const VkMemoryBarrier* pMemoryBarriers,
    uint32_t bufferMemoryBarrierCount, const VkBufferMemoryBarrier* pBufferMemoryBarriers,
    uint32_t imageMemoryBarrierCount, const VkImageMemoryBarrier* pImageMemoryBarriers) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    record_wait(commands, eventCount, pEvents,
                make_dependency(BarrierArrays{srcStageMask, dstStageMask, memoryBarrierCount, pMemoryBarriers,
                                              bufferMemoryBarrierCount, pBufferMemoryBarriers, imageMemoryBarrierCount,
                                              pImageMemoryBarriers}));
    record_transitions(commands, imageMemoryBarrierCount, pImageMemoryBarriers);
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdWaitEvents2(VkCommandBuffer commandBuffer, uint32_t eventCount,
                                                 const VkEvent* pEvents, const VkDependencyInfo* pDependencyInfos) {
  Dependency all;
  for (uint32_t i = 0; i < eventCount; ++i) all.add(make_dependency(pDependencyInfos[i]));
  record(commandBuffer, [&](CommandBuffer& commands) {
    record_wait(commands, eventCount, pEvents, all);
    for (uint32_t i = 0; i < eventCount; ++i) {
      record_transitions(commands, pDependencyInfos[i].imageMemoryBarrierCount,
                         pDependencyInfos[i].pImageMemoryBarriers);
    }
  });
}

}  // namespace spalt::icd
