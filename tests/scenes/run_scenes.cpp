// SPDX-License-Identifier: MIT
//
// run_scenes: draws every scene on Mesa's software driver and, with --driver, on another Vulkan driver by the same
// calls, and compares the pictures.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "run/process_pool.h"
#include "run/support.h"
#include "scene_steps.h"
#include "write_pipelines.h"

namespace {

using namespace spalt::scenes;
using spalt::run::Driver;
using spalt::run::TaskOutcome;
namespace vkrun = spalt::vkrun;

constexpr const char* kUsage =
    "usage: run_scenes [SCENE.json | FOLDER]... [options]\n"
    "  --driver FILE        compare with the Vulkan driver of this manifest (build/src/icd/spalt_icd.json)\n"
    "  --filter TEXT        only scenes whose name contains TEXT\n"
    "  --share N/M          only every M-th scene, starting with the N-th (1 <= N <= M)\n"
    "  --target NAME,...    processors (default: one of each generation)\n"
    "  --wave 32|64         only this wave size (default: both)\n"
    "  --variant plain|optimized|debug   as glslang writes the SPIR-V, after spirv-opt -O, or with debug information\n"
    "  --rendering dynamic|render_pass   how passes begin that leave it open (default: dynamic where there is that)\n"
    "  --libraries linked|optimized   pipelines are made from libraries, linked with or without optimization\n"
    "  --png FOLDER         write the pictures there\n"
    "  --validation         both drivers run under the validation layer, which must print nothing\n"
    "  --write-pipelines FOLDER   draw nothing: write the pipelines as a list for tools/bench/compare\n"
    "  --no-skips           scenes that would be skipped are failures\n"
    "  --jobs N             processes at a time (default: one for each processor)\n"
    "  --timeout SECONDS    for one scene on one processor (default: 300)\n";

struct Options {
  std::vector<std::string> paths;
  std::string filter;
  size_t share_first = 1;
  size_t share_of = 1;
  std::vector<std::string> targets = {"gfx900", "gfx1010", "gfx1030", "gfx1100", "gfx1150", "gfx1200"};
  std::vector<uint32_t> waves = {32, 64};
  std::string driver;
  std::string pipeline_folder;
  StepOptions step;
  bool validation = false;
  bool no_skips = false;
  size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  double timeout = 300.0;
};

/// How the result of a scene that was not drawn begins.
constexpr const char* kSkipped = "skipped: ";

/// What a step returns, or why it was not done.
template <typename Step>
std::string run_step(Step step) {
  try {
    return step();
  } catch (const spalt::run::NotThere& reason) {
    return kSkipped + std::string(reason.what());
  }
}

// ---- the whole run ----

class TestRun {
 public:
  TestRun(const Options& options, const Driver& reference)
      : options_(options), reference_(reference), pool_(options.jobs, options.timeout) {}

  void add(const std::string& path) {
    const std::string name = std::filesystem::path(path).stem().string();
    const bool alone = options_.driver.empty();
    pool_.submit([=, this] { return run_step([&] { return draw_reference(path, reference_, options_.step, alone); }); },
                 [=, this](const TaskOutcome& outcome) {
                   const bool drawn = report(name, "reference", outcome, "");
                   if (!alone && drawn) add_comparisons(name, path, outcome.data);
                 });
  }

  /// The exit code.
  int finish() {
    pool_.run();
    if (skipped_ != 0) std::printf("%zu skipped\n", skipped_);
    std::printf("%zu passed, %zu failed\n", passed_, failed_);
    return failed_ == 0 && passed_ != 0 ? 0 : 1;
  }

 private:
  void add_comparisons(const std::string& name, const std::string& path, const std::string& pictures) {
    const auto expected = std::make_shared<Pictures>(read_pictures(pictures));
    const Driver driver{options_.driver, options_.validation};
    for (const std::string& target : options_.targets) {
      for (const uint32_t wave : options_.waves) {
        if (wave == 32 && target.starts_with("gfx9")) continue;
        const std::string label = target + " wave" + std::to_string(wave);
        pool_.submit(
            [=, this] {
              return run_step([&] { return draw_and_compare(path, driver, target, wave, options_.step, *expected); });
            },
            [=, this](const TaskOutcome& outcome) { report(name, label, outcome, outcome.data); });
      }
    }
  }

  /// Whether the step was done and passed.
  bool report(const std::string& name, const std::string& label, const TaskOutcome& outcome, const std::string& note) {
    const bool is_skip = outcome.data.starts_with(kSkipped);
    const bool passed = outcome.failure.empty() && !is_skip;
    const char* verdict = "PASS";
    if (is_skip && !options_.no_skips) {
      ++skipped_;
      verdict = "SKIP";
    } else {
      ++(passed ? passed_ : failed_);
      if (!passed) verdict = "FAIL";
    }
    const std::string& text = is_skip ? outcome.data : passed ? note : outcome.failure;
    std::printf("%s %s [%s] %.2f s%s%s\n", verdict, name.c_str(), label.c_str(), outcome.seconds,
                text.empty() ? "" : ": ", text.c_str());
    std::fflush(stdout);
    return passed;
  }

