// SPDX-License-Identifier: MIT
#include <charconv>

#include "base/bits.h"
#include "base/half.h"
#include "base/text/lexer.h"
#include "ir/parser.h"

namespace spalt::ir {
namespace {

template <class Float>
bool parse_decimal(std::string_view text, Float& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

bool float_constant(Type wanted, std::string_view text, uint64_t& bits) {
  if (text.starts_with("0x")) {
    return text::parse_integer(text, bits) && (wanted == kF64 || bits >> wanted.scalar_bits() == 0);
  }
  if (wanted == kF32) {
    float value = 0;
    if (!parse_decimal(text, value)) return false;
    bits = std::bit_cast<uint32_t>(value);
    return true;
  }
  double value = 0;
  if (!parse_decimal(text, value)) return false;
  bits = wanted == kF16 ? double_to_half(value) : std::bit_cast<uint64_t>(value);
  return true;
}

bool integer_constant(Type wanted, std::string_view text, uint64_t& bits) {
  if (!text::parse_integer(text, bits)) return false;
  const unsigned width = wanted.scalar_bits();
  const int64_t lowest = -static_cast<int64_t>((uint64_t{1} << (width - 1)) - 1) - 1;
  if (text.starts_with('-')) {
    const int64_t value = static_cast<int64_t>(bits);
    return value <= 0 && value >= lowest;
  }
  return width == 64 || bits >> width == 0;
}

}  // namespace

bool parse_constant(Type type, std::string_view text, uint64_t& bits) {
  if (type == kBool) {
    bits = text == "true" ? 1 : 0;
    return text == "true" || text == "false";
  }
  if (type.is_vector() || type.scalar_bits() == 0) return false;
  const bool fits = type.is_float() ? float_constant(type, text, bits) : integer_constant(type, text, bits);
  bits = bits_of(bits, 0, type.scalar_bits());
  return fits;
}

}  // namespace spalt::ir
