// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

/// A run of bits within an instruction. Width 0 is "no such field".
struct Field {
  uint8_t word = 0, shift = 0, width = 0;

  constexpr uint32_t mask() const { return static_cast<uint32_t>((uint64_t{1} << width) - 1); }
  constexpr uint32_t get(const uint32_t* words) const { return words[word] >> shift & mask(); }
  constexpr void set(uint32_t* words, uint32_t value) const { words[word] |= (value & mask()) << shift; }
  /// The same for a value that is known to fit.
  constexpr void put(uint32_t* words, uint32_t value) const { words[word] |= value << shift; }
};

/// Where a format keeps its opcode, what marks it, and how long it is without literals.
struct FormatLayout {
  uint32_t marker = 0;       ///< bits of word 0 that say which format it is
  uint32_t marker_mask = 0;  ///< which bits those are
  Field opcode;              ///< low bits of the number
  Field opcode_high;         ///< remaining bits, when the number is split
  uint8_t dwords = 1;
};

/// Vega ISA guide section 13, RDNA 1 and 2 guides section 13, RDNA 3 and 3.5 guides section 15, RDNA 4 guide section
/// 15: "Microcode formats". A format that the generation lacks has an empty mask.
const FormatLayout& format_layout(Format format, Generation generation);

/// The format that the first word of an instruction announces, without SDWA and DPP, or Format::invalid.
Format format_of(uint32_t word, Generation generation);

/// What differs between generations in how operands are encoded, besides the places of fields.
struct EncodingTraits {
  uint8_t null_code;  ///< source code of the null register; 0xff where there is none
  uint8_t m0_code;
  uint8_t sgpr_count;            ///< codes below are SGPRs
  uint8_t no_saddr;              ///< saddr of GLOBAL and SCRATCH without one
  uint8_t flat_saddr;            ///< what FLAT carries in that field
  bool no_saddr_127;             ///< 127 says the same as no_saddr, in SCRATCH also "no vaddr"
  bool scratch_without_address;  ///< SCRATCH may have neither vaddr nor saddr
  bool scratch_vaddr_bit;        ///< a bit of SCRATCH says whether vaddr counts, so that both may be there
  bool optional_soffset;         ///< buffer instructions: null is no soffset, and there are no constants
  bool dpp_scalar_source;        ///< source 1 of the DPP forms of VOP3 may be a scalar
  bool dpp_row_share;            ///< row_share and row_xmask, instead of wave shifts and broadcasts
  uint8_t nsa_registers;         ///< address registers that an image instruction can list; 0: none
  bool nsa_last_is_range;        ///< the last of them stands for all further address registers
  bool nsa_always;               ///< there is no other form
  uint32_t special_values;       ///< bit i: source code 224 + i is readable (apertures, condition bits, LDS direct)
};
const EncodingTraits& encoding_traits(Generation generation);

/// Names for the fields of Modifiers and parts of them, so that encoding and decoding walk one table per format.
enum class Mod : uint8_t {
#define SPALT_MODIFIER(type, name, value) name,
#define SPALT_MODIFIER_PAIR(type, name, value, first, second) first, second,
#define SPALT_MODIFIER_PART(name, member, first, bits) name,
#include "amdgpu/isa/modifiers.def"
};

struct ModField {
  Mod mod;
  Field field;
};

struct ModFields {
  const ModField* fields;
  unsigned count;
  const ModField* begin() const { return fields; }
  const ModField* end() const { return fields + count; }
};

/// The modifiers that an opcode has in a format.
ModFields modifier_fields(const OpcodeInfo& info, Format format, Generation generation);

/// How an operand is written into its field.
enum class Coding : uint8_t {
  source9,    ///< VGPR, SGPR, constant, literal
  source8,    ///< SGPR, constant, literal
  scalar7,    ///< SGPR or special register by number
  vgpr8,      ///< VGPR number
  vgpr9,      ///< VGPR as a source code
  pair6,      ///< SGPR number / 2
  quad5,      ///< SGPR number / 4
  saddr7,     ///< optional SGPR; a code that names no SGPR when absent
  soffset9,   ///< SMEM of GFX9: optional SGPR, in the place of the offset when that is 0
  number,     ///< small immediate
  literal,    ///< dword after the instruction
  sdwa,       ///< 8 bits, VGPR or scalar as a further bit says
  vcc,        ///< not in the encoding: always vcc
  sdwa_mask,  ///< VOPC SDWA: SGPR when a further bit is set, else vcc
  resource9,  ///< SGPR number (GFX12)
  opposite7   ///< VOPD: VGPR number / 2; the low bit is not that of the first destination
};

/// Where one operand of an instruction lives.
struct Placement {
  bool is_dst = false;
  uint8_t slot = 0;
  Coding coding = Coding::vgpr8;
  bool optional = false;
  bool address = false;  ///< vaddr of a memory instruction
  Field field;
  Field flag;                  ///< the further bit of sdwa and sdwa_mask
  bool takes_literal = false;  ///< set in templates only, for their target

  const OperandSlot& slot_of(const OpcodeInfo& info) const { return is_dst ? info.dst[slot] : info.src[slot]; }
  /// Whether an operand that is not there is written, too.
  bool has_code_for_none() const { return coding == Coding::saddr7 || coding == Coding::soffset9; }
};

struct Placements {
  Placement items[8];
  unsigned count = 0;
  const Placement* begin() const { return items; }
  const Placement* end() const { return items + count; }
};

Placements place_operands(const OpcodeInfo& info, Format format, Generation generation);
/// Those of a VOPD instruction: destination 0 and the first sources are the first operation's.
Placements place_vopd(const OpcodeInfo& x, const OpcodeInfo& y);

/// saddr of FLAT, GLOBAL and SCRATCH, soffset of the buffer formats of GFX12.
Field saddr_field(Generation generation);
/// Whether SCRATCH uses its vaddr (EncodingTraits::scratch_vaddr_bit).
Field scratch_vaddr_field(Generation generation);

}  // namespace spalt::isa
