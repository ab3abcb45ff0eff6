// SPDX-License-Identifier: MIT
#include "seed_run.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace spalt::random_programs {
namespace {

constexpr size_t kLeastWords = 5;  // of a module

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

void parse_value(const std::string& name, const std::string& value, SeedOptions& options) {
  if (name == "--count") {
    options.count = std::stoull(value);
  } else if (name == "--seed") {
    options.first = std::stoull(value);
  } else if (name == "--only") {
    options.first = std::stoull(value);
    options.count = 1;
  } else if (name == "--keep") {
    options.keep = value;
  } else if (name == "--write-only") {
    options.write_only = value;
  } else if (name == "--target") {
    options.targets = split(value);
  } else if (name == "--wave") {
    options.waves = {static_cast<uint32_t>(std::stoul(value))};
  } else if (name == "--jobs") {
    options.jobs = std::max(1ul, std::stoul(value));
  } else if (name == "--timeout") {
    options.timeout = std::stod(value);
  } else {
    throw std::runtime_error("unknown option '" + name + "'");
  }
}

/// Counts what the processes report, and prints it.
class Progress {
 public:
  Progress(const SeedOptions& options, const SeedRun& seeds) : options_(options), seeds_(seeds) {}

  void take(uint64_t seed, const std::string& failure) {
    const bool is_excused = !seeds_.excuse.empty() && failure.starts_with(seeds_.excuse);
    excused_ += is_excused ? 1 : 0;
    ++(failure.empty() || is_excused ? passed_ : failed_);
    if (!failure.empty()) {
      std::printf("%s seed %llu: %s\n", is_excused ? "NOTE" : "FAIL", static_cast<unsigned long long>(seed),
                  failure.c_str());
      if (!options_.keep.empty()) seeds_.write(seed, options_.keep);
    }
    constexpr auto kInterval = std::chrono::seconds(15);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ >= kInterval) {
      last_ = now;
      std::printf("%llu of %llu done, %llu failed\n", static_cast<unsigned long long>(passed_ + failed_),
                  static_cast<unsigned long long>(options_.count), static_cast<unsigned long long>(failed_));
    }
    std::fflush(stdout);
  }

  bool finish() const {
    if (excused_ != 0) {
      std::printf("%llu where the reference was wrong at first\n", static_cast<unsigned long long>(excused_));
    }
    std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(passed_),
                static_cast<unsigned long long>(failed_));
    return failed_ == 0 && passed_ == options_.count;
  }

 private:
  const SeedOptions& options_;
  const SeedRun& seeds_;
  uint64_t passed_ = 0, failed_ = 0, excused_ = 0;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
};

}  // namespace

const char* const kSeedUsage =
    "  --count N          how many (default: 200)\n"
    "  --seed S           seed of the first one; the others follow (default: 1)\n"
    "  --only SEED        this one alone\n"
    "  --write-only DIR   write them and execute nothing\n"
    "  --keep DIR         write those that fail, or that the reference gets wrong: shaders as SPIR-V and as assembly\n"
    "  --target NAME,...  processors\n"
    "  --wave 32|64       only this wave size (default: both)\n"
    "  --validate         run spirv-val on each shader\n"
    "  --jobs N           processes at a time (default: one for each processor)\n"
    "  --timeout SECONDS  for one seed\n";

void parse_options(int argc, char** argv, const OwnOptions& own, SeedOptions& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string name = argv[i];
    if (name == "--validate") {
      options.validate = true;
      continue;
    }
    if (const auto flag = own.flags.find(name); flag != own.flags.end()) {
      flag->second();
      continue;
    }
    if (i + 1 == argc) throw std::runtime_error(name + " is unknown or needs a value");
    const std::string value = argv[++i];
    if (const auto found = own.values.find(name); found != own.values.end()) {
      found->second(value);
    } else {
      parse_value(name, value, options);
    }
  }
}

int run_seeds(const SeedOptions& options, const SeedRun& seeds) {
  if (!options.write_only.empty()) {
    for (uint64_t i = 0; i < options.count; ++i) seeds.write(options.first + i, options.write_only);
    return 0;
  }
  choose_reference_driver();
  Progress progress(options, seeds);
  WorkerPool pool(seeds.make_check, options.timeout);
  pool.run(options.first, options.count, options.jobs,
           [&](uint64_t seed, const std::string& failure) { progress.take(seed, failure); });
  return progress.finish() ? 0 : 1;
}

void choose_reference_driver() {
  constexpr const char* kLavapipe = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
  setenv("LP_NUM_THREADS", "1", 0);
  // Each shader runs a few times only: LLVM's optimizations would take a third of the whole run.
  setenv("GALLIVM_PERF", "nopt", 0);
  if (const char* files = std::getenv("VK_ICD_FILENAMES")) setenv("VK_DRIVER_FILES", files, 0);
  if (std::filesystem::exists(kLavapipe)) setenv("VK_DRIVER_FILES", kLavapipe, 0);
  unsetenv("VK_ICD_FILENAMES");
}

Words read_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  Words words(bytes.size() / 4);
  if (words.size() < kLeastWords) return {};
  bytes.copy(reinterpret_cast<char*>(words.data()), words.size() * 4);
  return words;
}

void write_words(const std::string& path, const Words& words) {
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
}

void write_with_assembly(const std::string& path, const Words& words) {
  write_words(path, words);
  const std::string command = "spirv-dis --raw-id " + path + " -o " + path + "asm";
  if (std::system(command.c_str()) != 0) std::fprintf(stderr, "spirv-dis failed on %s\n", path.c_str());
}

}  // namespace spalt::random_programs
