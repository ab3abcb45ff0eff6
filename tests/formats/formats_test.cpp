// SPDX-License-Identifier: MIT
// Texels of every format, block compressed ones too, as a Vulkan driver (Mesa's lavapipe unless VK_ICD_FILENAMES or
// VK_DRIVER_FILES says otherwise) and spalt_decode_texels read them, and as the driver and spalt_encode_texels write
// them. Blocks are random, with every mode as often as the others.
//
// usage: formats_test [--seed N] [--side N] [--format NAME] [--verbose]
// A line for each format that differs; the last line is "N passed, N failed". 77: there is no driver.
#include <spalt/texel.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>
#include <stdexcept>
#include <string>

#include "formats/blitter.h"

namespace {

using spalt::formats::Blitter;

struct Options {
  uint32_t seed = 1, side = 128;
  std::string format;
  bool verbose = false;
};

struct Format {
  uint32_t number;
  spalt_format_info info;
  bool is(const char* prefix) const { return std::strncmp(info.name, prefix, std::strlen(prefix)) == 0; }
  bool compressed() const { return info.block_width != 1; }
};

std::vector<Format> color_formats() {
  std::vector<Format> formats;
  for (size_t i = 0; spalt_known_format(i) != 0; ++i) {
    const uint32_t number = spalt_known_format(i);
    Format format{number, {}};
    format.info.struct_size = sizeof format.info;
    if (spalt_query_format(number, &format.info) != SPALT_SUCCESS || format.info.aspects != 1) continue;
    // Scaled numbers are for vertices, and nothing as wide as an integer of 64 bits can be blitted to: lavapipe offers
    // blits of both, and does something else.
    const bool is_scaled = format.info.number == SPALT_NUMBER_USCALED || format.info.number == SPALT_NUMBER_SSCALED;
    if (!is_scaled && format.info.component_bits[0] != 64) formats.push_back(format);
  }
  return formats;
}

/// The format that holds any number of the kind.
VkFormat wide_format(uint32_t number) {
  if (number == SPALT_NUMBER_UINT) return VK_FORMAT_R32G32B32A32_UINT;
  return number == SPALT_NUMBER_SINT ? VK_FORMAT_R32G32B32A32_SINT : VK_FORMAT_R32G32B32A32_SFLOAT;
}

// ---- what is read ----

/// A block of random bits in one of the modes, some with equal ends.
void make_block(const Format& format, std::mt19937& random, uint8_t* bytes) {
  for (uint32_t i = 0; i < format.info.block_bytes; ++i) bytes[i] = static_cast<uint8_t>(random());
  const bool is_color = format.is("BC1") || format.is("BC2") || format.is("BC3");
  uint8_t* color = bytes + format.info.block_bytes - 8;
  if (is_color && random() % 16 == 0) std::memcpy(color, color + 2, 2);
  if (is_color && random() % 16 == 0) color[2] = static_cast<uint8_t>(color[0] + 1), color[3] = color[1];
  if ((format.is("BC3") || format.is("BC4") || format.is("BC5")) && random() % 8 == 0) bytes[0] = bytes[1];
  if (format.is("BC7")) {
    const uint32_t mode = static_cast<uint32_t>(random() % 9);
    bytes[0] = static_cast<uint8_t>((bytes[0] << 1 | 1u) << mode);
  }
  if (format.is("BC6H")) bytes[0] = static_cast<uint8_t>((bytes[0] & 0xe0u) | random() % 32);
}

std::vector<uint8_t> make_texels(const Format& format, const Options& options, std::mt19937& random) {
  const size_t blocks = size_t{options.side / format.info.block_width} * (options.side / format.info.block_height);
  std::vector<uint8_t> bytes(blocks * format.info.block_bytes);
  for (size_t i = 0; i < blocks; ++i) make_block(format, random, &bytes[i * format.info.block_bytes]);
  return bytes;
}

/// All texels of the image, rows from the top.
std::vector<spalt_texel> decode(const Format& format, const std::vector<uint8_t>& bytes, uint32_t side) {
  std::vector<spalt_texel> texels(size_t{side} * side);
  if (!format.compressed()) {
    if (spalt_decode_texels(format.number, bytes.data(), texels.size(), texels.data()) != SPALT_SUCCESS)
      throw std::runtime_error("spalt_decode_texels refuses");
    return texels;
  }
  for (uint32_t by = 0; by < side / 4; ++by) {
    for (uint32_t bx = 0; bx < side / 4; ++bx) {
      spalt_texel block[16];
      const uint8_t* from = &bytes[(size_t{by} * (side / 4) + bx) * format.info.block_bytes];
      if (spalt_decode_texels(format.number, from, 16, block) != SPALT_SUCCESS)
        throw std::runtime_error("spalt_decode_texels refuses a block");
      for (uint32_t i = 0; i < 16; ++i) texels[(size_t{by} * 4 + i / 4) * side + bx * 4 + i % 4] = block[i];
    }
  }
  return texels;
}

/// How far two numbers that were read may be apart. lavapipe decodes BC1 to BC5 in integers of 8 bits that it cuts,
/// with -128 as an end of its own, and sRGB with a polynomial that is off by a third of a code; sRGB is steepest at the
/// upper end.
double allowed_difference(const Format& format, bool srgb) {
  const bool rounds = format.is("BC1") || format.is("BC2") || format.is("BC3") || format.is("BC4") || format.is("BC5");
  const double step = 1.0 / (format.info.number == SPALT_NUMBER_SNORM ? 127 : 255);
  return (rounds ? 1.9 * step : 0) * (srgb ? 2.4 : 1) + (srgb ? 0.4 * step * 2.4 : 0) + 2e-7;
}

bool agrees(const Format& format, uint32_t component, uint32_t ours, uint32_t theirs) {
  if (ours == theirs) return true;
  if (wide_format(format.info.number) != VK_FORMAT_R32G32B32A32_SFLOAT) return false;
  const double a = std::bit_cast<float>(ours), b = std::bit_cast<float>(theirs);
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  const bool is_float = format.info.number == SPALT_NUMBER_FLOAT || format.info.number == SPALT_NUMBER_UFLOAT;
  if (is_float) return a == b;
  return std::fabs(a - b) <= allowed_difference(format, format.info.number == SPALT_NUMBER_SRGB && component < 3);
}

void print_texel(const char* who, const spalt_texel& texel, bool integer) {
  std::printf("  %-6s", who);
  for (const uint32_t value : texel.rgba) {
    integer ? std::printf(" %11u", value) : std::printf(" %11.7g", double{std::bit_cast<float>(value)});
  }
  std::printf("\n");
}

/// The number of texels that differ; shows the first.
size_t compare(const Format& format, const std::vector<spalt_texel>& ours, const std::vector<spalt_texel>& theirs,
               const uint8_t* bytes, uint32_t side) {
  size_t wrong = 0;
  for (size_t i = 0; i < ours.size(); ++i) {
    bool same = true;
    for (uint32_t c = 0; c < 4; ++c) same = same && agrees(format, c, ours[i].rgba[c], theirs[i].rgba[c]);
    if (same || wrong++ != 0) continue;
    const bool integer = wide_format(format.info.number) != VK_FORMAT_R32G32B32A32_SFLOAT;
    const size_t x = i % side, y = i / side;
    const size_t block = y / format.info.block_height * (side / format.info.block_width) + x / format.info.block_width;
    std::printf("%s: texel (%zu, %zu) of", format.info.name, x % format.info.block_width, y % format.info.block_height);
    for (uint32_t b = 0; b < format.info.block_bytes; ++b)
      std::printf(" %02x", bytes[block * format.info.block_bytes + b]);
    std::printf("\n");
    print_texel("spalt", ours[i], integer);
    print_texel("driver", theirs[i], integer);
  }
  return wrong;
}

std::vector<spalt_texel> as_texels(const std::vector<uint8_t>& bytes) {
  std::vector<spalt_texel> texels(bytes.size() / sizeof(spalt_texel));
  std::memcpy(texels.data(), bytes.data(), bytes.size());
  return texels;
}

bool reads_alike(Blitter& blitter, const Format& format, const Options& options) {
  std::mt19937 random(options.seed + format.number);
  const std::vector<uint8_t> bytes = make_texels(format, options, random);
  const std::vector<spalt_texel> ours = decode(format, bytes, options.side);
  const auto wide = blitter.blit(static_cast<VkFormat>(format.number), bytes, wide_format(format.info.number),
                                 ours.size() * sizeof(spalt_texel), {options.side, options.side});
  const size_t wrong = compare(format, ours, as_texels(wide), bytes.data(), options.side);
  if (wrong != 0) std::printf("%s: %zu of %zu texels are read otherwise\n", format.info.name, wrong, ours.size());
  return wrong == 0;
}

// ---- what is written ----

/// A number that the format has, or one near its limits or beyond them.
uint32_t make_number(const Format& format, std::mt19937& random) {
  const auto bits = static_cast<uint32_t>(random());
  if (wide_format(format.info.number) != VK_FORMAT_R32G32B32A32_SFLOAT) return bits >> random() % 32;
  const float unit = static_cast<float>(bits >> 8) * 0x1p-24f, sign = (bits & 1) != 0 ? -1.0f : 1.0f;
  const bool is_float = format.info.number == SPALT_NUMBER_FLOAT || format.info.number == SPALT_NUMBER_UFLOAT;
  const float scale = is_float            ? std::ldexp(1.0f, static_cast<int>(random() % 40) - 24)
                      : random() % 8 == 0 ? 2.0f
                                          : 1.0f;
  return std::bit_cast<uint32_t>(unit * sign * scale);
}

/// The texels that the bytes are, as integers of their bits, for comparing in steps.
bool written_alike(const Format& format, const std::vector<uint8_t>& ours, const std::vector<uint8_t>& theirs,
                   size_t count, uint32_t side) {
  const std::vector<spalt_texel> a = decode(format, ours, side), b = decode(format, theirs, side);
  size_t wrong = 0;
  for (size_t i = 0; i < count; ++i) {
    bool same = true;
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t bits = std::max(format.info.component_bits[c], 1u);
      const double x = std::bit_cast<float>(a[i].rgba[c]), y = std::bit_cast<float>(b[i].rgba[c]);
      const bool integer = wide_format(format.info.number) != VK_FORMAT_R32G32B32A32_SFLOAT;
      const bool is_float = format.info.number == SPALT_NUMBER_FLOAT || format.info.number == SPALT_NUMBER_UFLOAT;
      // One step: of the integer that is stored, or of the mantissa.
      const double mantissa = bits == 16  ? 0x1p-10
                              : bits == 9 ? 0x1p-8
                              : bits < 16 ? std::ldexp(1.0, 5 - static_cast<int>(bits))
                                          : 0;
      const double step = is_float ? std::max(std::fabs(y) * mantissa, 0x1p-24)
                          : format.info.number == SPALT_NUMBER_SNORM
                              ? 1 / (std::ldexp(1.0, static_cast<int>(bits) - 1) - 1)
                              : 1 / (std::ldexp(1.0, static_cast<int>(bits)) - 1);
      const double srgb = format.info.number == SPALT_NUMBER_SRGB && c < 3 ? 2.4 : 1;
      const bool shared = format.is("E5") && c < 3;
      const double most = shared ? std::max({std::bit_cast<float>(b[i].rgba[0]), std::bit_cast<float>(b[i].rgba[1]),
                                             std::bit_cast<float>(b[i].rgba[2])}) *
                                       mantissa
                                 : step * srgb * 1.01;
      same = same && (a[i].rgba[c] == b[i].rgba[c] || (!integer && std::fabs(x - y) <= most));
    }
    if (same || wrong++ != 0) continue;
    std::printf("%s: texel %zu is written as\n", format.info.name, i);
    print_texel("spalt", a[i], false);
    print_texel("driver", b[i], false);
  }
  if (wrong != 0) std::printf("%s: %zu of %zu texels are written otherwise\n", format.info.name, wrong, count);
  return wrong == 0;
}

