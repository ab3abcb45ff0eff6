// SPDX-License-Identifier: MIT
//
// The smallest PNG (ISO/IEC 15948): its deflate stream has stored blocks only.
#include "png.h"

#include <algorithm>
#include <fstream>

#include "scene.h"

namespace spalt::scenes {
namespace {

using Bytes = std::vector<uint8_t>;

void append_big_endian(uint32_t value, Bytes& out) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<uint8_t>(value >> shift));
}

uint32_t crc_of(const Bytes& bytes) {
  uint32_t crc = ~0u;
  for (const uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ ((crc & 1) != 0 ? 0xedb88320u : 0);
  }
  return ~crc;
}

uint32_t adler_of(const Bytes& bytes) {
  uint32_t a = 1, b = 0;
  for (const uint8_t byte : bytes) {
    a = (a + byte) % 65521;
    b = (b + a) % 65521;
  }
  return b << 16 | a;
}

void append_chunk(const char* type, const Bytes& data, Bytes& out) {
  append_big_endian(static_cast<uint32_t>(data.size()), out);
  Bytes checked(type, type + 4);
  checked.insert(checked.end(), data.begin(), data.end());
  out.insert(out.end(), checked.begin(), checked.end());
  append_big_endian(crc_of(checked), out);
}

/// A zlib stream (RFC 1950) of stored blocks.
Bytes stored(const Bytes& data) {
  constexpr size_t kMost = 65535;
  Bytes out = {0x78, 0x01};
  for (size_t at = 0; at < data.size() || at == 0; at += kMost) {
    const size_t size = std::min(kMost, data.size() - at);
    const auto length = static_cast<uint16_t>(size);
    const auto inverse = static_cast<uint16_t>(~length);
    out.push_back(at + size == data.size() ? 1 : 0);
    for (const uint16_t word : {length, inverse}) {
      out.push_back(static_cast<uint8_t>(word));
      out.push_back(static_cast<uint8_t>(word >> 8));
    }
    out.insert(out.end(), data.begin() + static_cast<ptrdiff_t>(at), data.begin() + static_cast<ptrdiff_t>(at + size));
  }
  append_big_endian(adler_of(data), out);
  return out;
}

}  // namespace

void write_rgb_png(const std::string& path, uint32_t width, uint32_t height, const Bytes& pixels) {
  Bytes rows;
  const size_t row_bytes = size_t{width} * 3;
  for (uint32_t y = 0; y < height; ++y) {
    rows.push_back(0);  // no filter
    const auto row = pixels.begin() + static_cast<ptrdiff_t>(y * row_bytes);
    rows.insert(rows.end(), row, row + static_cast<ptrdiff_t>(row_bytes));
  }
  Bytes header;
  append_big_endian(width, header);
  append_big_endian(height, header);
  for (const uint8_t byte : {8, 2, 0, 0, 0}) header.push_back(byte);  // 8 bits, RGB
  Bytes out = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
  append_chunk("IHDR", header, out);
  append_chunk("IDAT", stored(rows), out);
  append_chunk("IEND", {}, out);
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(out.data()), static_cast<std::streamsize>(out.size()));
  if (!file) throw Error("cannot write " + path);
}

}  // namespace spalt::scenes
