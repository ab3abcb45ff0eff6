// SPDX-License-Identifier: MIT
// BC6H (Khronos Data Format specification, "BC6H"). A block has one of fourteen modes. Its ends are read bit by bit
// from where the mode has them, made whole from differences, and stretched to 16 bits; what lies between two ends is
// interpolated as an integer and then shrunk to the bits of a half, so that no infinity or NaN comes out (but for the
// least number of the signed format).
#include <bit>

#include "base/bits.h"
#include "base/half.h"
#include "texel/bptc.h"

namespace spalt::texel {
namespace {

/// Consecutive bits of the block that belong to one channel of one end.
struct Field {
  uint8_t end, channel;
  uint8_t low;    ///< bit of the channel that the lowest one is, or, reversed, the highest one
  uint8_t count;  ///< 0: the end of the list
  bool reversed;
};

struct Mode {
  bool transformed;
  uint8_t subsets;
  uint8_t end_bits;
  std::array<uint8_t, 3> other_bits;
  std::array<Field, 32> fields;
  uint8_t number_bits;
};

constexpr unsigned parse_number(const char*& text) {
  unsigned number = 0;
  for (; *text >= '0' && *text <= '9'; ++text) number = number * 10 + static_cast<unsigned>(*text - '0');
  return number;
}

/// "g2[3:0]"
constexpr Field parse_field(const char*& text) {
  Field field{};
  field.channel = *text == 'r' ? 0 : *text == 'g' ? 1 : 2;
  field.end = static_cast<uint8_t>(*++text - '0');
  text += 2;
  const unsigned first = parse_number(text);
  const unsigned second = *text == ':' ? parse_number(++text) : first;
  ++text;
  field.reversed = first < second;
  field.low = static_cast<uint8_t>(field.reversed ? first : second);
  field.count = static_cast<uint8_t>((field.reversed ? second - first : first - second) + 1);
  return field;
}

constexpr std::array<Field, 32> parse_fields(const char* text) {
  std::array<Field, 32> fields{};
  for (size_t i = 0; *text != 0; ++i) {
    fields[i] = parse_field(text);
    if (*text == ' ') ++text;
  }
  return fields;
}

constexpr unsigned kPartitionBits = 5;

/// By number; modes that are reserved have no subset.
constexpr auto mode_table() {
  std::array<Mode, 32> modes{};
#define SPALT_BC6_MODE(number, transformed, subsets, end_bits, red, green, blue, fields) \
  modes[number] = {transformed != 0, subsets, end_bits, {red, green, blue}, parse_fields(fields), number < 2 ? 2 : 5};
#include "texel/bc6_modes.def"
#undef SPALT_BC6_MODE
  return modes;
}
constexpr auto kModes = mode_table();

/// Whether the fields of a mode are all bits of its ends, each once, and fill the block up to the indices.
constexpr bool is_complete(const Mode& mode) {
  uint32_t seen[4][3] = {};
  unsigned bits = mode.number_bits;
  for (const Field& field : mode.fields) {
    const uint32_t mask = ((1u << field.count) - 1) << field.low;
    if ((seen[field.end][field.channel] & mask) != 0) return false;
    seen[field.end][field.channel] |= mask;
    bits += field.count;
  }
  for (unsigned end = 0; end < 2u * mode.subsets; ++end) {
    for (unsigned c = 0; c < 3; ++c) {
      const unsigned width = end == 0 ? mode.end_bits : mode.other_bits[c];
      if (seen[end][c] != (1u << width) - 1) return false;
    }
  }
  return bits == (mode.subsets == 2 ? 82 - kPartitionBits : 65);
}

constexpr bool all_complete() {
  for (const Mode& mode : kModes) {
    if (mode.subsets != 0 && !is_complete(mode)) return false;
  }
  return true;
}
static_assert(all_complete());

using Ends = std::array<std::array<int32_t, 3>, 4>;

constexpr uint32_t reversed_bits(uint32_t value, unsigned count) {
  uint32_t reversed = 0;
  for (unsigned i = 0; i < count; ++i) reversed |= (value >> i & 1) << (count - 1 - i);
  return reversed;
}

/// The ends as the block has them; `offset` moves to what follows.
Ends read_ends(const BlockBits& block, const Mode& mode, unsigned& offset) {
  Ends ends{};
  for (const Field& field : mode.fields) {
    if (field.count == 0) break;
    const uint32_t bits = block.get(offset, field.count);
    ends[field.end][field.channel] |=
        static_cast<int32_t>((field.reversed ? reversed_bits(bits, field.count) : bits) << field.low);
    offset += field.count;
  }
  return ends;
}

int32_t extended(int32_t value, unsigned bits) {
  return static_cast<int32_t>(sign_extend(static_cast<uint32_t>(value), bits));
}

/// Adds the first end to the differences, and gives numbers their sign.
void transform_ends(Ends& ends, const Mode& mode, bool is_signed) {
  for (unsigned c = 0; c < 3; ++c) {
    const int32_t base = ends[0][c], mask = (1 << mode.end_bits) - 1;
    for (unsigned end = 0; end < 2u * mode.subsets; ++end) {
      int32_t& value = ends[end][c];
      if (end != 0 && mode.transformed) value = (base + extended(value, mode.other_bits[c])) & mask;
      if (is_signed) value = extended(value, mode.end_bits);
    }
  }
}

int32_t unquantized(int32_t value, unsigned bits) {
  if (bits >= 15 || value == 0) return value;
  if (value == (1 << bits) - 1) return 0xffff;
  return ((value << 15) + 0x4000) >> (bits - 1);
}

int32_t unquantized_signed(int32_t value, unsigned bits) {
  if (bits >= 16 || value == 0) return value;
  const int32_t magnitude = value < 0 ? -value : value;
  const int32_t whole = magnitude >= (1 << (bits - 1)) - 1 ? 0x7fff : ((magnitude << 15) + 0x4000) >> (bits - 1);
  return value < 0 ? -whole : whole;
}

/// The bits of the half.
uint32_t finished(int32_t value, bool is_signed) {
  if (!is_signed) return static_cast<uint32_t>(value * 31) >> 6;
  return value < 0 ? static_cast<uint32_t>(-value * 31) >> 5 | 0x8000u : static_cast<uint32_t>(value * 31) >> 5;
}

}  // namespace

void decode_bc6(const std::byte* bytes, bool is_signed, Block& block) {
  const BlockBits bits(bytes);
  const unsigned low = bits.get(0, 2);
  const Mode& mode = kModes[low < 2 ? low : bits.get(0, 5)];
  if (mode.subsets == 0) {  // reserved
    block = {};
    return;
  }
  unsigned offset = mode.number_bits;
  Ends ends = read_ends(bits, mode, offset);
  transform_ends(ends, mode, is_signed);
  for (auto& end : ends) {
    for (int32_t& value : end) {
      value = is_signed ? unquantized_signed(value, mode.end_bits) : unquantized(value, mode.end_bits);
    }
  }
  const unsigned number_bits = mode.subsets == 2 ? kPartitionBits : 0, index_bits = mode.subsets == 2 ? 3 : 4;
  const Partition& parts = partition(mode.subsets, bits.get(offset, number_bits));
  const auto indices = read_indices(bits, offset + number_bits, index_bits, mode.subsets, parts);
  for (unsigned texel = 0; texel < 16; ++texel) {
    const auto* end = &ends[2 * parts.subset_of(texel)];
    const int weight = interpolation_weight(indices[texel], index_bits);
    for (unsigned c = 0; c < 3; ++c) {
      const uint32_t half = finished(interpolate(end[0][c], end[1][c], weight), is_signed);
      block[texel][c] = std::bit_cast<uint32_t>(half_to_float(half));
    }
  }
}

}  // namespace spalt::texel