bool writes_alike(Blitter& blitter, const Format& format, const Options& options) {
  std::mt19937 random(options.seed + format.number);
  std::vector<spalt_texel> texels(size_t{options.side} * options.side);
  for (spalt_texel& texel : texels) {
    for (uint32_t& value : texel.rgba) value = make_number(format, random);
  }
  std::vector<uint8_t> wide(texels.size() * sizeof(spalt_texel)), ours(texels.size() * format.info.block_bytes);
  std::memcpy(wide.data(), texels.data(), wide.size());
  if (spalt_encode_texels(format.number, texels.data(), texels.size(), ours.data()) != SPALT_SUCCESS)
    throw std::runtime_error("spalt_encode_texels refuses");
  const auto theirs = blitter.blit(wide_format(format.info.number), wide, static_cast<VkFormat>(format.number),
                                   ours.size(), {options.side, options.side});
  return written_alike(format, ours, theirs, texels.size(), options.side);
}

// ---- the program ----

Options parse(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string name = arguments[i];
    const bool has_value = i + 1 < count;
    if (name == "--verbose") {
      options.verbose = true;
    } else if (name == "--seed" && has_value) {
      options.seed = static_cast<uint32_t>(std::strtoul(arguments[++i], nullptr, 10));
    } else if (name == "--side" && has_value) {
      options.side = std::max(4u, static_cast<uint32_t>(std::strtoul(arguments[++i], nullptr, 10)) / 4 * 4);
    } else if (name == "--format" && has_value) {
      options.format = arguments[++i];
    } else {
      std::fprintf(stderr, "usage: formats_test [--seed N] [--side N] [--format NAME] [--verbose]\n");
      std::exit(2);
    }
  }
  return options;
}

