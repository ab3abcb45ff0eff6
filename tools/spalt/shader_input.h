// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace spalt_tool {

/// Reads a shader file as SPIR-V words: .spv as it is, .spvasm through spirv-as, everything else through
/// glslangValidator. On failure returns false and says why in `error`.
bool load_shader(const std::string& path, std::vector<uint32_t>& words, std::string& error);

bool read_file(const std::string& path, std::vector<uint8_t>& bytes, std::string& error);
bool write_file(const std::string& path, const void* data, size_t size, std::string& error);

}  // namespace spalt_tool
