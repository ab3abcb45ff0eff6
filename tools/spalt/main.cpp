// SPDX-License-Identifier: MIT
#include <spalt/spalt.h>

#include <cstdio>
#include <exception>

#include "commands.h"

namespace {

int run(int argc, char** argv) {
  CLI::App app{
      "spalt - compile SPIR-V to AMDGPU machine code, look at it, and run it without a GPU\n\n"
      "Shaders may be GLSL (.comp, through glslangValidator), SPIR-V (.spv) or SPIR-V assembly (.spvasm, through "
      "spirv-as).\n"
      "Exit codes: 0 ok, 1 usage, 2 bad input, 3 not supported, 4 bug in spalt, 5 illegal execution."};
  app.set_version_flag("--version", std::to_string(SPALT_VERSION_MAJOR) + "." + std::to_string(SPALT_VERSION_MINOR) +
                                        "." + std::to_string(SPALT_VERSION_PATCH));
  app.require_subcommand(1);
  app.get_formatter()->column_width(36);
  int exit_code = spalt_tool::kOk;
  spalt_tool::add_compile_command(app, exit_code);
  spalt_tool::add_asm_command(app, exit_code);
  spalt_tool::add_disasm_command(app, exit_code);
  spalt_tool::add_metadata_command(app, exit_code);
#ifdef SPALT_HAS_EMULATOR
  spalt_tool::add_run_command(app, exit_code);
#endif
  spalt_tool::add_bench_command(app, exit_code);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int code = app.exit(error);
    return code == 0 ? spalt_tool::kOk : spalt_tool::kUsage;
  }
  return exit_code;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "spalt: %s\n", error.what());
    return spalt_tool::kInternal;
  }
}
