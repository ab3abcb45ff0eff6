// SPDX-License-Identifier: MIT
#include "passes/packed_elements.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace spalt::passes {
namespace {

constexpr unsigned kWordBits = 32;

/// Of a float: it must be this integer exactly, so that converting it brings the same bits. Minus zero is none.
std::optional<int64_t> integer_of(uint32_t bits, ir::Type type) {
  if (!type.is_float()) return static_cast<int32_t>(bits);
  constexpr float kMost = 1 << 24;
  const auto number = std::bit_cast<float>(bits);
  if (!(std::fabs(number) <= kMost)) return std::nullopt;
  const auto integer = static_cast<int64_t>(number);
  if (std::bit_cast<uint32_t>(static_cast<float>(integer)) != bits) return std::nullopt;
  return integer;
}

}  // namespace

std::optional<PackedElements> pack_elements(std::span<const uint32_t> elements, ir::Type type) {
  if (type != ir::kI32 && type != ir::kF32) return std::nullopt;
  // One bit each is the least.
  if (elements.size() > 2 * kWordBits) return std::nullopt;
  std::array<int64_t, size_t{2} * kWordBits> integers{};
  for (size_t i = 0; i < elements.size(); ++i) {
    const std::optional<int64_t> integer = integer_of(elements[i], type);
    if (!integer) return std::nullopt;
    integers[i] = *integer;
  }
  const auto [least, greatest] = std::minmax_element(integers.begin(), integers.begin() + elements.size());
  const unsigned needed = std::bit_width(static_cast<uint64_t>(*greatest - *least));
  PackedElements packed;
  packed.is_float = type.is_float();
  packed.least = static_cast<int32_t>(*least);
  packed.width = static_cast<uint8_t>(std::bit_ceil(std::max(needed, 1u)));
  if (packed.width >= kWordBits || elements.size() * packed.width > 2 * kWordBits) return std::nullopt;
  packed.word_count = elements.size() * packed.width > kWordBits ? 2 : 1;
  for (size_t i = 0; i < elements.size(); ++i) {
    const size_t at = i * packed.width;
    packed.words[at / kWordBits] |= static_cast<uint32_t>(integers[i] - *least) << at % kWordBits;
  }
  return packed;
}

unsigned operations(const PackedElements& packed) {
  const unsigned bits = packed.word_count == 1 ? 1 : 4;  // a field; or a comparison, a choice, a shift and a mask
  return bits + (packed.is_float ? 1 : 0) + (packed.least != 0 ? 1 : 0);
}

ir::Value element(ir::Builder& builder, const PackedElements& packed, ir::Value place) {
  const ir::Value low = builder.i32(packed.words[0]);
  ir::Value bits;
  if (packed.word_count == 1) {
    bits = builder.ternary(ir::Op::bfe_u, low, place, builder.i32(packed.width));
  } else {
    const ir::Value in_low = builder.binary(ir::Op::ult, place, builder.i32(kWordBits));
    const ir::Value word = builder.select(in_low, low, builder.i32(packed.words[1]));
    bits = builder.iand(builder.ushr(word, place), builder.i32((1u << packed.width) - 1));
  }
  if (!packed.is_float) {
    return packed.least == 0 ? bits : builder.iadd(bits, builder.i32(static_cast<uint32_t>(packed.least)));
  }
  const ir::Value number = builder.convert(ir::Op::u_to_f, ir::kF32, bits);
  return packed.least == 0 ? number : builder.fadd(number, builder.f32(static_cast<float>(packed.least)));
}

}  // namespace spalt::passes
