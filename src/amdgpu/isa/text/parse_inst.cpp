// SPDX-License-Identifier: MIT
// An instruction: mnemonic, terms, and the first encoding that takes them.
#include "amdgpu/isa/text/parse_inst.h"

#include <algorithm>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/isa/text/layout.h"
#include "amdgpu/isa/text/parse_modifiers.h"
#include "amdgpu/isa/text/parse_operands.h"
#include "amdgpu/isa/text/parse_simm16.h"
#include "amdgpu/isa/text/parse_vopd.h"

namespace spalt::isa {
namespace {

constexpr size_t kMaxMnemonic = 64;

uint32_t format_bit(Format format) {
  return 1u << static_cast<unsigned>(format);
}
constexpr uint32_t kAnyFormat = ~0u;

/// Suffixes that ask for an encoding.
struct Suffix {
  std::string_view text;
  uint32_t formats;
};
const Suffix kSuffixes[] = {{"_e32", format_bit(Format::vop1) | format_bit(Format::vop2) | format_bit(Format::vopc) |
                                         format_bit(Format::vintrp)},
                            {"_e64", format_bit(Format::vop3) | format_bit(Format::vop3p)},
                            {"_sdwa", format_bit(Format::sdwa)},
                            {"_e64_dpp", format_bit(Format::vop3_dpp16) | format_bit(Format::vop3_dpp8)},
                            {"_dpp", format_bit(Format::dpp16) | format_bit(Format::dpp8)}};

const uint32_t kVariants = format_bit(Format::sdwa) | format_bit(Format::dpp16) | format_bit(Format::dpp8) |
                           format_bit(Format::vop3_dpp16) | format_bit(Format::vop3_dpp8);

struct Mnemonic {
  Opcode opcode = Opcode::invalid;
  uint32_t formats = kAnyFormat;  ///< format_bit of those that the suffix allows
};

/// `word` in lower case, looked up with and without an encoding suffix.
Mnemonic find_mnemonic(std::string_view word, Generation generation) {
  char buffer[kMaxMnemonic];
  if (word.size() > sizeof buffer) return {};
  std::transform(word.begin(), word.end(), buffer,
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const std::string_view lower(buffer, word.size());
  Mnemonic result;
  result.opcode = find_opcode(lower, generation);
  for (const Suffix& suffix : kSuffixes) {
    if (result.opcode != Opcode::invalid) break;
    if (!lower.ends_with(suffix.text)) continue;
    result.opcode = find_opcode(lower.substr(0, lower.size() - suffix.text.size()), generation);
    result.formats = suffix.formats;
  }
  return result;
}

/// The operand of the text that has a syntax of its own: the immediate of a SOPP or SOPK instruction, or a message.
struct Symbol {
  unsigned index = ~0u;  ///< none
  Simm16Syntax syntax = Simm16Syntax::small;
};

Symbol find_symbol(std::span<const NumberEntry> encodings, Opcode opcode, const OpcodeInfo& facts) {
  const TextItems items = text_items(facts, encodings.front().format);
  for (unsigned i = 0; i < items.count; ++i) {
    switch (items.items[i].kind) {
      case TextItemKind::simm16:
        return {i, simm16_syntax(opcode)};
      case TextItemKind::message:
        return {i, Simm16Syntax::message};
      case TextItemKind::gpr_index:
        return {i, Simm16Syntax::gpr_index};
      default:
        break;
    }
  }
  return {};
}

ParseFailure parse_terms(AsmLexer& lexer, std::string_view text, const Symbol& symbol, const Target& target,
                         Terms& terms) {
  while (!lexer.at_line_end()) {
    const bool comma = lexer.accept(',');
    if (comma && terms.count == 0) return unexpected(lexer.peek(), "follows a stray comma");
    if (terms.count == kMaxTerms) return unexpected(lexer.peek(), "is one operand too many");
    Term& term = terms.items[terms.count];
    const ParseFailure failure =
        terms.count == symbol.index ? parse_simm16(lexer, symbol.syntax, target, term) : parse_term(lexer, text, term);
    if (failure) return failure;
    term.after_comma = comma;
    ++terms.count;
  }
  return {};
}

/// How far an encoding got with the text. The failure of the one that got furthest is the one to tell.
enum class Progress : uint8_t { none, operands, encoding, modifier_value };

struct Attempt {
  Inst inst;
  EncodedInst encoded;
  ParseFailure failure;
  Progress progress = Progress::none;
};

void attempt_format(const Terms& terms, const Term& mnemonic, Opcode opcode, Format format, const Target& target,
                    unsigned wave_size, Attempt& attempt) {
  attempt.inst = {};
  attempt.inst.opcode = opcode;
  attempt.inst.format = format;
  ModifierParser modifiers(opcode, format, target.generation, attempt.inst.mods);
  std::array<const Term*, kMaxTerms> operands;
  unsigned count = 0;
  for (const Term& term : terms) {
    bool taken = false;
    attempt.progress = Progress::modifier_value;
    attempt.failure = modifiers.parse(term, taken);
    if (attempt.failure) return;
    if (taken) continue;
    attempt.progress = Progress::none;
    attempt.failure = term.failure("is no modifier of this instruction");
    if (term.kind == TermKind::keyed) return;
    operands[count++] = &term;
  }
  attempt.progress = Progress::none;
  attempt.failure = modifiers.check_complete(mnemonic);
  if (attempt.failure) return;
  attempt.progress = Progress::operands;
  attempt.failure = match_operands({operands.data(), count}, mnemonic, target, wave_size, attempt.inst);
  if (attempt.failure) return;
  attempt.progress = Progress::encoding;
  if (const char* reason = try_encode(attempt.inst, target, attempt.encoded)) {
    attempt.failure = mnemonic.failure(reason);
    return;
  }
  attempt.inst.size_bytes = static_cast<uint8_t>(4 * attempt.encoded.count);
}

}  // namespace

ParseFailure parse_inst(AsmLexer& lexer, std::string_view text, const Target& target, unsigned wave_size,
                        ParsedInst& parsed) {
  const AsmToken word = lexer.next();
  if (word.kind != AsmTokenKind::word) return unexpected(word, "is no instruction");
  if (is_dual_mnemonic(word.text)) return parse_dual(lexer, text, word, target, parsed);
  const Mnemonic mnemonic = find_mnemonic(word.text, target.generation);
  if (mnemonic.opcode == Opcode::invalid) return unexpected(word, "is no instruction");
  const auto encodings = opcode_encodings(mnemonic.opcode, target.generation);
  if (encodings.empty()) return unexpected(word, "is no instruction of this target");

  Term subject;
  subject.position = word.position;
  subject.text = word.text;
  Terms terms;
  const Symbol symbol = find_symbol(encodings, mnemonic.opcode, info(mnemonic.opcode, target.generation));
  if (ParseFailure failure = parse_terms(lexer, text, symbol, target, terms)) return failure;

  ParseFailure best = subject.failure("has no such encoding on this target");
  Progress furthest = Progress::none;
  bool tried = false;
  for (const NumberEntry& entry : encodings) {
    if (!(mnemonic.formats & format_bit(entry.format)) || entry.format == Format::vopd) continue;
    Attempt attempt;
    attempt_format(terms, subject, mnemonic.opcode, entry.format, target, wave_size, attempt);
    if (!attempt.failure) {
      parsed.inst = attempt.inst;
      parsed.encoded = attempt.encoded;
      parsed.label = {};
      if (symbol.index < terms.count) {
        parsed.label = terms.items[symbol.index].label;
        parsed.label_position = terms.items[symbol.index].position;
      }
      return {};
    }
    // SDWA and DPP are rarely what was meant.
    const bool variant = (format_bit(entry.format) & kVariants) != 0;
    if (attempt.progress < furthest || (variant && tried && attempt.progress == furthest)) continue;
    tried = true;
    furthest = attempt.progress;
    best = attempt.failure;
  }
  return best;
}

}  // namespace spalt::isa
