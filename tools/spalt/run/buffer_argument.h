// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "run/place.h"

namespace spalt_tool {

/// --buffer SET:BINDING[ELEMENT][:FORMAT]=CONTENT.
struct BufferArgument {
  Place place;
  uint32_t format = 0;  ///< of a texel buffer; 0: what the shader declares
  std::string content;  ///< zeros:BYTES, f32:1,2.5, u32:1,0x10, i32:-1, iota:COUNT or a file name
};
/// Throws Failure.
BufferArgument parse_buffer(const std::string& text);
/// The bytes that the content names, of a file as well. Throws Failure.
std::vector<uint8_t> buffer_bytes(const BufferArgument& argument);

/// "u32:1,f32:2.5,3": a type holds until the next one is named. Throws Failure.
std::vector<uint8_t> parse_values(const std::string& text);
/// "X,Y,Z"; missing numbers are 1. Throws Failure.
void parse_grid(const std::string& text, uint32_t (&grid)[3]);

}  // namespace spalt_tool
