// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/text/modifiers.h"
#include "amdgpu/isa/text/parse_terms.h"

namespace spalt::isa {

/// Reads the modifiers of one instruction in one format. Those that the text does not name get the value that stands
/// for silence.
class ModifierParser {
 public:
  ModifierParser(Opcode opcode, Format format, Generation generation, Modifiers& mods);

  /// Takes the term if the format has a modifier of that name; `taken` says so.
  ParseFailure parse(const Term& term, bool& taken);
  /// Fails when the text lacks a modifier that the format cannot do without, or has two that contradict each other. To
  /// be called when all terms were parsed, which must still exist.
  ParseFailure check_complete(const Term& mnemonic) const;

 private:
  ParseFailure parse_value(const Term& term, const ModText& text, uint32_t& value);
  ParseFailure parse_number(const Term& term, const ModText& text, uint32_t& value) const;
  ParseFailure parse_bits(const Term& term, const ModText& text, uint32_t& value) const;
  bool names(const Term& term, const ModText& text) const;

  const OpcodeInfo& info_;
  Format format_;
  Generation generation_;
  Modifiers& mods_;
  ModTexts texts_;
  const ModText* needed_ = nullptr;  ///< not seen so far
  const Term* hint_ = nullptr;       ///< the temporal hint
  uint64_t seen_ = 0;                ///< by index in texts_
};

}  // namespace spalt::isa
