// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include "replay/results.h"

namespace spalt_tool::replay {

/// A number of each compiled pipeline, under the name that result files have for it.
struct Metric {
  const char* name;
  uint32_t spalt_statistics::*field;  ///< null: the time in nanoseconds
  bool compared;                      ///< comparisons have a line for it
  bool more_is_better;

  uint64_t of(const PipelineResult& pipeline) const {
    return field == nullptr ? pipeline.nanoseconds : pipeline.statistics.*field;
  }
};
/// In the order of result files; the time is the last.
std::span<const Metric> metrics();
/// One that is compared; null when none has that name.
const Metric* find_compared_metric(const std::string& name);

}  // namespace spalt_tool::replay
