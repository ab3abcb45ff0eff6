// SPDX-License-Identifier: MIT
#pragma once
#include <CLI/CLI.hpp>

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

/// Each adds its subcommand to the application; the callback stores the exit code.
void add_compile_command(CLI::App& app, int& exit_code);
void add_asm_command(CLI::App& app, int& exit_code);
void add_disasm_command(CLI::App& app, int& exit_code);
void add_metadata_command(CLI::App& app, int& exit_code);
void add_run_command(CLI::App& app, int& exit_code);
void add_bench_command(CLI::App& app, int& exit_code);

}  // namespace spalt_tool
