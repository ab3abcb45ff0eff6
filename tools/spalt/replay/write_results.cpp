// SPDX-License-Identifier: MIT
#include <nlohmann/json.hpp>

#include "replay/results_json.h"

namespace spalt_tool::replay {
namespace {

using Json = nlohmann::ordered_json;

std::string dump(const Json& value, int indentation = -1) {
  return value.dump(indentation, ' ', false, Json::error_handler_t::replace);
}

Json settings_json(const Settings& settings) {
  return {{"wave_size", settings.wave_size}, {"wgp_mode", settings.wgp_mode},   {"robustness", settings.robustness},
          {"max_vgprs", settings.max_vgprs}, {"max_sgprs", settings.max_sgprs}, {"max_unroll", settings.max_unroll}};
}

Json counts_json(const Counts& counts) {
  return {{"compiled", counts.compiled}, {"unsupported", counts.unsupported}, {"failed", counts.failed}};
}

Json archives_json(const Results& results) {
  Json list = Json::array();
  for (const ArchiveResult& archive : results.archives) {
    list.push_back({{"file", archive.file},
                    {"records", archive.records},
                    {"damaged", archive.damaged},
                    {"warnings", archive.warnings}});
  }
  return list;
}

Json header_json(const Results& results) {
  Json counts = Json::object();
  for (const KindInfo& kind : pipeline_kinds()) counts[kind.name] = counts_json(count(results, kind.kind));
  return {{"format", "spalt replay"},
          {"version", kResultsVersion},
          {"spalt", {{"version", results.version}, {"build", results.build}}},
          {"target", results.settings.target},
          {"settings", settings_json(results.settings)},
          {"kinds", results.kinds},
          {"shards", {{"count", results.shard_count}, {"done", results.shards}}},
          {"archives", archives_json(results)},
          {"warnings", results.warnings},
          {"counts", counts}};
}

const char* status_of(const PipelineResult& pipeline) {
  return pipeline.compiled() ? "compiled" : pipeline.unsupported() ? "unsupported" : "failed";
}

Json pipeline_json(const PipelineResult& pipeline, bool times) {
  Json row = {
      {"kind", kind_info(pipeline.kind).name}, {"hash", hash_name(pipeline.hash)}, {"status", status_of(pipeline)}};
  if (!pipeline.file.empty()) row["file"] = pipeline.file;
  if (pipeline.module != 0) row["module"] = hash_name(pipeline.module);
  if (!pipeline.entry_point.empty()) row["entry_point"] = pipeline.entry_point;
  if (pipeline.failed()) row["cause"] = cause_name(pipeline.problem.cause);
  if (!pipeline.compiled()) row["message"] = pipeline.problem.message;
  if (!pipeline.compiled()) return row;
  row["code_hash"] = hash_name(pipeline.code_hash);
  for (const Metric& metric : metrics()) {
    if (metric.field != nullptr || times) row[metric.name] = metric.of(pipeline);
  }
  row["workgroup_size"] = pipeline.statistics.workgroup_size;
  return row;
}

Json hashes_json(const std::vector<Pair>& pairs) {
  Json list = Json::array();
  for (const Pair& pair : pairs) list.push_back(hash_name(pair.after->hash));
  return list;
}

Json comparison_json(const Comparison& comparison) {
  Json metrics = Json::object();
  for (const MetricChange& change : comparison.metrics) {
    metrics[change.metric->name] = {{"better", change.better},
                                    {"worse", change.worse},
                                    {"old_total", change.old_total},
                                    {"new_total", change.new_total},
                                    {"geometric_mean", change.geometric_mean}};
  }
  return {{"file", comparison.file},
          {"notes", comparison.notes},
          {"compiled_in_both", comparison.both.size()},
          {"other_code", comparison.other_code},
          {"only_before", comparison.only_before},
          {"only_after", comparison.only_after},
          {"no_longer_compiled", hashes_json(comparison.lost)},
          {"newly_compiled", hashes_json(comparison.gained)},
          {"metrics", metrics}};
}

}  // namespace

std::string write_results(const Results& results, bool times, const Comparison* comparison) {
  Json header = header_json(results);
  if (comparison != nullptr) header["comparison"] = comparison_json(*comparison);
  std::string text = dump(header, 2);
  text.erase(text.rfind("\n}"));
  text += ",\n  \"pipelines\": [";
  for (size_t i = 0; i < results.pipelines.size(); ++i) {
    text += i == 0 ? "\n    " : ",\n    ";
    text += dump(pipeline_json(results.pipelines[i], times));
  }
  return text + "\n  ]\n}\n";
}

}  // namespace spalt_tool::replay
