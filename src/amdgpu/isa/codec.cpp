// SPDX-License-Identifier: MIT
// Table-driven encoding and decoding: fields.h says where a format keeps its operands and modifiers, this file walks
// those tables in both directions and holds the few rules that are no field.
#include "amdgpu/isa/codec.h"

#include <algorithm>
#include <cstdio>

#include "amdgpu/isa/constants.h"
#include "amdgpu/isa/fields.h"
#include "amdgpu/isa/modifiers.h"
#include "amdgpu/isa/opcode_tables.h"
#include "amdgpu/isa/operand_codec.h"

namespace spalt::isa {
namespace {

/// Codes in the source 0 field of VOP1, VOP2 and VOPC that announce a second dword.
constexpr uint32_t kSdwaCode = 249, kDpp16Code = 250, kDpp8Code = 233, kDpp8FetchInactiveCode = 234;
/// saddr of a SCRATCH instruction with neither vaddr nor saddr.
constexpr uint32_t kScratchNoAddress = 127;
constexpr Field kSource0{0, 0, 9}, kSaddr{1, 16, 7}, kNsaDwords{0, 1, 2};

bool is_variant(Format format) {
  return format == Format::sdwa || format == Format::dpp16 || format == Format::dpp8;
}

bool is_vop12c(Format format) {
  return format == Format::vop1 || format == Format::vop2 || format == Format::vopc || is_variant(format);
}

bool is_valu(Format format) {
  return is_vop12c(format) || format == Format::vop3 || format == Format::vop3p;
}

/// The 32-bit encoding that an SDWA or DPP word extends.
Format base_format(Opcode opcode, Format format, Generation generation) {
  if (!is_variant(format)) return format;
  for (Format base : {Format::vop1, Format::vop2, Format::vopc}) {
    if (opcode_number(opcode, base, generation) >= 0) return base;
  }
  return Format::invalid;
}

bool takes_literal(Format format, const Target& target) {
  switch (format) {
    case Format::sop1:
    case Format::sop2:
    case Format::sopc:
    case Format::sopk:
    case Format::vop1:
    case Format::vop2:
    case Format::vopc:
      return true;
    case Format::vop3:
    case Format::vop3p:
      return target.vop3_literal;
    default:
      return false;
  }
}

/// Slots that take no literal although their format does: the lane select of v_readlane and v_writelane, and the
/// sources of v_fma_mix, whose width depends on op_sel_hi.
bool slot_takes_literal(const OpcodeInfo& info, Format format, const Placement& placement) {
  if (format == Format::vop3 && info.has(kIgnoresExec)) return placement.slot == 0;
  return format != Format::vop3p || info.src[0].type != OperandType::f32;
}

bool is_simm16_format(Format format) {
  return format == Format::sopk || format == Format::sopp;
}

bool has_simm16(const OpcodeInfo& info) {
  for (unsigned i = 0; i < info.src_count; ++i) {
    if (info.src[i].role == OperandRole::simm16 || info.src[i].role == OperandRole::label) return true;
  }
  return false;
}

/// The saddr operand of a GLOBAL or SCRATCH instruction: the last source.
bool saddr_present(const OpcodeInfo& info, const Inst& inst) {
  return info.src_count > 0 && inst.src[info.src_count - 1].is_reg();
}

/// Counts the distinct scalar values that a vector instruction reads. As LLVM does, a pair and its low half are two
/// values, and so are a named vcc and the one that the encoding implies.
const char* check_constant_bus(const OpcodeInfo& info, const Inst& inst, Format format, bool has_literal,
                               const Target& target) {
  constexpr uint32_t kImpliedVcc = ~0u;
  uint32_t seen[Inst::kMaxSrc + 1];
  unsigned count = 0;
  if (info.has(kReadsVcc)) seen[count++] = kImpliedVcc;
  for (unsigned i = 0; i < info.src_count; ++i) {
    const Operand& operand = inst.src[i];
    const unsigned number = operand.reg.number;
    if (!operand.is_reg() || number >= 256 || is_inline_constant_code(number) || number == kNull.number) continue;
    const bool implied = info.src[i].role == OperandRole::lane_mask && format != Format::vop3;
    const uint32_t value = implied ? kImpliedVcc : number | static_cast<uint32_t>(operand.dwords) << 16;
    if (std::find(seen, seen + count, value) == seen + count) seen[count++] = value;
  }
  const unsigned limit = info.has(kOneScalarSource) ? 1 : target.constant_bus_limit;
  return count + (has_literal ? 1 : 0) > limit ? "reads too many scalar values" : nullptr;
}

/// Rules over the whole instruction that hold in both directions.
const char* check_instruction(const OpcodeInfo& info, const Inst& inst, Format format) {
  const Reg dst = inst.dst[0].reg;
  if (format == Format::smem) {
    if (inst.dst[0].is_reg() && (dst == kM0 || dst == kExec || dst == kExecHi)) return "cannot load into m0 or exec";
    const bool buffer = info.src_count > 0 && info.src[info.src_count - 2].type == OperandType::b128;
    if (buffer && inst.mods.offset < 0) return "takes no negative offset";
  }
  if (info.has(kTiedData) && inst.dst[0].is_reg() && dst != inst.src[0].reg) return "returns into its data register";
  return nullptr;
}

/// The scratch and SDWA/DPP bits that no field table says.
const char* encode_special(const OpcodeInfo& info, const Inst& inst, Format format, uint32_t* words) {
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
    case Format::vop3:
      if (info.has(kWritesExec)) words[0] |= kExec.number;  // v_cmpx names its destination
      return nullptr;
    case Format::flat:
      kSaddr.set(words, kNull.number);
      return nullptr;
    case Format::scratch: {
      const bool vaddr = inst.src[0].is_reg(), saddr = saddr_present(info, inst);
      if (vaddr && saddr) return "takes vaddr or saddr, not both";
      if (!vaddr && !saddr) kSaddr.set(words, kScratchNoAddress);
      return nullptr;
    }
    default:
      return nullptr;
  }
}

/// NSA: one byte per further address register, in up to three dwords after the instruction.
const char* encode_nsa(const OpcodeInfo& info, const Modifiers& mods, EncodedInst& out) {
  if (mods.nsa_count == 0) return nullptr;
  if (mods.nsa_count > mods.nsa_vaddr.size()) return "has too many address registers";
  if (mods.nsa_count + 1u != image_address_dwords(info, mods)) return "has the wrong number of address registers";
  const unsigned dwords = (mods.nsa_count + 3u) / 4;
  kNsaDwords.set(out.words, dwords);
  for (unsigned i = 0; i < mods.nsa_count; ++i) {
    out.words[2 + i / 4] |= static_cast<uint32_t>(mods.nsa_vaddr[i]) << (i % 4 * 8);
  }
  out.count = static_cast<uint8_t>(2 + dwords);
  return nullptr;
}

/// Writes the modifiers that the format has and rejects any that it has not.
const char* encode_modifiers(const OpcodeInfo& info, const Modifiers& mods, Format format, uint32_t* words) {
  if (const char* reason = check_modifiers(info, format, mods)) return reason;
  static constexpr Modifiers kDefaults;
  if (format == Format::vop3p && info.src_count < 3) words[0] |= 1u << 14;  // what LLVM writes for the absent source
  if (!is_variant(format) && mods == kDefaults) return nullptr;             // all fields are zero
  Modifiers rest = mods;
  for (const ModField& entry : modifier_fields(info, format)) {
    const uint32_t value = get_modifier(mods, entry.mod);
    const unsigned width = entry.field.width;
    if (entry.mod == Mod::signed_offset) {
      const auto offset = static_cast<int32_t>(value);
      if (offset < -(1 << (width - 1)) || offset >= 1 << (width - 1)) return "has an offset out of range";
    } else if (value > entry.field.mask()) {
      return "has a modifier out of range";
    }
    entry.field.set(words, value);
    set_modifier(rest, entry.mod, get_modifier(kDefaults, entry.mod));
  }
  if (format == Format::dpp8) rest.fetch_inactive = false;
  if (format == Format::mimg) {
    rest.nsa_count = 0;
    rest.nsa_vaddr = {};
  }
  return rest == kDefaults ? nullptr : "has a modifier that the format has not";
}

const char* encode_operands(const OpcodeInfo& info, const Inst& inst, Format format, const Target& target,
                            EncodedInst& out) {
  OperandEncoder encoder{out.words};
  const bool literal = takes_literal(format, target);
  const bool saddr = saddr_present(info, inst);
  for (const Placement& placement : place_operands(info, format)) {
    const OperandSlot& slot = placement.is_dst ? info.dst[placement.slot] : info.src[placement.slot];
    const Operand& operand = placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
    const bool present = operand.kind != OperandKind::none;
    const bool free = placement.coding == Coding::saddr7 || format == Format::scratch;
    if (present != slot_present(info, format, inst.mods, placement) && !(free && placement.optional)) {
      return present ? "has an operand that its modifiers exclude" : "lacks an operand";
    }
    if (!present && placement.coding != Coding::saddr7) continue;
    const unsigned dwords = operand_dwords(info, format, inst.mods, placement, saddr, 0);
    encoder.literal_allowed = literal && slot_takes_literal(info, format, placement);
    if (const char* reason = encoder.encode(operand, slot, placement, dwords)) return reason;
  }
  if (is_valu(format)) {
    if (const char* reason = check_constant_bus(info, inst, format, encoder.has_literal, target)) return reason;
  }
  if (encoder.has_literal) out.words[out.count++] = encoder.literal;
  return nullptr;
}

/// Encodes in exactly this format, in which the opcode has the number `bits`. Returns nullptr, or the reason why not;
/// allocates nothing.
const char* encode_as(const Inst& inst, Format format, uint32_t bits, const Target& target, EncodedInst& out) {
  const OpcodeInfo& facts = info(inst.opcode);
  const FormatLayout& layout = format_layout(base_format(inst.opcode, format, target.generation));
  out = {};
  out.count = static_cast<uint8_t>(is_variant(format) ? 2 : layout.dwords);
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
  if (const char* reason = encode_modifiers(facts, inst.mods, format, out.words)) return reason;
  if (const char* reason = encode_operands(facts, inst, format, target, out)) return reason;
  if (const char* reason = check_instruction(facts, inst, format)) return reason;
  if (const char* reason = encode_special(facts, inst, format, out.words)) return reason;
  return format == Format::mimg ? encode_nsa(facts, inst.mods, out) : nullptr;
}

/// Encodes in the first format that works, from small to large; SDWA and DPP work only when the modifiers ask for them.
/// On failure, `reason` is that of the last format that is neither.
Format encode_any(const Inst& inst, const Target& target, EncodedInst& out, const char*& reason) {
  reason = "has no encoding on this target";
  for (const NumberEntry& entry : opcode_encodings(inst.opcode, target.generation)) {
    const char* failure = encode_as(inst, entry.format, static_cast<uint32_t>(entry.number), target, out);
    if (failure == nullptr) {
      reason = nullptr;
      return entry.format;
    }
    if (!is_variant(entry.format)) reason = failure;
  }
  return Format::invalid;
}

Error decode_error(const char* reason, uint32_t word) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, "machine word 0x%08x %s", word, reason);
  return {Status::invalid_input, buffer};
}

