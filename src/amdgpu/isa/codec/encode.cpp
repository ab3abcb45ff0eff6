// SPDX-License-Identifier: MIT
// Table-driven encoding: fields.h says where a format keeps its operands and modifiers, this file walks those tables.
#include <algorithm>
#include <cstdio>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/constants.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/codec/modifiers.h"
#include "amdgpu/isa/codec/operand_codec.h"
#include "amdgpu/isa/codec/rules.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/opcode_tables.h"

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

/// What no field table says: codes of SDWA and DPP, destinations and addresses that the text does not name.
const char* encode_special(const OpcodeInfo& info, const Inst& inst, Format format, Generation generation,
                           uint32_t* words) {
  const bool exec_dst = info.has(kWritesExec) && info.dst_count == 0;  // v_cmpx names its destination
  if (is_long_vector(format) && exec_dst) words[0] |= kExec.number;
  switch (format) {
    case Format::sdwa:
      kSource0.set(words, kSdwaCode);
      return nullptr;
    case Format::dpp16:
      kSource0.set(words, kDpp16Code);
      return nullptr;
    case Format::dpp8:
      kSource0.set(words, inst.mods.fetch_inactive ? kDpp8FetchInactiveCode : kDpp8Code);
      return nullptr;
    case Format::vop3_dpp16:
      kLongSource0.set(words, kDpp16Code);
      return nullptr;
    case Format::vop3_dpp8:
      kLongSource0.set(words, inst.mods.fetch_inactive ? kDpp8FetchInactiveCode : kDpp8Code);
      return nullptr;
    case Format::flat:
      saddr_field(generation).set(words, encoding_traits(generation).flat_saddr);
      return nullptr;
    case Format::global:
      if (info.src_count == 0) saddr_field(generation).set(words, encoding_traits(generation).flat_saddr);
      return nullptr;
    case Format::mubuf:
      if (!encoding_traits(generation).optional_soffset) return nullptr;
      kFormat12.set(words, kFormat8Unorm);
      if (info.src_count == 0) saddr_field(generation).set(words, encoding_traits(generation).no_saddr);
      return nullptr;
    case Format::scratch:
      return encode_scratch_address(info, inst, generation, words);
    default:
      return nullptr;
  }
}

/// Writes the modifiers that the format has and rejects any that it has not.
const char* encode_modifiers(const OpcodeInfo& info, const Modifiers& mods, Format format, Generation generation,
                             uint32_t* words) {
  if (const char* reason = check_modifiers(info, format, mods, generation)) return reason;
  const bool packed = is_long_vector(format) && (info.modifiers & kModPacked);
  if (packed && info.src_count < 3) words[0] |= 1u << 14;           // what LLVM writes for the absent source
  if (!is_variant(format) && mods == kNoModifiers) return nullptr;  // all fields are zero
  Modifiers rest = mods;
  for (const ModField& entry : modifier_fields(info, format, generation)) {
    const uint32_t value = get_modifier(mods, entry.mod);
    const unsigned width = entry.field.width;
    if (entry.mod == Mod::signed_offset) {
      const auto offset = static_cast<int32_t>(value);
      if (offset < -(1 << (width - 1)) || offset >= 1 << (width - 1)) return "has an offset out of range";
    } else if (value > entry.field.mask()) {
      return "has a modifier out of range";
    }
    entry.field.set(words, value);
    set_modifier(rest, entry.mod, get_modifier(kNoModifiers, entry.mod));
  }
  if (format == Format::dpp8 || format == Format::vop3_dpp8) rest.fetch_inactive = false;
  return rest == kNoModifiers ? nullptr : "has a modifier that the format has not";
}

const char* encode_operands(const OpcodeInfo& info, const Inst& inst, Format format, const Target& target,
                            EncodedInst& out) {
  const EncodingTraits& traits = encoding_traits(target.generation);
  OperandEncoder encoder{out.words, traits};
  const bool literal = takes_literal(format, target);
  const bool saddr = saddr_present(info, inst);
  for (const Placement& placement : place_operands(info, format, target.generation)) {
    const OperandSlot& slot = placement.is_dst ? info.dst[placement.slot] : info.src[placement.slot];
    const Operand& operand = placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
    const bool present = operand.kind != OperandKind::none;
    const bool free =
        placement.coding == Coding::saddr7 || placement.coding == Coding::soffset9 || format == Format::scratch;
    if (present != slot_present(info, format, inst.mods, placement) && !(free && placement.optional)) {
      return present ? "has an operand that its modifiers exclude" : "lacks an operand";
    }
    if (!present && placement.coding != Coding::saddr7 && placement.coding != Coding::soffset9) continue;
    const unsigned dwords = operand_dwords(info, format, inst, placement, saddr, 0, target.generation);
    encoder.literal_allowed = literal && slot_takes_literal(info, format, placement);
    if (const char* reason = encoder.encode(operand, slot, placement, dwords)) return reason;
  }
  if (is_short_vector(format) || is_long_vector(format)) {
    if (const char* reason = check_constant_bus(info, inst, format, encoder.has_literal, target)) return reason;
  }
  if (encoder.has_literal) out.words[out.count++] = encoder.literal;
  return nullptr;
}

