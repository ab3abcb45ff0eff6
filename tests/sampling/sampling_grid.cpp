// SPDX-License-Identifier: MIT
//
// sampling_grid: image operations by all kinds of samplers on a Vulkan driver, judged by the specification in double
// precision (spec_sampler.h): on Mesa's lavapipe, which proves the judge, and on Spalt's driver.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "judge.h"
#include "run/process_pool.h"
#include "sampling_case.h"

namespace {

using namespace spalt::sampling;
namespace vkrun = spalt::vkrun;

constexpr const char* kUsage =
    "usage: sampling_grid [options]\n"
    "  --quick            a tenth of the cases and of their accesses\n"
    "  --driver FILE      also on the Vulkan driver with this manifest (build/src/icd/spalt_icd.json)\n"
    "  --target NAME,...  its processors (default: one of each generation; --quick: gfx1030)\n"
    "  --wave 32|64       its wave size (default: both; --quick: 32)\n"
    "  --no-lavapipe      only on the driver\n"
    "  --filter TEXT      only cases whose name contains TEXT\n"
    "  --jobs N           processes at a time (default: 2)\n";

struct Options {
  bool quick = false;
  bool lavapipe = true;
  std::string driver;
  std::vector<std::string> targets;
  std::vector<std::string> waves;
  std::string filter;
  size_t jobs = 2;
};

constexpr const char* kLavapipe = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";

/// Chooses a driver for this process.
void choose_lavapipe() {
  setenv("VK_DRIVER_FILES", kLavapipe, 1);
  setenv("VK_ICD_FILENAMES", kLavapipe, 1);
  // Without shortcuts that filter in 8 bits, share a level of detail in a quad or approximate derivatives.
  setenv("GALLIVM_PERF", "no_aos_sampling,no_quad_lod,no_lod_ellipse", 1);
}

void choose_spalt(const std::string& manifest, const std::string& target, const std::string& wave) {
  setenv("VK_DRIVER_FILES", manifest.c_str(), 1);
  setenv("VK_ICD_FILENAMES", manifest.c_str(), 1);
  setenv("SPALT_ICD_TARGET", target.c_str(), 1);
  setenv("SPALT_ICD_WAVE", wave.c_str(), 1);
  setenv("SPALT_ICD_THREADS", "1", 1);  // other processes use the other processors
}

std::string run_case(const Case& test) {
  vkrun::VulkanRunner runner;
  const vkrun::BufferContents contents = runner.run(test.manifest, shaders_of(test));
  const Verdict verdict = judge(test, contents[1], {});
  if (verdict.wrong != 0) {
    throw vkrun::Error(verdict.first + "; " + std::to_string(verdict.wrong) + " of " + std::to_string(verdict.results) +
                       " results wrong, by up to " + std::to_string(verdict.worst));
  }
  return std::to_string(verdict.results) + " results";
}

class Run {
 public:
  explicit Run(const Options& options) : options_(options), pool_(options.jobs, 600.0) {}

  void add(const Case& test) {
    for (const std::string& target : options_.targets) {
      for (const std::string& wave : options_.waves) {
        submit(test, target + " wave" + wave, [this, target, wave] { choose_spalt(options_.driver, target, wave); });
      }
    }
    if (options_.lavapipe) submit(test, "lavapipe", choose_lavapipe);
  }

  int finish() {
    pool_.run();
    std::printf("%zu passed, %zu failed\n", passed_, failed_);
    return failed_ == 0 && passed_ != 0 ? 0 : 1;
  }

 private:
  template <typename Choose>
  void submit(const Case& test, const std::string& label, Choose choose) {
    pool_.submit([&test, choose] { return (choose(), run_case(test)); },
                 [this, &test, label](const spalt::run::TaskOutcome& outcome) { report(test.name, label, outcome); });
  }

  void report(const std::string& name, const std::string& label, const spalt::run::TaskOutcome& outcome) {
    const bool passed = outcome.failure.empty();
    ++(passed ? passed_ : failed_);
    std::printf("%s %s [%s] %.2f s: %s\n", passed ? "PASS" : "FAIL", name.c_str(), label.c_str(), outcome.seconds,
                passed ? outcome.data.c_str() : outcome.failure.c_str());
    std::fflush(stdout);
  }

  const Options& options_;
  spalt::run::ProcessPool pool_;
  size_t passed_ = 0, failed_ = 0;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--quick") {
      options.quick = true;
    } else if (name == "--no-lavapipe") {
      options.lavapipe = false;
    } else if (i + 1 == argc) {
      throw vkrun::Error("unknown option or missing value: " + name);
    } else if (name == "--driver") {
      options.driver = std::filesystem::absolute(argv[++i]).string();
    } else if (name == "--target") {
      options.targets = split(argv[++i]);
    } else if (name == "--wave") {
      options.waves = {argv[++i]};
    } else if (name == "--filter") {
      options.filter = argv[++i];
    } else if (name == "--jobs") {
      options.jobs = std::max(1ul, std::stoul(argv[++i]));
    } else {
      throw vkrun::Error("unknown option '" + name + "'");
    }
  }
  if (options.targets.empty()) {
    options.targets = options.quick ? split("gfx1030") : split("gfx900,gfx1010,gfx1030,gfx1100,gfx1150,gfx1200");
  }
  if (options.waves.empty()) options.waves = options.quick ? split("32") : split("32,64");
  if (options.driver.empty()) options.targets.clear();
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse_options(argc, argv);
    std::vector<Case> cases = make_cases(options.quick);
    std::erase_if(cases, [&](const Case& test) { return test.name.find(options.filter) == std::string::npos; });
    Run run(options);
    // The pool starts the newest task first.
    std::for_each(cases.rbegin(), cases.rend(), [&](const Case& test) { run.add(test); });
    return run.finish();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), kUsage);
    return 2;
  }
}
