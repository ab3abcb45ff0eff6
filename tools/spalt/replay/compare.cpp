// SPDX-License-Identifier: MIT
#include "replay/compare.h"

#include <algorithm>
#include <cmath>

namespace spalt_tool::replay {
namespace {

bool has_times(const Results& results) {
  return std::any_of(results.pipelines.begin(), results.pipelines.end(),
                     [](const PipelineResult& pipeline) { return pipeline.nanoseconds > 0; });
}

MetricChange change_of(const Metric& metric, const std::vector<Pair>& pairs) {
  MetricChange change;
  change.metric = &metric;
  double logarithms = 0;
  size_t count = 0;
  for (const Pair& pair : pairs) {
    const uint64_t before = metric.of(*pair.before), after = metric.of(*pair.after);
    change.old_total += before;
    change.new_total += after;
    if (before != after) ++((after > before) == metric.more_is_better ? change.better : change.worse);
    if (before == 0 || after == 0) continue;
    logarithms += std::log(static_cast<double>(after) / static_cast<double>(before));
    ++count;
  }
  if (count > 0) change.geometric_mean = std::exp(logarithms / static_cast<double>(count));
  return change;
}

std::string with_option(const char* name, const std::string& before, const std::string& after) {
  return std::string(name) + " " + before + " before, " + after + " now";
}

std::vector<std::string> differences(const Results& before, const Results& after) {
  std::vector<std::string> notes;
  const Settings& a = before.settings;
  const Settings& b = after.settings;
  const auto number = [&](const char* name, uint32_t x, uint32_t y) {
    if (x != y) notes.push_back(with_option(name, std::to_string(x), std::to_string(y)));
  };
  if (a.target != b.target) notes.push_back(with_option("target", a.target, b.target));
  if (a.robustness != b.robustness) notes.push_back(with_option("robustness", a.robustness, b.robustness));
  number("wave size", a.wave_size, b.wave_size);
  number("work-group processor mode", a.wgp_mode ? 1 : 0, b.wgp_mode ? 1 : 0);
  number("VGPR limit", a.max_vgprs, b.max_vgprs);
  number("SGPR limit", a.max_sgprs, b.max_sgprs);
  number("unrolling limit", a.max_unroll, b.max_unroll);
  return notes;
}

}  // namespace

Comparison compare(const std::string& file, const Results& before, const Results& after) {
  Comparison comparison;
  comparison.file = file;
  comparison.notes = differences(before, after);
  size_t i = 0, j = 0;
  while (i < before.pipelines.size() && j < after.pipelines.size()) {
    const PipelineResult& a = before.pipelines[i];
    const PipelineResult& b = after.pipelines[j];
    if (comes_before(a, b)) {
      ++comparison.only_before;
      ++i;
      continue;
    }
    if (comes_before(b, a)) {
      ++comparison.only_after;
      ++j;
      continue;
    }
    if (a.compiled() && b.compiled()) comparison.both.push_back({&a, &b});
    if (a.compiled() && b.compiled() && a.code_hash != b.code_hash) ++comparison.other_code;
    if (a.compiled() && !b.compiled()) comparison.lost.push_back({&a, &b});
    if (!a.compiled() && b.compiled()) comparison.gained.push_back({&a, &b});
    ++i;
    ++j;
  }
  comparison.only_before += before.pipelines.size() - i;
  comparison.only_after += after.pipelines.size() - j;
  const bool times = has_times(before) && has_times(after);
  for (const Metric& metric : metrics()) {
    const bool known = metric.field != nullptr || times;
    if (metric.compared && known) comparison.metrics.push_back(change_of(metric, comparison.both));
  }
  return comparison;
}

std::vector<Pair> changed_pairs(const Comparison& comparison, const Metric& metric) {
  std::vector<Pair> pairs;
  for (const Pair& pair : comparison.both) {
    if (metric.of(*pair.before) != metric.of(*pair.after)) pairs.push_back(pair);
  }
  // From none to some is worse than any ratio; a pipeline's place decides between equals.
  const auto badness = [&metric](const Pair& pair) {
    const auto before = static_cast<double>(metric.of(*pair.before)),
               after = static_cast<double>(metric.of(*pair.after));
    return metric.more_is_better ? (before + 1e-9) / (after + 1e-9) : (after + 1e-9) / (before + 1e-9);
  };
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&badness](const Pair& a, const Pair& b) { return badness(a) > badness(b); });
  return pairs;
}

}  // namespace spalt_tool::replay
