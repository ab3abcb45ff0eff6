// SPDX-License-Identifier: MIT
#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "replay/document.h"
#include "replay/results_json.h"

namespace spalt_tool::replay {
namespace {

bool is_true(Fields& fields, const char* name, const nlohmann::json& object) {
  const auto at = object.find(name);
  if (at != object.end() && at->is_boolean()) return at->get<bool>();
  fields.wrong(fields.what() + " lacks \"" + name + "\"");
  return false;
}

std::vector<std::string> texts(Fields& fields, const char* name) {
  std::vector<std::string> list;
  fields.for_each(name, [&](const nlohmann::json& value) {
    if (!value.is_string()) return fields.wrong("\"" + std::string(name) + "\" has what is no text");
    list.push_back(value.get<std::string>());
  });
  return list;
}

void read_settings(const nlohmann::json& object, Problem& problem, Settings& settings) {
  Fields fields(object, "\"settings\"", problem);
  if (!fields.ok()) return;
  settings.wave_size = static_cast<uint32_t>(fields.number("wave_size"));
  settings.wgp_mode = is_true(fields, "wgp_mode", object);
  settings.robustness = fields.text("robustness");
  settings.max_vgprs = static_cast<uint32_t>(fields.number("max_vgprs"));
  settings.max_sgprs = static_cast<uint32_t>(fields.number("max_sgprs"));
  settings.max_unroll = static_cast<uint32_t>(fields.number("max_unroll"));
}

void read_archive(const nlohmann::json& object, Problem& problem, ArchiveResult& archive) {
  Fields fields(object, "an archive", problem);
  if (!fields.ok()) return;
  archive.file = fields.text("file");
  archive.records = fields.number("records", UINT64_MAX);
  archive.damaged = is_true(fields, "damaged", object);
  archive.warnings = texts(fields, "warnings");
}

void read_problem(Fields& fields, const std::string& status, PipelineResult& pipeline) {
  pipeline.problem.message = fields.text("message");
  if (status == "unsupported") pipeline.problem.cause = Cause::unsupported;
  if (status == "failed") pipeline.problem.cause = find_cause(fields.text("cause"));
  const bool is_failure = status == "failed" && pipeline.failed();
  if (!is_failure && !pipeline.unsupported()) fields.wrong("a pipeline has a status or cause that is not known");
}

void read_numbers(Fields& fields, PipelineResult& pipeline) {
  for (const Metric& metric : metrics()) {
    if (metric.field != nullptr) pipeline.statistics.*metric.field = static_cast<uint32_t>(fields.number(metric.name));
    if (metric.field == nullptr) pipeline.nanoseconds = fields.number_or(metric.name, 0, UINT64_MAX);
  }
  pipeline.code_hash = fields.hash("code_hash");
  const std::vector<uint32_t> size = fields.numbers("workgroup_size");
  if (size.size() != 3) return fields.wrong("\"workgroup_size\" of a pipeline has not three numbers");
  std::copy(size.begin(), size.end(), pipeline.statistics.workgroup_size);
}

void read_pipeline(const nlohmann::json& object, Problem& problem, PipelineResult& pipeline) {
  Fields fields(object, "a pipeline", problem);
  const KindInfo* kind = find_kind(fields.text("kind"));
  if (kind == nullptr) return fields.wrong("a pipeline is of a kind that is not known");
  pipeline.kind = kind->kind;
  pipeline.hash = fields.hash("hash");
  if (fields.has("module")) pipeline.module = fields.hash("module");
  if (fields.has("file")) pipeline.file = fields.text("file");
  if (fields.has("entry_point")) pipeline.entry_point = fields.text("entry_point");
  const std::string status = fields.text("status");
  if (status == "compiled") {
    read_numbers(fields, pipeline);
  } else {
    read_problem(fields, status, pipeline);
  }
}

void read_header(Fields& fields, Results& results) {
  Problem& problem = fields.problem();
  Fields spalt(fields.object("spalt"), "\"spalt\"", problem);
  results.version = spalt.text("version");
  results.build = spalt.text("build");
  results.settings.target = fields.text("target");
  read_settings(fields.object("settings"), problem, results.settings);
  results.kinds = texts(fields, "kinds");
  Fields shards(fields.object("shards"), "\"shards\"", problem);
  results.shard_count = static_cast<uint32_t>(shards.number("count"));
  results.shards = shards.numbers("done");
  // With less_equal, equal neighbours count as out of order.
  const bool sorted = std::is_sorted(results.shards.begin(), results.shards.end(), std::less_equal<>());
  if (results.shards.empty() || !sorted || results.shards.front() == 0 || results.shards.back() > results.shard_count) {
    fields.wrong("\"shards\" has no valid list");
  }
  results.warnings = texts(fields, "warnings");
  fields.for_each("archives",
                  [&](const nlohmann::json& value) { read_archive(value, problem, results.archives.emplace_back()); });
}

}  // namespace

bool read_results(const std::string& text, Results& results, std::string& error) {
  const nlohmann::json root = nlohmann::json::parse(text, nullptr, false);
  Problem problem;
  Fields fields(root, "the file", problem);
  if (fields.text("format") != "spalt replay" || fields.number("version") != kResultsVersion) {
    error = "is no result file of spalt replay, version " + std::to_string(kResultsVersion);
    return false;
  }
  Results fresh;
  results = std::move(fresh);
  read_header(fields, results);
  fields.for_each("pipelines", [&](const nlohmann::json& value) {
    read_pipeline(value, problem, results.pipelines.emplace_back());
  });
  const auto& list = results.pipelines;
  for (size_t i = 1; i < list.size(); ++i) {
    if (!comes_before(list[i - 1], list[i])) fields.wrong("its pipelines are not in order");
  }
  if (!fields.ok()) error = "is damaged: " + problem.message;
  return fields.ok();
}

bool load_results(const std::string& path, Results& results, std::string& error) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file || file.bad()) {
    error = path + ": cannot be read";
    return false;
  }
  if (read_results(text, results, error)) return true;
  error = path + ": " + error;
  return false;
}

}  // namespace spalt_tool::replay
