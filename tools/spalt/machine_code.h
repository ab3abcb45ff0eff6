// SPDX-License-Identifier: MIT
//
// Machine code of any compiler, from a file.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "commands.h"

namespace spalt_tool {

/// Why something could not be done; kOk: it could.
struct Failure {
  ExitCode code = kOk;
  std::string message;
};

struct MachineCode {
  std::vector<uint8_t> bytes;
  bool is_elf = false;
};

/// Whether load_machine_code reads such a file: by its suffix .s, or by what `bytes` of it begin with.
bool is_machine_code(const std::string& path, const std::vector<uint8_t>& bytes);

/// ELF files as they are, assembly (.s) assembled for the target. `code.bytes` are those of the file.
Failure make_machine_code(const std::string& path, const std::string& target, uint32_t wave_size, MachineCode& code);

}  // namespace spalt_tool
