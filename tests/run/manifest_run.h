// SPDX-License-Identifier: MIT
//
// What the programs that execute manifests on several processors share: which manifests, on which processors, and how
// the steps are counted and printed. run_programs and tests/scenes/run_scenes are made of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "process_pool.h"
#include "vkrun/manifest.h"
#include "vkrun/shader_source.h"

namespace spalt::run {

struct RunOptions {
  std::vector<std::string> paths;  ///< manifests, or folders of them
  std::string filter;
  size_t share_first = 1, share_of = 1;
  std::vector<std::string> targets = {"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
  std::vector<uint32_t> waves = {32, 64};
  vkrun::Variant variant = vkrun::Variant::Plain;
  bool no_skips = false;
  size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  double timeout = 300.0;  ///< seconds, for one step
};

/// Takes an option that all such programs have; false: it is none. Throws vkrun::Error when the value is wrong.
bool parse_run_option(const std::string& name, const std::string& value, RunOptions& options);

/// Prints the usage if the command line asks for it.
bool prints_help(int argc, char** argv, const char* usage);

/// Walks the command line: `flag` takes options without a value and says whether it knows one, `value` the others;
/// what is no option is a path.
template <class Flag, class Value>
void parse_arguments(int argc, char** argv, RunOptions& options, Flag flag, Value value) {
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--no-skips") {
      options.no_skips = true;
    } else if (!argument.starts_with("--")) {
      options.paths.push_back(argument);
    } else if (!flag(argument)) {
      if (i + 1 == argc) throw vkrun::Error(argument + " needs a value");
      if (!parse_run_option(argument, argv[i + 1], options)) value(argument, argv[i + 1]);
      ++i;
    }
  }
}

/// The files of `paths` with the filter in their names, in order, of which the share is taken.
std::vector<std::string> collect_manifests(const RunOptions& options);

/// How the result of a step begins that was not done; the reason follows.
inline constexpr const char* kSkipped = "skipped: ";

/// Counts steps and prints a line for each.
class StepReport {
 public:
  explicit StepReport(const RunOptions& options) : options_(options) {}

  /// `note` is printed after a step that passed. Returns whether it was done and passed.
  bool add(const std::string& name, const std::string& label, const TaskOutcome& outcome, const std::string& note = "");
  /// Prints the sums and returns the exit code.
  int finish() const;

 private:
  const RunOptions& options_;
  size_t passed_ = 0, failed_ = 0, skipped_ = 0;
};

}  // namespace spalt::run
