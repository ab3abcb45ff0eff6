// SPDX-License-Identifier: MIT
//
// random_programs: generates structured SPIR-V from seeds, and compares what the IR interpreter, the compiler with the
// emulator in wave32 and wave64, and a Vulkan driver compute.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "driver_defects.h"
#include "oracles.h"
#include "program.h"
#include "worker_pool.h"

namespace {

using namespace spalt::random_programs;

constexpr const char* kUsage =
    "usage: random_programs [options]\n"
    "  --count N          programs (default: 200)\n"
    "  --seed S           seed of the first one; the others follow (default: 1)\n"
    "  --only SEED        this program alone\n"
    "  --file FILE.spv    this module instead, with the data of --only; it must keep the interface in program.h\n"
    "  --write-only DIR   write the programs and execute nothing\n"
    "  --keep DIR         write the programs that fail, as SPIR-V and as assembly\n"
    "  --target NAME,...  processors (default: gfx1030)\n"
    "  --wave 32|64       only this wave size (default: both)\n"
    "  --registers V,S    with at most V vector and S scalar registers\n"
    "  --no-lavapipe      without the Vulkan driver\n"
    "  --no-verify        without the verifiers and the allocation checker between the passes\n"
    "  --passes           interpret the module after each IR pass; a failure is always looked into that way\n"
    "  --validate         run spirv-val on each program\n"
    "  --jobs N           processes at a time (default: one for each processor)\n"
    "  --timeout SECONDS  for one program (default: 60)\n";

struct Options {
  uint64_t count = 200;
  uint64_t first = 1;
  std::string file, keep, write_only;
  OracleOptions oracles;
  size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  double timeout = 60.0;
};

bool parse_flag(const std::string& name, Options& options) {
  if (name == "--no-lavapipe") {
    options.oracles.vulkan = false;
  } else if (name == "--no-verify") {
    options.oracles.verify = false;
  } else if (name == "--passes") {
    options.oracles.passes = true;
  } else if (name == "--validate") {
    options.oracles.validate = true;
  } else {
    return false;
  }
  return true;
}

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

void parse_value(const std::string& name, const std::string& value, Options& options) {
  if (name == "--count") {
    options.count = std::stoull(value);
  } else if (name == "--seed") {
    options.first = std::stoull(value);
  } else if (name == "--only") {
    options.first = std::stoull(value);
    options.count = 1;
  } else if (name == "--file") {
    options.file = value;
    options.count = 1;
  } else if (name == "--keep") {
    options.keep = value;
  } else if (name == "--write-only") {
    options.write_only = value;
  } else if (name == "--target") {
    options.oracles.targets = split(value);
  } else if (name == "--wave") {
    options.oracles.waves = {static_cast<uint32_t>(std::stoul(value))};
  } else if (name == "--registers") {
    options.oracles.limits = spalt::run::parse_registers(value);
  } else if (name == "--jobs") {
    options.jobs = std::max(1ul, std::stoul(value));
  } else if (name == "--timeout") {
    options.timeout = std::stod(value);
  } else {
    throw std::runtime_error("unknown option '" + name + "'");
  }
}

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    if (parse_flag(argument, options)) continue;
    if (i + 1 == argc) throw std::runtime_error(argument + " is unknown or needs a value");
    parse_value(argument, argv[++i], options);
  }
  return options;
}

Words load_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (bytes.size() < 20) throw std::runtime_error("cannot read SPIR-V from " + path);
  Words words(bytes.size() / 4);
  bytes.copy(reinterpret_cast<char*>(words.data()), words.size() * 4);
  return words;
}

Program make_program(const Options& options, uint64_t seed) {
  return options.file.empty() ? generate(seed) : with_data(seed, load_words(options.file));
}

void write_program(const Program& program, const std::string& folder) {
  std::filesystem::create_directories(folder);
  const std::string path = folder + "/" + std::to_string(program.seed) + ".spv";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(program.words.data()),
             static_cast<std::streamsize>(program.words.size() * 4));
  const std::string command = "spirv-dis --raw-id " + path + " -o " + path + "asm";
  if (std::system(command.c_str()) != 0) std::fprintf(stderr, "spirv-dis failed on %s\n", path.c_str());
}

/// Without a choice by the user, the driver is Mesa's software driver, whatever GPU the machine has, with one thread in
/// each process.
void choose_software_driver() {
  constexpr const char* kLavapipe = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
  setenv("LP_NUM_THREADS", "1", 0);
  if (std::getenv("VK_ICD_FILENAMES") == nullptr && std::getenv("VK_DRIVER_FILES") == nullptr &&
      std::filesystem::exists(kLavapipe)) {
    setenv("VK_ICD_FILENAMES", kLavapipe, 1);
  }
}

int run(const Options& options) {
  if (!options.write_only.empty()) {
    for (uint64_t i = 0; i < options.count; ++i) write_program(generate(options.first + i), options.write_only);
    return 0;
  }
  choose_software_driver();
  const auto make_check = [&]() -> Check {
    const auto all = std::make_shared<Oracles>(options.oracles);
    OracleOptions without_driver = options.oracles;
    without_driver.vulkan = false;
    const auto ours = std::make_shared<Oracles>(without_driver);
    return [&options, all, ours](uint64_t seed) {
      const bool excused = options.count > 1 && driver_is_wrong(seed);
      return (excused ? ours : all)->check(make_program(options, seed));
    };
  };
  uint64_t passed = 0, failed = 0;
  auto last = std::chrono::steady_clock::now();
  WorkerPool pool(make_check, options.timeout);
  pool.run(options.first, options.count, options.jobs, [&](uint64_t seed, const std::string& failure) {
    ++(failure.empty() ? passed : failed);
    if (!failure.empty()) {
      std::printf("FAIL seed %llu: %s\n", static_cast<unsigned long long>(seed), failure.c_str());
      if (!options.keep.empty()) write_program(make_program(options, seed), options.keep);
    }
    constexpr auto kInterval = std::chrono::seconds(15);
    const auto now = std::chrono::steady_clock::now();
    if (now - last < kInterval) return;
    last = now;
    std::printf("%llu of %llu done, %llu failed\n", static_cast<unsigned long long>(passed + failed),
                static_cast<unsigned long long>(options.count), static_cast<unsigned long long>(failed));
    std::fflush(stdout);
  });
  std::printf("%llu passed, %llu failed\n", static_cast<unsigned long long>(passed),
              static_cast<unsigned long long>(failed));
  return failed == 0 && passed == options.count ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(parse_options(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n%s", error.what(), kUsage);
    return 2;
  }
}
