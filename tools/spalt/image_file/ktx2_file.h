// SPDX-License-Identifier: MIT
// The parts of a KTX2 file (Khronos, "KTX File Format Specification", version 2.0).
#pragma once
#include <spalt/texel.h>

#include <cstdint>
#include <vector>

namespace spalt_tool {

/// Little endian, from byte 0 of the file on. The level index follows.
struct Ktx2Header {
  uint8_t identifier[12];
  uint32_t format, type_size;
  uint32_t width, height, depth;  ///< height and depth are 0 in images of fewer dimensions
  uint32_t layers;                ///< 0: no array
  uint32_t faces, levels;
  uint32_t supercompression;
  uint32_t descriptor_offset, descriptor_size;  ///< data format descriptor
  uint32_t key_value_offset, key_value_size;
  uint64_t global_offset, global_size;
};
static_assert(sizeof(Ktx2Header) == 80);

struct Ktx2Level {
  uint64_t offset, size, uncompressed_size;
};

constexpr uint8_t kKtx2Identifier[12] = {0xab, 'K', 'T', 'X', ' ', '2', '0', 0xbb, '\r', '\n', 0x1a, '\n'};

/// The data format descriptor of a format, with its total size in front.
std::vector<uint32_t> data_format_descriptor(uint32_t format, const spalt_format_info& info);

}  // namespace spalt_tool
