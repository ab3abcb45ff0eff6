// SPDX-License-Identifier: MIT
// Symbolic immediates of SOPP and SOPK.
#include "amdgpu/isa/parse_simm16.h"

#include "amdgpu/isa/text_names.h"

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

/// The arguments of sendmsg(id, operation, stream). Each message knows its own operations.
ParseFailure parse_message(AsmLexer& lexer, Generation generation, uint32_t& bits) {
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
  bits = id | first << 6 | (width - 1) << 11;
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

ParseFailure parse_number(AsmLexer& lexer, Term& term) {
  const AsmToken token = lexer.peek();
  if (ParseFailure failure = parse_signed(lexer, term.integer)) return failure;
  if (term.integer < -32768 || term.integer > 65535) return unexpected(token, "does not fit 16 bits");
  return {};
}

ParseFailure parse_symbolic(AsmLexer& lexer, Simm16Syntax syntax, const Target& target, uint32_t& bits) {
  switch (syntax) {
    case Simm16Syntax::waitcnt:
      return parse_waitcnt(lexer, target, bits);
    case Simm16Syntax::depctr:
      return parse_depctr(lexer, target.generation, bits);
    case Simm16Syntax::version:
      return parse_version(lexer, bits);
    case Simm16Syntax::message:
    case Simm16Syntax::hw_register: {
      const bool message = syntax == Simm16Syntax::message;
      const AsmToken word = lexer.next();
      if (word.text != (message ? "sendmsg" : "hwreg") || !lexer.accept('(')) {
        return unexpected(word,
                          message ? "is neither a number nor sendmsg(...)" : "is neither a number nor hwreg(...)");
      }
      return message ? parse_message(lexer, target.generation, bits)
                     : parse_hw_register(lexer, target.generation, bits);
    }
    default:
      return unexpected(lexer.peek(), "is no number");
  }
}

}  // namespace

ParseFailure parse_simm16(AsmLexer& lexer, Opcode opcode, const Target& target, Term& term) {
  const Simm16Syntax syntax = simm16_syntax(opcode);
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