void choose_software_driver() {
  constexpr const char* kLavapipe = "/usr/share/vulkan/icd.d/lvp_icd.x86_64.json";
  if (std::getenv("VK_ICD_FILENAMES") == nullptr && std::getenv("VK_DRIVER_FILES") == nullptr &&
      std::filesystem::exists(kLavapipe)) {
    setenv("VK_ICD_FILENAMES", kLavapipe, 1);
  }
}

int run(const Options& options) {
  Blitter blitter;
  if (options.verbose) std::printf("%s\n", blitter.device_name().c_str());
  unsigned passed = 0, failed = 0;
  for (const Format& format : color_formats()) {
    if (!options.format.empty() && options.format != format.info.name) continue;
    const auto number = static_cast<VkFormat>(format.number);
    const bool reads = blitter.reads(number), writes = blitter.writes(number);
    if (options.verbose) std::printf("%s:%s%s\n", format.info.name, reads ? " read" : "", writes ? " written" : "");
    if (reads) ++(reads_alike(blitter, format, options) ? passed : failed);
    if (writes) ++(writes_alike(blitter, format, options) ? passed : failed);
  }
  std::printf("%u passed, %u failed\n", passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const Options options = parse(count, arguments);
  choose_software_driver();
  try {
    return run(options);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "formats_test: %s\n", error.what());
    return 77;
  }
}
