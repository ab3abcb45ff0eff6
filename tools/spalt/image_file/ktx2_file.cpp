// SPDX-License-Identifier: MIT
#include "image_file/ktx2_file.h"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "image_file/image_file.h"

namespace spalt_tool {
namespace {

bool refuse(std::string& error, std::string message) {
  error = std::move(message);
  return false;
}

/// What the format is and whether it can be in a file.
bool query(uint32_t format, spalt_format_info& info, std::string& error) {
  info.struct_size = sizeof info;
  if (spalt_query_format(format, &info) != SPALT_SUCCESS) {
    return refuse(error, "has format " + std::to_string(format) + ", which is not known");
  }
  if (info.depth_format != 0 && info.stencil_format != 0) {
    return refuse(error, std::string("has a format of two planes, ") + info.name);
  }
  return true;
}

bool read_header(const std::vector<uint8_t>& bytes, Ktx2Header& header, std::string& error) {
  if (bytes.size() < sizeof header) return refuse(error, "ends within its header");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (std::memcmp(header.identifier, kKtx2Identifier, sizeof kKtx2Identifier) != 0) {
    return refuse(error, "is a KTX file, but not of version 2");
  }
  if (header.supercompression != 0) {
    return refuse(error, "has supercompression " + std::to_string(header.supercompression) + "; none is supported");
  }
  if (header.format == 0) return refuse(error, "names no Vulkan format");
  return true;
}

bool read_shape(const Ktx2Header& header, ImageData& image, std::string& error) {
  const uint32_t sizes[] = {header.width, header.height, header.depth, header.layers};
  for (const uint32_t size : sizes) {
    if (size > kMaxImageSize) return refuse(error, "is larger than " + std::to_string(kMaxImageSize));
  }
  if (header.width == 0 || (header.height == 0 && header.depth != 0)) return refuse(error, "has an image without size");
  if (header.faces != 1 && header.faces != 6) return refuse(error, "has " + std::to_string(header.faces) + " faces");
  image.is_cube = header.faces == 6;
  if (image.is_cube && (header.width != header.height || header.depth != 0)) {
    return refuse(error, "has a cube whose faces are not square");
  }
  image.format = header.format;
  image.dimensions = header.depth != 0 ? 3 : header.height != 0 ? 2 : 1;
  image.width = header.width;
  image.height = std::max(header.height, 1u);
  image.depth = std::max(header.depth, 1u);
  image.is_array = header.layers != 0;
  image.layers = std::max(header.layers, 1u) * header.faces;
  return true;
}

bool read_level(const std::vector<uint8_t>& bytes, const Ktx2Level& level, uint64_t expected,
                std::vector<uint8_t>& data, std::string& error) {
  if (level.size != expected || level.uncompressed_size != expected) {
    return refuse(error,
                  "has a level of " + std::to_string(level.size) + " bytes that must have " + std::to_string(expected));
  }
  if (level.offset > bytes.size() || bytes.size() - level.offset < level.size) {
    return refuse(error, "ends before one of its levels");
  }
  const auto begin = bytes.begin() + static_cast<ptrdiff_t>(level.offset);
  data.assign(begin, begin + static_cast<ptrdiff_t>(level.size));
  return true;
}

/// Of the number that the bytes of a texel are stored as, which is what a machine of the other byte order swaps.
uint32_t type_size(const spalt_format_info& info) {
  if (info.block_width != 1) return 1;
  const bool packed = std::strstr(info.name, "PACK") != nullptr;
  if (packed) return info.block_bytes;
  const uint32_t widest = *std::max_element(std::begin(info.component_bits), std::end(info.component_bits));
  return std::max(widest / 8, 1u);
}

}  // namespace

bool read_ktx2(const std::vector<uint8_t>& bytes, ImageData& image, std::string& error) {
  Ktx2Header header;
  spalt_format_info info{};
  image = {};
  if (!read_header(bytes, header, error) || !query(header.format, info, error) || !read_shape(header, image, error)) {
    return false;
  }
  const uint32_t levels = std::max(header.levels, 1u);  // 0: levels that the reader is to make
  if (levels > most_levels(image)) {
    return refuse(error, "has " + std::to_string(levels) + " levels, more than its size allows");
  }
  if (bytes.size() - sizeof header < levels * sizeof(Ktx2Level)) return refuse(error, "ends within its level index");
  image.levels.resize(levels);
  for (uint32_t i = 0; i < levels; ++i) {
    Ktx2Level level;
    std::memcpy(&level, bytes.data() + sizeof header + i * sizeof level, sizeof level);
    if (!read_level(bytes, level, level_bytes(image, i), image.levels[i], error)) return false;
  }
  return true;
}

std::vector<uint8_t> write_ktx2(const ImageData& image) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  spalt_query_format(image.format, &info);
  const std::vector<uint32_t> descriptor = data_format_descriptor(image.format, info);
  const auto count = static_cast<uint32_t>(image.levels.size());
  const uint32_t faces = image.is_cube ? 6 : 1;

  Ktx2Header header{};
  std::memcpy(header.identifier, kKtx2Identifier, sizeof kKtx2Identifier);
  header.format = image.format;
  header.type_size = type_size(info);
  header.width = image.width;
  header.height = image.dimensions >= 2 ? image.height : 0;
  header.depth = image.dimensions >= 3 ? image.depth : 0;
  header.layers = image.is_array ? image.layers / faces : 0;
  header.faces = faces;
  header.levels = count;
  header.descriptor_offset = static_cast<uint32_t>(sizeof header + count * sizeof(Ktx2Level));
  header.descriptor_size = static_cast<uint32_t>(descriptor.size() * sizeof(uint32_t));

  // The smallest level comes first, each at a multiple of the block and of 4.
  const uint64_t alignment = std::lcm(info.block_bytes, 4u);
  uint64_t end = header.descriptor_offset + header.descriptor_size;
  std::vector<Ktx2Level> levels(count);
  for (uint32_t i = count; i-- > 0;) {
    const uint64_t offset = (end + alignment - 1) / alignment * alignment;
    levels[i] = {offset, image.levels[i].size(), image.levels[i].size()};
    end = offset + image.levels[i].size();
  }
  std::vector<uint8_t> bytes(end);
  std::memcpy(bytes.data(), &header, sizeof header);
  std::memcpy(bytes.data() + sizeof header, levels.data(), count * sizeof(Ktx2Level));
  std::memcpy(bytes.data() + header.descriptor_offset, descriptor.data(), header.descriptor_size);
  for (uint32_t i = 0; i < count; ++i) {
    std::copy(image.levels[i].begin(), image.levels[i].end(), bytes.begin() + static_cast<ptrdiff_t>(levels[i].offset));
  }
  return bytes;
}

}  // namespace spalt_tool
