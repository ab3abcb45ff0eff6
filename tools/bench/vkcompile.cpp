// SPDX-License-Identifier: MIT
//
// vkcompile: creates compute pipelines on the Vulkan driver that the loader finds, and prints how long that took and
// what came out, as JSON. The fields have the names that `spalt bench --json` gives them.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "pipeline_compiler.h"

namespace {

using namespace spalt::bench;

constexpr const char* kUsage =
    "usage: vkcompile SHADER.spv... [--repeat N] [--wave 32|64] [--asm]\n"
    "  Creates a compute pipeline from each file N times (default 10) and prints a JSON list: nanoseconds from words\n"
    "  to binary, and what VK_KHR_pipeline_executable_properties tells. Turn the driver's cache off, or only the\n"
    "  first repetition compiles. --wave requires a subgroup size; --asm adds the assembly text.\n";

struct Options {
  std::vector<std::string> files;
  unsigned repeat = 10;
  uint32_t wave = 0;
  bool assembly = false;
};

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = argument == "--repeat" || argument == "--wave";
    if (has_value && i + 1 == argc) throw std::runtime_error(argument + " needs a value");
    if (argument == "--repeat") {
      options.repeat = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--wave") {
      options.wave = static_cast<uint32_t>(std::atoi(argv[++i]));
    } else if (argument == "--asm") {
      options.assembly = true;
    } else if (argument.starts_with("-")) {
      throw std::runtime_error("unknown option '" + argument + "'");
    } else {
      options.files.push_back(argument);
    }
  }
  if (options.wave != 0 && options.wave != 32 && options.wave != 64) throw std::runtime_error("--wave is 32 or 64");
  return options;
}

std::vector<uint32_t> read_words(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  if (bytes.empty() || bytes.size() % 4 != 0) throw std::runtime_error("not a SPIR-V file");
  std::vector<uint32_t> words(bytes.size() / 4);
  std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(words.data()));
  return words;
}

nlohmann::ordered_json to_json(const std::string& file, CompiledShader& shader, bool assembly) {
  std::sort(shader.nanoseconds.begin(), shader.nanoseconds.end());
  const auto value = [&](const char* name) {
    const auto found = std::find_if(shader.statistics.begin(), shader.statistics.end(),
                                    [&](const Statistic& statistic) { return statistic.name == name; });
    return found == shader.statistics.end() ? uint64_t{0} : found->value;
  };
  auto all = nlohmann::ordered_json::object();
  for (const Statistic& statistic : shader.statistics) all[statistic.name] = statistic.value;
  nlohmann::ordered_json row = {{"file", file},
                                {"best_ns", shader.nanoseconds.front()},
                                {"median_ns", shader.nanoseconds[shader.nanoseconds.size() / 2]},
                                {"instructions", value("Instructions")},
                                {"code_bytes", value("Code size")},
                                {"sgprs", value("SGPRs")},
                                {"vgprs", value("VGPRs")},
                                {"spilled", value("Spilled SGPRs") + value("Spilled VGPRs")},
                                {"wave_size", shader.subgroup_size},
                                {"statistics", all}};
  if (assembly) row["assembly"] = shader.assembly;
  return row;
}

int compile_all(const Options& options) {
  PipelineCompiler compiler;
  auto list = nlohmann::ordered_json::array();
  int exit_code = 0;
  for (const std::string& file : options.files) {
    try {
      const std::vector<uint32_t> words = read_words(file);
      CompiledShader shader = compiler.compile({words, options.repeat, options.wave, options.assembly});
      list.push_back(to_json(file, shader, options.assembly));
    } catch (const std::runtime_error& error) {
      std::fprintf(stderr, "vkcompile: %s: %s\n", file.c_str(), error.what());
      exit_code = 1;
    }
  }
  const nlohmann::ordered_json output = {
      {"device", compiler.device_name()}, {"driver", compiler.driver()}, {"shaders", list}};
  std::printf("%s\n", output.dump(2).c_str());
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = 2;
  try {
    const Options options = parse_options(argc, argv);
    if (options.files.empty()) {
      std::fputs(kUsage, stderr);
    } else {
      exit_code = compile_all(options);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "vkcompile: %s\n", error.what());
  }
  std::fflush(stdout);
  // Mesa's null device crashes in its teardown, so nothing is destroyed.
  _exit(exit_code);
}
