// SPDX-License-Identifier: MIT
//
// random_programs: generates structured SPIR-V from seeds, and compares what the IR interpreter, the compiler with the
// emulator in wave32 and wave64, and a Vulkan driver compute.
#include <cstdio>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>

#include "driver_defects.h"
#include "oracles.h"
#include "program.h"
#include "seed_run.h"

namespace {

using namespace spalt::random_programs;

constexpr const char* kUsage =
    "usage: random_programs [options]\n"
    "  --file FILE.spv    this module instead, with the data of --only; it must keep the interface in program.h\n"
    "  --registers V,S    with at most V vector and S scalar registers\n"
    "  --no-lavapipe      without the Vulkan driver\n"
    "  --no-verify        without the verifiers and the allocation checker between the passes\n"
    "  --widths           other programs, with numbers of 8, 16 and 64 bits as well\n"
    "  --passes           interpret the module after each IR pass; a failure is always looked into that way\n";

struct Options {
  SeedOptions seeds;
  std::string file;
  bool widths = false;
  OracleOptions oracles;
};

Options read_options(int argc, char** argv) {
  Options options;
  OracleOptions& oracles = options.oracles;
  options.seeds.targets = oracles.targets;
  OwnOptions own;
  own.flags["--no-lavapipe"] = [&] { oracles.vulkan = false; };
  own.flags["--no-verify"] = [&] { oracles.verify = false; };
  own.flags["--widths"] = [&] { options.widths = true; };
  own.flags["--passes"] = [&] { oracles.passes = true; };
  own.values["--file"] = [&](const std::string& value) { options.file = value; };
  own.values["--registers"] = [&](const std::string& value) { oracles.limits = spalt::run::parse_registers(value); };
  parse_options(argc, argv, own, options.seeds);
  if (!options.file.empty()) options.seeds.count = 1;
  oracles.targets = options.seeds.targets;
  oracles.waves = options.seeds.waves;
  oracles.validate = options.seeds.validate;
  return options;
}

Program make_program(const Options& options, uint64_t seed) {
  if (options.file.empty()) return generate(seed, options.widths);
  Words words = read_words(options.file);
  if (words.empty()) throw std::runtime_error("cannot read SPIR-V from " + options.file);
  return with_data(seed, std::move(words));
}

int run(const Options& options) {
  SeedRun seeds;
  seeds.excuse = kDriverDiffers;
  seeds.write = [&](uint64_t seed, const std::string& folder) {
    std::filesystem::create_directories(folder);
    write_with_assembly(folder + "/" + std::to_string(seed) + ".spv", make_program(options, seed).words);
  };
  seeds.make_check = [&]() -> Check {
    const auto all = std::make_shared<Oracles>(options.oracles);
    OracleOptions without_driver = options.oracles;
    without_driver.vulkan = false;
    const auto ours = std::make_shared<Oracles>(without_driver);
    return [&options, all, ours](uint64_t seed) {
      const bool excused = options.seeds.count > 1 && !options.widths && driver_is_wrong(seed);
      return (excused ? ours : all)->check(make_program(options, seed));
    };
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
