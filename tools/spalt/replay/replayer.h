// SPDX-License-Identifier: MIT
//
// A run: all pipelines of the archives that are asked for, compiled on several threads. The descriptions are read
// first, then the layouts that they refer to, each once; then pipelines are compiled, those with the largest modules
// first, so that no thread is left alone with one at the end. Results stand in the order of hashes, whoever was done
// first.
#pragma once
#include <string>
#include <vector>

#include "replay/applications.h"
#include "replay/compile_pipeline.h"
#include "replay/database.h"
#include "replay/layouts.h"
#include "replay/progress.h"
#include "replay/results.h"
#include "replay/time_limit.h"

namespace spalt_tool::replay {

class Replayer {
 public:
  Replayer(const Database& database, const RunOptions& options, Progress& progress);
  /// Fails when nothing can be compiled with these settings (`unsupported`) or files cannot be saved.
  bool run(const Settings& settings, Results& results, Problem& problem);

 private:
  /// What a thread keeps between pipelines: the module that it has decoded, which the next pipeline often has, too.
  struct Worker {
    uint64_t module = 0;
    bool has_module = false;
    std::vector<uint32_t> words;
    Problem problem;
  };
  /// The description of a pipeline. Those that are large are read again when they are compiled, so that memory stays in
  /// proportion to the number of pipelines.
  struct Description {
    PipelineState state;
    bool kept = false;
  };
  void select();
  void describe();
  void describe(size_t index);
  void load_layouts();
  void compile_all();
  std::vector<size_t> order_of_work() const;
  bool interrupted() const { return options_.stop != nullptr && *options_.stop; }
  void compile(unsigned worker, size_t index);
  void compile_described(unsigned worker, const PipelineState& state, PipelineResult& result);
  void load_module(Worker& worker, uint64_t hash) const;
  void save(const PipelineResult& result, const Worker& worker, const std::string& elf);

  const Database& database_;
  const RunOptions& options_;
  Progress& progress_;
  PipelineCompiler compiler_;
  Applications applications_;
  Layouts layouts_;
  TimeLimit time_limit_;
  std::vector<Worker> workers_;
  std::vector<PipelineResult> results_;
  std::vector<Description> descriptions_;  ///< one for each result
};

}  // namespace spalt_tool::replay
