// SPDX-License-Identifier: MIT
// Table-driven encoding: fields.h says where a format keeps its operands and modifiers. A template is what an opcode
// has in one format, whatever the instruction: its marker and number, and where operands and modifiers go. Encoding an
// instruction fills a template in. EncodeTemplates keeps those of the opcodes that were seen.
#include <algorithm>
#include <iterator>

#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/encoder.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/codec/modifiers.h"
#include "amdgpu/isa/codec/operand_codec.h"
#include "amdgpu/isa/codec/rules.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/opcode_tables.h"
#include "base/ice.h"

namespace spalt::isa {
namespace {

/// What LLVM writes into the format field of an untyped buffer instruction of GFX12.
constexpr Field kFormat12{1, 23, 7};
constexpr uint32_t kFormat8Unorm = 1;

/// SCRATCH: which of vaddr and saddr there are.
const char* encode_scratch_address(const OpcodeInfo& info, const Inst& inst, Generation generation, uint32_t* words) {
  const EncodingTraits& traits = encoding_traits(generation);
  const bool vaddr = inst.src[0].is_reg(), saddr = saddr_present(info, inst);
  if (traits.scratch_vaddr_bit) {
    scratch_vaddr_field(generation).set(words, vaddr);
    return nullptr;
  }
  if (vaddr && saddr) return "takes vaddr or saddr, not both";
  if (vaddr || saddr) return nullptr;
  if (!traits.scratch_without_address) return "needs an address";
  saddr_field(generation).set(words, kScratchNoAddress);
  return nullptr;
}

/// What no field table says and no instruction changes: codes of SDWA and DPP, destinations and addresses that the text
/// does not name.
void add_implied_codes(const OpcodeInfo& info, Format format, Generation generation, uint32_t* words) {
  const bool exec_dst = info.has(kWritesExec) && info.dst_count == 0;  // v_cmpx names its destination
  if (is_long_vector(format) && exec_dst) words[0] |= kExec.number;
  switch (format) {
    case Format::sdwa:
      kSource0.set(words, kSdwaCode);
      return;
    case Format::dpp16:
      kSource0.set(words, kDpp16Code);
      return;
    case Format::vop3_dpp16:
      kLongSource0.set(words, kDpp16Code);
      return;
    case Format::flat:
      saddr_field(generation).set(words, encoding_traits(generation).flat_saddr);
      return;
    case Format::global:
      if (info.src_count == 0) saddr_field(generation).set(words, encoding_traits(generation).flat_saddr);
      return;
    case Format::mubuf:
      if (!encoding_traits(generation).optional_soffset) return;
      kFormat12.set(words, kFormat8Unorm);
      if (info.src_count == 0) saddr_field(generation).set(words, encoding_traits(generation).no_saddr);
      return;
    default:
      return;
  }
}

/// What no field table says and instructions differ in.
bool has_specials(Format format) {
  return is_any(format, Format::dpp8, Format::vop3_dpp8, Format::scratch);
}

const char* encode_special(const OpcodeInfo& info, const Inst& inst, Format format, Generation generation,
                           uint32_t* words) {
  switch (format) {
    case Format::dpp8:
      kSource0.set(words, inst.mods.fetch_inactive ? kDpp8FetchInactiveCode : kDpp8Code);
      return nullptr;
    case Format::vop3_dpp8:
      kLongSource0.set(words, inst.mods.fetch_inactive ? kDpp8FetchInactiveCode : kDpp8Code);
      return nullptr;
    case Format::scratch:
      return encode_scratch_address(info, inst, generation, words);
    default:
      return nullptr;
  }
}

/// Whether each modifier fits its field, and there are no others.
const char* check_modifier_fields(const EncodeTemplate& form, const Modifiers& mods) {
  Modifiers rest = mods;
  for (const ModField& entry : form.modifiers) {
    const uint32_t value = get_modifier(mods, entry.mod);
    const unsigned width = entry.field.width;
    if (entry.mod == Mod::signed_offset) {
      const auto offset = static_cast<int32_t>(value);
      if (offset < -(1 << (width - 1)) || offset >= 1 << (width - 1)) return "has an offset out of range";
    } else if (value > entry.field.mask()) {
      return "has a modifier out of range";
    }
    set_modifier(rest, entry.mod, get_modifier(kNoModifiers, entry.mod));
  }
  if (form.format == Format::dpp8 || form.format == Format::vop3_dpp8) rest.fetch_inactive = false;
  return rest == kNoModifiers ? nullptr : "has a modifier that the format has not";
}

/// Writes the modifiers that the format has and, if checked, rejects any that it has not.
const char* encode_modifiers(const EncodeTemplate& form, const Modifiers& mods, bool none, Generation generation,
                             bool checked, uint32_t* words) {
  const bool must_check = checked || form.modifiers.count == 0;
  if (const char* reason = must_check ? check_modifiers(*form.info, form.format, mods, generation) : nullptr) {
    return reason;
  }
  if (none && !is_variant(form.format)) return nullptr;  // all fields are zero
  if (const char* reason = must_check ? check_modifier_fields(form, mods) : nullptr) return reason;
  put_modifiers(mods, form.modifiers, words);
  return nullptr;
}

/// The operands of an Inst as isa::encode_operands asks for them.
struct InstOperands {
  const Inst& inst;