/// VOP1, VOP2 and VOPC words with a special source 0 are SDWA or DPP.
Format variant_of(uint32_t word, Format base) {
  if (base != Format::vop1 && base != Format::vop2 && base != Format::vopc) return base;
  switch (kSource0.get(&word)) {
    case kSdwaCode:
      return Format::sdwa;
    case kDpp16Code:
      return Format::dpp16;
    case kDpp8Code:
    case kDpp8FetchInactiveCode:
      return Format::dpp8;
    default:
      return base;
  }
}

Format format_of(uint32_t word) {
  // Ordered so that a longer marker is tried before a shorter one that contains it.
  static constexpr Format kOrder[] = {Format::vop1,  Format::vopc,  Format::vop2,   Format::sop1,   Format::sopc,
                                      Format::sopp,  Format::sopk,  Format::sop2,   Format::vop3,   Format::vop3p,
                                      Format::smem,  Format::ds,    Format::flat,   Format::global, Format::scratch,
                                      Format::mubuf, Format::mtbuf, Format::vintrp, Format::mimg,   Format::exp};
  for (Format format : kOrder) {
    const FormatLayout& layout = format_layout(format);
    if ((word & layout.marker_mask) == layout.marker) return format;
  }
  return Format::invalid;
}

void decode_modifiers(const OpcodeInfo& info, Format format, const uint32_t* words, Modifiers& mods) {
  for (const ModField& entry : modifier_fields(info, format)) {
    uint32_t value = entry.field.get(words);
    if (entry.mod == Mod::signed_offset) {
      const uint32_t sign = 1u << (entry.field.width - 1);
      value = (value ^ sign) - sign;
    }
    set_modifier(mods, entry.mod, value);
  }
  if (format == Format::dpp8) mods.fetch_inactive = kSource0.get(words) == kDpp8FetchInactiveCode;
  if (format == Format::vop3p && info.src_count < 3) mods.op_sel_hi &= (1u << info.src_count) - 1;
}

