// SPDX-License-Identifier: MIT
#include "replay/report.h"

#include <algorithm>
#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <map>
#include <utility>

namespace spalt_tool::replay {
namespace {

/// Up to this many pipelines are all listed.
constexpr size_t kShortList = 40;

[[gnu::format(printf, 2, 3)]] void print(std::string& text, const char* format, ...) {
  char line[512];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  text += line;
}

/// What a terminal may show of a text that somebody else chose.
std::string printable(std::string text) {
  for (char& c : text) c = c >= ' ' && c <= '~' ? c : '?';
  return text;
}
/// The entry point, or the end of the file's name, which tells more.
std::string short_name(const PipelineResult& pipeline) {
  constexpr size_t kColumn = 24;
  if (pipeline.file.empty()) return printable(pipeline.entry_point.substr(0, kColumn));
  const std::string name = std::filesystem::path(pipeline.file).stem().string();
  return printable(name.substr(name.size() - std::min(name.size(), kColumn)));
}
/// What finds the pipeline again.
std::string full_name(const PipelineResult& pipeline) {
  return pipeline.file.empty() ? hash_name(pipeline.hash) : printable(pipeline.file);
}

void print_counts(std::string& text, const Results& results) {
  for (const KindInfo& kind : pipeline_kinds()) {
    const Counts counts = count(results, kind.kind);
    if (counts.all() == 0) continue;
    print(text, "%zu %s pipelines: %zu compiled, %zu unsupported, %zu failed\n", counts.all(), kind.name,
          counts.compiled, counts.unsupported, counts.failed);
  }
  if (results.pipelines.empty()) text += "no pipelines\n";
}

void print_totals(std::string& text, const Results& results) {
  uint64_t instructions = 0, bytes = 0, spilled = 0, scratch = 0, nanoseconds = 0;
  for (const PipelineResult& pipeline : results.pipelines) {
    if (!pipeline.compiled()) continue;
    instructions += pipeline.statistics.instructions;
    bytes += pipeline.statistics.code_bytes;
    spilled += pipeline.statistics.spilled_sgprs + pipeline.statistics.spilled_vgprs > 0 ? 1 : 0;
    scratch += pipeline.statistics.scratch_bytes > 0 ? 1 : 0;
    nanoseconds += pipeline.nanoseconds;
  }
  print(text,
        "%s: %" PRIu64 " instructions, %" PRIu64 " code bytes, %" PRIu64 " pipelines spill, %" PRIu64
        " use scratch memory, %.1f ms of compiling\n",
        results.settings.target.c_str(), instructions, bytes, spilled, scratch, static_cast<double>(nanoseconds) / 1e6);
}

void print_row(std::string& text, const PipelineResult& pipeline) {
  const spalt_statistics& s = pipeline.statistics;
  print(text, "%s %-24s %8u %8u %6u %6u %8u %6u %8u %5u %6u %10.1f\n", hash_name(pipeline.hash).c_str(),
        short_name(pipeline).c_str(), s.instructions, s.code_bytes, s.sgprs, s.vgprs, s.spilled_sgprs + s.spilled_vgprs,
        s.lds_bytes, s.scratch_bytes, s.wave_size, s.waves_per_simd, static_cast<double>(pipeline.nanoseconds) / 1000);
}

void print_pipelines(std::string& text, const Results& results, const ReportOptions& options) {
  std::vector<const PipelineResult*> list;
  for (const PipelineResult& pipeline : results.pipelines) {
    if (pipeline.compiled()) list.push_back(&pipeline);
  }
  if (list.empty()) return;
  if (list.size() > kShortList && !options.all) {
    const auto longer = [](const PipelineResult* a, const PipelineResult* b) {
      return a->statistics.instructions > b->statistics.instructions;
    };
    std::stable_sort(list.begin(), list.end(), longer);
    print(text, "\nthe longest %u of %zu (--all lists every pipeline)\n", options.rows, list.size());
    list.resize(std::min<size_t>(list.size(), options.rows));
  } else {
    text += "\n";
  }
  print(text, "%-16s %-24s %8s %8s %6s %6s %8s %6s %8s %5s %6s %10s\n", "pipeline", "entry point or file", "insts",
        "bytes", "sgprs", "vgprs", "spilled", "lds", "scratch", "wave", "waves", "us");
  for (const PipelineResult* pipeline : list) print_row(text, *pipeline);
}

/// Pipelines without code, those with the same reason together, in the order of the first.
void print_reasons(std::string& text, const Results& results, bool unsupported, const ReportOptions& options) {
  using Reason = std::pair<Cause, std::string>;
  std::map<Reason, std::vector<std::string>> reasons;
  for (const PipelineResult& pipeline : results.pipelines) {
    if (pipeline.compiled() || pipeline.unsupported() != unsupported) continue;
    reasons[{pipeline.problem.cause, pipeline.problem.message}].push_back(full_name(pipeline));
  }
  if (reasons.empty()) return;
  text += unsupported ? "\nunsupported\n" : "\nfailed\n";
  for (const auto& [reason, names] : reasons) {
    text += "  ";
    if (!unsupported) text += std::string(cause_name(reason.first)) + ": ";
    text += printable(reason.second) + " (" + std::to_string(names.size()) + ")\n   ";
    const size_t shown = options.all ? names.size() : std::min<size_t>(names.size(), options.rows);
    for (size_t i = 0; i < shown; ++i) text += " " + names[i];
    text += shown < names.size() ? " ...\n" : "\n";
  }
}

void print_pairs(std::string& text, const char* title, const std::vector<Pair>& pairs, const Metric& metric) {
  if (pairs.empty()) return;
  print(text, "%s by %s\n", title, metric.name);
  for (const Pair& pair : pairs) {
    const uint64_t before = metric.of(*pair.before), after = metric.of(*pair.after);
    const double ratio = before == 0 ? 0 : static_cast<double>(after) / static_cast<double>(before);
    print(text, "  %s %-24s %10" PRIu64 " -> %10" PRIu64, hash_name(pair.after->hash).c_str(),
          short_name(*pair.after).c_str(), before, after);
    if (before != 0) print(text, "  %7.3f", ratio);
    text += "\n";
  }
}

void print_changed(std::string& text, const Comparison& comparison, const ReportOptions& options) {
  const Metric* metric = find_compared_metric(options.metric);
  if (metric == nullptr) return;
  std::vector<Pair> pairs = changed_pairs(comparison, *metric);
  const auto is_worse = [metric](const Pair& pair) {
    return (metric->of(*pair.after) > metric->of(*pair.before)) != metric->more_is_better;
  };
  const auto middle = std::stable_partition(pairs.begin(), pairs.end(), is_worse);
  std::vector<Pair> worse(pairs.begin(), middle), better(middle, pairs.end());
  std::reverse(better.begin(), better.end());
  if (!options.all) {
    worse.resize(std::min<size_t>(worse.size(), options.rows));
    better.resize(std::min<size_t>(better.size(), options.rows));
  }
  print_pairs(text, "worst", worse, *metric);
  print_pairs(text, "best", better, *metric);
}

void print_list(std::string& text, const char* title, const std::vector<Pair>& pairs, const ReportOptions& options) {
  if (pairs.empty()) return;
  print(text, "%s (%zu)\n", title, pairs.size());
  const size_t shown = options.all ? pairs.size() : std::min<size_t>(pairs.size(), options.rows);
  for (size_t i = 0; i < shown; ++i) {
    const PipelineResult& without_code = pairs[i].after->compiled() ? *pairs[i].before : *pairs[i].after;
    text += "  " + full_name(without_code) + " " + printable(without_code.problem.message) + "\n";
  }
  if (shown < pairs.size()) text += "  ...\n";
}

}  // namespace

std::string report(const Results& results, const ReportOptions& options) {
  std::string text;
  print_counts(text, results);
  if (count(results).compiled > 0) print_totals(text, results);
  print_pipelines(text, results, options);
  print_reasons(text, results, true, options);
  print_reasons(text, results, false, options);
  return text;
}

std::string report(const Comparison& comparison, const ReportOptions& options) {
  std::string text = "\nagainst " + comparison.file + "\n";
  for (const std::string& note : comparison.notes) text += "note: " + note + "\n";
  print(text, "%zu pipelines compiled in both, %zu to other code; %zu only before, %zu only now\n",
        comparison.both.size(), comparison.other_code, comparison.only_before, comparison.only_after);
  print(text, "%-16s %8s %8s %10s %14s %14s\n", "", "better", "worse", "geo. mean", "total before", "total now");
  for (const MetricChange& change : comparison.metrics) {
    print(text, "%-16s %8zu %8zu %10.4f %14" PRIu64 " %14" PRIu64 "\n", change.metric->name, change.better,
          change.worse, change.geometric_mean, change.old_total, change.new_total);
  }
  print_changed(text, comparison, options);
  print_list(text, "no longer compiled", comparison.lost, options);
  print_list(text, "compiled now and not before", comparison.gained, options);
  return text;
}

}  // namespace spalt_tool::replay
