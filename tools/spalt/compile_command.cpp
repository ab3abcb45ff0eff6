// SPDX-License-Identifier: MIT
#include <cstdio>
#include <memory>

#include "compiler.h"
#include "files.h"
#include "inline_layout.h"

namespace spalt_tool {
namespace {

struct Options {
  CompileOptions compile;
  std::string shader, output, emit, dump_after, stop_after, pal_abi;
  bool statistics = false;
};

void print_dump(void*, const char* pass, const char* text) {
  std::printf("; after %s\n%s\n", pass, text);
}

void print_statistics(const spalt_compilation* compilation) {
  spalt_statistics s{};
  s.struct_size = sizeof s;
  if (spalt_compilation_statistics(compilation, &s) != SPALT_SUCCESS) return;
  std::printf("instructions    %u\ncode_bytes      %u\nsgprs           %u\nvgprs           %u\n", s.instructions,
              s.code_bytes, s.sgprs, s.vgprs);
  std::printf("spilled         %u sgprs, %u vgprs\nlds_bytes       %u\nscratch_bytes   %u per lane\n", s.spilled_sgprs,
              s.spilled_vgprs, s.lds_bytes, s.scratch_bytes);
  std::printf("wave_size       %u\nwaves_per_simd  %u\nworkgroup_size  %u, %u, %u\n", s.wave_size, s.waves_per_simd,
              s.workgroup_size[0], s.workgroup_size[1], s.workgroup_size[2]);
}

int fail(const std::string& message, ExitCode code) {
  std::fprintf(stderr, "spalt: %s\n", message.c_str());
  return code;
}

/// --emit ir and --emit mir are the dump after the last pass of that kind.
const char* last_pass_of(const std::string& emit) {
  if (emit == "ir") return "close_loops";
  if (emit == "mir") return "insert_delays";
  return nullptr;
}

bool set_metadata_version(const std::string& text, spalt_compile_info& info) {
  if (text.empty()) return true;
  return std::sscanf(text.c_str(), "%u.%u", &info.pal_abi_major, &info.pal_abi_minor) == 2;
}

int deliver(const Options& options, const spalt_compilation* compilation) {
  size_t size = 0;
  const void* bytes = options.emit == "stage" ? spalt_compilation_stage_object(compilation, &size)
                                              : spalt_compilation_elf(compilation, &size);
  std::string error;
  if (options.emit == "asm") std::fputs(spalt_compilation_assembly(compilation), stdout);
  if (!options.output.empty() && !write_file(options.output, bytes, size, error)) return fail(error, kInput);
  if (options.statistics) print_statistics(compilation);
  return kOk;
}

int compile(const Options& options) {
  std::vector<uint32_t> words;
  Specialization specialization;
  std::string error;
  if (!load_shader(options.shader, options.compile, words, error)) return fail(error, kInput);
  if (!parse_specialization(options.compile.specialization, specialization, error)) return fail(error, kUsage);
  const Compiler compiler = create_compiler(options.compile.target, error);
  if (!compiler) return fail(error, kUnsupported);
  spalt_compile_info info;
  fill_info(options.compile, words, specialization, info);
  find_stage(info);
  InlineLayout layout;
  if (!layout.make(options.compile.inline_blocks, info, error)) return fail(error, kUsage);
  info.layout = layout.get();
  info.want_assembly = options.emit == "asm" ? 1 : 0;
  if (!set_metadata_version(options.pal_abi, info)) return fail("--pal-abi takes 2.6, 3.0 or 3.6", kUsage);
  const char* emit_pass = last_pass_of(options.emit);
  const bool dumps = !options.dump_after.empty() || emit_pass != nullptr;
  info.dump_after = !dumps ? nullptr : emit_pass != nullptr ? emit_pass : options.dump_after.c_str();
  info.dump = dumps ? print_dump : nullptr;
  info.stop_after = !options.stop_after.empty() ? options.stop_after.c_str() : emit_pass;
  spalt_compilation* raw = nullptr;
  const spalt_result result = options.emit == "stage" ? spalt_compile_stage(compiler.get(), &info, &raw)
                                                      : spalt_compile(compiler.get(), &info, &raw);
  const Compilation compilation(raw);
  if (result == SPALT_STOPPED) return kOk;
  if (result != SPALT_SUCCESS) return fail(describe_failure(options.shader, result, raw), exit_code_of(result));
  print_warnings(options.shader, raw);
  return deliver(options, raw);
}

}  // namespace

void add_compile_command(CommandLine& line) {
  auto options = std::make_shared<Options>();
  Command command = line.add_command(
      "compile", "Compile a compute shader to an AMDGPU ELF\nExample: spalt compile blur.comp --emit asm --stats",
      [options] { return compile(*options); });
  command.add_option("shader", options->shader, "Shader: GLSL (.comp), SPIR-V (.spv) or SPIR-V assembly (.spvasm)")
      .required();
  add_compile_options(command, options->compile);
  command.add_option("-o,--output", options->output,
                     "Where to write the ELF or the stage object; - is the standard output");
  command
      .add_option("--emit", options->emit,
                  "Make an elf or a stage object (see spalt link), or print asm, ir (before selection) or mir (before "
                  "encoding)")
      .one_of({"elf", "stage", "asm", "ir", "mir"});
  command.add_flag("--stats", options->statistics, "Print instruction, register and memory counts");
  command.add_option("--dump-after", options->dump_after, "Print IR or machine IR after this pass, or after all");
  command.add_option("--stop-after", options->stop_after, "End the compilation after this pass");
  command.add_option(
      "--pal-abi", options->pal_abi,
      "PAL metadata version: 2.6 up to gfx11, 3.0 or 3.6 from gfx10 on (default: 2.6 on gfx9, else 3.0)");
}

}  // namespace spalt_tool
