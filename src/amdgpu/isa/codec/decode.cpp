// SPDX-License-Identifier: MIT
// Table-driven decoding, the reverse of encode.cpp. Any words are accepted; what they cannot mean is an error.
#include <cstdio>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/image_address.h"
#include "amdgpu/isa/codec/modifiers.h"
#include "amdgpu/isa/codec/operand_codec.h"
#include "amdgpu/isa/codec/rules.h"
#include "amdgpu/isa/halves.h"
#include "amdgpu/isa/opcode_tables.h"

namespace spalt::isa {
namespace {

Error decode_error(const char* reason, uint32_t word) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, "machine word 0x%08x %s", word, reason);
  return {Status::invalid_input, buffer};
}

/// Vector words with a special source 0 are SDWA or DPP.
Format variant_of(std::span<const uint32_t> words, Format base, Generation generation) {
  const bool short_form = base == Format::vop1 || base == Format::vop2 || base == Format::vopc;
  const bool long_form = (base == Format::vop3 || base == Format::vop3p) && words.size() > 1;
  if (!short_form && !(long_form && format_layout(Format::vopd, generation).marker_mask != 0)) return base;
  switch ((short_form ? kSource0 : kLongSource0).get(words.data())) {
    case kSdwaCode:
      return short_form ? Format::sdwa : base;
    case kDpp16Code:
      return short_form ? Format::dpp16 : Format::vop3_dpp16;
    case kDpp8Code:
    case kDpp8FetchInactiveCode:
      return short_form ? Format::dpp8 : Format::vop3_dpp8;
    default:
      return base;
  }
}

void decode_modifiers(const OpcodeInfo& info, Format format, Generation generation, const uint32_t* words,
                      Modifiers& mods) {
  for (const ModField& entry : modifier_fields(info, format, generation)) {
    uint32_t value = entry.field.get(words);
    if (entry.mod == Mod::signed_offset) {
      const uint32_t sign = 1u << (entry.field.width - 1);
      value = (value ^ sign) - sign;
    }
    set_modifier(mods, entry.mod, value);
  }
  if (format == Format::dpp8) mods.fetch_inactive = kSource0.get(words) == kDpp8FetchInactiveCode;
  if (format == Format::vop3_dpp8) mods.fetch_inactive = kLongSource0.get(words) == kDpp8FetchInactiveCode;
  const bool packed = is_long_vector(format) && (info.modifiers & kModPacked);
  if (packed && info.src_count < 3) mods.op_sel_hi &= (1u << info.src_count) - 1;
}

/// Whether the saddr field of a GLOBAL instruction names a register.
bool encoded_saddr_present(Format format, const EncodingTraits& traits, Generation generation, const uint32_t* words) {
  if (format != Format::global) return false;
  const uint32_t saddr = saddr_field(generation).get(words);
  return saddr != traits.no_saddr && !(traits.no_saddr_127 && saddr == kScratchNoAddress);
}

/// Whether the vaddr of a SCRATCH instruction counts. Before GFX11 an address is in exactly one place, or nowhere.
bool slot_decoded(Format format, const Placement& placement, Generation generation, const uint32_t* words) {
  if (format != Format::scratch || !placement.address) return true;
  const EncodingTraits& traits = encoding_traits(generation);
  if (traits.scratch_vaddr_bit) return scratch_vaddr_field(generation).get(words) != 0;
  const uint32_t saddr = saddr_field(generation).get(words);
  return saddr == traits.no_saddr ||
         (traits.no_saddr_127 && !traits.scratch_without_address && saddr == kScratchNoAddress);
}

const char* decode_operands(const OpcodeInfo& info, Format format, std::span<const uint32_t> input, unsigned dwords,
                            const Target& target, unsigned wave_size, Inst& inst) {
  const uint32_t* words = input.data();
  const Generation generation = target.generation;
  const EncodingTraits& traits = encoding_traits(generation);
  OperandDecoder decoder{words, input.size() > dwords ? &input[dwords] : nullptr, traits, inst.mods.offset};
  const bool literal = takes_literal(format, target);
  const bool saddr = encoded_saddr_present(format, traits, generation, words);
  for (const Placement& placement : place_operands(info, format, generation)) {
    if (!slot_present(info, format, inst.mods, placement) || !slot_decoded(format, placement, generation, words)) {
      continue;
    }
    const OperandSlot& slot = placement.is_dst ? info.dst[placement.slot] : info.src[placement.slot];
    Operand& operand = placement.is_dst ? inst.dst[placement.slot] : inst.src[placement.slot];
    const unsigned width = operand_dwords(info, format, inst, placement, saddr, wave_size, generation);
    // Other compilers give v_fma_mix literals, which the assembler does not take (docs/isa-errata.md).
    decoder.literal_allowed = literal && (format == Format::vop3p || slot_takes_literal(info, format, placement));
    if (const char* reason = decoder.decode(operand, slot, placement, width)) return reason;
  }
  if (decoder.used_literal) inst.size_bytes = static_cast<uint8_t>(inst.size_bytes + 4);
  if (is_short_vector(format)) split_halves(info, inst);
  return nullptr;
}

/// Everything but the opcode.
const char* decode_body(const OpcodeInfo& facts, std::span<const uint32_t> words, unsigned dwords, const Target& target,
                        unsigned wave_size, Inst& inst) {
  if (is_simm16_format(inst.format) && has_simm16(facts)) inst.simm16 = static_cast<int16_t>(words[0] & 0xffff);
  decode_modifiers(facts, inst.format, target.generation, words.data(), inst.mods);
  if (const char* reason = check_modifiers(facts, inst.format, inst.mods, target.generation)) return reason;
  if (is_image(inst.format)) {
    if (const char* reason = decode_image_address(facts, words, target.generation, inst)) return reason;
  }
  if (const char* reason = decode_operands(facts, inst.format, words, dwords, target, wave_size, inst)) return reason;
  return check_instruction(facts, inst, inst.format);
}

}  // namespace

Result<Inst> decode(std::span<const uint32_t> words, const Target& target, unsigned wave_size) {
  if (words.empty()) return Error{Status::invalid_input, "no machine word to decode"};
  const uint32_t word = words[0];
  const Format base = format_of(word, target.generation);
  if (base == Format::invalid) return decode_error("has no known format", word);
  const FormatLayout& layout = format_layout(base, target.generation);
  Inst inst;
  inst.format = variant_of(words, base, target.generation);
  const unsigned dwords = format_dwords(inst.format, base, target.generation);
  if (words.size() < dwords) return decode_error("ends in the middle of an instruction", word);
  inst.size_bytes = static_cast<uint8_t>(4 * dwords);
  if (base == Format::vopd) {
    if (wave_size != 32) return decode_error("exists only in wave32", word);
    if (const char* reason = decode_vopd(words, target, inst)) return decode_error(reason, word);
    return inst;
  }
  const uint32_t number =
      layout.opcode.get(words.data()) |
      (layout.opcode_high.width == 0 ? 0 : layout.opcode_high.get(words.data()) << layout.opcode.width);
  inst.opcode = opcode_at(base, number, target);
  if (inst.opcode == Opcode::invalid) return decode_error("has an unknown opcode", word);
  if (opcode_number(inst.opcode, inst.format, target.generation) < 0) {
    return decode_error("has an SDWA or DPP dword that its opcode does not take", word);
  }
  const OpcodeInfo& facts = info(inst.opcode, target.generation);
  if (const char* reason = decode_body(facts, words, dwords, target, wave_size, inst))
    return decode_error(reason, word);
  return inst;
}

}  // namespace spalt::isa