const char* decode_nsa(const OpcodeInfo& info, std::span<const uint32_t> input, Inst& inst) {
  const unsigned dwords = kNsaDwords.get(input.data());
  if (dwords == 0) return nullptr;
  if (input.size() < 2 + dwords) return "ends before its address registers";
  const unsigned address = image_address_dwords(info, inst.mods);
  if (address < 2 || (address - 1 + 3) / 4 != dwords || address - 1 > inst.mods.nsa_vaddr.size()) {
    return "has the wrong number of address registers";
  }
  inst.mods.nsa_count = static_cast<uint8_t>(address - 1);
  for (unsigned i = 0; i < inst.mods.nsa_count; ++i) {
    inst.mods.nsa_vaddr[i] = static_cast<uint8_t>(input[2 + i / 4] >> (i % 4 * 8));
  }
  inst.size_bytes = static_cast<uint8_t>(8 + 4 * dwords);
  return nullptr;
}

/// Whether the saddr field of a GLOBAL instruction names a register.
bool encoded_saddr_present(Format format, const uint32_t* words) {
  if (format != Format::global) return false;
  const uint32_t saddr = kSaddr.get(words);
  return saddr != kNull.number && saddr != kExecHi.number;
}

/// A SCRATCH address is in exactly one place, or nowhere.
bool slot_decoded(Format format, const Placement& placement, const uint32_t* words) {
  if (format != Format::scratch || placement.is_dst || placement.coding != Coding::vgpr8 || !placement.optional) {
    return true;
  }
  return kSaddr.get(words) == kNull.number;
}

