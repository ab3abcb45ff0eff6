// SPDX-License-Identifier: MIT
#include "amdgpu/isa/text/parse_modifiers.h"

#include <algorithm>

#include "amdgpu/isa/text/hints.h"
#include "amdgpu/isa/text/parse_values.h"

namespace spalt::isa {
namespace {

bool is_plain(const Term& term) {
  return !term.neg && !term.abs && !term.sext;
}

/// "glc" sets, "noglc" clears.
bool is_flag(std::string_view word, std::string_view name) {
  return word == name || (word.starts_with("no") && word.substr(2) == name);
}

/// The control that the term names. A name may hold a colon (wave_shl:1).
const DppControl* find_control(const Term& term, Generation generation) {
  for (const DppControl& control : dpp_controls(generation)) {
    const std::string_view name = control.name;
    const size_t colon = name.find(':');
    const bool whole = colon == std::string_view::npos || term.value == name.substr(colon + 1);
    if (whole && term.word == name.substr(0, colon)) return &control;
  }
  return nullptr;
}

bool has_colon(const DppControl& control) {
  return std::string_view(control.name).find(':') != std::string_view::npos;
}

bool find_phrase(const Term& term, const ModText& text, uint32_t& value) {
  for (size_t i = 0; i < text.keywords.size(); ++i) {
    const std::string_view phrase = text.keywords[i];
    const size_t colon = phrase.find(':');
    const bool keyed = colon != std::string_view::npos;
    if (phrase.empty() || keyed != (term.kind == TermKind::keyed) || term.word != phrase.substr(0, colon)) continue;
    if (keyed && term.value != phrase.substr(colon + 1)) continue;
    value = static_cast<uint32_t>(i);
    return true;
  }
  return false;
}

/// Whether some phrase starts with this word: "mul:3" is a wrong value, not an unknown modifier.
bool starts_phrase(const Term& term, const ModText& text) {
  return std::any_of(text.keywords.begin(), text.keywords.end(), [&](std::string_view phrase) {
    return !phrase.empty() && phrase.substr(0, phrase.find(':')) == term.word;
  });
}

ParseFailure parse_keyword(const Term& term, const ModText& text, uint32_t& value) {
  const std::string_view prefix = text.prefix;
  std::string_view word = term.value;
  if (!prefix.empty() && word.starts_with(prefix)) word.remove_prefix(prefix.size());
  const auto found = std::find(text.keywords.begin(), text.keywords.end(), word);
  if (term.value_kind != KeyedValue::word || found == text.keywords.end()) {
    return term.failure("is no value of this modifier");
  }
  value = static_cast<uint32_t>(found - text.keywords.begin());
  return {};
}

/// quad_perm:[0,1,2,3], or the name of a control with its lane count.
ParseFailure parse_dpp_control(const Term& term, Generation generation, uint32_t& value) {
  if (const DppControl* control = find_control(term, generation)) {
    if ((control->counts || has_colon(*control)) != (term.kind == TermKind::keyed)) {
      return term.failure(control->counts ? "lacks a lane count" : "takes no value");
    }
    if (!control->counts) {
      value = control->base;
      return {};
    }
    if (term.value_kind != KeyedValue::integer || term.integer < control->first || term.integer > control->last) {
      return term.failure("has a lane count out of range");
    }
    value = control->base + static_cast<uint32_t>(term.integer);
    return {};
  }
  return parse_lanes(term, 4, 2, value);
}

/// The number of `word`, which is `prefix` and a name of the list; -1 for any other word.
int find_format_name(std::string_view word, std::string_view prefix, std::span<const char* const> names) {
  if (!word.starts_with(prefix)) return -1;
  const auto found = std::find(names.begin(), names.end(), word.substr(prefix.size()));
  return found != names.end() ? static_cast<int>(found - names.begin()) : -1;
}

/// Data format, number format, or both, where formats are no single number (GFX9).
ParseFailure parse_split_format(const Term& term, uint32_t& value) {
  constexpr int kData8 = 1, kUnorm = 0;
  int data = -1, number = -1;
  for (const std::string_view word : {term.value, term.second_value}) {
    if (word.empty()) continue;
    const int as_data = find_format_name(word, "BUF_DATA_FORMAT_", data_format_names());
    const int as_number = find_format_name(word, "BUF_NUM_FORMAT_", number_format_names());
    if (as_data < 0 && as_number < 0) return term.failure("is no buffer format of this target");
    int& kind = as_data >= 0 ? data : number;
    if (kind >= 0) return term.failure("names two formats of one kind");
    kind = as_data >= 0 ? as_data : as_number;
  }
  value = static_cast<uint32_t>((data >= 0 ? data : kData8) | (number >= 0 ? number : kUnorm) << 4);
  return {};
}

/// A byte number as bits of op_sel: a source has its high bit first, a result has it in bits 2 and 3.
ParseFailure parse_byte(const Term& term, const OpcodeInfo& info, uint32_t& value) {
  if (term.value_kind != KeyedValue::integer || term.integer < 0 || term.integer > 3) {
    return term.failure("is no byte from 0 to 3");
  }
  const auto byte = static_cast<uint32_t>(term.integer);
  const bool of_source = (info.modifiers >> kModOpSelShift & 3) != 0;
  value = of_source ? (byte & 1) << 1 | byte >> 1 : byte << 2;
  return {};
}

/// The first hint that has this word at some scope; check_complete looks at the scope that the instruction has.
ParseFailure parse_hint(const Term& term, const OpcodeInfo& info, uint32_t& value) {
  if (term.value_kind == KeyedValue::integer && term.integer >= 0 && term.integer < int{kTemporalHintCount}) {
    value = static_cast<uint32_t>(term.integer);
    return {};
  }
  for (value = 0; value < kTemporalHintCount && term.value_kind == KeyedValue::word; ++value) {
    for (unsigned scope = 0; scope < kScopeCount; ++scope) {
      const char* word = temporal_hint_word(info, value, scope);
      if (word != nullptr && term.value == word) return {};
    }
  }
  value = 0;
  return term.value == "TH_DEFAULT" ? ParseFailure{} : term.failure("is no temporal hint of this instruction");
}

ParseFailure parse_buffer_format(const Term& term, Generation generation, uint32_t& value) {
  if (term.value_kind == KeyedValue::integer) {
    if (term.integer < 0 || term.integer > 127) return term.failure("is out of range");
    value = static_cast<uint32_t>(term.integer);
    return {};
  }
  if (term.value_kind != KeyedValue::name) return term.failure("is no buffer format of this target");
  const auto names = buffer_format_names(generation);
  if (names.empty()) return parse_split_format(term, value);
  const int found = term.second_value.empty() ? find_format_name(term.value, "BUF_FMT_", names) : -1;
  if (found < 0) return term.failure("is no buffer format of this target");
  value = static_cast<uint32_t>(found);
  return {};
}

}  // namespace

ModifierParser::ModifierParser(Opcode opcode, Format format, Generation generation, Modifiers& mods)
    : info_(info(opcode, generation)),
      format_(format),
      generation_(generation),
      mods_(mods),
      texts_(info_, opcode, format, generation) {
  for (const ModText& text : texts_) {
    if (!texts_.has(text)) continue;
    set_text_value(mods, text.mod, absent_value(info_, text));
    if (text.needed) needed_ = &text;
  }
}

bool ModifierParser::names(const Term& term, const ModText& text) const {
  switch (text.syntax) {
    case ModSyntax::implied:
      return false;
    case ModSyntax::flag:
      return term.kind == TermKind::word && is_flag(term.word, text.name);
    case ModSyntax::phrase:
      return starts_phrase(term, text);
    case ModSyntax::dpp_control:
      return find_control(term, generation_) != nullptr || (term.kind == TermKind::keyed && term.word == text.name);
    default:
      return term.kind == TermKind::keyed && term.word == text.name;
  }
}

ParseFailure ModifierParser::parse(const Term& term, bool& taken) {
  taken = false;
  if (term.kind != TermKind::word && term.kind != TermKind::keyed) return {};
  for (const ModText& text : texts_) {
    if (!names(term, text) || !texts_.has(text)) continue;
    taken = true;
    const uint64_t bit = uint64_t{1} << (&text - texts_.begin());
    if (seen_ & bit) return term.failure("is said twice");
    seen_ |= bit;
    if (!is_plain(term)) return term.failure("is no modifier");
    uint32_t value = 0;
    if (ParseFailure failure = parse_value(term, text, value)) return failure;
    set_text_value(mods_, text.mod, value);
    if (needed_ == &text) needed_ = nullptr;
    return {};
  }
  return {};
}

ParseFailure ModifierParser::check_complete(const Term& mnemonic) const {
  if (hint_ != nullptr && hint_->value_kind == KeyedValue::word && hint_->value != "TH_DEFAULT") {
    const char* word = temporal_hint_word(info_, mods_.th, mods_.scope);
    if (word == nullptr || hint_->value != word) return hint_->failure("does not go with this scope");
  }
  if (needed_ == nullptr) return {};
  const bool lanes = needed_->syntax == ModSyntax::dpp_control || needed_->syntax == ModSyntax::dpp_lanes;
  return mnemonic.failure(lanes ? "needs a lane control such as quad_perm:[0,1,2,3] or dpp8:[0,1,2,3,4,5,6,7]"
                                : "needs a dimension such as dim:2D");
}

ParseFailure ModifierParser::parse_value(const Term& term, const ModText& text, uint32_t& value) {
  switch (text.syntax) {
    case ModSyntax::implied:
      return term.failure("is implied");
    case ModSyntax::flag:
      value = term.word == text.name;
      return {};
    case ModSyntax::switched:
    case ModSyntax::switched_any:
      if (term.value_kind != KeyedValue::integer || term.integer < 0 || term.integer > 1) {
        return term.failure("must be 0 or 1");
      }
      value = text.syntax == ModSyntax::switched_any || term.integer != 0;
      return {};
    case ModSyntax::decimal:
    case ModSyntax::signed_hex:
    case ModSyntax::hex:
      return parse_number(term, text, value);
    case ModSyntax::bits:
      return parse_bits(term, text, value);
    case ModSyntax::keyword:
      return parse_keyword(term, text, value);
    case ModSyntax::phrase:
      return find_phrase(term, text, value) ? ParseFailure{} : term.failure("is no value of this modifier");
    case ModSyntax::dpp_control:
      return parse_dpp_control(term, generation_, value);
    case ModSyntax::dpp_lanes:
      return parse_lanes(term, 8, 3, value);
    case ModSyntax::swizzle:
      return term.value_kind == KeyedValue::call ? parse_swizzle(term, value) : parse_number(term, text, value);
    case ModSyntax::buffer_format:
      return parse_buffer_format(term, generation_, value);
    case ModSyntax::byte_select:
      return parse_byte(term, info_, value);
    case ModSyntax::temporal_hint:
      hint_ = &term;
      return parse_hint(term, info_, value);
  }
  return {};
}

/// A number that its field can hold.
ParseFailure ModifierParser::parse_number(const Term& term, const ModText& text, uint32_t& value) const {
  if (term.value_kind != KeyedValue::integer) return term.failure("needs a number");
  for (const ModField& field : modifier_fields(info_, format_, generation_)) {
    if (field.mod != text.mod) continue;
    const bool is_signed = text.mod == Mod::signed_offset;
    const int64_t half = int64_t{1} << (field.field.width - 1);
    const int64_t low = is_signed ? -half : 0, high = is_signed ? half - 1 : 2 * half - 1;
    if (term.integer < low || term.integer > high) return term.failure("is out of range");
    value = static_cast<uint32_t>(term.integer);
    return {};
  }
  return term.failure("is no modifier of this encoding");
}

/// Bits that the list leaves out at its end are zero, as in LLVM.
ParseFailure ModifierParser::parse_bits(const Term& term, const ModText& text, uint32_t& value) const {
  const BitList list = bit_list(info_, format_, text.mod);
  if (term.value_kind != KeyedValue::list) return term.failure("needs a list of bits");
  if (term.list_count > list.count()) return term.failure("has too many bits");
  value = 0;
  for (unsigned i = 0; i < term.list_count; ++i) {
    if (term.list[i] > 1) return term.failure("has a value that is no bit");
    if (!list.ignores(i)) value |= term.list[i] << list.bit(i);
  }
  return {};
}

}  // namespace spalt::isa
