// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/codec/fields.h"

namespace spalt::isa {

/// Codes in the source 0 field of a vector instruction that announce a further dword.
constexpr uint32_t kSdwaCode = 249, kDpp16Code = 250, kDpp8Code = 233, kDpp8FetchInactiveCode = 234;
constexpr Field kSource0{0, 0, 9}, kLongSource0{1, 0, 9};
/// saddr of a SCRATCH instruction of GFX10.3 with neither vaddr nor saddr.
constexpr uint32_t kScratchNoAddress = 127;

/// One of these formats.
template <class... Formats>
constexpr bool is_any(Format format, Formats... formats) {
  static_assert(static_cast<unsigned>(Format::count) <= 32);
  return (((1u << static_cast<unsigned>(formats)) | ...) >> static_cast<unsigned>(format) & 1) != 0;
}
/// SDWA and DPP forms, which extend another format.
constexpr bool is_variant(Format format) {
  return is_any(format, Format::sdwa, Format::dpp16, Format::dpp8, Format::vop3_dpp16, Format::vop3_dpp8);
}
/// VOP3, VOP3P and their DPP forms.
constexpr bool is_long_vector(Format format) {
  return is_any(format, Format::vop3, Format::vop3p, Format::vop3_dpp16, Format::vop3_dpp8);
}
constexpr bool is_short_vector(Format format) {
  return is_any(format, Format::vop1, Format::vop2, Format::vopc, Format::sdwa, Format::dpp16, Format::dpp8);
}
constexpr bool is_simm16_format(Format format) {
  return is_any(format, Format::sopk, Format::sopp);
}
bool has_simm16(const OpcodeInfo& info);
/// The format that a variant of this opcode extends; other formats as they are.
Format base_format(Opcode opcode, Format format, Generation generation);
/// Dwords without literal and NSA.
unsigned format_dwords(Format format, Format base, Generation generation);

bool takes_literal(Format format, const Target& target);
/// Slots that take no literal although their format does.
bool slot_takes_literal(const OpcodeInfo& info, Format format, const Placement& placement);

/// The saddr operand of a GLOBAL or SCRATCH instruction: the last source.
bool saddr_present(const OpcodeInfo& info, const Inst& inst);

/// These return nullptr or why the instruction is none.
const char* check_constant_bus(const OpcodeInfo& info, const Inst& inst, Format format, bool has_literal,
                               const Target& target);
/// Rules over the whole instruction that hold in both directions.
const char* check_instruction(const OpcodeInfo& info, const Inst& inst, Format format);

/// VOPD, whose two operations share the instruction.
const char* encode_vopd(const Inst& inst, const Target& target, EncodedInst& out);
const char* decode_vopd(std::span<const uint32_t> words, const Target& target, Inst& inst);

}  // namespace spalt::isa
