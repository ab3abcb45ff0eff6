// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <stdexcept>

#include "amdgpu/isa/text/listing.h"
#include "module.h"
#include "mutations.h"
#include "outcomes.h"

namespace spalt::litmus {
namespace {

constexpr const char* kHelp =
    "litmus [--seeds N] [--filter TEXT] [--target NAME] [--no-mutations] [--redundant] [--table] [--list] [--modules "
    "FOLDER]\n"
    "Runs litmus tests in the memory hierarchy mode of the emulator, then without one element of their code after "
    "another.\n"
    "  --seeds N        runs of each test (default 40); more where something must be seen\n"
    "  --filter TEXT    tests whose name contains it, with '$' after the name\n"
    "  --target NAME    this processor only\n"
    "  --no-mutations   whole programs only\n"
    "  --table          how often each outcome was seen, and which test misses which element\n"
    "  --redundant      also without what is listed as redundant, which must change nothing\n"
    "  --list           the code\n"
    "  --modules FOLDER writes the SPIR-V modules there, for spirv-val and others\n";

struct CommandLine {
  Selection selection;
  bool mutations = true, list = false, help = false;
  std::string modules;
};

CommandLine read_command_line(int argc, char** argv) {
  CommandLine line;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto argument = [&]() -> std::string {
      if (++i >= argc) throw std::runtime_error(option + " needs a value");
      return argv[i];
    };
    if (option == "--seeds") {
      line.selection.seeds = static_cast<unsigned>(std::stoul(argument()));
    } else if (option == "--filter") {
      line.selection.filter = argument();
    } else if (option == "--target") {
      line.selection.target = argument();
    } else if (option == "--no-mutations") {
      line.mutations = false;
    } else if (option == "--table") {
      line.selection.table = true;
    } else if (option == "--redundant") {
      line.selection.redundant = true;
    } else if (option == "--list") {
      line.list = true;
    } else if (option == "--modules") {
      line.modules = argument();
    } else if (option == "--help") {
      line.help = true;
    } else {
      throw std::runtime_error("unknown option " + option + "; see --help");
    }
  }
  return line;
}

void list_code(const Selection& selection) {
  for_each_case(selection, [](const Case& c) {
    const Compiled compiled = compile(c.program, c.variant, c.configuration);
    std::vector<uint32_t> words(compiled.shader.code.size() / 4);
    std::memcpy(words.data(), compiled.shader.code.data(), words.size() * 4);
    std::printf("%s, %s, %s:\n%s\n", c.test.name, c.variant.name, c.configuration.name().c_str(),
                isa::list_code(words, *isa::find_target(c.configuration.target), compiled.shader.wave_size).c_str());
  });
}

/// One file for each test and variant, of one wave size.
void write_modules(const CommandLine& line) {
  for_each_case(line.selection, [&](const Case& c) {
    std::string name = std::string(c.test.name) + "." + c.variant.name + ".spv";
    std::replace(name.begin(), name.end(), ' ', '_');
    const std::vector<uint32_t> words = make_module(c.program, c.variant, c.configuration.wave_size);
    std::ofstream file(line.modules + "/" + name, std::ios::binary);
    file.write(reinterpret_cast<const char*>(words.data()), static_cast<std::streamsize>(words.size() * 4));
    if (!file) throw std::runtime_error("cannot write " + name);
  });
}

int run_command(int argc, char** argv) {
  const CommandLine line = read_command_line(argc, argv);
  if (line.help) {
    std::printf("%s", kHelp);
    return 0;
  }
  if (line.list) {
    list_code(line.selection);
    return 0;
  }
  if (!line.modules.empty()) {
    write_modules(line);
    return 0;
  }
  Totals totals = check_outcomes(line.selection);
  if (line.mutations) {
    const Totals mutated = check_mutations(line.selection);
    totals.passed += mutated.passed;
    totals.failed += mutated.failed;
  }
  std::printf("%u passed, %u failed\n", totals.passed, totals.failed);
  return totals.failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace spalt::litmus

int main(int argc, char** argv) {
  try {
    return spalt::litmus::run_command(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "litmus: %s\n", error.what());
    return 2;
  }
}