  const Operand& operand(const Placement& placement) const {
    return placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
  }
  Reg reg(const Placement& placement) const { return operand(placement).is_reg() ? operand(placement).reg : kNoReg; }
};

/// The same as isa::encode_operands, but looks at everything.
const char* check_and_encode_operands(const EncodeTemplate& form, const Inst& inst, const Target& target,
                                      EncodedInst& out) {
  const OpcodeInfo& info = *form.info;
  OperandEncoder encoder{out.words, *form.traits, true};
  for (const Placement& placement : form.placements) {
    const Operand& operand = InstOperands{inst}.operand(placement);
    const bool present = operand.kind != OperandKind::none;
    const bool free = placement.has_code_for_none() || form.format == Format::scratch;
    if (present != slot_present(info, form.format, inst.mods, placement) && !(free && placement.optional)) {
      return present ? "has an operand that its modifiers exclude" : "lacks an operand";
    }
    if (!present && !placement.has_code_for_none()) continue;
    encoder.literal_allowed = placement.takes_literal;
    const unsigned dwords =
        operand_dwords(info, form.format, inst, placement, saddr_present(info, inst), 0, target.generation);
    const char* reason = encoder.encode(operand, placement.slot_of(info), placement, dwords);
    if (reason != nullptr) return reason;
  }
  if (is_short_vector(form.format) || is_long_vector(form.format)) {
    if (const char* reason = check_constant_bus(info, inst, form.format, encoder.has_literal, target)) return reason;
  }
  if (encoder.has_literal) out.words[out.count++] = encoder.literal;
  return nullptr;
}

const char* encode_operands(const EncodeTemplate& form, const Inst& inst, const Target& target, bool checked,
                            EncodedInst& out) {
  if (checked) return check_and_encode_operands(form, inst, target, out);
  return isa::encode_operands(form, InstOperands{inst}, out);
}

const char* check_simm16(const EncodeTemplate& form, const Inst& inst) {
  if (!form.has_simm16) return inst.simm16 == 0 ? nullptr : "has an immediate that the format has not";
  if (inst.simm16 < -32768 || inst.simm16 > 65535) return "has an immediate out of range";
  return inst.simm16 != 0 && !has_simm16(*form.info) ? "has no immediate" : nullptr;
}

/// s_setreg_imm32_b32.
bool has_operand_after_simm16(const OpcodeInfo& info) {
  return info.src_count > 1 && info.src[0].role == OperandRole::simm16;
}

/// All formats but VOPD; halves of registers are as the format keeps them.
const char* encode_plain(const EncodeTemplate& form, const Inst& inst, bool no_modifiers, const Target& target,
                         bool checked, EncodedInst& out) {
  const OpcodeInfo& facts = *form.info;
  out = form.start;
  if (const char* reason = checked ? check_simm16(form, inst) : nullptr) return reason;
  if (form.has_simm16) out.words[0] |= static_cast<uint32_t>(inst.simm16) & 0xffff;
  if (checked || !no_modifiers) {
    const char* reason = encode_modifiers(form, inst.mods, no_modifiers, target.generation, checked, out.words);
    if (reason != nullptr) return reason;
  }
  if (const char* reason = encode_operands(form, inst, target, checked, out)) return reason;
  if (const char* reason = checked ? check_instruction(facts, inst, form.format) : nullptr) return reason;
  if (form.has_specials) {
    if (const char* reason = encode_special(facts, inst, form.format, target.generation, out.words)) return reason;
  }
  if (form.is_image) return encode_image_address(facts, inst, form.format, target.generation, out);
  return inst.nsa.count == 0 ? nullptr : "has further address registers";
}

/// Encodes in the template's format. Returns nullptr, or the reason why not; allocates nothing.
const char* fill(const EncodeTemplate& form, const Inst& inst, bool no_modifiers, const Target& target, bool checked,
                 EncodedInst& out) {
  out = {};
  if (!target.has(form.info->feature)) return "does not exist on this processor";
  if (form.format == Format::vopd) return encode_vopd(inst, target, out);
  if (inst.opcode_y != Opcode::invalid) return "holds one operation only";
  if (!form.joins_halves) return encode_plain(form, inst, no_modifiers, target, checked, out);
  Inst joined = inst;
  if (const char* reason = join_halves(*form.info, joined)) return reason;
  return encode_plain(form, joined, joined.mods == kNoModifiers, target, checked, out);
}

/// Encodes in the first format that works, from small to large; SDWA and DPP work only when the modifiers ask for them.
/// On failure, `reason` is that of the last format that is neither. `form_at(i)` gives the template of encoding i.
template <class FormAt>
Format encode_any(std::span<const NumberEntry> encodings, FormAt form_at, const Inst& inst, bool plain,
                  const Target& target, bool checked, EncodedInst& out, const char*& reason) {
  reason = "has no encoding on this target";
  for (size_t i = 0; i < encodings.size(); ++i) {
    const Format format = encodings[i].format;
    if ((format == Format::vopd) != (inst.opcode_y != Opcode::invalid)) continue;
    const bool variant = is_variant(format);
    if (variant && plain && !checked) continue;
    // Which format has the modifiers the checks decide.
    const bool choose = variant || (!plain && encodings.size() > 1);
    const char* failure = fill(form_at(i), inst, plain, target, checked || choose, out);
    if (failure == nullptr) {
      reason = nullptr;
      return format;
    }
    if (!variant) reason = failure;
  }
  return Format::invalid;
}

/// The same with templates that are made one by one as they are asked for.
Format encode_alone(const Inst& inst, const Target& target, EncodedInst& out, const char*& reason) {
  const auto entries = opcode_encodings(inst.opcode, target.generation);
  const auto form_at = [&](size_t i) {
    return make_template(inst.opcode, entries[i].format, static_cast<uint32_t>(entries[i].number), target);
  };
  return encode_any(entries, form_at, inst, inst.mods == kNoModifiers, target, true, out, reason);
}

}  // namespace

EncodeTemplate make_template(Opcode opcode, Format format, uint32_t number, const Target& target) {
  const Generation generation = target.generation;
  EncodeTemplate form;
  form.info = &info(opcode, generation);
  form.traits = &encoding_traits(generation);
  form.format = format;
  if (format == Format::vopd) return form;
  const Format base = base_format(opcode, format, generation);
  const FormatLayout& layout = format_layout(base, generation);
  uint32_t* const words = form.start.words;
  form.start.count = static_cast<uint8_t>(format_dwords(format, base, generation));
  words[0] = layout.marker;
  layout.opcode.set(words, number);
  layout.opcode_high.set(words, number >> layout.opcode.width);
  // What LLVM writes for the absent source.
  const bool packed = is_long_vector(format) && (form.info->modifiers & kModPacked) != 0;
  if (packed && form.info->src_count < 3) words[0] |= 1u << 14;
  add_implied_codes(*form.info, format, generation, words);
  form.joins_halves = is_short_vector(format) && (form.info->modifiers & kModHalves) != 0;
  form.placements = place_operands(*form.info, format, generation);
  form.modifiers = modifier_fields(*form.info, format, generation);
  form.has_specials = has_specials(format);
  form.has_simm16 = is_simm16_format(format);
  form.is_image = is_image(format);
  form.is_direct = !form.joins_halves && !form.has_specials && !form.is_image && !is_variant(format) &&
                   !has_operand_after_simm16(*form.info) && target.has(form.info->feature);
  form.is_last = opcode_encodings(opcode, generation).back().format == format;
  const bool literals = takes_literal(format, target);
  for (unsigned i = 0; i < form.placements.count; ++i) {
    Placement& placement = form.placements.items[i];
    placement.takes_literal = literals && slot_takes_literal(*form.info, format, placement);
  }
  return form;
}

Format select_format(const Inst& inst, const Target& target) {
  EncodedInst scratch;
  const char* reason = nullptr;
  return encode_alone(inst, target, scratch, reason);
}

const char* try_encode(const Inst& inst, const Target& target, EncodedInst& out) {
  const char* reason = nullptr;
  if (inst.format == Format::invalid) {
    encode_alone(inst, target, out, reason);
    return reason;
  }
  const int number = opcode_number(inst.opcode, inst.format, target.generation);
  if (number < 0) return "has no such encoding on this target";
  const EncodeTemplate form = make_template(inst.opcode, inst.format, static_cast<uint32_t>(number), target);
  return fill(form, inst, inst.mods == kNoModifiers, target, true, out);
}

const char* Encoder::encode(const Inst& inst, bool plain, EncodedInst& out) {
  const auto entries = opcode_encodings(inst.opcode, templates_.target().generation);
  const auto form_at = [&](size_t i) -> const EncodeTemplate& { return templates_.find(inst.opcode, i); };
  const char* reason = nullptr;
  encode_any(entries, form_at, inst, plain, templates_.target(), checked_, out, reason);
  return reason;
}

bool Encoder::encode_modifiers(const EncodeTemplate& form, const Modifiers& mods, EncodedInst& out) const {
  return isa::encode_modifiers(form, mods, false, templates_.target().generation, checked_, out.words) == nullptr;
}

const EncodeTemplate& EncodeTemplates::make(Opcode opcode, size_t index) {
  const auto encodings = opcode_encodings(opcode, target_.generation);
  SPALT_ASSERT(index < encodings.size());
  uint16_t& begin = first_[static_cast<size_t>(opcode)];
  if (begin == kNone) {
    const auto next = static_cast<uint16_t>(form_of_.size() + 1);
    form_of_.resize(form_of_.size() + encodings.size(), kNone);
    begin = next;
  }
  const auto number = static_cast<uint32_t>(encodings[index].number);
  forms_.push_back(make_template(opcode, encodings[index].format, number, target_));
  form_of_[begin - 1u + index] = static_cast<uint16_t>(forms_.size());
  return forms_.back();
}

Result<EncodedInst> encode(const Inst& inst, const Target& target) {
  EncodedInst out;
  const char* reason = try_encode(inst, target, out);
  if (reason == nullptr) return out;
  return Error{Status::invalid_argument, std::string(info(inst.opcode, target.generation).name) + " " + reason};
}

}  // namespace spalt::isa
