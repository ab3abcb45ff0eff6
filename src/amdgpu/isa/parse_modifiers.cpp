// SPDX-License-Identifier: MIT
#include "amdgpu/isa/parse_modifiers.h"

#include <algorithm>

#include "amdgpu/isa/parse_values.h"

namespace spalt::isa {
namespace {

bool is_plain(const Term& term) {
  return !term.neg && !term.abs && !term.sext;
}

/// "glc" sets, "noglc" clears.
bool is_flag(std::string_view word, std::string_view name) {
  return word == name || (word.starts_with("no") && word.substr(2) == name);
}

const DppControl* find_control(std::string_view name, Generation generation) {
  for (const DppControl& control : dpp_controls(generation)) {
    if (name == control.name) return &control;
  }
  return nullptr;
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
  if (const DppControl* control = find_control(term.word, generation)) {
    if (control->counts != (term.kind == TermKind::keyed)) {
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

ParseFailure parse_buffer_format(const Term& term, Generation generation, uint32_t& value) {
  if (term.value_kind == KeyedValue::integer) {
    if (term.integer < 0 || term.integer > 127) return term.failure("is out of range");
    value = static_cast<uint32_t>(term.integer);
    return {};
  }
  constexpr std::string_view kPrefix = "BUF_FMT_";
  if (term.value_kind == KeyedValue::name && term.value.starts_with(kPrefix)) {
    const auto names = buffer_format_names(generation);
    const auto found = std::find(names.begin(), names.end(), term.value.substr(kPrefix.size()));
    value = static_cast<uint32_t>(found - names.begin());
    if (found != names.end()) return {};
  }
  return term.failure("is no buffer format of this target");
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
      return find_control(term.word, generation_) != nullptr ||
             (term.kind == TermKind::keyed && term.word == text.name);
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
    case ModSyntax::temporal_hint:
      return term.failure("cannot be parsed yet");
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
    value |= term.list[i] << list.bit(i);
  }
  return {};
}

}  // namespace spalt::isa
