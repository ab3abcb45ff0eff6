// SPDX-License-Identifier: MIT
// What `spalt run` prints and writes after the run.
#pragma once
#include <cstdint>
#include <span>
#include <string>

#include "image_file/image_file.h"
#include "run/place.h"

namespace spalt_tool {

/// --print: a buffer, its element type (u32, i32, f32 or hex), or an image and "texels"; how many, 0 for all.
struct PrintRequest {
  Place place;
  std::string type;
  uint64_t count = 0;
  bool is_image() const { return type == "texels"; }
};
/// "SET:BINDING:TYPE[:COUNT]". Throws Failure.
PrintRequest parse_print(const std::string& text);
/// One value per line.
void print_buffer(std::span<const uint8_t> bytes, const PrintRequest& request);
/// One texel per line: R, G, B and A as a shader sees them, rows and slices of all levels after each other. Throws
/// Failure.
void print_image(const ImageData& image, const PrintRequest& request);

/// --write: what is at the place, to a file.
struct WriteRequest {
  Place place;
  std::string path;
};
/// "SET:BINDING=FILE". Throws Failure.
WriteRequest parse_write(const std::string& text);
/// The bytes of a buffer. Throws Failure.
void write_buffer(std::span<const uint8_t> bytes, const WriteRequest& request);
/// PNG or KTX2, as the name ends. Throws Failure.
void write_image(const ImageData& image, const WriteRequest& request);

}  // namespace spalt_tool
