// SPDX-License-Identifier: MIT
//
// run_programs: executes every manifest on a Vulkan driver and on Spalt's emulator, by the API or by Spalt's own Vulkan
// driver, on the same SPIR-V and the same inputs, and compares. The Vulkan result itself is first compared with the
// manifest's literal values and its C++ reference.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver_runner.h"
#include "manifest_run.h"
#include "process_pool.h"
#include "reference_step.h"
#include "spalt_runner.h"
#include "support.h"
#include "vkrun/compare.h"
#include "vkrun/manifest.h"
#include "vkrun/shader_source.h"

namespace {

using namespace spalt::run;
namespace vkrun = spalt::vkrun;

constexpr const char* kUsage =
    "usage: run_programs [MANIFEST.json | FOLDER]... [options]\n"
    "  --filter TEXT        only programs whose name contains TEXT\n"
    "  --share N/M          only every M-th program, starting with the N-th (1 <= N <= M)\n"
    "  --wave 32|64         only this wave size (default: both)\n"
    "  --target NAME,...    processors (default: one of each generation)\n"
    "  --mode cu|wgp        only workgroups on a compute unit, or on a work-group processor (default: both)\n"
    "  --variant plain|optimized|debug   as glslang writes the SPIR-V, after spirv-opt -O, or with debug information\n"
    "  --only-reference     only the Vulkan driver against literals and C++ references\n"
    "  --no-verify          without the verifiers and the allocation checker between the passes\n"
    "  --hierarchy SEED     in the memory hierarchy mode of the emulator\n"
    "  --registers V,S      with at most V vector and S scalar registers\n"
    "  --fast               compiled for code that is wanted soon (SPALT_OPTIMIZATION_FAST)\n"
    "  --driver FILE        through the Vulkan driver with this manifest (build/src/icd/spalt_icd.json)\n"
    "  --validation         the driver runs under the validation layer, which must print nothing\n"
    "  --no-skips           programs that would be skipped are failures\n"
    "  --jobs N             processes at a time (default: one for each processor)\n"
    "  --timeout SECONDS    for one program and wave size (default: 300)\n";

struct Options : RunOptions {
  std::vector<bool> wgp_modes = {false, true};
  bool only_reference = false;
  bool verify = true;
  std::optional<uint64_t> hierarchy_seed;
  Registers limits;
  bool fast = false;
  std::optional<Driver> driver;
};

std::string run_spalt(const std::string& path, const ReferenceResult& reference, const SpaltOptions& options,
                      const std::optional<Driver>& driver) {
  const vkrun::Manifest manifest = vkrun::load_manifest(path);
  vkrun::BufferContents contents;
  try {
    contents = driver ? run_on_driver(manifest, reference.shaders, *driver, options.target, options.wave)
                      : run_on_spalt(manifest, reference.shaders, options);
  } catch (const NotThere& reason) {
    return kSkipped + std::string(reason.what());
  }
  check_independently(manifest, contents);
  if (const auto difference = vkrun::compare_runs(manifest, reference.contents, contents)) {
    throw vkrun::Error("Vulkan reference: " + *difference);
  }
  return "ok";
}

// ---- the whole run ----

class TestRun {
 public:
  explicit TestRun(const Options& options)
      : options_(options), pool_(options.jobs, options.timeout), report_(options) {}

  void add(const std::string& path) {
    const std::string name = std::filesystem::path(path).stem().string();
    const bool vulkan_1_2 = options_.driver && is_vulkan_1_2(*options_.driver);
    pool_.submit([=, variant = options_.variant] { return run_reference(path, variant, vulkan_1_2); },
                 [this, name, path](const TaskOutcome& outcome) {
                   report_.add(name, "reference", outcome);
                   if (!options_.only_reference) add_spalt(name, path, outcome);
                 });
  }

  /// A layer that is silent about everything would prove nothing.
  void add_validation_check() {
    pool_.submit([driver = *options_.driver] { return (check_that_validation_speaks(driver), "ok"); },
                 [this](const TaskOutcome& outcome) { report_.add("validation_layer", "speaks", outcome); });
  }

  /// The exit code.
  int finish() {
    pool_.run();
    return report_.finish();
  }

