// SPDX-License-Identifier: MIT
#include "run/output.h"

#include <spalt/texel.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstring>
#include <vector>

#include "files.h"
#include "run/failure.h"

namespace spalt_tool {
namespace {

constexpr const char* kTypes[] = {"u32", "i32", "f32", "hex", "texels"};

void print_component(uint32_t bits, uint32_t number) {
  if (number == SPALT_NUMBER_UINT) {
    std::printf("%u", bits);
  } else if (number == SPALT_NUMBER_SINT) {
    std::printf("%d", static_cast<int32_t>(bits));
  } else {
    std::printf("%.9g", static_cast<double>(std::bit_cast<float>(bits)));
  }
}

void write(const std::string& path, const void* data, size_t size) {
  std::string error;
  if (!write_file(path, data, size, error)) throw Failure{error, kInput};
}

}  // namespace

PrintRequest parse_print(const std::string& text) {
  PrintRequest request;
  std::string_view rest;
  bool good = parse_place(text, request.place, rest);
  const size_t colon = rest.find(':');
  request.type = rest.substr(0, colon);
  good = good && std::find(std::begin(kTypes), std::end(kTypes), request.type) != std::end(kTypes) &&
         (colon == std::string_view::npos || parse_unsigned(rest.substr(colon + 1), request.count));
  if (good) return request;
  throw Failure{"--print " + text + ": expected SET:BINDING:TYPE[:COUNT] with type u32, i32, f32, hex or texels"};
}

void print_buffer(std::span<const uint8_t> bytes, const PrintRequest& request) {
  size_t count = bytes.size() / 4;
  if (request.count != 0) count = std::min<size_t>(count, request.count);
  for (size_t i = 0; i < count; ++i) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + i * 4, 4);
    if (request.type == "f32") {
      std::printf("%.9g\n", static_cast<double>(std::bit_cast<float>(word)));
    } else if (request.type == "i32") {
      std::printf("%d\n", static_cast<int32_t>(word));
    } else {
      std::printf(request.type == "hex" ? "0x%08x\n" : "%u\n", word);
    }
  }
}

void print_image(const ImageData& image, const PrintRequest& request) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  spalt_query_format(image.format, &info);
  if (info.block_width != 1) {
    throw Failure{"--print " + to_string(request.place) + ": " + info.name + " has blocks, not texels"};
  }
  uint64_t left = request.count != 0 ? request.count : UINT64_MAX;
  for (const std::vector<uint8_t>& level : image.levels) {
    for (size_t at = 0; at < level.size() && left != 0; at += info.block_bytes, --left) {
      spalt_texel texel;
      spalt_decode_texels(image.format, &level[at], 1, &texel);
      for (size_t c = 0; c < 4; ++c) {
        print_component(texel.rgba[c], info.number);
        std::printf(c == 3 ? "\n" : " ");
      }
    }
  }
}

WriteRequest parse_write(const std::string& text) {
  WriteRequest request;
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals + 1 == text.size() ||
      !parse_place(std::string_view(text).substr(0, equals), request.place)) {
    throw Failure{"--write " + text + ": expected SET:BINDING=FILE, for example 0:1=out.png"};
  }
  request.path = text.substr(equals + 1);
  return request;
}

void write_buffer(std::span<const uint8_t> bytes, const WriteRequest& request) {
  write(request.path, bytes.data(), bytes.size());
}

void write_image(const ImageData& image, const WriteRequest& request) {
  std::vector<uint8_t> bytes;
  std::string error;
  if (request.path.ends_with(".ktx2")) {
    bytes = write_ktx2(image);
  } else if (!request.path.ends_with(".png")) {
    throw Failure{"--write " + request.path + ": an image is written to a file of type .png or .ktx2"};
  } else if (!write_png(image, bytes, error)) {
    throw Failure{request.path + " " + error, kUnsupported};
  }
  write(request.path, bytes.data(), bytes.size());
}

}  // namespace spalt_tool
