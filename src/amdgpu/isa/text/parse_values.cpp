// SPDX-License-Identifier: MIT
// Numbers and lists of the text as bits of an instruction.
#include "amdgpu/isa/text/parse_values.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "amdgpu/isa/codec/constants.h"
#include "base/half.h"

namespace spalt::isa {
namespace {

constexpr const char* kTooLarge = "does not fit its operand";
constexpr const char* kNoSwizzle = "is no swizzle";

bool is_integer64(OperandType type) {
  return type == OperandType::b64 || type == OperandType::i64 || type == OperandType::u64;
}

bool is_16bit(OperandType type) {
  return type == OperandType::b16 || type == OperandType::i16 || type == OperandType::u16 || type == OperandType::f16;
}

bool is_integer16(OperandType type) {
  return is_16bit(type) && type != OperandType::f16;
}

/// The inline constant code that reads as exactly these 64 bits in a slot of this type, or -1.
int code_of_value(uint64_t value, OperandType type) {
  for (uint32_t code = 128; code <= 248; ++code) {
    if (is_inline_constant_code(code) && inline_constant_value(code, type) == value) return static_cast<int>(code);
  }
  return -1;
}

bool fits(int64_t value, unsigned bits) {
  return value >= -(int64_t{1} << (bits - 1)) && value < int64_t{1} << bits;
}

/// The bits of a real in the float format that slots of this width use. False when it becomes infinite or zero.
bool real_bits(double value, OperandType type, uint32_t& bits) {
  const bool half = is_16bit(type) || type == OperandType::f16x2;
  const auto single = static_cast<float>(value);
  bits = half ? double_to_half(value) : std::bit_cast<uint32_t>(single);
  const uint32_t magnitude = bits & (half ? 0x7fffu : 0x7fffffffu), infinity = half ? 0x7c00 : 0x7f800000;
  return magnitude < infinity && (magnitude != 0 || value == 0);
}

ParseFailure real_operand(const Term& term, OperandType type, unsigned dwords, Operand& operand) {
  if (type == OperandType::f64 || is_integer64(type)) {
    const auto bits = std::bit_cast<uint64_t>(term.real);
    const int code = code_of_value(bits, type);
    if (code >= 0) {
      operand = inline_constant_operand(static_cast<uint32_t>(code), type, dwords);
      return {};
    }
    if (type != OperandType::f64) return term.failure("is no constant of an integer operand");
    operand = Operand::of_literal(static_cast<uint32_t>(bits >> 32));
    return {};
  }
  uint32_t bits = 0;
  if (!real_bits(term.real, type, bits)) return term.failure(kTooLarge);
  // In an integer slot of 16 bits, 1.0 is an inline constant although the integer 0x3c00 is none.
  const int code = is_integer16(type) ? code_of_value(bits, type) : inline_constant_code(bits, type);
  operand = code >= 0 ? inline_constant_operand(static_cast<uint32_t>(code), type, dwords) : Operand::of_literal(bits);
  return {};
}

ParseFailure integer_operand64(const Term& term, OperandType type, unsigned dwords, Operand& operand) {
  const int code = code_of_value(static_cast<uint64_t>(term.integer), type);
  if (code >= 0) {
    operand = inline_constant_operand(static_cast<uint32_t>(code), type, dwords);
    return {};
  }
  if (!fits(term.integer, 32)) return term.failure(kTooLarge);
  const auto bits = static_cast<uint32_t>(term.integer);
  const bool inlined = type == OperandType::f64 && inline_constant_code(bits, type) >= 0;
  operand = inlined ? Operand::of_imm(bits) : Operand::of_literal(bits);
  return {};
}

uint32_t swizzle_number(AsmLexer& lexer, uint32_t limit, bool& ok) {
  if (!lexer.at(AsmTokenKind::integer) || lexer.peek().integer >= limit) {
    ok = false;
    return 0;
  }
  return static_cast<uint32_t>(lexer.next().integer);
}

uint32_t bitmask_swizzle(uint32_t and_mask, uint32_t or_mask, uint32_t xor_mask) {
  return and_mask | or_mask << 5 | xor_mask << 10;
}

/// "01pi": per lane bit, from the highest: 0, 1, preserve or invert.
bool parse_permutation(std::string_view text, uint32_t& value) {
  if (text.size() != 5) return false;
  uint32_t and_mask = 0, or_mask = 0, xor_mask = 0;
  for (unsigned i = 0; i < 5; ++i) {
    const uint32_t bit = 1u << (4 - i);
    switch (text[i]) {
      case '0':
        break;
      case '1':
        or_mask |= bit;
        break;
      case 'p':
        and_mask |= bit;
        break;
      case 'i':
        and_mask |= bit;
        xor_mask |= bit;
        break;
      default:
        return false;
    }
  }
  value = bitmask_swizzle(and_mask, or_mask, xor_mask);
  return true;
}

/// A group of lanes: a power of two between `low` and 32.
uint32_t parse_group(AsmLexer& lexer, uint32_t low, uint32_t high, bool& ok) {
  const uint32_t group = swizzle_number(lexer, high + 1, ok);
  ok = ok && group >= low && std::has_single_bit(group);
  return ok ? group : low;
}

/// The arguments after "MODE,".
bool parse_swizzle_arguments(AsmLexer& lexer, std::string_view mode, uint32_t& value) {
  bool ok = true;
  if (mode == "QUAD_PERM") {
    value = 0x8000;
    for (unsigned i = 0; i < 4; ++i) {
      if (i > 0) ok = ok && lexer.accept(',');
      value |= swizzle_number(lexer, 4, ok) << (2 * i);
    }
  } else if (mode == "BITMASK_PERM") {
    ok = lexer.at(AsmTokenKind::string) && parse_permutation(lexer.next().text, value);
  } else if (mode == "SWAP") {
    value = bitmask_swizzle(31, 0, parse_group(lexer, 1, 16, ok));
  } else if (mode == "REVERSE") {
    value = bitmask_swizzle(31, 0, parse_group(lexer, 2, 32, ok) - 1);
  } else if (mode == "BROADCAST") {
    const uint32_t group = parse_group(lexer, 2, 32, ok);
    ok = ok && lexer.accept(',');
    value = bitmask_swizzle(32 - group, swizzle_number(lexer, group, ok), 0);
  } else {
    return false;
  }
  return ok;
}

}  // namespace

ParseFailure parse_lanes(const Term& term, unsigned count, unsigned bits, uint32_t& value) {
  if (term.value_kind != KeyedValue::list || term.list_count != count) {
    return term.failure("has the wrong number of lanes");
  }
  value = 0;
  for (unsigned i = 0; i < count; ++i) {
    if (term.list[i] >> bits != 0) return term.failure("names a lane that does not exist");
    value |= term.list[i] << (bits * i);
  }
  return {};
}

ParseFailure parse_swizzle(const Term& term, uint32_t& value) {
  AsmLexer lexer(term.value);
  const AsmToken name = lexer.next();
  const bool opened = lexer.accept('(');
  const AsmToken mode = lexer.next();
  if (name.text != "swizzle" || !opened || !lexer.accept(',')) return term.failure(kNoSwizzle);
  if (!parse_swizzle_arguments(lexer, mode.text, value) || !lexer.at(')')) return term.failure(kNoSwizzle);
  return {};
}

ParseFailure constant_operand(const Term& term, OperandType type, unsigned dwords, Operand& operand) {
  if (term.kind == TermKind::real) return real_operand(term, type, dwords, operand);
  if (type == OperandType::f64 || is_integer64(type)) return integer_operand64(term, type, dwords, operand);
  if (!fits(term.integer, is_16bit(type) ? 16 : 32)) return term.failure(kTooLarge);
  auto bits = static_cast<uint32_t>(term.integer);
  if (type == OperandType::f16) bits &= 0xffff;
  // 0xffff in an integer slot is a literal, -1 an inline constant, as in LLVM.
  const bool literal = is_integer16(type) && term.integer > 64;
  const int code = literal ? -1 : inline_constant_code(bits, type);
  if (is_16bit(type)) bits &= 0xffff;
  operand = code >= 0 ? inline_constant_operand(static_cast<uint32_t>(code), type, dwords) : Operand::of_literal(bits);
  return {};
}

ParseFailure literal_bits(const Term& term, OperandType type, uint32_t& bits) {
  if (term.kind == TermKind::real) return real_bits(term.real, type, bits) ? ParseFailure{} : term.failure(kTooLarge);
  if (term.kind != TermKind::integer) return term.failure("is no constant");
  if (!fits(term.integer, 32)) return term.failure(kTooLarge);
  bits = static_cast<uint32_t>(term.integer);
  return {};
}

void fold_sign(Term& term, OperandType type) {
  if (!term.neg && !term.abs) return;
  if (term.kind == TermKind::real) {
    if (term.abs) term.real = std::fabs(term.real);
    if (term.neg) term.real = -term.real;
  } else {
    const unsigned width = is_16bit(type) ? 16 : type == OperandType::f64 || is_integer64(type) ? 64 : 32;
    const uint64_t sign = uint64_t{1} << (width - 1);
    auto bits = static_cast<uint64_t>(term.integer) & (sign | (sign - 1));
    if (term.abs) bits &= ~sign;
    if (term.neg) bits ^= sign;
    term.integer = static_cast<int64_t>(bits);
  }
  term.neg = term.abs = false;
}

}  // namespace spalt::isa
