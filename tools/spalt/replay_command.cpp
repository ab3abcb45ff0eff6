// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <iterator>
#include <thread>

#include "commands.h"
#include "files.h"
#include "replay/inputs.h"
#include "replay/merge.h"
#include "replay/replayer.h"
#include "replay/report.h"
#include "replay/results_json.h"

namespace spalt_tool {
namespace {

using namespace replay;

/// Set by a signal handler, which can reach nothing else.
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free);

/// While it lives, the first SIGINT or SIGTERM ends the run with the results that there are, and a second one the
/// process.
class StopOnSignal {
 public:
  StopOnSignal() {
    struct sigaction action {};
    action.sa_handler = [](int) { stop_requested = true; };
    action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &action, &before_[i]);
  }
  ~StopOnSignal() {
    for (size_t i = 0; i < std::size(kSignals); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  }
  StopOnSignal(const StopOnSignal&) = delete;
  StopOnSignal& operator=(const StopOnSignal&) = delete;

 private:
  static constexpr int kSignals[] = {SIGINT, SIGTERM};
  struct sigaction before_[std::size(kSignals)]{};
};

struct Options {
  std::vector<std::string> files;
  Settings settings;
  RunOptions run;
  ReportOptions report;
  std::string shard = "1/1";
  std::string only;
  std::vector<std::string> pipelines;
  std::string progress = "auto";
  std::string against;
  std::string output;
  bool merge = false;
  bool json = false;
  bool no_times = false;
  bool allow_unsupported = false;
};

int complain(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return code;
}

bool parse_shard(const std::string& text, Shard& shard) {
  char rest = 0;
  const bool two_numbers = std::sscanf(text.c_str(), "%u/%u%c", &shard.index, &shard.count, &rest) == 2;
  return two_numbers && text.find('-') == std::string::npos && shard.index >= 1 && shard.index <= shard.count;
}

/// What options of text mean; empty when all is well.
std::string interpret(Options& options) {
  if (!parse_shard(options.shard, options.run.shard)) {
    return "--shard " + options.shard + ": expected I/N with I from 1 to N, for example 2/8";
  }
  if (find_compared_metric(options.report.metric) == nullptr) {
    return "--by " + options.report.metric + ": not a number that is compared";
  }
  for (const std::string& text : options.pipelines) {
    if (!parse_hash(text, options.run.hashes.emplace_back())) return "--pipeline " + text + ": expected 16 digits";
  }
  for (const KindInfo& kind : pipeline_kinds()) {
    if (options.only.empty() || options.only == kind.name) options.run.kinds.push_back(kind.kind);
  }
  if (options.run.jobs == 0) options.run.jobs = std::max(std::thread::hardware_concurrency(), 1u);
  options.run.stop = &stop_requested;
  if (options.run.jobs > 1024) return "--jobs takes at most 1024";
  return {};
}

Progress::Mode progress_mode(const std::string& name) {
  if (name == "off") return Progress::Mode::off;
  return name == "on" ? Progress::Mode::log : Progress::automatic();
}

/// What a run reads.
struct Inputs {
  Database database;
  std::vector<pipe::PipeFile> pipes;
};

/// Opens the files, whatever their kinds. Those that cannot be opened are results, too: the others are still compiled.
bool open_inputs(const std::vector<std::string>& files, Inputs& inputs, Results& results) {
  bool all = true;
  const auto damaged = [&](const std::string& file, const std::string& error) {
    complain(file + ": " + error, kInput);
    results.archives.push_back({file, 0, {error}, true});
    all = false;
  };
  for (const std::string& file : files) {
    std::string error;
    pipe::PipeFile pipe;
    Archive archive;
    if (is_pipe_name(file)) {
      if (!pipe::find_pipe(file, pipe, error)) {
        damaged(file, error);
        continue;
      }
      results.archives.push_back({file, 1, {}, false});
      inputs.pipes.push_back(std::move(pipe));
      continue;
    }
    std::unique_ptr<ByteSource> source = open_file(file, error);
    if (source == nullptr || !archive.open(std::move(source), error)) {
      damaged(file, error);
      continue;
    }
    for (const std::string& warning : archive.warnings()) complain(file + ": " + warning, kInput);
    results.archives.push_back({file, archive.record_count(), archive.warnings(), archive.damaged()});
    inputs.database.add(file, std::move(archive));
  }
  return all || !inputs.pipes.empty() || !inputs.database.sources().empty();
}

int run(const Options& options, Results& results) {
  Inputs inputs;
  std::vector<std::string> files;
  std::string error;
  if (!list_inputs(options.files, files, error)) return complain(error, kInput);
  if (!open_inputs(files, inputs, results)) return kInput;
  Progress progress(progress_mode(options.progress));
  const StopOnSignal stop;
  Replayer replayer(inputs.database, inputs.pipes, options.run, progress);
  Problem problem;
  if (!replayer.run(options.settings, results, problem)) {
    return complain(problem.message, problem.cause == Cause::unsupported ? kUnsupported : kInput);
  }
  for (const std::string& warning : results.warnings) complain(warning, kInput);
  const auto found = [&](uint64_t hash) {
    return std::any_of(results.pipelines.begin(), results.pipelines.end(),
                       [hash](const PipelineResult& pipeline) { return pipeline.hash == hash; });
  };
  for (const uint64_t hash : options.run.hashes) {
    if (options.run.shard.count == 1 && !found(hash)) {
      return complain("pipeline " + hash_name(hash) + " is in none of the files", kInput);
    }
  }
  return kOk;
}

int merge(const Options& options, Results& results) {
  std::vector<ResultFile> files;
  std::string error;
  for (const std::string& name : options.files) {
    files.push_back({name, {}});
    if (!load_results(name, files.back().results, error)) return complain(error, kInput);
  }
  if (!merge_results(std::move(files), results, error)) return complain(error, kInput);
  return kOk;
}

/// The worst of what happened: bugs before bad input before what is not supported.
int exit_code(const Options& options, const Results& results, const Comparison* comparison) {
  const auto any = [&](Cause cause) {
    return std::any_of(results.pipelines.begin(), results.pipelines.end(),
                       [cause](const PipelineResult& pipeline) { return pipeline.problem.cause == cause; });
  };
  if (any(Cause::bug)) return kInternal;
  const bool damaged = std::any_of(results.archives.begin(), results.archives.end(),
                                   [](const ArchiveResult& archive) { return archive.damaged; });
  if (damaged || count(results).failed > 0) return kInput;
  if (options.merge && !missing_shards(results).empty()) return kInput;
  const bool lost = comparison != nullptr && !comparison->lost.empty();
  return any(Cause::unsupported) && (lost || !options.allow_unsupported) ? kUnsupported : kOk;
}

int deliver(const Options& options, const Results& results, const Comparison* comparison) {
  std::string error;
  const std::string missing = missing_shards(results);
  if (options.merge && !missing.empty()) complain("shards that are missing: " + missing, kInput);
  if (options.json || !options.output.empty()) {
    const std::string text = write_results(results, !options.no_times, comparison);
    const std::string file = options.output.empty() ? "-" : options.output;
    if (!write_file(file, text.data(), text.size(), error)) return complain(error, kInput);
  }
  if (!options.json && options.output != "-") {
    std::fputs(report(results, options.report).c_str(), stdout);
    if (comparison != nullptr) std::fputs(report(*comparison, options.report).c_str(), stdout);
  }
  return exit_code(options, results, comparison);
}

/// Leaves the pipelines that this run is about: what was not asked for is not lost.
void keep_selected(const RunOptions& run, Results& old) {
  const auto is_selected = [&run](const PipelineResult& pipeline) {
    const bool kind = std::find(run.kinds.begin(), run.kinds.end(), pipeline.kind) != run.kinds.end();
    const bool asked =
        run.hashes.empty() || std::find(run.hashes.begin(), run.hashes.end(), pipeline.hash) != run.hashes.end();
    return kind && asked && in_shard(run.shard, pipeline.hash);
  };
  const auto end = std::stable_partition(old.pipelines.begin(), old.pipelines.end(), is_selected);
  old.pipelines.erase(end, old.pipelines.end());
}

int replay_files(Options& options) {
  const std::string wrong = interpret(options);
  if (!wrong.empty()) return complain(wrong, kUsage);
  Results results, old;
  std::string error;
  // Before the work: a mistyped name would otherwise cost all of it.
  if (!options.against.empty() && !load_results(options.against, old, error)) return complain(error, kInput);
  const int done = options.merge ? merge(options, results) : run(options, results);
  if (done != kOk) return done;
  if (options.against.empty()) return deliver(options, results, nullptr);
  if (!options.merge) keep_selected(options.run, old);
  const Comparison comparison = compare(options.against, old, results);
  return deliver(options, results, &comparison);
}

void add_run_options(Command& command, Options& options) {
  Settings& settings = options.settings;
  std::string names;
  for (size_t i = 0; i < spalt_target_count(); ++i) names += (i == 0 ? "" : ", ") + std::string(spalt_target_name(i));
  command.add_option("--target", settings.target, "Processor: " + names).show_default();
  command
      .add_option("--wave", settings.wave_size,
                  "Lanes per wave, 32 or 64, of pipelines that require no subgroup size (default: the target's)")
      .one_of({"32", "64"});
  command.add_flag("--wgp", settings.wgp_mode, "Workgroups may spread over a work-group processor");
  command
      .add_option("--robustness", settings.robustness,
                  "Robust accesses as they were recorded, or off, 1 (robustBufferAccess) or 2 for all pipelines")
      .show_default()
      .one_of({"recorded", "off", "1", "2"});
  command.add_option("--max-vgprs", settings.max_vgprs, "VGPRs of a wave that the code may use, at least 24");
  command.add_option("--max-sgprs", settings.max_sgprs, "SGPRs of a wave that the code may use, at least 32");
  command.add_option("--max-unroll", settings.max_unroll, "Instructions that a loop may become; 1: no unrolling");
  command.add_flag("--verify", options.run.verify, "Run all verifiers and the allocation checker between the passes");
  command.add_option("--jobs", options.run.jobs, "Threads; 0: as many as there are cores").show_default();
  command.add_option("--repeat", options.run.repeat, "Compilations of each pipeline, of which the fastest counts")
      .show_default();
  command.add_option("--time-limit", options.run.time_limit, "Seconds after which a pipeline has failed; 0: never")
      .show_default();
  command.add_option("--shard", options.shard,
                     "I/N: only the I-th of N parts of the pipelines; a pipeline's hash decides where it belongs");
  command.add_option("--only", options.only, "Only pipelines of this kind")
      .one_of({"compute", "graphics", "ray_tracing"});
  command.add_repeated("--pipeline", options.pipelines, "Only the pipeline with this hash, may be repeated");
  command.add_option("--save", options.run.save_folder,
                     "A folder for HASH.spv and HASH.elf of each pipeline, of failed ones the former");
  command.add_option("--progress", options.progress, "Progress on stderr; auto: as a line on a terminal")
      .show_default()
      .one_of({"auto", "on", "off"});
}

void add_result_options(Command& command, Options& options) {
  command.add_flag("--merge", options.merge,
                   "The files are results, not archives: join those of shards, or of runs on other archives");
  command.add_option("--against", options.against, "Compare with the results in this file");
  command.add_flag("--json", options.json, "Print results as JSON instead of tables (docs/replay.md)");
  command.add_option("-o,--output", options.output, "Write results as JSON to this file; - is the standard output");
  command.add_flag("--no-times", options.no_times, "No times in the JSON: equal runs give equal bytes");
  command.add_option("--rows", options.report.rows, "Pipelines in lists that are not whole").show_default();
  command.add_flag("--all", options.report.all, "Whole lists");
  command.add_option("--by", options.report.metric, "The number that tells the worst and the best of a comparison")
      .show_default();
  command.add_flag("--allow-unsupported", options.allow_unsupported,
                   "Exit code 0 although pipelines are not supported, unless --against says they were before");
}

}  // namespace

void add_replay_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  options->run.time_limit = 600;
  Command command = line.add_command(
      "replay",
      "Compile the pipelines of recorded Fossilize archives (.foz) and of LLPC's pipeline files (.pipe), each with its "
      "own\nlayout, state and specialization; of folders all such files in them\n"
      "Example: spalt replay game.foz --target gfx1100 --jobs 0 -o new.json --against old.json\n"
      "Exit codes: 0 all compiled; 1 usage; 2 a pipeline failed, an archive is damaged, or a shard to merge is "
      "missing;\n"
      "3 nothing failed, but pipelines are not supported; 4 a bug in spalt. A record that is cut off at the end of an\n"
      "archive, as a crashed recorder leaves it, is said and changes no exit code. SIGINT and SIGTERM end a run with "
      "the\n"
      "results that there are.",
      [options] { return replay_files(*options); });
  command.add_option("files", options->files, "Archives, .pipe files, folders of both; with --merge, result files")
      .required();
  add_run_options(command, *options);
  add_result_options(command, *options);
}

}  // namespace spalt_tool