  const Options& options_;
  Driver reference_;
  spalt::run::ProcessPool pool_;
  size_t passed_ = 0;
  size_t failed_ = 0;
  size_t skipped_ = 0;
};

// ---- command line ----

vkrun::Variant parse_variant(const std::string& name) {
  if (name == "plain") return vkrun::Variant::Plain;
  if (name == "optimized") return vkrun::Variant::Optimized;
  if (name == "debug") return vkrun::Variant::Debug;
  throw vkrun::Error("unknown variant '" + name + "'");
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

void parse_share(const std::string& text, Options& options) {
  const size_t slash = text.find('/');
  if (slash == std::string::npos) throw vkrun::Error("--share needs N/M");
  options.share_first = std::stoul(text.substr(0, slash));
  options.share_of = std::stoul(text.substr(slash + 1));
  if (options.share_first == 0 || options.share_first > options.share_of)
    throw vkrun::Error("--share needs 1 <= N <= M");
}

Rendering parse_rendering(const std::string& name) {
  if (name == "dynamic") return Rendering::Dynamic;
  if (name == "render_pass") return Rendering::RenderPass;
  throw vkrun::Error("--rendering is dynamic or render_pass");
}

Libraries parse_libraries(const std::string& name) {
  if (name == "linked") return Libraries::Linked;
  if (name == "optimized") return Libraries::Optimized;
  throw vkrun::Error("--libraries is linked or optimized");
}

void parse_value_option(const std::string& name, const std::string& value, Options& options) {
  if (name == "--driver") {
    options.driver = std::filesystem::absolute(value).string();
  } else if (name == "--filter") {
    options.filter = value;
  } else if (name == "--share") {
    parse_share(value, options);
  } else if (name == "--target") {
    options.targets = split(value);
  } else if (name == "--wave") {
    options.waves = {static_cast<uint32_t>(std::stoul(value))};
  } else if (name == "--variant") {
    options.step.variant = parse_variant(value);
  } else if (name == "--rendering") {
    options.step.ways.rendering = parse_rendering(value);
  } else if (name == "--libraries") {
    options.step.ways.libraries = parse_libraries(value);
  } else if (name == "--png") {
    options.step.png_folder = value;
  } else if (name == "--write-pipelines") {
    options.pipeline_folder = value;
  } else if (name == "--jobs") {
    options.jobs = std::max(1ul, std::stoul(value));
  } else if (name == "--timeout") {
    options.timeout = std::stod(value);
  } else {
    throw vkrun::Error("unknown option '" + name + "'");
  }
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (argument == "--validation") {
      options.validation = true;
    } else if (argument == "--no-skips") {
      options.no_skips = true;
    } else if (argument.starts_with("--")) {
      if (i + 1 == argc) throw vkrun::Error(argument + " needs a value");
      parse_value_option(argument, argv[++i], options);
    } else {
      options.paths.push_back(argument);
    }
  }
  if (options.paths.empty()) options.paths.push_back(SPALT_SCENES);
  if (!options.driver.empty()) options.step.vulkan_1_2 = spalt::run::is_vulkan_1_2({options.driver, false});
  return options;
}

std::vector<std::string> collect_scenes(const Options& options) {
  std::vector<std::string> scenes;
  for (const std::string& path : options.paths) {
    if (!std::filesystem::is_directory(path)) {
      scenes.push_back(path);
      continue;
    }
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.path().extension() == ".json") scenes.push_back(entry.path().string());
    }
  }
  std::erase_if(scenes, [&](const std::string& path) {
    return std::filesystem::path(path).stem().string().find(options.filter) == std::string::npos;
  });
  std::sort(scenes.begin(), scenes.end());
  std::vector<std::string> share;
  for (size_t i = options.share_first - 1; i < scenes.size(); i += options.share_of) share.push_back(scenes[i]);
  return share;
}

/// The reference: what the user's environment chooses, or Mesa's software driver.
Driver reference_driver(const Options& options) {
  // Without shortcuts that filter in 8 bits or approximate levels of detail.
  setenv("GALLIVM_PERF", "no_aos_sampling,no_brilinear,no_rho_approx,no_quad_lod,no_filter_hacks", 0);
  for (const char* variable : {"VK_DRIVER_FILES", "VK_ICD_FILENAMES"}) {
    if (const char* files = std::getenv(variable)) return {files, options.validation};
  }
  return {"/usr/share/vulkan/icd.d/lvp_icd.x86_64.json", options.validation};
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse_options(argc, argv);
    if (!options.pipeline_folder.empty()) {
      const size_t count = write_pipelines(collect_scenes(options), options.step.variant, options.pipeline_folder);
      std::printf("%zu pipelines\n", count);
      return 0;
    }
    TestRun run(options, reference_driver(options));
    // The pool starts the newest task first, so the last one added is the first to run.
    std::vector<std::string> scenes = collect_scenes(options);
    std::reverse(scenes.begin(), scenes.end());
    for (const std::string& path : scenes) run.add(path);
    return run.finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), kUsage);
    return 2;
  }
}
