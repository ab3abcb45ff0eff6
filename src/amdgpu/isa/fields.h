// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

/// A run of bits within an instruction. Width 0 is "no such field".
struct Field {
  uint8_t word = 0, shift = 0, width = 0;

  constexpr uint32_t mask() const { return width == 32 ? ~0u : (1u << width) - 1; }
  constexpr uint32_t get(const uint32_t* words) const { return words[word] >> shift & mask(); }
  constexpr void set(uint32_t* words, uint32_t value) const { words[word] |= (value & mask()) << shift; }
};

/// Where a format keeps its opcode, what marks it, and how long it is without literals.
struct FormatLayout {
  uint32_t marker = 0;       ///< bits of word 0 that say which format it is
  uint32_t marker_mask = 0;  ///< which bits those are
  Field opcode;              ///< low bits of the number
  Field opcode_high;         ///< remaining bits, when the number is split
  uint8_t dwords = 1;
};

/// RDNA 2 ISA guide, section 13 "Microcode formats".
const FormatLayout& format_layout(Format format);

/// Names for the modifiers in Modifiers, so that encoding and decoding walk one table per format.
enum class Mod : uint8_t {
  neg,
  abs,
  op_sel,
  op_sel_hi,
  op_sel_hi2,  ///< bit 2 of op_sel_hi
  omod,
  clamp,
  glc,
  slc,
  dlc,
  offen,
  idxen,
  lds,
  tfe,
  gds,
  format,
  offset,         ///< unsigned
  signed_offset,  ///< two's complement in the width of the field
  offset1,
  dpp_ctrl,
  dpp8,
  row_mask,
  bank_mask,
  bound_ctrl,
  fetch_inactive,
  dst_sel,
  dst_unused,
  src0_sel,
  src1_sel,
  sext0,
  sext1,
  neg0,
  neg1,
  abs0,
  abs1,
  dmask,
  dim,
  unorm,
  r128,
  lwe,
  d16,
  a16,
  export_target,
  export_enable,
  export_done,
  export_compressed,
  export_valid_mask,
  interp_attribute,
  interp_channel,
  interp_high
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
ModFields modifier_fields(const OpcodeInfo& info, Format format);

/// How an operand is written into its field.
enum class Coding : uint8_t {
  source9,   ///< VGPR, SGPR, constant, literal
  source8,   ///< SGPR, constant, literal
  scalar7,   ///< SGPR or special register by number
  vgpr8,     ///< VGPR number
  pair6,     ///< SGPR number / 2
  quad5,     ///< SGPR number / 4
  saddr7,    ///< optional SGPR; 125 (or 127) when absent
  number,    ///< small immediate
  literal,   ///< dword after the instruction
  sdwa,      ///< 8 bits, VGPR or scalar as a further bit says
  vcc,       ///< not in the encoding: always vcc
  sdwa_mask  ///< VOPC SDWA: SGPR when a further bit is set, else vcc
};

/// Where one operand of an instruction lives.
struct Placement {
  bool is_dst = false;
  uint8_t slot = 0;
  Coding coding = Coding::vgpr8;
  bool optional = false;
  Field field;
  Field flag;  ///< the further bit of sdwa and sdwa_mask
};

struct Placements {
  Placement items[7];
  unsigned count = 0;
  const Placement* begin() const { return items; }
  const Placement* end() const { return items + count; }
};

Placements place_operands(const OpcodeInfo& info, Format format);

}  // namespace spalt::isa
