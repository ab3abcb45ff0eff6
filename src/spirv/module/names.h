// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>

namespace spalt::spirv {

/// What the grammar says about an opcode.
struct OpcodeInfo {
  bool known = false;
  bool declares_type = false;  ///< OpType*
  bool has_type = false;
  bool has_result = false;
};
OpcodeInfo opcode_info(uint32_t opcode);

// Names for messages; unknown numbers come back as "unknown (N)".
std::string opcode_name(uint32_t opcode);
std::string glsl_name(uint32_t instruction);
std::string capability_name(uint32_t capability);
std::string storage_class_name(uint32_t storage_class);
std::string built_in_name(uint32_t built_in);
std::string decoration_name(uint32_t decoration);
std::string execution_mode_name(uint32_t mode);

}  // namespace spalt::spirv
