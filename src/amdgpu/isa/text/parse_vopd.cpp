// SPDX-License-Identifier: MIT
// VOPD: two operations in one instruction. Each is written like its short form, without carries and masks.
#include "amdgpu/isa/text/parse_vopd.h"

#include <algorithm>

#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/text/parse_values.h"

namespace spalt::isa {
namespace {

constexpr std::string_view kPrefix = "v_dual_", kPlainPrefix = "v_";
constexpr size_t kMaxMnemonic = 64;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// v_dual_add_f32 is v_add_f32; invalid when that cannot be one of two.
Opcode find_dual(std::string_view word, Generation generation) {
  if (!is_dual_mnemonic(word) || word.size() > kMaxMnemonic) return Opcode::invalid;
  char buffer[kMaxMnemonic];
  char* end = std::copy(kPlainPrefix.begin(), kPlainPrefix.end(), buffer);
  end = std::transform(word.begin() + kPrefix.size(), word.end(), end, lower);
  const Opcode opcode = find_opcode({buffer, static_cast<size_t>(end - buffer)}, generation);
  return opcode_number(opcode, Format::vopd, generation) >= 0 ? opcode : Opcode::invalid;
}

ParseFailure match_operand(Term& term, const OperandSlot& slot, Operand& operand) {
  if (term.kind == TermKind::reg && !term.neg && !term.abs && !term.sext && term.half == '\0') {
    operand = Operand::of(term.reg, term.any_width ? 1 : term.dwords);
    return {};
  }
  if (term.kind != TermKind::integer && term.kind != TermKind::real) {
    return term.failure("is no operand of this instruction");
  }
  fold_sign(term, slot.type);
  if (slot.role == OperandRole::vdst || slot.role == OperandRole::vgpr) {
    return term.failure("is a number where a register must stand");
  }
  if (slot.role != OperandRole::constant) return constant_operand(term, slot.type, 1, operand);
  uint32_t bits = 0;
  const ParseFailure failure = literal_bits(term, slot.type, bits);
  operand = Operand::of_literal(bits);
  return failure;
}

/// The operands of one operation: `half` says which destination it has, `source` is the next free source of `inst`.
ParseFailure parse_half(AsmLexer& lexer, std::string_view text, const OpcodeInfo& facts, unsigned half,
                        unsigned& source, Inst& inst) {
  bool first = true;
  const auto next = [&](const OperandSlot& slot, Operand& operand) -> ParseFailure {
    if (!first && !lexer.accept(',')) return unexpected(lexer.peek(), "is not the expected ','");
    first = false;
    Term term;
    if (ParseFailure failure = parse_term(lexer, text, term)) return failure;
    return match_operand(term, slot, operand);
  };
  if (ParseFailure failure = next(facts.dst[0], inst.dst[half])) return failure;
  for (unsigned i = 0; i < facts.src_count; ++i) {
    if (facts.src[i].role == OperandRole::lane_mask) continue;
    if (ParseFailure failure = next(facts.src[i], inst.src[source++])) return failure;
  }
  return {};
}

}  // namespace

bool is_dual_mnemonic(std::string_view word) {
  return word.size() > kPrefix.size() &&
         std::equal(kPrefix.begin(), kPrefix.end(), word.begin(), [](char a, char b) { return a == lower(b); });
}

ParseFailure parse_dual(AsmLexer& lexer, std::string_view text, const AsmToken& word, const Target& target,
                        ParsedInst& parsed) {
  constexpr const char* kNoInstruction = "is no instruction of two that this target can pair";
  Inst inst;
  inst.format = Format::vopd;
  inst.opcode = find_dual(word.text, target.generation);
  if (inst.opcode == Opcode::invalid) return unexpected(word, kNoInstruction);
  unsigned source = 0;
  const OpcodeInfo& first = info(inst.opcode, target.generation);
  if (ParseFailure failure = parse_half(lexer, text, first, 0, source, inst)) return failure;
  if (!lexer.accept(':') || !lexer.accept(':')) return unexpected(lexer.peek(), "is not the expected '::'");
  const AsmToken second = lexer.next();
  inst.opcode_y = find_dual(second.text, target.generation);
  if (inst.opcode_y == Opcode::invalid) return unexpected(second, kNoInstruction);
  if (ParseFailure failure = parse_half(lexer, text, info(inst.opcode_y, target.generation), 1, source, inst)) {
    return failure;
  }
  if (!lexer.at_line_end()) return unexpected(lexer.peek(), "is one operand too many");
  if (const char* reason = try_encode(inst, target, parsed.encoded)) return unexpected(word, reason);
  inst.size_bytes = static_cast<uint8_t>(4 * parsed.encoded.count);
  parsed.inst = inst;
  parsed.label = {};
  return {};
}

}  // namespace spalt::isa
