// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace spalt::run {

/// A number of registers of each file.
struct Registers {
  uint32_t vgprs = 0, sgprs = 0;
};

/// What a program names, from a disassembly with an instruction per line: the highest register + 1. The metadata is not
/// asked: this is what the hardware sees.
Registers registers_named(std::string_view assembly);

/// "24,32": VGPRs, then SGPRs. Throws std::exception for other texts.
Registers parse_registers(const std::string& text);

}  // namespace spalt::run
