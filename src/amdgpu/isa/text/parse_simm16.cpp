// SPDX-License-Identifier: MIT
// Symbolic immediates of SOPP and SOPK.
#include "amdgpu/isa/text/parse_simm16.h"

#include <algorithm>
#include <iterator>

#include "amdgpu/isa/simm16.h"
#include "amdgpu/isa/text/names.h"

namespace spalt::isa {
namespace {

constexpr const char* kTooLarge = "does not fit";

/// A number below `limit`.
ParseFailure parse_below(AsmLexer& lexer, uint64_t limit, uint32_t& value) {
  const AsmToken token = lexer.peek();
  if (token.kind != AsmTokenKind::integer) return unexpected(token, "is no number");
  if (token.integer >= limit) return unexpected(token, kTooLarge);
  value = static_cast<uint32_t>(lexer.next().integer);
  return {};
}

ParseFailure expect(AsmLexer& lexer, char c, const char* reason) {
  return lexer.accept(c) ? ParseFailure{} : unexpected(lexer.peek(), reason);
}

const NamedValue* find_value(std::span<const NamedValue> names, std::string_view prefix, std::string_view word) {
  if (!word.starts_with(prefix)) return nullptr;
  word.remove_prefix(prefix.size());
  for (const NamedValue& entry : names) {
    if (word == entry.name) return &entry;
  }
  return nullptr;
}

/// A name of the table, or a number below `limit`.
ParseFailure parse_named(AsmLexer& lexer, std::span<const NamedValue> names, std::string_view prefix, uint64_t limit,
                         uint32_t& value) {
  if (!lexer.at(AsmTokenKind::word)) return parse_below(lexer, limit, value);
  const AsmToken token = lexer.next();
  const NamedValue* found = find_value(names, prefix, token.text);
  if (found == nullptr) return unexpected(token, "is no name that this instruction knows");
  value = found->value;
  return {};
}

/// Counters that follow each other, with spaces, '&' or ','. `set` takes a name and a count and says what is wrong.
template <class Set>
ParseFailure parse_counters(AsmLexer& lexer, Set set) {
  for (;;) {
    const AsmToken name = lexer.peek();
    if (name.kind != AsmTokenKind::word) return unexpected(name, "is no counter");
    lexer.next();
    if (!lexer.accept('(')) return unexpected(name, "is no counter with its value in parentheses");
    const AsmToken number = lexer.peek();
    uint32_t count = 0;
    if (ParseFailure failure = parse_below(lexer, uint64_t{1} << 32, count)) return failure;
    if (const char* reason = set(name.text, count)) return unexpected(reason == kTooLarge ? number : name, reason);
    if (ParseFailure failure = expect(lexer, ')', "is not the expected ')'")) return failure;
    if (lexer.accept('&') || lexer.accept(',')) continue;
    if (!lexer.at(AsmTokenKind::word)) return {};
  }
}

ParseFailure parse_waitcnt(AsmLexer& lexer, const Target& target, uint32_t& bits) {
  constexpr std::string_view kSaturating = "_sat";
  // Every field at its maximum: waits for nothing.
  WaitCounts counts{0xff, 0xff, 0xff};
  const WaitCounts none = decode_waitcnt(target, encode_waitcnt(target, counts));
  const auto set = [&](std::string_view name, uint32_t count) -> const char* {
    const bool saturates = name.ends_with(kSaturating);
    if (saturates) name.remove_suffix(kSaturating.size());
    for (const WaitCounterName& entry : wait_counter_names()) {
      if (name != entry.name) continue;
      const uint8_t most = none.*entry.count;
      if (count > most && !saturates) return kTooLarge;
      counts.*entry.count = static_cast<uint8_t>(count > most ? most : count);
      return nullptr;
    }
    return "is no counter of s_waitcnt";
  };
  ParseFailure failure = parse_counters(lexer, set);
  bits = encode_waitcnt(target, counts);
  return failure;
}

ParseFailure parse_depctr(AsmLexer& lexer, Generation generation, uint32_t& bits) {
  bits = 0;
  for (const DependencyCounter& counter : dependency_counters(generation)) bits |= counter.max() << counter.shift;
  return parse_counters(lexer, [&](std::string_view name, uint32_t count) -> const char* {
    constexpr std::string_view kPrefix = "depctr_";
    for (const DependencyCounter& counter : dependency_counters(generation)) {
      if (!name.starts_with(kPrefix) || name.substr(kPrefix.size()) != counter.name) continue;
      if (count > counter.max()) return kTooLarge;
      bits = (bits & ~(counter.max() << counter.shift)) | count << counter.shift;
      return nullptr;
    }
    return "is no counter of s_waitcnt_depctr";
  });
}

/// The arguments of sendmsg(id) since GFX11; operation and stream may stand there as zeros.
ParseFailure parse_plain_message(AsmLexer& lexer, Generation generation, uint32_t& bits) {
  if (ParseFailure failure = parse_named(lexer, message_names(generation), "MSG_", 256, bits)) return failure;
  uint32_t zero = 0;
  for (unsigned i = 0; i < 2 && lexer.accept(','); ++i) {
    if (ParseFailure failure = parse_below(lexer, 1, zero)) return failure;
  }
  return expect(lexer, ')', "is not the expected ')'");
}

/// The arguments of sendmsg(id, operation, stream). Each message knows its own operations.
ParseFailure parse_message(AsmLexer& lexer, Generation generation, uint32_t& bits) {
  if (!message_has_operation(generation)) return parse_plain_message(lexer, generation, bits);
  const AsmToken id_token = lexer.peek();
  uint32_t id = 0, operation = 0, stream = 0;
  if (ParseFailure failure = parse_named(lexer, message_names(generation), "MSG_", 16, id)) return failure;
  const bool named = id_token.kind == AsmTokenKind::word;
  const bool gs = id == kMessageGs || id == kMessageGsDone;
  if (!lexer.accept(',')) {
    if (named && (gs || id == kMessageSystem)) return unexpected(id_token, "needs an operation");
  } else {
    const AsmToken token = lexer.peek();
    if (named && !gs && id != kMessageSystem) return unexpected(token, "is an operation for a message that has none");
    const ParseFailure failure = id == kMessageSystem
                                     ? parse_named(lexer, system_operation_names(), "SYSMSG_OP_", 8, operation)
                                     : parse_named(lexer, gs_operation_names(), "GS_OP_", 8, operation);
    if (failure) return failure;
    if (named && id == kMessageGs && operation == 0) return unexpected(token, "is no operation of MSG_GS");
    if (lexer.accept(',')) {
      if (ParseFailure bad = parse_below(lexer, 4, stream)) return bad;
    }
  }
  bits = id | operation << 4 | stream << 8;
  return expect(lexer, ')', "is not the expected ')'");
}

/// The arguments of hwreg(id, first bit, width).
ParseFailure parse_hw_register(AsmLexer& lexer, Generation generation, uint32_t& bits) {
  uint32_t id = 0, first = 0, width = 32;
  if (ParseFailure failure = parse_named(lexer, hw_register_names(generation), "HW_REG_", 64, id)) return failure;
  if (lexer.accept(',')) {
    if (ParseFailure failure = parse_below(lexer, 32, first)) return failure;
    if (ParseFailure failure = expect(lexer, ',', "is not the expected ','")) return failure;
    const AsmToken token = lexer.peek();
    if (ParseFailure failure = parse_below(lexer, 33, width)) return failure;
    if (width == 0) return unexpected(token, "is no width from 1 to 32");
  }
  bits = kHwregId.at(id) | kHwregFirst.at(first) | kHwregWidth.at(width - 1);
  return expect(lexer, ')', "is not the expected ')'");
}

/// Names and numbers joined by '|'. Parentheses say nothing, since all operators are the same.
ParseFailure parse_version(AsmLexer& lexer, uint32_t& bits) {
  bits = 0;
  unsigned open = 0;
  for (;;) {
    while (lexer.accept('(')) ++open;
    const AsmToken token = lexer.peek();
    uint32_t value = 0;
    const NamedValue* flag = find_value(version_flag_names(), "UC_VERSION_", token.text);
    if (flag != nullptr) {
      lexer.next();
      value = flag->value;
    } else if (ParseFailure failure = parse_named(lexer, version_names(), "UC_VERSION_", 0x10000, value)) {
      return failure;
    }
    bits |= value;
    while (open > 0 && lexer.accept(')')) --open;
    if (!lexer.accept('|')) break;
  }
  return open == 0 ? ParseFailure{} : unexpected(lexer.peek(), "is not the expected ')'");
}

/// instid0(NAME) | instskip(NAME) | instid1(NAME), each at most once and in any order.
ParseFailure parse_delay(AsmLexer& lexer, uint32_t& bits) {
  struct Part {
    std::string_view name;
    BitField field;
    std::span<const NamedValue> values;
  };
  const Part parts[] = {{"instid0", kDelayFirst, delay_names()},
                        {"instskip", kDelaySkip, delay_skip_names()},
                        {"instid1", kDelaySecond, delay_names()}};
  constexpr std::string_view kNone = "NO_DEP", kSame = "SAME";
  unsigned seen = 0;
  do {
    const AsmToken name = lexer.peek();
    const auto part = std::find_if(std::begin(parts), std::end(parts),
                                   [&](const Part& candidate) { return candidate.name == name.text; });
    if (part == std::end(parts)) return unexpected(name, "is none of instid0, instskip and instid1");
    const unsigned bit = 1u << (part - std::begin(parts));
    if (seen & bit) return unexpected(name, "is said twice");
    seen |= bit;
    lexer.next();
    if (!lexer.accept('(')) return unexpected(lexer.peek(), "is not the expected '('");
    const AsmToken word = lexer.next();
    const NamedValue* value = find_value(part->values, "", word.text);
    const bool zero = word.text == (part->field.shift == kDelaySkip.shift ? kSame : kNone);
    if (value == nullptr && !zero) return unexpected(word, "is no name that this instruction knows");
    if (value != nullptr) bits |= part->field.at(value->value);
    if (ParseFailure failure = expect(lexer, ')', "is not the expected ')'")) return failure;
  } while (lexer.accept('|'));
  return {};
}

/// The arguments of gpr_idx(SRC0, DST).
ParseFailure parse_gpr_index(AsmLexer& lexer, uint32_t& bits) {
  if (lexer.accept(')')) return {};
  do {
    const AsmToken word = lexer.next();
    const auto names = gpr_index_names();
    const auto found = std::find(names.begin(), names.end(), word.text);
    if (found == names.end()) return unexpected(word, "is none of SRC0, SRC1, SRC2 and DST");
    bits |= 1u << (found - names.begin());
  } while (lexer.accept(','));
  return expect(lexer, ')', "is not the expected ')'");
}

ParseFailure parse_number(AsmLexer& lexer, Term& term) {
  const AsmToken token = lexer.peek();
  if (ParseFailure failure = parse_signed(lexer, term.integer)) return failure;
  if (term.integer < -32768 || term.integer > 65535) return unexpected(token, "does not fit 16 bits");
  return {};
}

/// NAME(arguments).
struct Call {
  Simm16Syntax syntax;
  std::string_view name;
  const char* otherwise;
};
constexpr Call kCalls[] = {
    {Simm16Syntax::message, "sendmsg", "is neither a number nor sendmsg(...)"},
    {Simm16Syntax::hw_register, "hwreg", "is neither a number nor hwreg(...)"},
    {Simm16Syntax::gpr_index, "gpr_idx", "is neither a number nor gpr_idx(...)"},
};

ParseFailure parse_call(AsmLexer& lexer, const Call& call, Generation generation, uint32_t& bits) {
  const AsmToken word = lexer.next();
  if (word.text != call.name || !lexer.accept('(')) return unexpected(word, call.otherwise);
  switch (call.syntax) {
    case Simm16Syntax::message:
      return parse_message(lexer, generation, bits);
    case Simm16Syntax::hw_register:
      return parse_hw_register(lexer, generation, bits);
    default:
      return parse_gpr_index(lexer, bits);
  }
}

ParseFailure parse_symbolic(AsmLexer& lexer, Simm16Syntax syntax, const Target& target, uint32_t& bits) {
  for (const Call& call : kCalls) {
    if (call.syntax == syntax) return parse_call(lexer, call, target.generation, bits);
  }
  switch (syntax) {
    case Simm16Syntax::waitcnt:
      return parse_waitcnt(lexer, target, bits);
    case Simm16Syntax::depctr:
      return parse_depctr(lexer, target.generation, bits);
    case Simm16Syntax::version:
      return parse_version(lexer, bits);
    case Simm16Syntax::delay:
      return parse_delay(lexer, bits);
    default:
      return unexpected(lexer.peek(), "is no number");
  }
}

}  // namespace

ParseFailure parse_simm16(AsmLexer& lexer, Simm16Syntax syntax, const Target& target, Term& term) {
  const AsmToken token = lexer.peek();
  term = {};
  term.kind = TermKind::simm16;
  term.position = token.position;
  term.text = token.text;
  if (token.is('-') || token.kind == AsmTokenKind::integer) {
    // A version may start with a number: 7|UC_VERSION_W64_BIT.
    if (syntax != Simm16Syntax::version) return parse_number(lexer, term);
  } else if (syntax == Simm16Syntax::label && token.kind == AsmTokenKind::word) {
    term.label = lexer.next().text;
    return {};
  }
  uint32_t bits = 0;
  ParseFailure failure = parse_symbolic(lexer, syntax, target, bits);
  term.integer = bits;
  return failure;
}

}  // namespace spalt::isa
