// SPDX-License-Identifier: MIT
// Operands and modifiers as they are written. Nothing here knows an instruction.
#include "amdgpu/isa/text/parse_terms.h"

#include <charconv>

#include "amdgpu/isa/text/names.h"

namespace spalt::isa {
namespace {

constexpr const char* kNoOperand = "is no operand";
constexpr size_t kShownLength = 40;  ///< of a piece of the input in a message

/// Register files that are written as a letter and a number.
struct RegisterFile {
  std::string_view name;
  uint16_t first, count;
  constexpr uint16_t number(unsigned index) const { return static_cast<uint16_t>(first + index); }
};
constexpr RegisterFile kFiles[] = {{"v", vgpr(0).number, 256}, {"s", sgpr(0).number, 106}, {"ttmp", kTtmp0.number, 16}};

bool parse_index(std::string_view digits, unsigned& index) {
  const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  return code == std::errc() && end == digits.data() + digits.size();
}

/// The file whose name `word` starts with, when a number or nothing follows.
const RegisterFile* find_file(std::string_view word, std::string_view& digits) {
  for (const RegisterFile& file : kFiles) {
    if (!word.starts_with(file.name)) continue;
    digits = word.substr(file.name.size());
    if (digits.find_first_not_of("0123456789") == std::string_view::npos) return &file;
  }
  return nullptr;
}

/// Closing brackets that a term still needs, innermost last.
struct Wrappers {
  char closers[3];
  unsigned count = 0;

  bool push(char closer) {
    if (count == std::size(closers)) return false;
    closers[count++] = closer;
    return true;
  }
};

class TermParser {
 public:
  TermParser(AsmLexer& lexer, std::string_view text, Term& term) : lexer_(lexer), text_(text), term_(term) {}

  ParseFailure parse();

 private:
  ParseFailure parse_wrappers(Wrappers& wrappers, bool& minus);
  ParseFailure parse_core(bool minus);
  ParseFailure parse_number(bool minus);
  ParseFailure parse_word(const AsmToken& word);
  ParseFailure parse_range(const RegisterFile& file, const AsmToken& word);
  ParseFailure parse_keyed();
  ParseFailure parse_keyed_list();
  ParseFailure parse_register_list();
  ParseFailure set_register(const RegisterFile& file, uint64_t first, uint64_t last, const AsmToken& at);
  std::string_view text_since(uint32_t position) const;