/// All formats but VOPD; halves of registers are as the format keeps them.
const char* encode_plain(const OpcodeInfo& facts, const Inst& inst, Format format, uint32_t bits, const Target& target,
                         EncodedInst& out) {
  const Format base = base_format(inst.opcode, format, target.generation);
  const FormatLayout& layout = format_layout(base, target.generation);
  out.count = static_cast<uint8_t>(format_dwords(format, base, target.generation));
  out.words[0] = layout.marker;
  layout.opcode.set(out.words, bits);
  layout.opcode_high.set(out.words, bits >> layout.opcode.width);
  if (is_simm16_format(format)) {
    if (inst.simm16 < -32768 || inst.simm16 > 65535) return "has an immediate out of range";
    if (inst.simm16 != 0 && !has_simm16(facts)) return "has no immediate";
    out.words[0] |= static_cast<uint32_t>(inst.simm16) & 0xffff;
  } else if (inst.simm16 != 0) {
    return "has an immediate that the format has not";
  }
  if (const char* reason = encode_modifiers(facts, inst.mods, format, target.generation, out.words)) return reason;
  if (const char* reason = encode_operands(facts, inst, format, target, out)) return reason;
  if (const char* reason = check_instruction(facts, inst, format)) return reason;
  if (const char* reason = encode_special(facts, inst, format, target.generation, out.words)) return reason;
  if (is_image(format)) return encode_image_address(facts, inst, format, target.generation, out);
  return inst.nsa.count == 0 ? nullptr : "has further address registers";
}

/// Encodes in exactly this format, in which the opcode has the number `bits`. Returns nullptr, or the reason why not;
/// allocates nothing.
const char* encode_as(const Inst& inst, Format format, uint32_t bits, const Target& target, EncodedInst& out) {
  const OpcodeInfo& facts = info(inst.opcode, target.generation);
  out = {};
  if (!target.has(facts.feature)) return "does not exist on this processor";
  if (format == Format::vopd) return encode_vopd(inst, target, out);
  if (inst.opcode_y != Opcode::invalid) return "holds one operation only";
  if (!is_short_vector(format) || !(facts.modifiers & kModHalves)) {
    return encode_plain(facts, inst, format, bits, target, out);
  }
  Inst joined = inst;
  if (const char* reason = join_halves(facts, joined)) return reason;
  return encode_plain(facts, joined, format, bits, target, out);
}

/// Encodes in the first format that works, from small to large; SDWA and DPP work only when the modifiers ask for them.
/// On failure, `reason` is that of the last format that is neither.
Format encode_any(const Inst& inst, const Target& target, EncodedInst& out, const char*& reason) {
  reason = "has no encoding on this target";
  for (const NumberEntry& entry : opcode_encodings(inst.opcode, target.generation)) {
    if ((entry.format == Format::vopd) != (inst.opcode_y != Opcode::invalid)) continue;
    const char* failure = encode_as(inst, entry.format, static_cast<uint32_t>(entry.number), target, out);
    if (failure == nullptr) {
      reason = nullptr;
      return entry.format;
    }
    if (!is_variant(entry.format)) reason = failure;
  }
  return Format::invalid;
}

}  // namespace

Format select_format(const Inst& inst, const Target& target) {
  EncodedInst scratch;
  const char* reason = nullptr;
  return encode_any(inst, target, scratch, reason);
}

const char* try_encode(const Inst& inst, const Target& target, EncodedInst& out) {
  const char* reason = nullptr;
  if (inst.format == Format::invalid) {
    encode_any(inst, target, out, reason);
    return reason;
  }
  const int number = opcode_number(inst.opcode, inst.format, target.generation);
  if (number < 0) return "has no such encoding on this target";
  return encode_as(inst, inst.format, static_cast<uint32_t>(number), target, out);
}

Result<EncodedInst> encode(const Inst& inst, const Target& target) {
  EncodedInst out;
  const char* reason = try_encode(inst, target, out);
  if (reason == nullptr) return out;
  return Error{Status::invalid_argument, std::string(info(inst.opcode, target.generation).name) + " " + reason};
}

}  // namespace spalt::isa
