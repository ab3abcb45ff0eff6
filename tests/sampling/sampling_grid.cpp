// SPDX-License-Identifier: MIT
//
// sampling_grid: image operations by all kinds of samplers on a Vulkan driver, judged by the specification in double
// precision (spec_sampler.h): on Mesa's lavapipe, which proves the judge, and on Spalt's driver.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include "judge.h"
#include "lavapipe.h"
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

/// A driver and how this process chooses it.
struct Device {
  std::string label;
  std::function<void()> choose;
  bool is_lavapipe = false;
};

/// False: lavapipe cannot have such an image.
bool run_device(const Case& test, const vkrun::ShaderWords& shaders, const Device& device, DeviceResults& results) {
  device.choose();
  results.label = device.label;
  results.is_lavapipe = device.is_lavapipe;
  try {
    vkrun::VulkanRunner runner;
    results.bytes = runner.run(test.manifest, shaders)[1];
    return true;
  } catch (const vkrun::Error& error) {
    if (device.is_lavapipe && std::string(error.what()).starts_with("the Vulkan device has no image")) return false;
    throw vkrun::Error(device.label + ": " + error.what());
  }
}

/// All devices, one after the other, and then what is right, once. Returns a line.
std::string run_case(const Case& test, const std::vector<Device>& devices) {
  const vkrun::ShaderWords shaders = shaders_of(test);
  std::vector<DeviceResults> all;
  for (const Device& device : devices) {
    if (device.is_lavapipe && lavapipe_deviates(test)) continue;
    DeviceResults results;
    if (run_device(test, shaders, device, results)) all.push_back(std::move(results));
  }
  const std::vector<Verdict> verdicts = judge(test, all, {});
  size_t results = 0;
  std::string wrong;
  for (size_t i = 0; i < all.size(); ++i) {
    results += verdicts[i].results;
    if (verdicts[i].wrong == 0) continue;
    wrong += "\n  " + all[i].label + ": " + std::to_string(verdicts[i].wrong) + " of " +
             std::to_string(verdicts[i].results) + " results wrong, by up to " + std::to_string(verdicts[i].worst) +
             "; " + verdicts[i].first;
  }
  if (!wrong.empty()) throw vkrun::Error(wrong);
  return std::to_string(results);
}

class Run {
 public:
  explicit Run(const Options& options) : pool_(options.jobs, kCaseSeconds) {
    if (options.lavapipe) devices_.push_back({"lavapipe", choose_lavapipe, true});
    for (const std::string& target : options.targets) {
      for (const std::string& wave : options.waves) {
        const auto choose = [driver = options.driver, target, wave] { choose_spalt(driver, target, wave); };
        devices_.push_back({target + " wave" + wave, choose});
      }
    }
  }

  void add(const Case& test) {
    pool_.submit([this, &test] { return run_case(test, devices_); },
                 [this, &test](const spalt::run::TaskOutcome& outcome) { report(test.name, outcome); });
  }

  int finish() {
    pool_.run();
    std::printf("%zu passed, %zu failed, %zu skipped; %zu results\n", passed_, failed_, skipped_, results_);
    return failed_ == 0 && passed_ != 0 ? 0 : 1;
  }

 private:
  static constexpr double kCaseSeconds = 1200.0;

  void report(const std::string& name, const spalt::run::TaskOutcome& outcome) {
    const bool failed = !outcome.failure.empty();
    const size_t results = failed ? 0 : std::stoul(outcome.data);
    ++(failed ? failed_ : results == 0 ? skipped_ : passed_);
    results_ += results;
    std::printf("%s %s %.2f s: %s\n",
                failed         ? "FAIL"
                : results == 0 ? "SKIP"
                               : "PASS",
                name.c_str(), outcome.seconds, failed ? outcome.failure.c_str() : (outcome.data + " results").c_str());
    std::fflush(stdout);
  }

  std::vector<Device> devices_;
  spalt::run::ProcessPool pool_;
  size_t passed_ = 0, skipped_ = 0, failed_ = 0, results_ = 0;
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
