// SPDX-License-Identifier: MIT
//
// A run: all pipelines of the archives and .pipe files that are asked for, compiled on several threads. The
// descriptions in archives are read first, then the layouts that they refer to, each once; then pipelines are compiled,
// those with the largest modules first, so that no thread is left alone with one at the end. A .pipe file is read when
// it is compiled. Results stand in the order of hashes, whoever was done first.
#pragma once
#include <array>
#include <span>
#include <string>
#include <vector>

#include "replay/applications.h"
#include "replay/compile_pipeline.h"
#include "replay/database.h"
#include "replay/layouts.h"
#include "replay/object_table.h"
#include "replay/pipe/pipe_file.h"
#include "replay/progress.h"
#include "replay/results.h"
#include "replay/time_limit.h"

namespace spalt_tool::replay {

class Replayer {
 public:
  Replayer(const Database& database, std::span<const pipe::PipeFile> pipes, const RunOptions& options,
           Progress& progress);
  /// Fails when nothing can be compiled with these settings (`unsupported`) or files cannot be saved.
  bool run(const Settings& settings, Results& results, Problem& problem);

 private:
  /// A decoded module.
  struct Module {
    uint64_t hash = 0;
    bool known = false;
    std::vector<uint32_t> words;
    Problem problem;
  };
  /// What a thread keeps between pipelines: the modules that it has decoded, one for each stage, which the next
  /// pipeline often has, too.
  struct Worker {
    std::array<Module, 2> modules;
  };
  /// The description of a pipeline. Those that are large are read again when they are compiled, so that memory stays in
  /// proportion to the number of pipelines.
  struct Description {
    const pipe::PipeFile* pipe = nullptr;  ///< of pipelines of such files, which have nothing else here
    PipelineState state;
    uint64_t render_pass = 0;
    bool kept = false;
  };
  void select();
  bool is_selected(PipelineKind kind, uint64_t hash) const;
  void describe();
  void describe(size_t index);
  void load_layouts();
  void load_render_passes();
  void compile_all();
  std::vector<size_t> order_of_work() const;
  bool interrupted() const { return options_.stop != nullptr && *options_.stop; }
  void compile(unsigned worker, size_t index);
  void compile_described(unsigned worker, const PipelineState& state, PipelineResult& result);
  void compile_pipe(unsigned worker, const pipe::PipeFile& file, PipelineResult& result);
  void compile_input(unsigned worker, const PipelineInput& input, PipelineResult& result);
  void load_module(Module& module, uint64_t hash) const;
  /// The formats of the colour attachments, by location.
  bool find_formats(const GraphicsState& state, std::vector<uint32_t>& formats, Problem& problem) const;
  void save(const PipelineResult& result, const PipelineInput& input, const std::string& elf);

  const Database& database_;
  std::span<const pipe::PipeFile> pipes_;
  const RunOptions& options_;
  Progress& progress_;
  PipelineCompiler compiler_;
  Applications applications_;
  Layouts layouts_;
  ObjectTable<RenderPassState> render_passes_;
  TimeLimit time_limit_;
  std::vector<Worker> workers_;
  std::vector<PipelineResult> results_;
  std::vector<Description> descriptions_;  ///< one for each result
};

}  // namespace spalt_tool::replay
