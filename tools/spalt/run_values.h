// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace spalt_tool {

/// Which descriptor: "SET:BINDING" or "SET:BINDING[ELEMENT]".
struct BufferName {
  uint32_t set = 0, binding = 0, element = 0;
  bool operator==(const BufferName&) const = default;
};

struct Buffer {
  BufferName name;
  std::vector<uint8_t> bytes;
};

/// What to print after the run: a buffer, its element type (u32, i32, f32 or hex) and how many elements, 0 for all.
struct PrintRequest {
  BufferName name;
  std::string type;
  size_t count = 0;
};

/// "SET:BINDING=CONTENT"; CONTENT is zeros:BYTES, f32:1,2.5, u32:1,0x10, i32:-1, iota:COUNT or a file name.
bool parse_buffer(const std::string& text, Buffer& buffer, std::string& error);
/// "u32:1,f32:2.5,3": a type holds until the next one is named.
bool parse_values(const std::string& text, std::vector<uint8_t>& bytes, std::string& error);
/// "SET:BINDING:TYPE[:COUNT]".
bool parse_print(const std::string& text, PrintRequest& request, std::string& error);
/// "X,Y,Z"; missing numbers are 1.
bool parse_grid(const std::string& text, uint32_t grid[3], std::string& error);
/// One value per line.
void print_buffer(const Buffer& buffer, const PrintRequest& request);

}  // namespace spalt_tool