const char* decode_operands(const OpcodeInfo& info, Format format, std::span<const uint32_t> input, unsigned dwords,
                            const Target& target, unsigned wave_size, Inst& inst) {
  const uint32_t* words = input.data();
  OperandDecoder decoder{words, input.size() > dwords ? &input[dwords] : nullptr};
  const bool literal = takes_literal(format, target);
  const bool saddr = encoded_saddr_present(format, words);
  for (const Placement& placement : place_operands(info, format)) {
    if (!slot_present(info, format, inst.mods, placement) || !slot_decoded(format, placement, words)) continue;
    const OperandSlot& slot = placement.is_dst ? info.dst[placement.slot] : info.src[placement.slot];
    Operand& operand = placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
    const unsigned width = operand_dwords(info, format, inst.mods, placement, saddr, wave_size);
    decoder.literal_allowed = literal && slot_takes_literal(info, format, placement);
    if (const char* reason = decoder.decode(operand, slot, placement, width)) return reason;
  }
  if (decoder.used_literal) inst.size_bytes = static_cast<uint8_t>(inst.size_bytes + 4);
  return nullptr;
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
  return Error{Status::invalid_argument, std::string(info(inst.opcode).name) + " " + reason};
}

Result<Inst> decode(std::span<const uint32_t> words, const Target& target, unsigned wave_size) {
  if (words.empty()) return Error{Status::invalid_input, "no machine word to decode"};
  const uint32_t word = words[0];
  const Format base = format_of(word);
  if (base == Format::invalid) return decode_error("has no known format", word);
  const FormatLayout& layout = format_layout(base);
  Inst inst;
  inst.format = variant_of(word, base);
  const unsigned dwords = is_variant(inst.format) ? 2 : layout.dwords;
  if (words.size() < dwords) return decode_error("ends in the middle of an instruction", word);
  const uint32_t number =
      layout.opcode.get(words.data()) |
      (layout.opcode_high.width == 0 ? 0 : layout.opcode_high.get(words.data()) << layout.opcode.width);
  inst.opcode = opcode_at(base, number, target.generation);
  if (inst.opcode == Opcode::invalid) return decode_error("has an unknown opcode", word);
  if (opcode_number(inst.opcode, inst.format, target.generation) < 0) {
    return decode_error("has an SDWA or DPP dword that its opcode does not take", word);
  }
  const OpcodeInfo& facts = info(inst.opcode);
  inst.size_bytes = static_cast<uint8_t>(4 * dwords);
  if (is_simm16_format(inst.format) && has_simm16(facts)) inst.simm16 = static_cast<int16_t>(word & 0xffff);
  decode_modifiers(facts, inst.format, words.data(), inst.mods);
  if (const char* reason = check_modifiers(facts, inst.format, inst.mods)) return decode_error(reason, word);
  if (inst.format == Format::mimg) {
    if (const char* reason = decode_nsa(facts, words, inst)) return decode_error(reason, word);
  }
  if (const char* reason = decode_operands(facts, inst.format, words, dwords, target, wave_size, inst)) {
    return decode_error(reason, word);
  }
  if (const char* reason = check_instruction(facts, inst, inst.format)) return decode_error(reason, word);
  return inst;
}

}  // namespace spalt::isa
