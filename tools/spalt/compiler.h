// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/spalt.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "shader_input/shader_input.h"

namespace spalt_tool {

struct CompilerDeleter {
  void operator()(spalt_compiler* compiler) const { spalt_compiler_destroy(compiler); }
};
struct CompilationDeleter {
  void operator()(spalt_compilation* compilation) const { spalt_compilation_destroy(compilation); }
};
using Compiler = std::unique_ptr<spalt_compiler, CompilerDeleter>;
using Compilation = std::unique_ptr<spalt_compilation, CompilationDeleter>;

/// Options that every compiling subcommand has.
struct CompileOptions {
  std::string target = "gfx1030";
  uint32_t wave_size = 0;
  bool wgp_mode = false;
  bool verify = false;
  std::string entry_point;
  std::vector<std::string> specialization;  ///< ID=VALUE
  std::optional<uint32_t> address_high;     ///< of all tables; none: that of the code
  std::vector<std::string> inline_blocks;   ///< SET:BINDING, see inline_layout.h
  shader_input::Options input;              ///< how the file becomes SPIR-V
  uint32_t max_vgprs = 0, max_sgprs = 0, max_unroll = 0;
  std::string optimization = "full";
};
void add_compile_options(Command& command, CompileOptions& options);

/// Parses ID=VALUE lists; VALUE is an integer, a float (with a point or exponent), true or false.
struct Specialization {
  std::vector<spalt_specialization_entry> entries;
  std::vector<uint32_t> data;
};
bool parse_specialization(const std::vector<std::string>& texts, Specialization& values, std::string& error);

/// Reads a shader file as SPIR-V words; warnings go to stderr. On failure returns false and says why in `error`.
bool load_shader(const std::string& path, const CompileOptions& options, std::vector<uint32_t>& words,
                 std::string& error);

Compiler create_compiler(const std::string& target, std::string& error);

/// Fills `info` from the options. The vectors and strings must outlive it.
void fill_info(const CompileOptions& options, const std::vector<uint32_t>& words, const Specialization& specialization,
               spalt_compile_info& info);

/// Which stage is meant: the first of compute, vertex and fragment that the module has such an entry point for.
void find_stage(spalt_compile_info& info);

/// What to ask a reflection for the declarations of the same entry point. Points to what `info` points to.
spalt_reflect_info reflect_info(const spalt_compile_info& info);
/// Binding `i`, whose struct may be larger than that of this header.
const spalt_reflected_binding& reflected_binding(const spalt_reflection_info& info, size_t i);

/// "file: sentence (word 12, shader.comp:7)" of a failed compilation, a line for each error.
std::string describe_failure(const std::string& path, spalt_result result, const spalt_compilation* compilation);
/// Prints the warnings of a compilation to stderr.
void print_warnings(const std::string& path, const spalt_compilation* compilation);
ExitCode exit_code_of(spalt_result result);

}  // namespace spalt_tool
