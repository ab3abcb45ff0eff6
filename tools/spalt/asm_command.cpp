// SPDX-License-Identifier: MIT
#include <cstdio>
#include <iostream>
#include <iterator>
#include <memory>

#include "compiler.h"
#include "files.h"

namespace spalt_tool {
namespace {

struct Options {
  std::string source = "-", target = "gfx1030", output, format = "raw";
  uint32_t wave_size = 0;
};

struct AssemblyDeleter {
  void operator()(spalt_assembly* assembly) const { spalt_assembly_destroy(assembly); }
};

int fail(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return code;
}

bool read_source(const std::string& path, std::vector<uint8_t>& bytes, std::string& error) {
  if (path != "-") return read_file(path, bytes, error);
  bytes.assign(std::istreambuf_iterator<char>(std::cin), {});
  return true;
}

/// "file.s:3:14: message"
std::string describe(const Options& options, spalt_result result, const spalt_assembly* assembly) {
  spalt_diagnostic diagnostic{};
  diagnostic.struct_size = sizeof diagnostic;
  const std::string name = options.source == "-" ? "<stdin>" : options.source;
  if (spalt_assembly_diagnostic(assembly, &diagnostic) != SPALT_SUCCESS) {
    return name + ": " + spalt_result_string(result);
  }
  if (diagnostic.source_line == 0) return name + ": " + diagnostic.message;
  return name + ":" + std::to_string(diagnostic.source_line) + ":" + std::to_string(diagnostic.source_column) + ": " +
         diagnostic.message;
}

/// Without an output file, what was assembled is shown as a listing.
int list(const Options& options, const void* code, size_t size) {
  spalt_disassemble_info info{};
  info.struct_size = sizeof info;
  info.target = options.target.c_str();
  info.code = code;
  info.size = size;
  info.wave_size = options.wave_size;
  spalt_text* text = nullptr;
  const spalt_result result = spalt_disassemble_code(&info, &text);
  std::fputs(text != nullptr ? spalt_text_string(text) : spalt_result_string(result), stdout);
  spalt_text_destroy(text);
  return exit_code_of(result);
}

int assemble(const Options& options) {
  std::vector<uint8_t> source;
  std::string error;
  if (!read_source(options.source, source, error)) return fail(error, kInput);
  spalt_assemble_info info{};
  info.struct_size = sizeof info;
  info.target = options.target.c_str();
  info.text = reinterpret_cast<const char*>(source.data());
  info.text_size = source.size();
  info.wave_size = options.wave_size;
  const bool listing = options.output.empty();
  info.format = options.format == "elf" && !listing ? SPALT_CODE_ELF : SPALT_CODE_RAW;
  spalt_assembly* raw = nullptr;
  const spalt_result result = spalt_assemble(&info, &raw);
  const std::unique_ptr<spalt_assembly, AssemblyDeleter> assembly(raw);
  if (result != SPALT_SUCCESS) return fail(describe(options, result, raw), exit_code_of(result));
  size_t size = 0;
  const void* code = spalt_assembly_code(raw, &size);
  if (listing) return list(options, code, size);
  return write_file(options.output, code, size, error) ? kOk : fail(error, kInput);
}

}  // namespace

void add_asm_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command(
      "asm",
      "Assemble AMDGPU instructions in LLVM's dialect\nExample: spalt asm kernel.s --target gfx1030 -o kernel.bin",
      [options] { return assemble(*options); });
  command.add_option("source", options->source, "Assembler text; - or nothing: standard input");
  command.add_option("--target", options->target, "Processor").show_default();
  command.add_option("--wave", options->wave_size, "Lanes per wave, 32 or 64 (default: the target's)")
      .one_of({"32", "64"});
  command.add_option("-o,--output", options->output,
                     "Where to write the code; - is the standard output (default: print a listing)");
  command.add_option("--format", options->format, "What to write: raw code bytes, or an elf with .text and symbols")
      .one_of({"raw", "elf"})
      .show_default();
}

}  // namespace spalt_tool
