// SPDX-License-Identifier: MIT
#include "files.h"

#include <cstdio>
#include <fstream>

#include "shader_input/shader_input.h"

namespace spalt_tool {

bool read_file(const std::string& path, std::vector<uint8_t>& bytes, std::string& error) {
  return shader_input::read_file(path, bytes, error);
}

bool write_file(const std::string& path, const void* data, size_t size, std::string& error) {
  if (path == "-") {
    if (std::fwrite(data, 1, size, stdout) == size && std::fflush(stdout) == 0) return true;
    error = "standard output: cannot be written";
    return false;
  }
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(size));
  file.close();
  if (file) return true;
  error = path + ": cannot be written";
  return false;
}

}  // namespace spalt_tool
