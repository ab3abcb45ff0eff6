// SPDX-License-Identifier: MIT
//
// run_scenes: draws every scene on Mesa's software driver and, with --driver, on another Vulkan driver by the same
// calls, and compares the pictures.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "run/manifest_run.h"
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

struct Options : spalt::run::RunOptions {
  std::string driver;
  std::string pipeline_folder;
  StepOptions step;
  bool validation = false;
};

/// What a step returns, or why it was not done.
template <typename Step>
std::string run_step(Step step) {
  try {
    return step();
  } catch (const spalt::run::NotThere& reason) {
    return spalt::run::kSkipped + std::string(reason.what());
  }
}

// ---- the whole run ----

class TestRun {
 public:
  TestRun(const Options& options, const Driver& reference)
      : options_(options), reference_(reference), pool_(options.jobs, options.timeout), report_(options) {}

  void add(const std::string& path) {
    const std::string name = std::filesystem::path(path).stem().string();
    const bool alone = options_.driver.empty();
    pool_.submit([=, this] { return run_step([&] { return draw_reference(path, reference_, options_.step, alone); }); },
                 [=, this](const TaskOutcome& outcome) {
                   const bool drawn = report_.add(name, "reference", outcome);
                   if (!alone && drawn) add_comparisons(name, path, outcome.data);
                 });
  }

  /// The exit code.
  int finish() {
    pool_.run();
    return report_.finish();
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
            [=, this](const TaskOutcome& outcome) { report_.add(name, label, outcome, outcome.data); });
      }
    }
  }

  const Options& options_;
  Driver reference_;
  spalt::run::ProcessPool pool_;
  spalt::run::StepReport report_;
};

// ---- command line ----

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
  } else if (name == "--rendering") {
    options.step.ways.rendering = parse_rendering(value);
  } else if (name == "--libraries") {
    options.step.ways.libraries = parse_libraries(value);
  } else if (name == "--png") {
    options.step.png_folder = value;
  } else if (name == "--write-pipelines") {
    options.pipeline_folder = value;
  } else {
    throw vkrun::Error("unknown option '" + name + "'");
  }
}

Options parse_options(int argc, char** argv) {
  Options options;
  spalt::run::parse_arguments(
      argc, argv, options,
      [&](const std::string& name) { return name == "--validation" && (options.validation = true); },
      [&](const std::string& name, const std::string& value) { parse_value_option(name, value, options); });
  if (options.paths.empty()) options.paths.push_back(SPALT_SCENES);
  if (!options.driver.empty()) options.step.vulkan_1_2 = spalt::run::is_vulkan_1_2({options.driver, false});
  options.step.variant = options.variant;
  return options;
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
  if (spalt::run::prints_help(argc, argv, kUsage)) return 0;
  try {
    const Options options = parse_options(argc, argv);
    if (!options.pipeline_folder.empty()) {
      const size_t count =
          write_pipelines(spalt::run::collect_manifests(options), options.step.variant, options.pipeline_folder);
      std::printf("%zu pipelines\n", count);
      return 0;
    }
    TestRun run(options, reference_driver(options));
    // The pool starts the newest task first, so the last one added is the first to run.
    std::vector<std::string> scenes = spalt::run::collect_manifests(options);
    std::reverse(scenes.begin(), scenes.end());
    for (const std::string& path : scenes) run.add(path);
    return run.finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), kUsage);
    return 2;
  }
}
