// SPDX-License-Identifier: MIT
// The data format descriptor (Khronos Data Format specification, "The Basic Data Format Descriptor Block"): a list of
// samples, runs of bits that belong to a channel. Which bits those are is asked of the decoder, a bit at a time.
#include <array>
#include <bit>
#include <cstring>
#include <iterator>

#include "image_file/ktx2_file.h"

namespace spalt_tool {
namespace {

enum Model : uint32_t { kRgbsda = 1, kBc1 = 128 };  // BC2 to BC7 follow
enum Channel : uint32_t { kColor = 0, kBc1Alpha = 1, kStencil = 13, kDepth = 14, kAlpha = 15 };
enum Qualifier : uint32_t { kLinear = 0x10, kExponent = 0x20, kSigned = 0x40, kFloat = 0x80 };

struct Sample {
  uint32_t offset, bits, channel;
};

bool is_signed(const spalt_format_info& info) {
  return info.number == SPALT_NUMBER_SNORM || info.number == SPALT_NUMBER_SINT || info.number == SPALT_NUMBER_SSCALED ||
         info.number == SPALT_NUMBER_FLOAT;
}

bool is_float(const spalt_format_info& info) {
  return info.number == SPALT_NUMBER_FLOAT || info.number == SPALT_NUMBER_UFLOAT;
}

uint32_t channel_of(const spalt_format_info& info, uint32_t component) {
  if (info.aspects == 2) return kDepth;
  if (info.aspects == 4) return kStencil;
  return component == 3 ? uint32_t{kAlpha} : component;
}

constexpr uint32_t kNoComponent = 4;

/// The component that a bit of a texel belongs to.
uint32_t component_of_bit(uint32_t format, uint32_t bit) {
  std::array<uint8_t, 16> bytes{};
  spalt_texel without, with;
  spalt_decode_texels(format, bytes.data(), 1, &without);
  bytes[bit / 8] = static_cast<uint8_t>(1u << bit % 8);
  spalt_decode_texels(format, bytes.data(), 1, &with);
  for (uint32_t c = 0; c < 4; ++c) {
    if (without.rgba[c] != with.rgba[c]) return c;
  }
  return kNoComponent;
}

std::vector<Sample> plain_samples(uint32_t format, const spalt_format_info& info) {
  if (info.component_bits[0] == 64) return {{0, 64, 0}};
  std::vector<Sample> samples;
  uint32_t last = kNoComponent;
  for (uint32_t bit = 0; bit < info.block_bytes * 8; ++bit) {
    const uint32_t component = component_of_bit(format, bit);
    if (component != kNoComponent && component == last) {
      ++samples.back().bits;
    } else if (component != kNoComponent) {
      samples.push_back({bit, 1, channel_of(info, component)});
    }
    last = component;
  }
  return samples;
}

std::vector<Sample> block_samples(uint32_t compression) {
  if (compression == 2 || compression == 3) return {{0, 64, kAlpha}, {64, 64, kColor}};
  if (compression == 5) return {{0, 64, 0}, {64, 64, 1}};
  return {{0, compression == 1 || compression == 4 ? 64u : 128u, kColor}};
}

struct Range {
  uint32_t lower, upper;
};

/// Which stored numbers mean 0 (or -1) and 1.
Range range_of(const spalt_format_info& info, uint32_t bits) {
  const uint32_t most = bits >= 32 ? 0xffffffffu : (1u << bits) - 1;
  switch (info.number) {
    case SPALT_NUMBER_SNORM:
      return {0u - (most >> 1), most >> 1};
    case SPALT_NUMBER_USCALED:
    case SPALT_NUMBER_UINT:
      return {0, 1};
    case SPALT_NUMBER_SSCALED:
    case SPALT_NUMBER_SINT:
      return {0xffffffffu, 1};
    case SPALT_NUMBER_FLOAT:
      return {std::bit_cast<uint32_t>(-1.0f), std::bit_cast<uint32_t>(1.0f)};
    case SPALT_NUMBER_UFLOAT:
      return {0, std::bit_cast<uint32_t>(1.0f)};
    default:
      return {0, most};
  }
}

void append_sample(std::vector<uint32_t>& words, const Sample& sample, uint32_t qualifiers, Range range) {
  words.push_back(sample.offset | (sample.bits - 1) << 16 | (sample.channel | qualifiers) << 24);
  words.insert(words.end(), {0, range.lower, range.upper});
}

/// Mantissas have no sign and no exponent of their own; the exponent is a sample of each channel.
void append_shared_exponent(std::vector<uint32_t>& words) {
  for (uint32_t c = 0; c < 3; ++c) {
    append_sample(words, {9 * c, 9, c}, 0, {0, 8448});
    append_sample(words, {27, 5, c}, kExponent, {15, 31});
  }
}

/// 1 to 7 for BC1 to BC7; 0: none.
uint32_t compression_of(const spalt_format_info& info) {
  return std::strncmp(info.name, "BC", 2) == 0 ? static_cast<uint32_t>(info.name[2] - '0') : 0;
}

}  // namespace

std::vector<uint32_t> data_format_descriptor(uint32_t format, const spalt_format_info& info) {
  constexpr uint32_t kBt709 = 1, kLinearTransfer = 1, kSrgbTransfer = 2, kVersion = 2;
  const bool srgb = info.number == SPALT_NUMBER_SRGB;
  const uint32_t compression = compression_of(info);
  const uint32_t model = compression != 0 ? kBc1 + compression - 1 : kRgbsda;
  std::vector<uint32_t> words = {0, 0, kVersion};
  words.push_back(model | kBt709 << 8 | (srgb ? kSrgbTransfer : kLinearTransfer) << 16);
  words.push_back((info.block_width - 1) | (info.block_height - 1) << 8);
  words.insert(words.end(), {info.block_bytes, 0});
  const uint32_t qualifiers = (is_signed(info) ? uint32_t{kSigned} : 0) | (is_float(info) ? uint32_t{kFloat} : 0);
  if (std::strncmp(info.name, "E5", 2) == 0) {
    append_shared_exponent(words);
  } else {
    for (Sample sample : compression != 0 ? block_samples(compression) : plain_samples(format, info)) {
      if (compression == 1 && std::strstr(info.name, "RGBA") != nullptr) sample.channel = kBc1Alpha;
      const bool linear_alpha = srgb && sample.channel == kAlpha;
      append_sample(words, sample, qualifiers | (linear_alpha ? uint32_t{kLinear} : 0),
                    range_of(info, compression != 0 ? 32 : sample.bits));
    }
  }
  words[0] = static_cast<uint32_t>(words.size() * sizeof(uint32_t));
  words[2] |= (words[0] - static_cast<uint32_t>(sizeof(uint32_t))) << 16;
  return words;
}

}  // namespace spalt_tool
