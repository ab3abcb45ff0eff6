// SPDX-License-Identifier: MIT
//
// What changed between two runs, pipeline by pipeline: equal kind and hash are the same pipeline.
#pragma once
#include <string>
#include <vector>

#include "replay/metrics.h"
#include "replay/results.h"

namespace spalt_tool::replay {

/// One metric over all pipelines that both runs compiled.
struct MetricChange {
  const Metric* metric = nullptr;
  size_t better = 0, worse = 0;
  uint64_t old_total = 0, new_total = 0;
  /// Of new : old, over the pipelines that have more than none in both.
  double geometric_mean = 1;
};

/// A pipeline in both runs.
struct Pair {
  const PipelineResult* before = nullptr;
  const PipelineResult* after = nullptr;
};

struct Comparison {
  std::string file;                ///< of the old results
  std::vector<std::string> notes;  ///< how the runs themselves differ
  std::vector<MetricChange> metrics;
  std::vector<Pair> both;    ///< compiled in both, in the order of results
  std::vector<Pair> lost;    ///< compiled before and not now
  std::vector<Pair> gained;  ///< compiled now and not before
  size_t other_code = 0;     ///< compiled in both, to other instructions
  size_t only_before = 0, only_after = 0;
};

/// Refers to both results. Times are compared where both runs have them.
Comparison compare(const std::string& file, const Results& before, const Results& after);

/// Pairs whose metric changed, the worst first: the ratio new : old, or for better-is-more metrics its inverse.
std::vector<Pair> changed_pairs(const Comparison& comparison, const Metric& metric);

}  // namespace spalt_tool::replay
