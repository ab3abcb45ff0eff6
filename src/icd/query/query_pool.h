// SPDX-License-Identifier: MIT
//
// Query pools. Values and availability are guarded by the monitor of the device: the host may read and reset them while
// queues write others.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "icd/device/device.h"

namespace spalt::icd {

/// What work counts for queries: pipeline statistics in the order of their bits, and samples that passed.
struct WorkCounts {
  static constexpr uint32_t kStatistics = 11;
  uint64_t statistics[kStatistics]{};
  uint64_t samples = 0;
};

/// Bits of VkQueryPipelineStatisticFlagBits, as indices.
enum StatisticIndex : uint32_t {
  kInputVertices,
  kInputPrimitives,
  kVertexInvocations,
  kClipInvocations = 5,
  kClipPrimitives,
  kFragmentInvocations,
  kComputeInvocations = 10
};

class QueryPool : public Object {
 public:
  using Handle = VkQueryPool;
  explicit QueryPool(const VkQueryPoolCreateInfo& info);

  VkQueryType type() const { return type_; }
  uint32_t count() const { return count_; }
  uint32_t values_per_query() const { return values_per_query_; }

  // With the monitor's lock. What is outside of the pool does nothing.
  void reset(uint32_t first, uint32_t count);
  bool is_available(uint32_t query) const { return query < count_ && available_[query] != 0; }
  const uint64_t* values(uint32_t query) const { return values_.data() + size_t{query} * values_per_query_; }
  void write_timestamp(uint32_t query, uint64_t time);
  /// Those that the pool is for; others are 0.
  void write_counts(uint32_t query, const WorkCounts& counts);

 private:
  VkQueryType type_;
  uint32_t count_;
  uint32_t values_per_query_ = 1;
  VkQueryPipelineStatisticFlags statistics_;
  std::vector<uint64_t> values_;
  std::vector<uint8_t> available_;
};

/// Where results go: one query every `stride` bytes.
struct QueryOutput {
  std::byte* data = nullptr;
  uint64_t size = 0;
  uint64_t stride = 0;
};

/// Whether all of them are available, with the monitor's lock.
bool all_available(const QueryPool& pool, uint32_t first, uint32_t count);

/// Writes results as vkGetQueryPoolResults and vkCmdCopyQueryPoolResults do, without waiting and never past the end of
/// `output`; with the monitor's lock. VK_NOT_READY: some were not available, and partial ones not wanted.
VkResult write_results(const QueryPool& pool, uint32_t first, uint32_t count, VkQueryResultFlags flags,
                       const QueryOutput& output);

}  // namespace spalt::icd
