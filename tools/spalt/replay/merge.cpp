// SPDX-License-Identifier: MIT
#include "replay/merge.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace spalt_tool::replay {
namespace {

bool is_whole(const Results& results) {
  return results.shards.size() == results.shard_count;
}

const char* difference(const Results& a, const Results& b) {
  if (a.build != b.build || a.version != b.version) return "was made by another build of Spalt";
  if (!(a.settings == b.settings)) return "was compiled with other settings";
  if (a.kinds != b.kinds) return "has other kinds of pipelines";
  return nullptr;
}

/// Shards of a run on the same archives.
const char* add_shards(Results& into, const Results& from) {
  if (into.shard_count != from.shard_count) return "is of another number of shards";
  std::vector<uint32_t> common;
  std::set_intersection(into.shards.begin(), into.shards.end(), from.shards.begin(), from.shards.end(),
                        std::back_inserter(common));
  if (!common.empty()) return "has a shard that another file has, too";
  std::vector<uint32_t> all;
  std::merge(into.shards.begin(), into.shards.end(), from.shards.begin(), from.shards.end(), std::back_inserter(all));
  into.shards = std::move(all);
  return nullptr;
}

/// A whole run on other archives.
const char* add_run(Results& into, const Results& from) {
  if (!is_whole(into) || !is_whole(from))
    return "is of other archives and not all shards are there: merge each run alone first";
  into.archives.insert(into.archives.end(), from.archives.begin(), from.archives.end());
  return nullptr;
}

/// A pipeline that two archives have stays once.
void add_pipelines(Results& into, Results from) {
  std::vector<PipelineResult> all;
  all.reserve(into.pipelines.size() + from.pipelines.size());
  std::merge(std::make_move_iterator(into.pipelines.begin()), std::make_move_iterator(into.pipelines.end()),
             std::make_move_iterator(from.pipelines.begin()), std::make_move_iterator(from.pipelines.end()),
             std::back_inserter(all), comes_before);
  const auto same = [](const PipelineResult& a, const PipelineResult& b) {
    return a.kind == b.kind && a.hash == b.hash;
  };
  all.erase(std::unique(all.begin(), all.end(), same), all.end());
  into.pipelines = std::move(all);
  for (std::string& warning : from.warnings) {
    if (std::find(into.warnings.begin(), into.warnings.end(), warning) == into.warnings.end()) {
      into.warnings.push_back(std::move(warning));
    }
  }
}

}  // namespace

bool merge_results(std::vector<ResultFile> files, Results& merged, std::string& error) {
  merged = std::move(files[0].results);
  for (size_t i = 1; i < files.size(); ++i) {
    Results& other = files[i].results;
    const char* wrong = difference(merged, other);
    if (wrong == nullptr)
      wrong = merged.archives == other.archives ? add_shards(merged, other) : add_run(merged, other);
    if (wrong != nullptr) {
      error = files[i].name + " " + wrong + " (beside " + files[0].name + ")";
      return false;
    }
    add_pipelines(merged, std::move(other));
  }
  if (is_whole(merged)) {
    merged.shard_count = 1;
    merged.shards = {1};
  }
  return true;
}

std::string missing_shards(const Results& results) {
  std::string text;
  for (uint32_t shard = 1, listed = 0; shard <= results.shard_count && listed < 20; ++shard) {
    if (std::binary_search(results.shards.begin(), results.shards.end(), shard)) continue;
    text += (text.empty() ? "" : ", ") + std::to_string(shard);
    ++listed;
  }
  return text;
}

}  // namespace spalt_tool::replay
