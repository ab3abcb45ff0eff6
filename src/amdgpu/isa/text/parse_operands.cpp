// SPDX-License-Identifier: MIT
// Operands of the text into slots, along the list that the printer walks.
#include "amdgpu/isa/text/parse_operands.h"

#include <algorithm>
#include <charconv>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/codec/modifiers.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/text/layout.h"
#include "amdgpu/isa/text/modifiers.h"
#include "amdgpu/isa/text/names.h"
#include "amdgpu/isa/text/parse_values.h"

namespace spalt::isa {
namespace {

constexpr const char* kNoOperand = "is no operand of this instruction";

bool is_plain(const Term& term) {
  return !term.neg && !term.abs && !term.sext;
}

bool is_number(const Term& term) {
  return term.kind == TermKind::integer || term.kind == TermKind::real;
}

bool is_word(const Term& term, std::string_view word) {
  return term.kind == TermKind::word && term.word == word;
}

/// Formats that have no neg and abs: a sign on a constant becomes part of it.
bool folds_signs(Format format) {
  return format == Format::vop1 || format == Format::vop2 || format == Format::vopc;
}

class Matcher {
 public:
  Matcher(std::span<const Term* const> terms, const Term& mnemonic, const Target& target, unsigned wave_size,
          Inst& inst)
      : terms_(terms),
        mnemonic_(mnemonic),
        generation_(target.generation),
        wave_size_(wave_size),
        inst_(inst),
        info_(isa::info(inst.opcode, generation_)),
        placements_(place_operands(info_, inst.format, generation_)),
        given_op_sel_(inst.mods.op_sel) {}

  ParseFailure run();

 private:
  ParseFailure match(const TextItem& item, const Term& term);
  ParseFailure match_attribute(const Term& term);
  ParseFailure match_parameter(const Term& term, unsigned slot);
  ParseFailure match_offset(const Term& term);
  ParseFailure match_half(const Term& term, bool is_dst, unsigned slot);
  ParseFailure match_scalar_offset(const Term& term, unsigned slot);
  ParseFailure match_image_address(const Term& term, unsigned slot);
  ParseFailure match_export_target(const Term& term);
  ParseFailure match_export_source(const Term& term, unsigned component);
  ParseFailure match_valu_source(Term term, unsigned slot);
  ParseFailure match_operand(const Term& term, bool is_dst, unsigned slot);
  ParseFailure match_register(const Term& term, const Placement& placement, Operand& operand);

  const Placement* placement(bool is_dst, unsigned slot) const;
  unsigned width(const Placement& placement) const;
  bool has_text(const TextItem& item) const;
  bool implied(const TextItem& item) const;
  const OperandSlot& slot_of(const Placement& placement) const {
    return placement.is_dst ? info_.dst[placement.slot] : info_.src[placement.slot];
  }

