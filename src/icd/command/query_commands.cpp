// SPDX-License-Identifier: MIT
//
// Queries in command buffers. Each writes its pool when the work before it has ended, in the order of the commands.
#include "commands.h"
#include "icd/command/execution.h"
#include "icd/query/clock.h"

namespace spalt::icd {
namespace {

/// Changes a pool as the host sees it.
template <typename Change>
bool change_pool(Execution& execution, Change&& change) {
  Monitor& monitor = execution.device().monitor();
  const Monitor::Lock lock = monitor.lock();
  change();
  monitor.notify();
  return true;
}

struct ResetQueries {
  QueryPool* pool;
  uint32_t first, count;
  bool complete(Execution& execution) const {
    return change_pool(execution, [&] { pool->reset(first, count); });
  }
  bool execute(Execution& execution) const { return execution.when_complete(*this); }
};

struct WriteTimestamp {
  QueryPool* pool;
  uint32_t query;
  bool complete(Execution& execution) const {
    const uint32_t view_count = execution.view_count();
    const uint64_t time = read_clock(execution.device());
    return change_pool(execution, [&] {
      for (uint32_t view = 0; view < view_count; ++view) pool->write_timestamp(query + view, time);
    });
  }
  bool execute(Execution& execution) const { return execution.when_complete(*this); }
};

struct BeginStatistics {
  QueryPool* pool;
  uint32_t query;
  bool complete(Execution& execution) const {
    execution.begin_statistics(*pool, query);
    return true;
  }
  bool execute(Execution& execution) const { return execution.when_complete(*this); }
};

struct EndStatistics {
  QueryPool* pool;
  uint32_t query;
  bool complete(Execution& execution) const {
    const uint32_t view_count = execution.view_count();
    const WorkCounts counts = execution.end_statistics(*pool, query);
    return change_pool(execution, [&] {
      pool->write_counts(query, counts);
      // Of a query for several views the first one has the sum.
      for (uint32_t view = 1; view < view_count; ++view) pool->write_counts(query + view, {});
    });
  }
  bool execute(Execution& execution) const { return execution.when_complete(*this); }
};

/// Queries and copies of their results are in order, so that this separates what is before it from what is after it.
struct CopyResults {
  const QueryPool* pool;
  uint32_t first, count;
  VkQueryResultFlags flags;
  MemoryRange destination;
  uint64_t stride;
  bool execute(Execution& execution) const {
    if (!execution.flush()) return false;
    if (!execution.can_touch(destination, SPALT_ACCESS_STORE)) return execution.goes_on();
    Monitor& monitor = execution.device().monitor();
    Monitor::Lock lock = monitor.lock();
    const auto available = [&] { return all_available(*pool, first, count); };
    if ((flags & VK_QUERY_RESULT_WAIT_BIT) != 0 && !monitor.wait_at_work(lock, available)) return false;
    write_results(*pool, first, count, flags, {destination.host, destination.size, stride});
    return true;
  }
};

void record_timestamp(VkCommandBuffer handle, VkQueryPool pool, uint32_t query) {
  record(handle, [&](CommandBuffer& commands) {
    commands.append(WriteTimestamp{from_nullable<QueryPool>(pool), query});
  });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdResetQueryPool(VkCommandBuffer commandBuffer, VkQueryPool queryPool,
                                                    uint32_t firstQuery, uint32_t queryCount) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    commands.append(ResetQueries{from_nullable<QueryPool>(queryPool), firstQuery, queryCount});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdWriteTimestamp(VkCommandBuffer commandBuffer, VkPipelineStageFlagBits,
                                                    VkQueryPool queryPool, uint32_t query) {
  record_timestamp(commandBuffer, queryPool, query);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdWriteTimestamp2(VkCommandBuffer commandBuffer, VkPipelineStageFlags2,
                                                     VkQueryPool queryPool, uint32_t query) {
  record_timestamp(commandBuffer, queryPool, query);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginQuery(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query,
                                                VkQueryControlFlags) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    commands.append(BeginStatistics{from_nullable<QueryPool>(queryPool), query});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndQuery(VkCommandBuffer commandBuffer, VkQueryPool queryPool, uint32_t query) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    commands.append(EndStatistics{from_nullable<QueryPool>(queryPool), query});
  });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdCopyQueryPoolResults(VkCommandBuffer commandBuffer, VkQueryPool queryPool,
                                                          uint32_t firstQuery, uint32_t queryCount, VkBuffer dstBuffer,
                                                          VkDeviceSize dstOffset, VkDeviceSize stride,
                                                          VkQueryResultFlags flags) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    const MemoryRange destination = buffer_range(from_nullable<Buffer>(dstBuffer), dstOffset, VK_WHOLE_SIZE);
    commands.append(
        CopyResults{from_nullable<QueryPool>(queryPool), firstQuery, queryCount, flags, destination, stride});
  });
}

}  // namespace spalt::icd