  AsmLexer& lexer_;
  std::string_view text_;
  Term& term_;
};

ParseFailure TermParser::parse() {
  term_.position = lexer_.peek().position;
  Wrappers wrappers;
  bool minus = false;
  if (ParseFailure failure = parse_wrappers(wrappers, minus)) return failure;
  if (ParseFailure failure = parse_core(minus)) return failure;
  while (wrappers.count > 0) {
    const char closer = wrappers.closers[--wrappers.count];
    if (!lexer_.accept(closer)) {
      return unexpected(lexer_.peek(), closer == '|' ? "is not the expected '|'" : "is not the expected ')'");
    }
  }
  term_.text = text_since(term_.position).substr(0, kShownLength);
  return {};
}

/// The text from a position to the end of the last token.
std::string_view TermParser::text_since(uint32_t position) const {
  return text_.substr(position, lexer_.previous_end() - position);
}

/// Minus, bars, neg(, abs( and sext( before an operand. A minus right before a number belongs to the number,
/// unless bars follow it; any other negates the operand.
ParseFailure TermParser::parse_wrappers(Wrappers& wrappers, bool& minus) {
  bool negates = false;
  for (;;) {
    const AsmToken token = lexer_.peek();
    const bool word = token.kind == AsmTokenKind::word;
    if (token.is('-')) {
      lexer_.next();
      minus = lexer_.at(AsmTokenKind::integer) || lexer_.at(AsmTokenKind::real);
      if (minus) return {};
      if (negates || term_.neg || wrappers.count > 0) return unexpected(token, kNoOperand);
      negates = term_.neg = true;
    } else if (token.is('|')) {
      lexer_.next();
      if (term_.abs || !wrappers.push('|')) return unexpected(token, kNoOperand);
      term_.abs = true;
    } else if (word && (token.text == "neg" || token.text == "abs" || token.text == "sext")) {
      lexer_.next();
      bool& flag = token.text == "neg" ? term_.neg : token.text == "abs" ? term_.abs : term_.sext;
      if (flag || !lexer_.accept('(') || !wrappers.push(')')) return unexpected(token, kNoOperand);
      flag = true;
    } else {
      return {};
    }
  }
}

ParseFailure TermParser::parse_core(bool minus) {
  const AsmToken token = lexer_.peek();
  switch (token.kind) {
    case AsmTokenKind::integer:
    case AsmTokenKind::real:
      return parse_number(minus);
    case AsmTokenKind::word:
      lexer_.next();
      return parse_word(token);
    case AsmTokenKind::bad_number:
      return unexpected(token, "is no number");
    default:
      break;
  }
  if (lexer_.accept('[')) return parse_register_list();
  return unexpected(token, kNoOperand);
}

ParseFailure TermParser::parse_number(bool minus) {
  const AsmToken token = lexer_.next();
  if (token.kind == AsmTokenKind::real) {
    term_.kind = TermKind::real;
    term_.real = minus ? -token.real : token.real;
  } else {
    term_.kind = TermKind::integer;
    term_.integer = static_cast<int64_t>(minus ? 0 - token.integer : token.integer);
  }
  return {};
}

ParseFailure TermParser::set_register(const RegisterFile& file, uint64_t first, uint64_t last, const AsmToken& at) {
  if (last < first) return unexpected(at, "has a register range that ends before it starts");
  if (last >= file.count) return unexpected(at, "names a register that does not exist");
  term_.kind = TermKind::reg;
  term_.reg = Reg{file.number(static_cast<unsigned>(first))};
  term_.dwords = static_cast<uint8_t>(last - first + 1);
  if (last - first + 1 > 32) return unexpected(at, "has too many registers");
  return {};
}

/// The rest of v[2:3] or v[2].
ParseFailure TermParser::parse_range(const RegisterFile& file, const AsmToken& word) {
  lexer_.next();
  if (!lexer_.at(AsmTokenKind::integer)) return unexpected(lexer_.peek(), "is no register number");
  const uint64_t first = lexer_.next().integer;
  uint64_t last = first;
  if (lexer_.accept(':')) {
    if (!lexer_.at(AsmTokenKind::integer)) return unexpected(lexer_.peek(), "is no register number");
    last = lexer_.next().integer;
  }
  if (!lexer_.accept(']')) return unexpected(lexer_.peek(), "is not the expected ']'");
  return set_register(file, first, last, word);
}

ParseFailure TermParser::parse_word(const AsmToken& word) {
  std::string_view digits, plain = word.text;
  if (plain.starts_with('v') && (plain.ends_with(".l") || plain.ends_with(".h"))) {
    term_.half = plain.back();
    plain.remove_suffix(2);
  }
  if (const RegisterFile* file = find_file(plain, digits)) {
    if (digits.empty() && lexer_.at('[')) return parse_range(*file, word);
    unsigned index = 0;
    if (!digits.empty()) {
      if (!parse_index(digits, index)) return unexpected(word, "names a register that does not exist");
      return set_register(*file, index, index, word);
    }
  }
  for (const RegisterName& name : register_names()) {
    const bool pair = name.pair != nullptr && word.text == name.pair;
    // src_scc may be written scc, and so on.
    const std::string_view single = name.single;
    const bool bare = single.starts_with("src_") && word.text == single.substr(4);
    if (!pair && !bare && word.text != single) continue;
    term_.kind = TermKind::reg;
    term_.reg = Reg{name.number};
    term_.dwords = pair ? 2 : 1;
    term_.any_width = name.any_width;
    term_.named = true;
    return {};
  }
  term_.kind = TermKind::word;
  term_.word = word.text;
  return lexer_.at(':') ? parse_keyed() : ParseFailure{};
}

ParseFailure TermParser::parse_keyed() {
  lexer_.next();
  term_.kind = TermKind::keyed;
  const AsmToken token = lexer_.peek();
  if (lexer_.accept('[')) return parse_keyed_list();
  if (token.is('-') || token.kind == AsmTokenKind::integer) {
    ParseFailure failure = parse_signed(lexer_, term_.integer);
    term_.value = text_since(token.position);
    return failure;
  }
  // The lexer takes the name 2D for a number.
  if (token.kind != AsmTokenKind::word && token.kind != AsmTokenKind::bad_number) {
    return unexpected(token, "is no value of a modifier");
  }
  lexer_.next();
  term_.value_kind = KeyedValue::word;
  if (lexer_.accept('(')) {
    term_.value_kind = KeyedValue::call;
    while (!lexer_.at(')')) {
      if (lexer_.at_line_end()) return unexpected(token, "lacks its ')'");
      lexer_.next();
    }
    lexer_.next();
  }
  term_.value = text_since(token.position);
  return {};
}

/// After "name:[".
ParseFailure TermParser::parse_keyed_list() {
  term_.value_kind = KeyedValue::list;
  if (lexer_.at(AsmTokenKind::word)) {
    term_.value_kind = KeyedValue::name;
    term_.value = lexer_.next().text;
    if (lexer_.accept(',')) {
      if (!lexer_.at(AsmTokenKind::word)) return unexpected(lexer_.peek(), "is no name");
      term_.second_value = lexer_.next().text;
    }
  } else {
    do {
      if (!lexer_.at(AsmTokenKind::integer)) return unexpected(lexer_.peek(), "is no number");
      const AsmToken number = lexer_.next();
      if (term_.list_count == Term::kMaxList) return unexpected(number, "is one value too many");
      if (number.integer > 0xffff) return unexpected(number, "is too large");
      term_.list[term_.list_count++] = static_cast<uint32_t>(number.integer);
    } while (lexer_.accept(','));
  }
  if (!lexer_.accept(']')) return unexpected(lexer_.peek(), "is not the expected ']'");
  return {};
}

/// After "[": VGPRs and ranges of them, or consecutive single SGPRs, which are the same as the range.
ParseFailure TermParser::parse_register_list() {
  Reg first;
  do {
    const AsmToken token = lexer_.peek();
    if (token.kind != AsmTokenKind::word) return unexpected(token, "is no register");
    lexer_.next();
    if (ParseFailure failure = parse_word(token)) return failure;
    if (term_.kind != TermKind::reg || term_.named) return unexpected(token, "is no register");
    if (term_.list_count == Term::kMaxList) return unexpected(token, "is one register too many");
    if (term_.list_count == 0) first = term_.reg;
    const bool follows = term_.reg.number == first.number + term_.list_count && term_.dwords == 1;
    if (!first.is_vgpr() && !follows) return unexpected(token, "does not follow the register before");
    if (first.is_vgpr() != term_.reg.is_vgpr()) return unexpected(token, "is no VGPR");
    term_.list[term_.list_count] = first.is_vgpr() ? term_.reg.vgpr_index() : 0;
    term_.list_widths[term_.list_count++] = term_.dwords;
  } while (lexer_.accept(','));
  if (!lexer_.accept(']')) return unexpected(lexer_.peek(), "is not the expected ']'");
  term_.kind = first.is_vgpr() ? TermKind::reg_list : TermKind::reg;
  term_.reg = first;
  term_.dwords = term_.list_count;
  return {};
}

}  // namespace

ParseFailure parse_term(AsmLexer& lexer, std::string_view text, Term& term) {
  term = {};
  return TermParser(lexer, text, term).parse();
}

ParseFailure parse_signed(AsmLexer& lexer, int64_t& value) {
  const bool minus = lexer.accept('-');
  if (!lexer.at(AsmTokenKind::integer)) return unexpected(lexer.peek(), "is no number");
  const uint64_t magnitude = lexer.next().integer;
  value = static_cast<int64_t>(minus ? 0 - magnitude : magnitude);
  return {};
}

ParseFailure unexpected(const AsmToken& token, const char* reason) {
  std::string_view subject = token.text.substr(0, kShownLength);
  if (token.kind == AsmTokenKind::end || token.kind == AsmTokenKind::newline) subject = "end of line";
  return {token.position, subject, reason};
}

}  // namespace spalt::isa