  std::span<const Term* const> terms_;
  const Term& mnemonic_;
  Generation generation_;
  unsigned wave_size_;
  Inst& inst_;
  const OpcodeInfo& info_;
  Placements placements_;
  bool saddr_present_ = false;
  uint8_t given_op_sel_;  ///< by the modifier
};

const Placement* Matcher::placement(bool is_dst, unsigned slot) const {
  for (const Placement& entry : placements_) {
    if (entry.is_dst == is_dst && entry.slot == slot) return &entry;
  }
  return nullptr;
}

unsigned Matcher::width(const Placement& placement) const {
  return operand_dwords(info_, inst_.format, inst_, placement, saddr_present_, wave_size_, generation_);
}

/// A destination that the modifiers exclude, such as that of an atomic without glc, is not written.
bool Matcher::has_text(const TextItem& item) const {
  if (item.kind != TextItemKind::dst) return true;
  const Placement* place = placement(true, item.slot);
  return place == nullptr || slot_present(info_, inst_.format, inst_.mods, *place);
}

/// A mask that can only be vcc and is the only one of its instruction may be left out.
bool Matcher::implied(const TextItem& item) const {
  const bool is_dst = item.kind == TextItemKind::dst;
  if (!is_dst && item.kind != TextItemKind::valu_source) return false;
  if (info_.dst_count > 1) return false;
  const Placement* place = placement(is_dst, item.slot);
  return place != nullptr && place->coding == Coding::vcc;
}

ParseFailure Matcher::run() {
  const TextItems items = text_items(info_, inst_.format);
  saddr_present_ = !terms_.empty() && terms_.back()->kind == TermKind::reg;
  const auto wanted = static_cast<size_t>(
      std::count_if(items.begin(), items.end(), [&](const TextItem& item) { return has_text(item); }));
  if (terms_.size() > wanted) {
    const Term& extra = *terms_[wanted];
    return extra.failure(extra.kind == TermKind::word ? "is no modifier of this instruction"
                                                      : "is one operand too many");
  }
  const bool one_short = terms_.size() + 1 == wanted;
  size_t next = 0;
  bool comma = false;
  for (const TextItem& item : items) {
    if (!has_text(item)) continue;
    if (one_short && implied(item)) {
      const Placement* place = placement(item.kind == TextItemKind::dst, item.slot);
      (place->is_dst ? inst_.dst[place->slot] : inst_.src[place->slot]) = Operand::of(kVcc, width(*place));
      continue;
    }
    if (next == terms_.size()) {
      if (item.kind == TextItemKind::simm16 && simm16_syntax(inst_.opcode) == Simm16Syntax::optional) continue;
      if (item.kind == TextItemKind::scalar_offset) continue;  // no offset is offset 0
      return mnemonic_.failure("needs more operands");
    }
    const Term& term = *terms_[next++];
    if (term.after_comma != comma && item.kind != TextItemKind::export_source) {
      return term.failure(comma ? "needs a comma in front" : "follows a stray comma");
    }
    if (ParseFailure failure = match(item, term)) return failure;
    comma = item.kind != TextItemKind::export_target;
  }
  if (info_.has(kTiedData)) {
    const Placement* dst = placement(true, 0);
    if (slot_present(info_, inst_.format, inst_.mods, *dst)) inst_.dst[0] = Operand::of(inst_.src[0].reg, width(*dst));
  }
  return {};
}

ParseFailure Matcher::match(const TextItem& item, const Term& term) {
  const bool wrapped_ok = item.kind == TextItemKind::valu_source;
  if (!wrapped_ok && !is_plain(term)) return term.failure("takes no neg, abs or sext");
  switch (item.kind) {
    case TextItemKind::dst:
      return match_half(term, true, item.slot);
    case TextItemKind::src:
    case TextItemKind::constant:
    case TextItemKind::number:
      return match_operand(term, false, item.slot);
    case TextItemKind::address:
      return is_word(term, "off") ? ParseFailure{} : match_operand(term, false, item.slot);
    case TextItemKind::valu_source:
      return match_valu_source(term, item.slot);
    case TextItemKind::parameter:
      return match_parameter(term, item.slot);
    case TextItemKind::attribute:
      return match_attribute(term);
    case TextItemKind::message:
    case TextItemKind::gpr_index:
      inst_.src[item.slot] = Operand::of_imm(static_cast<uint32_t>(term.integer));
      return term.kind == TermKind::simm16 ? ParseFailure{} : term.failure(kNoOperand);
    case TextItemKind::offset:
      return match_offset(term);
    case TextItemKind::simm16:
      if (term.kind != TermKind::simm16) return term.failure(kNoOperand);
      inst_.simm16 = static_cast<int16_t>(term.integer);
      return {};
    case TextItemKind::scalar_offset:
      return match_scalar_offset(term, item.slot);
    case TextItemKind::image_address:
      return match_image_address(term, item.slot);
    case TextItemKind::export_target:
      return match_export_target(term);
    case TextItemKind::export_source:
      return match_export_source(term, item.slot);
  }
  return {};
}

ParseFailure Matcher::match_register(const Term& term, const Placement& placement, Operand& operand) {
  if (term.half != '\0') return term.failure("is half of a register where a whole one must stand");
  // Which numbers below vcc are SGPRs and which have names depends on the generation.
  const bool is_sgpr = term.reg.number < encoding_traits(generation_).sgpr_count;
  if (term.reg.number < kVcc.number && term.named == is_sgpr) return term.failure("is no register of this target");
  const unsigned wanted = width(placement);
  const unsigned dwords = term.any_width ? wanted : term.dwords;
  // The widths of image operands depend on several modifiers; the encoder explains them better.
  if (dwords != wanted && inst_.format != Format::mimg) return term.failure("has the wrong number of registers");
  operand = Operand::of(term.reg, dwords);
  return {};
}

ParseFailure Matcher::match_operand(const Term& term, bool is_dst, unsigned slot) {
  const Placement* place = placement(is_dst, slot);
  if (place == nullptr) return term.failure(kNoOperand);
  Operand& operand = is_dst ? inst_.dst[slot] : inst_.src[slot];
  const OperandSlot& facts = slot_of(*place);
  // An optional register that is not there is null, where the field is no address ("off").
  if (place->optional && place->coding == Coding::saddr7 && term.kind == TermKind::reg && term.reg == kNull) return {};
  if (term.kind == TermKind::reg) return match_register(term, *place, operand);
  if (!is_number(term)) return term.failure(kNoOperand);
  if (facts.role == OperandRole::constant) {
    uint32_t bits = 0;
    const ParseFailure failure = literal_bits(term, facts.type, bits);
    operand = Operand::of_literal(bits);
    return failure;
  }
  if (place->coding == Coding::number) {
    if (term.kind != TermKind::integer || term.integer < 0 || term.integer > place->field.mask()) {
      return term.failure("does not fit its field");
    }
    operand = Operand::of_imm(static_cast<uint32_t>(term.integer));
    return {};
  }
  const bool takes_constant =
      place->coding == Coding::source9 || place->coding == Coding::source8 || place->coding == Coding::sdwa;
  if (!takes_constant || facts.role == OperandRole::vgpr || facts.role == OperandRole::sreg) {
    return term.failure("is a number where a register must stand");
  }
  return constant_operand(term, facts.type, width(*place), operand);
}

ParseFailure Matcher::match_valu_source(Term term, unsigned slot) {
  if (folds_signs(inst_.format) && is_number(term) && !term.sext) fold_sign(term, info_.src[slot].type);
  if (shows_packed_modifiers(info_) && !is_plain(term))
    return term.failure("takes neg_lo and neg_hi instead of a sign");
  const auto bit = static_cast<uint8_t>(1u << slot);
  if (term.neg) inst_.mods.neg |= bit;
  if (term.abs) inst_.mods.abs |= bit;
  if (term.sext) inst_.mods.sext |= bit;
  return match_half(term, false, slot);
}

/// attr12.x
ParseFailure Matcher::match_attribute(const Term& term) {
  constexpr std::string_view kPrefix = "attr", kChannels = "xyzw";
  const char* reason = "is no attribute such as attr0.x";
  if (term.kind != TermKind::word || !term.word.starts_with(kPrefix)) return term.failure(reason);
  const std::string_view rest = term.word.substr(kPrefix.size());
  unsigned number = 0;
  const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  const std::string_view channel = rest.substr(static_cast<size_t>(end - rest.data()));
  if (code != std::errc() || channel.size() != 2 || channel[0] != '.') return term.failure(reason);
  const size_t index = kChannels.find(channel[1]);
  if (index == std::string_view::npos || number > 63) return term.failure(reason);
  inst_.mods.interp_attribute = static_cast<uint8_t>(number);
  inst_.mods.interp_channel = static_cast<uint8_t>(index);
  return {};
}

ParseFailure Matcher::match_parameter(const Term& term, unsigned slot) {
  const auto names = parameter_names();
  for (size_t i = 0; i < names.size(); ++i) {
    if (!is_word(term, names[i])) continue;
    inst_.src[slot] = Operand::of_imm(static_cast<uint32_t>(i));
    return {};
  }
  return term.failure("is none of p10, p20 and p0");
}

ParseFailure Matcher::match_offset(const Term& term) {
  constexpr int64_t kMost = int64_t{1} << 30;  // the encoder knows the real limit
  if (term.kind != TermKind::integer || term.integer < -kMost || term.integer > kMost) {
    return term.failure("is no offset in range");
  }
  inst_.mods.offset = static_cast<int32_t>(term.integer);
  return {};
}

ParseFailure Matcher::match_scalar_offset(const Term& term, unsigned slot) {
  if (term.kind == TermKind::integer) return match_offset(term);
  if (term.kind == TermKind::reg && term.reg == kNull) return {};
  return match_operand(term, false, slot);
}

/// A VGPR may name the half that is meant, which is a bit of op_sel; without, op_sel alone says it.
ParseFailure Matcher::match_half(const Term& term, bool is_dst, unsigned slot) {
  if (term.half == '\0' || !is_half_slot(info_, is_dst ? info_.dst[slot] : info_.src[slot])) {
    return match_operand(term, is_dst, slot);
  }
  const unsigned bit = is_dst ? kDstHalfBit : slot;
  const bool high = term.half == 'h';
  if (given_op_sel_ != 0 && (given_op_sel_ >> bit & 1) != high) return term.failure("contradicts op_sel");
  if (high) inst_.mods.op_sel |= static_cast<uint8_t>(1u << bit);
  Term whole = term;
  whole.half = '\0';
  return match_operand(whole, is_dst, slot);
}

/// One register tuple, or a list of registers of which the last may stand for a range (NSA).
ParseFailure Matcher::match_image_address(const Term& term, unsigned slot) {
  if (term.kind == TermKind::reg) return match_operand(term, false, slot);
  if (term.kind != TermKind::reg_list) return term.failure(kNoOperand);
  if (term.list_count > inst_.nsa.vgprs.size() + 1) return term.failure("has too many registers");
  inst_.nsa.count = static_cast<uint8_t>(term.list_count - 1);
  for (unsigned i = 1; i < term.list_count; ++i) inst_.nsa.vgprs[i - 1] = static_cast<uint8_t>(term.list[i]);
  const Placement* place = placement(false, slot);
  const ImageAddressList wanted = image_address_list(info_, inst_.mods, inst_.format, generation_);
  const bool widths_ok =
      std::equal(term.list_widths.begin(), term.list_widths.begin() + term.list_count, std::begin(wanted.widths));
  if (term.list_count > 1 && (wanted.count != term.list_count || !widths_ok)) {
    return term.failure("has the wrong number of registers");
  }
  inst_.src[slot] = Operand::of(vgpr(term.list[0]), term.list_count > 1 ? width(*place) : term.list_widths[0]);
  return {};
}

ParseFailure Matcher::match_export_target(const Term& term) {
  // "null" is a register elsewhere.
  const std::string_view name = term.kind == TermKind::reg ? term.text : term.word;
  for (const ExportTarget& entry : export_targets(generation_)) {
    if (!name.starts_with(entry.name)) continue;
    const std::string_view rest = name.substr(std::string_view(entry.name).size());
    unsigned number = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    const bool whole = entry.numbered ? code == std::errc() && end == rest.data() + rest.size() : rest.empty();
    if (!whole || number + entry.first > entry.last) continue;
    inst_.mods.export_target = static_cast<uint8_t>(entry.first + number);
    return {};
  }
  return term.failure("is no export target");
}

/// Compressed exports name each of their two registers twice.
ParseFailure Matcher::match_export_source(const Term& term, unsigned component) {
  if (is_word(term, "off")) return {};
  const unsigned slot = inst_.mods.export_compressed ? component / 2 : component;
  const Operand before = inst_.src[slot];
  if (ParseFailure failure = match_operand(term, false, slot)) return failure;
  if (before.is_reg() && !(before == inst_.src[slot])) return term.failure("is not the register before");
  inst_.mods.export_enable |= static_cast<uint8_t>(1u << component);
  return {};
}

}  // namespace

ParseFailure match_operands(std::span<const Term* const> terms, const Term& mnemonic, const Target& target,
                            unsigned wave_size, Inst& inst) {
  return Matcher(terms, mnemonic, target, wave_size, inst).run();
}

}  // namespace spalt::isa
