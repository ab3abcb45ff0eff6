// SPDX-License-Identifier: MIT
#pragma once
#include "command_line.h"

namespace spalt_tool {

/// Exit codes of the command line.
enum ExitCode : int {
  kOk = 0,
  kUsage = 1,        ///< wrong options
  kInput = 2,        ///< the shader or file is malformed or cannot be read
  kUnsupported = 3,  ///< valid input that needs something not supported
  kInternal = 4,     ///< a bug in Spalt
  kExecution = 5     ///< the program did something illegal on the emulator
};

/// Each adds its subcommand.
void add_compile_command(CommandLine& line);
void add_piece_command(CommandLine& line);
void add_link_command(CommandLine& line);
void add_capabilities_command(CommandLine& line);
void add_asm_command(CommandLine& line);
void add_disasm_command(CommandLine& line);
void add_metadata_command(CommandLine& line);
void add_analyze_command(CommandLine& line);
void add_descriptor_command(CommandLine& line);
void add_formats_command(CommandLine& line);
void add_run_command(CommandLine& line);
void add_dispatch_command(CommandLine& line);
void add_bench_command(CommandLine& line);
void add_replay_command(CommandLine& line);

}  // namespace spalt_tool
