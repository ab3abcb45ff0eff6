// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "compiler.h"
#include "estimate_report.h"
#include "files.h"
#include "machine_code.h"

namespace spalt_tool {
namespace {

struct Options {
  CompileOptions compile;
  std::vector<std::string> files;
  uint32_t vgprs = 0, sgprs = 0, lds_bytes = 0, invocations = 0;
  bool json = false, listing = false, ignore_counts = false;
};

Failure compile(const Options& options, const std::string& path, spalt_compiler* compiler, MachineCode& code) {
  std::string error;
  Specialization specialization;
  if (!parse_specialization(options.compile.specialization, specialization, error)) return {kUsage, error};
  std::vector<uint32_t> words;
  if (!load_shader(path, options.compile, words, error)) return {kInput, error};
  spalt_compile_info info;
  fill_info(options.compile, words, specialization, info);
  find_stage(info);
  spalt_compilation* raw = nullptr;
  const spalt_result result = spalt_compile(compiler, &info, &raw);
  const Compilation compilation(raw);
  if (result != SPALT_SUCCESS) return {exit_code_of(result), describe_failure(path, result, raw)};
  print_warnings(path, raw);
  size_t size = 0;
  const auto* bytes = static_cast<const uint8_t*>(spalt_compilation_elf(raw, &size));
  code.bytes.assign(bytes, bytes + size);
  code.is_elf = true;
  return {};
}

/// Machine code of a file; what is none is a shader to compile.
Failure load(const Options& options, const std::string& path, spalt_compiler* compiler, MachineCode& code) {
  std::string error;
  if (!read_file(path, code.bytes, error)) return {kInput, error};
  if (!is_machine_code(path, code.bytes)) return compile(options, path, compiler, code);
  return make_machine_code(path, options.compile.target, options.compile.wave_size, code);
}

Failure analyze_file(const Options& options, const std::string& path, spalt_compiler* compiler,
                     nlohmann::ordered_json& list) {
  MachineCode code;
  if (Failure failure = load(options, path, compiler, code); failure.code != kOk) return failure;
  spalt_estimate_info info{};
  info.struct_size = sizeof info;
  info.target = code.is_elf ? nullptr : options.compile.target.c_str();
  info.code = code.bytes.data();
  info.size = code.bytes.size();
  info.wave_size = options.compile.wave_size;
  info.vgprs = options.vgprs;
  info.sgprs = options.sgprs;
  info.lds_bytes = options.lds_bytes;
  info.invocations = options.invocations;
  info.ignore_counts = options.ignore_counts ? 1 : 0;
  spalt_estimate* raw = nullptr;
  const spalt_result result = spalt_estimate_code(&info, &raw);
  const Estimate estimate(raw);
  if (result != SPALT_SUCCESS) {
    const std::string message = spalt_estimate_message(raw);
    return {exit_code_of(result), path + ": " + (message.empty() ? spalt_result_string(result) : message)};
  }
  for (size_t p = 0; p < spalt_estimate_program_count(raw); ++p) {
    if (options.json) {
      list.push_back(program_json(path, raw, p, options.listing));
    } else {
      if (p != 0 || !list.empty()) std::printf("\n");
      print_program(path, raw, p, options.listing);
    }
  }
  if (!options.json) list.push_back(nullptr);  // something is printed
  return {};
}

int analyze(const Options& options) {
  std::string error;
  const Compiler compiler = create_compiler(options.compile.target, error);
  if (!compiler) {
    std::fprintf(stderr, "spalt: %s\n", error.c_str());
    return kUnsupported;
  }
  int exit_code = kOk;
  auto list = nlohmann::ordered_json::array();
  for (const std::string& path : options.files) {
    const Failure failure = analyze_file(options, path, compiler.get(), list);
    if (failure.code == kOk) continue;
    std::fprintf(stderr, "spalt: %s\n", failure.message.c_str());
    exit_code = failure.code;
  }
  if (options.json) std::printf("%s\n", list.dump(2).c_str());
  return exit_code;
}

}  // namespace

void add_analyze_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command(
      "analyze",
      "Estimate what code costs in cycles: latency of a wave, throughput of a SIMD, and where the time goes\n"
      "Code of any compiler; docs/cycles.md is the model. Files: shaders, which are compiled; AMDGPU ELF files; .s, "
      "assembly in LLVM's dialect.\n"
      "Example: spalt analyze blur.comp --target gfx1100 --asm",
      [options] { return analyze(*options); });
  command.add_option("files", options->files, "Shaders, ELF files or assembly (.s)").required();
  add_compile_options(command, options->compile);
  command.add_flag("--asm", options->listing, "List the instructions with the cycles in which they issue");
  command.add_flag(
      "--ignore-counts", options->ignore_counts,
      "Take loops whose code says how often they go round as all others, to compare with code that does not");
  command.add_flag("--json", options->json, "Print JSON");
  command.add_option("--vgprs", options->vgprs,
                     "VGPRs of a wave (default: what the file says, else what the code names)");
  command.add_option("--sgprs", options->sgprs, "SGPRs of a wave, likewise");
  command.add_option("--lds", options->lds_bytes,
                     "Bytes of LDS of a workgroup (default: what the file says, else none)");
  command.add_option("--invocations", options->invocations,
                     "Invocations in a workgroup (default: what the file says, else one wave)");
}

}  // namespace spalt_tool
