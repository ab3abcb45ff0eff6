// SPDX-License-Identifier: MIT
#include <spalt/spalt.h>

#include <cstdio>
#include <exception>
#include <string>

#include "commands.h"

namespace {

int run(int argc, char** argv) {
  spalt_tool::CommandLine line(
      "spalt - compile SPIR-V to AMDGPU machine code, look at it, and run it without a GPU\n\n"
      "Shaders may be GLSL (.comp), SPIR-V (.spv) or SPIR-V assembly (.spvasm).\n"
      "Exit codes: 0 ok, 1 usage, 2 bad input, 3 not supported, 4 bug in spalt, 5 illegal execution.",
      std::to_string(SPALT_VERSION_MAJOR) + "." + std::to_string(SPALT_VERSION_MINOR) + "." +
          std::to_string(SPALT_VERSION_PATCH));
  spalt_tool::add_compile_command(line);
  spalt_tool::add_piece_command(line);
  spalt_tool::add_link_command(line);
  spalt_tool::add_asm_command(line);
  spalt_tool::add_disasm_command(line);
  spalt_tool::add_metadata_command(line);
  spalt_tool::add_analyze_command(line);
#ifdef SPALT_HAS_EMULATOR
  spalt_tool::add_run_command(line);
  spalt_tool::add_dispatch_command(line);
#endif
  spalt_tool::add_bench_command(line);
  spalt_tool::add_replay_command(line);
  spalt_tool::add_capabilities_command(line);
  spalt_tool::add_descriptor_command(line);
  spalt_tool::add_formats_command(line);
  return line.run(argc, argv, spalt_tool::kUsage);
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
