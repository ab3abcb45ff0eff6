// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace spalt_tool {

bool read_file(const std::string& path, std::vector<uint8_t>& bytes, std::string& error);
/// "-" is the standard output.
bool write_file(const std::string& path, const void* data, size_t size, std::string& error);

}  // namespace spalt_tool
