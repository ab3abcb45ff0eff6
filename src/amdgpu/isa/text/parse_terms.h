// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <string_view>

#include "amdgpu/isa/register.h"
#include "amdgpu/isa/target.h"
#include "amdgpu/isa/text/parse_lexer.h"

namespace spalt::isa {

/// Why a text is no instruction: "'subject' reason" at a position of the text.
struct ParseFailure {
  uint32_t position = 0;
  std::string_view subject;
  const char* reason = nullptr;

  explicit operator bool() const { return reason != nullptr; }
};

enum class TermKind : uint8_t {
  reg,      ///< a register tuple
  integer,  ///< with its sign
  real,
  word,      ///< any other name: off, glc, mrt0, attr0.x
  keyed,     ///< name:value, see Term::value
  reg_list,  ///< [v1, v[3:4]]: VGPR numbers in `list`
  simm16     ///< the immediate of a scalar instruction, in `integer`
};

/// What follows the colon of a keyed term.
enum class KeyedValue : uint8_t {
  integer,  ///< Term::integer
  word,     ///< Term::value
  list,     ///< [1, 0]: Term::list
  name,     ///< [BUF_FMT_32_FLOAT]: Term::value
  call      ///< swizzle(SWAP, 1): Term::value is the whole text
};

/// One operand or modifier as it is written, before an instruction gives it a meaning.
struct Term {
  static constexpr unsigned kMaxList = 16;

  TermKind kind = TermKind::word;
  KeyedValue value_kind = KeyedValue::integer;
  bool after_comma = false;
  bool neg = false, abs = false, sext = false;
  bool any_width = false;  ///< reg: as wide as the slot wants it
  bool named = false;      ///< reg: by a name of its own, not by a letter and a number
  char half = '\0';        ///< reg: 'l' or 'h' of v1.l and v1.h
  uint8_t dwords = 0;      ///< reg
  uint8_t list_count = 0;
  Reg reg;
  uint32_t position = 0;
  int64_t integer = 0;
  double real = 0;
  std::string_view text;   ///< the whole term
  std::string_view word;   ///< of word and keyed
  std::string_view value;  ///< of keyed: its text, the name alone for KeyedValue::name
  std::array<uint32_t, kMaxList> list{};
  std::array<uint8_t, kMaxList> list_widths{};  ///< reg_list
  std::string_view second_value;                ///< of keyed: the second of two names in brackets
  std::string_view label;  ///< of simm16: the label whose distance it is, empty when it is a number

  ParseFailure failure(const char* reason) const { return {position, text, reason}; }
};

constexpr unsigned kMaxTerms = 32;

struct Terms {
  std::array<Term, kMaxTerms> items;
  unsigned count = 0;
  const Term* begin() const { return items.data(); }
  const Term* end() const { return items.data() + count; }
};

/// Reads one term. `text` is what the lexer reads.
ParseFailure parse_term(AsmLexer& lexer, std::string_view text, Term& term);

/// A number with an optional minus sign.
ParseFailure parse_signed(AsmLexer& lexer, int64_t& value);

/// The failure of a token that does not belong where it is.
ParseFailure unexpected(const AsmToken& token, const char* reason);

}  // namespace spalt::isa
