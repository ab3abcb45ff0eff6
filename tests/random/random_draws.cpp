// SPDX-License-Identifier: MIT
//
// random_draws: generates a vertex and a fragment shader with everything else of a draw from each seed, and compares
// what a Vulkan driver draws on processors of all generations with what another one draws by the same calls.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "draw_oracles.h"
#include "draw_shape.h"
#include "worker_pool.h"

namespace {

using namespace spalt::random_programs;

constexpr const char* kUsage =
    "usage: random_draws --driver FILE [options]\n"
    "  --driver FILE      manifest of the Vulkan driver (build/src/icd/spalt_icd.json)\n"
    "  --count N          draws (default: 100)\n"
    "  --seed S           seed of the first one; the others follow (default: 1)\n"
    "  --only SEED        this draw alone\n"
    "  --files FOLDER     with --only: draw.json, draw.vert.spv and draw.frag.spv of this folder, where they are, "
    "instead\n"
    "  --write-only DIR   write the draws and execute nothing\n"
    "  --keep DIR         write the draws that fail: DIR/SEED/draw.json for run_scenes, shaders, state for spalt "
    "compile\n"
    "  --target NAME,...  processors (default: one of each generation)\n"
    "  --wave 32|64       only this wave size (default: both)\n"
    "  --rotate           each draw on one processor in one wave size, in turn\n"
    "  --validate         run spirv-val on the shaders\n"
    "  --jobs N           processes at a time (default: one for each processor)\n"
    "  --timeout SECONDS  for one draw (default: 600)\n";

struct Options {
  uint64_t count = 100;
  uint64_t first = 1;
  std::string files, keep, write_only;
  DrawOptions draws;
  size_t jobs = std::max(1u, std::thread::hardware_concurrency());
  double timeout = 600.0;
};

std::vector<std::string> split(const std::string& list) {
  std::vector<std::string> parts;
  std::stringstream stream(list);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

void parse_value(const std::string& name, const std::string& value, Options& options) {
  if (name == "--driver") {
    options.draws.driver = std::filesystem::absolute(value).string();
  } else if (name == "--count") {
    options.count = std::stoull(value);
  } else if (name == "--seed") {
    options.first = std::stoull(value);
  } else if (name == "--only") {
    options.first = std::stoull(value);
    options.count = 1;
  } else if (name == "--files") {
    options.files = value;
  } else if (name == "--keep") {
    options.keep = value;
  } else if (name == "--write-only") {
    options.write_only = value;
  } else if (name == "--target") {
    options.draws.targets = split(value);
  } else if (name == "--wave") {
    options.draws.waves = {static_cast<uint32_t>(std::stoul(value))};
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
    if (argument == "--rotate") {
      options.draws.rotate = true;
    } else if (argument == "--validate") {
      options.draws.validate = true;
    } else if (i + 1 == argc) {
      throw std::runtime_error(argument + " is unknown or needs a value");
    } else {
      parse_value(argument, argv[++i], options);
    }
  }
  if (options.draws.driver.empty() && options.write_only.empty()) throw std::runtime_error("--driver is missing");
  return options;
}

/// Replaces the words if the file is there.
void load_words(const std::string& path, Words& words) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(file)), {});
  if (bytes.size() < 20) return;
  words.resize(bytes.size() / 4);
  bytes.copy(reinterpret_cast<char*>(words.data()), words.size() * 4);
}

DrawProgram make_program(const Options& options, uint64_t seed) {
  DrawProgram program = generate_draw(seed);
  if (!options.files.empty()) {
    load_words(options.files + "/" + kVertexFile, program.vertex);
    load_words(options.files + "/" + kFragmentFile, program.fragment);
    std::ifstream scene(options.files + "/draw.json");
    if (scene) program.scene.assign((std::istreambuf_iterator<char>(scene)), {});
  }
  return program;
}

int run(const Options& options) {
  if (!options.write_only.empty()) {
    for (uint64_t i = 0; i < options.count; ++i) {
      write_draw(make_program(options, options.first + i), options.write_only);
    }
    return 0;
  }
  choose_reference_driver();
  const auto make_check = [&]() -> Check {
    const auto oracles = std::make_shared<DrawOracles>(options.draws);
    return [&options, oracles](uint64_t seed) { return oracles->check(make_program(options, seed)); };
  };
  uint64_t passed = 0, failed = 0, excused = 0;
  auto last = std::chrono::steady_clock::now();
  WorkerPool pool(make_check, options.timeout);
  pool.run(options.first, options.count, options.jobs, [&](uint64_t seed, const std::string& failure) {
    const bool is_excused = failure.starts_with(kReferenceDiffers);
    excused += is_excused ? 1 : 0;
    ++(failure.empty() || is_excused ? passed : failed);
    if (!failure.empty()) {
      std::printf("%s seed %llu: %s\n", is_excused ? "NOTE" : "FAIL", static_cast<unsigned long long>(seed),
                  failure.c_str());
      if (!options.keep.empty()) write_draw(make_program(options, seed), options.keep);
    }
    constexpr auto kInterval = std::chrono::seconds(15);
    const auto now = std::chrono::steady_clock::now();
    if (now - last >= kInterval) {
      last = now;
      std::printf("%llu of %llu, %llu failed\n", static_cast<unsigned long long>(passed + failed),
                  static_cast<unsigned long long>(options.count), static_cast<unsigned long long>(failed));
    }
    std::fflush(stdout);
  });
  if (excused != 0) std::printf("%llu judged pixel by pixel\n", static_cast<unsigned long long>(excused));
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
