// SPDX-License-Identifier: MIT
//
// random_draws: generates a vertex and a fragment shader with everything else of a draw from each seed, and compares
// what a Vulkan driver draws on processors of all generations with what another one draws by the same calls.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

#include "draw_oracles.h"
#include "draw_shape.h"
#include "seed_run.h"

namespace {

using namespace spalt::random_programs;

constexpr const char* kUsage =
    "usage: random_draws --driver FILE [options]\n"
    "  --driver FILE      manifest of the Vulkan driver (build/src/icd/spalt_icd.json)\n"
    "  --files FOLDER     with --only: draw.json, draw.vert.spv and draw.frag.spv of this folder, where they are, "
    "instead\n"
    "  --rotate           each draw on one processor in one wave size, in turn\n";

struct Options {
  SeedOptions seeds;
  std::string files;
  DrawOptions draws;
};

Options read_options(int argc, char** argv) {
  Options options;
  DrawOptions& draws = options.draws;
  options.seeds.count = 100;
  options.seeds.timeout = 600.0;
  options.seeds.targets = draws.targets;
  OwnOptions own;
  own.flags["--rotate"] = [&] { draws.rotate = true; };
  own.values["--driver"] = [&](const std::string& value) { draws.driver = std::filesystem::absolute(value).string(); };
  own.values["--files"] = [&](const std::string& value) { options.files = value; };
  parse_options(argc, argv, own, options.seeds);
  if (draws.driver.empty() && options.seeds.write_only.empty()) throw std::runtime_error("--driver is missing");
  draws.targets = options.seeds.targets;
  draws.waves = options.seeds.waves;
  draws.validate = options.seeds.validate;
  return options;
}

DrawProgram make_program(const Options& options, uint64_t seed) {
  DrawProgram program = generate_draw(seed);
  if (options.files.empty()) return program;
  const auto replace = [&](const char* name, Words& words) {
    Words other = read_words(options.files + "/" + name);
    if (!other.empty()) words = std::move(other);
  };
  replace(kVertexFile, program.vertex);
  replace(kFragmentFile, program.fragment);
  std::ifstream scene(options.files + "/draw.json");
  if (scene) program.scene.assign((std::istreambuf_iterator<char>(scene)), {});
  return program;
}

int run(const Options& options) {
  SeedRun seeds;
  seeds.excuse = kReferenceDiffers;
  seeds.write = [&](uint64_t seed, const std::string& folder) { write_draw(make_program(options, seed), folder); };
  seeds.make_check = [&]() -> Check {
    const auto oracles = std::make_shared<DrawOracles>(options.draws);
    return [&options, oracles](uint64_t seed) { return oracles->check(make_program(options, seed)); };
  };
  return run_seeds(options.seeds, seeds);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(read_options(argc, argv));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n%s%s", error.what(), kUsage, kSeedUsage);
    return 2;
  }
}
