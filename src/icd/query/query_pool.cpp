// SPDX-License-Identifier: MIT
#include "icd/query/query_pool.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace spalt::icd {
namespace {

void write_element(const QueryOutput& output, uint64_t offset, VkQueryResultFlags flags, uint64_t value) {
  const uint64_t size = (flags & VK_QUERY_RESULT_64_BIT) != 0 ? 8 : 4;
  if (offset > output.size || size > output.size - offset) return;
  // The low half comes first on every host that this runs on.
  static_assert(std::endian::native == std::endian::little);
  std::memcpy(output.data + offset, &value, size);
}

}  // namespace

QueryPool::QueryPool(const VkQueryPoolCreateInfo& info)
    : type_(info.queryType),
      count_(info.queryCount),
      statistics_(type_ == VK_QUERY_TYPE_PIPELINE_STATISTICS ? info.pipelineStatistics : 0) {
  if (type_ == VK_QUERY_TYPE_PIPELINE_STATISTICS) {
    values_per_query_ = static_cast<uint32_t>(std::popcount(info.pipelineStatistics));
  }
  values_.resize(size_t{count_} * values_per_query_);
  available_.resize(count_);
}

void QueryPool::reset(uint32_t first, uint32_t count) {
  if (first >= count_) return;
  const uint32_t end = first + std::min(count, count_ - first);
  std::fill(available_.begin() + first, available_.begin() + end, uint8_t{0});
  std::fill(values_.begin() + static_cast<ptrdiff_t>(size_t{first} * values_per_query_),
            values_.begin() + static_cast<ptrdiff_t>(size_t{end} * values_per_query_), 0);
}

void QueryPool::write_timestamp(uint32_t query, uint64_t time) {
  if (query >= count_) return;
  if (values_per_query_ > 0) values_[size_t{query} * values_per_query_] = time;
  available_[query] = 1;
}

void QueryPool::write_counts(uint32_t query, const WorkCounts& counts) {
  if (query >= count_) return;
  uint64_t* value = values_.data() + size_t{query} * values_per_query_;
  if (type_ == VK_QUERY_TYPE_OCCLUSION) *value = counts.samples;
  for (uint32_t i = 0; i < WorkCounts::kStatistics; ++i) {
    if ((statistics_ >> i & 1) != 0) *value++ = counts.statistics[i];
  }
  available_[query] = 1;
}

bool all_available(const QueryPool& pool, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < pool.count() && i - first < count; ++i) {
    if (!pool.is_available(i)) return false;
  }
  return true;
}

VkResult write_results(const QueryPool& pool, uint32_t first, uint32_t count, VkQueryResultFlags flags,
                       const QueryOutput& output) {
  const uint64_t element = (flags & VK_QUERY_RESULT_64_BIT) != 0 ? 8 : 4;
  const uint32_t values = pool.values_per_query();
  VkResult result = VK_SUCCESS;
  if (first >= pool.count()) return result;
  for (uint32_t i = 0; i < std::min(count, pool.count() - first); ++i) {
    const bool available = pool.is_available(first + i);
    const uint64_t place = i * output.stride;
    if (available || (flags & VK_QUERY_RESULT_PARTIAL_BIT) != 0) {
      for (uint32_t v = 0; v < values; ++v) {
        write_element(output, place + v * element, flags, pool.values(first + i)[v]);
      }
    } else {
      result = VK_NOT_READY;
    }
    if ((flags & VK_QUERY_RESULT_WITH_AVAILABILITY_BIT) != 0) {
      write_element(output, place + values * element, flags, available ? 1 : 0);
    }
  }
  return result;
}

}  // namespace spalt::icd