 private:
  void add_spalt(const std::string& name, const std::string& path, const TaskOutcome& reference_outcome) {
    const bool usable = reference_outcome.failure.empty();
    const auto reference =
        std::make_shared<ReferenceResult>(usable ? read_reference(reference_outcome.data) : ReferenceResult{});
    for (const SpaltOptions& configuration : configurations()) {
      const std::string label =
          configuration.target + " wave" + std::to_string(configuration.wave) + (configuration.wgp_mode ? " wgp" : "");
      if (!usable) {
        report_.add(name, label, {"", "there is no reference to compare with", 0.0});
        continue;
      }
      pool_.submit([=, driver = options_.driver] { return run_spalt(path, *reference, configuration, driver); },
                   [this, name, label](const TaskOutcome& outcome) { report_.add(name, label, outcome); });
    }
  }

  /// Those of the wanted targets, wave sizes and modes that exist.
  std::vector<SpaltOptions> configurations() const {
    std::vector<SpaltOptions> all;
    for (const std::string& target : options_.targets) {
      for (const bool wgp_mode : options_.wgp_modes) {
        for (const uint32_t wave : options_.waves) {
          const SpaltOptions configuration{
              target, wave, wgp_mode, options_.verify, options_.hierarchy_seed, options_.limits, options_.fast};
          if (is_supported(configuration)) all.push_back(configuration);
        }
      }
    }
    return all;
  }

  const Options& options_;
  ProcessPool pool_;
  StepReport report_;
};

// ---- command line ----

bool parse_flag(const std::string& name, Options& options, bool& validation) {
  if (name == "--only-reference") {
    options.only_reference = true;
  } else if (name == "--validation") {
    validation = true;
  } else if (name == "--no-verify") {
    options.verify = false;
  } else if (name == "--fast") {
    options.fast = true;
  } else {
    return false;
  }
  return true;
}

void parse_value_option(const std::string& name, const std::string& value, Options& options) {
  if (name == "--mode") {
    if (value != "cu" && value != "wgp") throw vkrun::Error("--mode is cu or wgp");
    options.wgp_modes = {value == "wgp"};
  } else if (name == "--hierarchy") {
    options.hierarchy_seed = std::stoull(value);
  } else if (name == "--registers") {
    options.limits = parse_registers(value);
  } else if (name == "--driver") {
    options.driver = Driver{std::filesystem::absolute(value).string(), false};
    options.wgp_modes = {false};
  } else {
    throw vkrun::Error("unknown option '" + name + "'");
  }
}

Options parse_options(int argc, char** argv) {
  Options options;
  bool validation = false;
  parse_arguments(
      argc, argv, options, [&](const std::string& name) { return parse_flag(name, options, validation); },
      [&](const std::string& name, const std::string& value) { parse_value_option(name, value, options); });
  if (options.paths.empty()) options.paths.push_back(SPALT_RUN_PROGRAMS);
  if (validation && !options.driver) throw vkrun::Error("--validation needs --driver");
  if (options.driver) options.driver->validation = validation;
  return options;
}

/// Without a choice by the user, the reference is Mesa's software driver, whatever GPU the machine has.
void choose_software_driver() {
  constexpr const char* kLavapipe = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
  if (std::getenv("VK_ICD_FILENAMES") == nullptr && std::getenv("VK_DRIVER_FILES") == nullptr &&
      std::filesystem::exists(kLavapipe)) {
    setenv("VK_ICD_FILENAMES", kLavapipe, 1);
  }
  // Without shortcuts that filter in 8 bits, share a level of detail in a quad or approximate derivatives.
  setenv("GALLIVM_PERF", "no_aos_sampling,no_quad_lod,no_lod_ellipse", 0);
}

}  // namespace

int main(int argc, char** argv) {
  if (prints_help(argc, argv, kUsage)) return 0;
  try {
    const Options options = parse_options(argc, argv);
    for (const std::string& target : options.targets) {
      if (!is_supported({target, 64, false, false})) throw vkrun::Error("there is no target '" + target + "'");
    }
    choose_software_driver();
    TestRun run(options);
    // The pool starts the newest task first, so the last one added is the first to run.
    std::vector<std::string> manifests = collect_manifests(options);
    std::reverse(manifests.begin(), manifests.end());
    for (const std::string& path : manifests) run.add(path);
    if (options.driver && options.driver->validation) run.add_validation_check();
    return run.finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), kUsage);
    return 2;
  }
}
