// SPDX-License-Identifier: MIT
//
// vkcompile: creates pipelines on the Vulkan driver that the loader finds, and prints how long that took and
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
    "       vkcompile --pipelines LIST.json [--repeat N] [--asm]\n"
    "  Creates a compute pipeline from each file, or the graphics pipelines of the list (docs/performance.md), N "
    "times\n"
    "  (default 10) and prints a JSON list: nanoseconds from words to binary, and what\n"
    "  VK_KHR_pipeline_executable_properties tells. Turn the driver's cache off, or only the first repetition "
    "compiles.\n"
    "  --wave requires a subgroup size; --asm adds the assembly text.\n";

struct Options {
  std::vector<std::string> files;
  std::string pipelines;
  unsigned repeat = 10;
  uint32_t wave = 0;
  bool assembly = false;
};

Options parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string argument = argv[i];
    const bool has_value = argument == "--repeat" || argument == "--wave" || argument == "--pipelines";
    if (has_value && i + 1 == argc) throw std::runtime_error(argument + " needs a value");
    if (argument == "--repeat") {
      options.repeat = std::max(1, std::atoi(argv[++i]));
    } else if (argument == "--wave") {
      options.wave = static_cast<uint32_t>(std::atoi(argv[++i]));
    } else if (argument == "--pipelines") {
      options.pipelines = argv[++i];
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

nlohmann::ordered_json shader_json(const CompiledShader& shader, bool assembly) {
  const auto value = [&](const char* name) {
    const auto found = std::find_if(shader.statistics.begin(), shader.statistics.end(),
                                    [&](const Statistic& statistic) { return statistic.name == name; });
    return found == shader.statistics.end() ? uint64_t{0} : found->value;
  };
  auto all = nlohmann::ordered_json::object();
  for (const Statistic& statistic : shader.statistics) all[statistic.name] = statistic.value;
  nlohmann::ordered_json row = {{"instructions", value("Instructions")},
                                {"code_bytes", value("Code size")},
                                {"sgprs", value("SGPRs")},
                                {"vgprs", value("VGPRs")},
                                {"spilled", value("Spilled SGPRs") + value("Spilled VGPRs")},
                                {"wave_size", shader.subgroup_size},
                                {"statistics", all}};
  if (assembly) row["assembly"] = shader.assembly;
  return row;
}

nlohmann::ordered_json times_json(const std::string& name, CompiledPipeline& pipeline) {
  std::sort(pipeline.nanoseconds.begin(), pipeline.nanoseconds.end());
  return {{"file", name},
          {"best_ns", pipeline.nanoseconds.front()},
          {"median_ns", pipeline.nanoseconds[pipeline.nanoseconds.size() / 2]}};
}

const char* stage_name(VkShaderStageFlags stages) {
  if ((stages & VK_SHADER_STAGE_FRAGMENT_BIT) != 0) return "fragment";
  return (stages & VK_SHADER_STAGE_VERTEX_BIT) != 0 ? "vertex" : "other";
}

nlohmann::ordered_json compile_shader(PipelineCompiler& compiler, const std::string& file, const Options& options) {
  const std::vector<uint32_t> words = read_words(file);
  CompiledPipeline pipeline = compiler.compile({words, options.repeat, options.wave, options.assembly});
  nlohmann::ordered_json row = times_json(file, pipeline);
  row.update(shader_json(pipeline.shaders.front(), options.assembly));
  return row;
}

/// The numbers of each shader, and their sums.
nlohmann::ordered_json compile_pipeline(PipelineCompiler& compiler, const spalt_tool::ListedPipeline& listed,
                                        const Options& options) {
  CompiledPipeline pipeline = compiler.compile_graphics(listed, options.repeat, options.assembly);
  nlohmann::ordered_json row = times_json(listed.name, pipeline);
  auto shaders = nlohmann::ordered_json::object();
  for (const CompiledShader& shader : pipeline.shaders) {
    shaders[stage_name(shader.stages)] = shader_json(shader, options.assembly);
  }
  for (const char* key : {"instructions", "code_bytes", "sgprs", "vgprs", "spilled"}) {
    uint64_t sum = 0;
    for (const auto& shader : shaders) sum += shader[key].get<uint64_t>();
    row[key] = sum;
  }
  row["shaders"] = std::move(shaders);
  return row;
}

/// Appends what `compile` makes; says on stderr why not.
template <class Compile>
bool append(nlohmann::ordered_json& list, const std::string& name, Compile compile) {
  try {
    list.push_back(compile());
    return true;
  } catch (const std::runtime_error& error) {
    std::fprintf(stderr, "vkcompile: %s: %s\n", name.c_str(), error.what());
    return false;
  }
}

int compile_all(const Options& options) {
  PipelineCompiler compiler;
  auto list = nlohmann::ordered_json::array();
  bool all_done = true;
  for (const std::string& file : options.files) {
    all_done &= append(list, file, [&] { return compile_shader(compiler, file, options); });
  }
  if (!options.pipelines.empty()) {
    std::string problems;
    for (const spalt_tool::ListedPipeline& pipeline : spalt_tool::read_pipeline_list(options.pipelines, problems)) {
      all_done &= append(list, pipeline.name, [&] { return compile_pipeline(compiler, pipeline, options); });
    }
    if (!problems.empty()) std::fprintf(stderr, "vkcompile: %s\n", problems.c_str());
    all_done &= problems.empty();
  }
  const nlohmann::ordered_json output = {
      {"device", compiler.device_name()}, {"driver", compiler.driver()}, {"shaders", list}};
  std::printf("%s\n", output.dump(2).c_str());
  return all_done ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  int exit_code = 2;
  try {
    const Options options = parse_options(argc, argv);
    if (options.files.empty() && options.pipelines.empty()) {
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
