// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/spalt.h>

#include <string>
#include <vector>

#include "replay/problem.h"
#include "replay/settings.h"

namespace spalt_tool::replay {

/// What became of one pipeline.
struct PipelineResult {
  PipelineKind kind = PipelineKind::compute;
  uint64_t hash = 0;
  Problem problem;  ///< Cause::none: there is code, and what follows `entry_point` is known
  uint64_t module = 0;
  std::string entry_point;
  std::string file;  ///< of pipelines that have one of their own
  spalt_statistics statistics{};
  uint64_t code_hash = 0;  ///< of the instructions' bytes
  uint64_t nanoseconds = 0;

  bool compiled() const { return problem.cause == Cause::none; }
  bool unsupported() const { return problem.cause == Cause::unsupported; }
  bool failed() const { return !compiled() && !unsupported(); }
};

/// One archive of a run.
struct ArchiveResult {
  std::string file;
  uint64_t records = 0;
  std::vector<std::string> warnings;
  bool damaged = false;

  bool operator==(const ArchiveResult&) const = default;
};

/// All of a run, or of several merged ones: what a result file has.
struct Results {
  std::string version;  ///< of Spalt
  std::string build;    ///< spalt_build_identifier
  Settings settings;
  std::vector<std::string> kinds;
  uint32_t shard_count = 1;
  std::vector<uint32_t> shards{1};  ///< those that are in, ascending
  std::vector<ArchiveResult> archives;
  std::vector<std::string> warnings;
  std::vector<PipelineResult> pipelines;  ///< by kind, then by hash
};

/// The order of Results::pipelines.
bool comes_before(const PipelineResult& a, const PipelineResult& b);

struct Counts {
  size_t compiled = 0, unsupported = 0, failed = 0;
  size_t all() const { return compiled + unsupported + failed; }
};
Counts count(const Results& results, PipelineKind kind);
Counts count(const Results& results);

}  // namespace spalt_tool::replay
