// SPDX-License-Identifier: MIT
//
// random_programs: generates structured SPIR-V from seeds, and compares what the IR interpreter, the compiler with the
// emulator in wave32 and wave64, and a Vulkan driver compute.
#include <cstdio>
#include <filesystem>
#include <map>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>

#include "oracles.h"
#include "program.h"
#include "seed_run.h"

namespace {

using namespace spalt::random_programs;

constexpr const char* kUsage =
    "usage: random_programs [options]\n"
    "  --file FILE.spv    this module instead, with the data of --only; it must keep the interface in program.h\n"
    "  --registers V,S    with at most V vector and S scalar registers\n"
    "  --fast             compiled for code that is wanted soon (SPALT_OPTIMIZATION_FAST)\n"
    "  --no-lavapipe      without the Vulkan driver\n"
    "  --no-verify        without the verifiers and the allocation checker between the passes\n"
    "  --widths           other programs, with numbers of 8, 16 and 64 bits as well\n"
    "  --with PART,...    others again, with widths and memory (of other widths), pointers, subgroups\n"
    "  --form SIZE[,one]  with --write-only, as written for others to judge: subgroups of that size in workgroup "
    "memory\n"
    "                     (0: as they are), and perhaps one lane at a time\n"
    "  --passes           interpret the module after each IR pass; a failure is always looked into that way\n";

struct Options {
  SeedOptions seeds;
  std::string file;
  Parts parts;
  Form form;
  OracleOptions oracles;
};

void read_parts(const std::string& list, Parts& parts) {
  const std::map<std::string, bool*> names = {
      {"memory", &parts.memory}, {"pointers", &parts.pointers}, {"subgroups", &parts.subgroups}};
  std::stringstream stream(list);
  for (std::string name; std::getline(stream, name, ',');) {
    const auto found = names.find(name);
    if (found == names.end()) throw std::runtime_error("programs have no part '" + name + "'");
    *found->second = true;
  }
  parts.widths = true;
  parts.memory |= parts.pointers;
}

Options read_options(int argc, char** argv) {
  Options options;
  OracleOptions& oracles = options.oracles;
  options.seeds.targets = oracles.targets;
  OwnOptions own;
  own.flags["--no-lavapipe"] = [&] { oracles.vulkan = false; };
  own.flags["--no-verify"] = [&] { oracles.verify = false; };
  own.flags["--fast"] = [&] { oracles.fast = true; };
  own.flags["--widths"] = [&] { options.parts.widths = true; };
  own.flags["--passes"] = [&] { oracles.passes = true; };
  own.values["--with"] = [&](const std::string& value) { read_parts(value, options.parts); };
  own.values["--form"] = [&](const std::string& value) {
    options.form = {static_cast<uint32_t>(std::stoul(value)), value.ends_with(",careful")};
  };
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
  if (options.file.empty()) return generate(seed, options.parts);
  Words words = read_words(options.file);
  if (words.empty()) throw std::runtime_error("cannot read SPIR-V from " + options.file);
  return with_data(seed, std::move(words), options.parts);
}

int run(const Options& options) {
  SeedRun seeds;
  seeds.excuse = kDriverDiffers;
  seeds.write = [&](uint64_t seed, const std::string& folder) {
    std::filesystem::create_directories(folder);
    const Program program = make_program(options, seed);
    const bool is_real = options.form.subgroup_size == 0 && !options.form.careful;
    write_with_assembly(folder + "/" + std::to_string(seed) + ".spv",
                        is_real || !program.rewrite ? program.words : program.rewrite(options.form));
  };
  seeds.make_check = [&]() -> Check {
    const auto oracles = std::make_shared<Oracles>(options.oracles);
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
