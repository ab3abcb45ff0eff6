// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/isa/opcode.h"
#include "amdgpu/isa/register.h"

namespace spalt::isa {

/// What stands in an operand slot of a machine instruction.
enum class OperandKind : uint8_t {
  none,
  reg,  ///< register tuple starting at `reg`, `dwords` long. `reg` may be an inline constant by its number (128..248)
        ///< where `imm` cannot say its value: a float in a 64-bit or 16-bit integer slot, an integer in an f64 slot
  immediate,  ///< 32-bit pattern `imm`; the encoder picks an inline constant when one has that pattern for the slot's
              ///< type
  literal     ///< 32-bit pattern `imm` that must be encoded as a literal dword even if an inline constant would do
};

struct Operand {
  OperandKind kind = OperandKind::none;
  uint8_t dwords = 0;
  Reg reg;
  uint32_t imm = 0;

  static constexpr Operand of(Reg reg, unsigned dwords = 1) {
    return {OperandKind::reg, static_cast<uint8_t>(dwords), reg, 0};
  }
  static constexpr Operand of_imm(uint32_t value) { return {OperandKind::immediate, 1, kNoReg, value}; }
  static constexpr Operand of_literal(uint32_t value) { return {OperandKind::literal, 1, kNoReg, value}; }
  constexpr bool is_reg() const { return kind == OperandKind::reg; }
  constexpr bool is_imm() const { return kind == OperandKind::immediate || kind == OperandKind::literal; }
  constexpr bool operator==(const Operand&) const = default;
};

/// Everything about an instruction that is not an operand. Fields that a format does not have stay zero.
struct Modifiers {
  // VOP3, VOP3P, SDWA, DPP: per-source bits, bit i for source i
  uint8_t neg = 0;        ///< negate source (VOP3P: neg_lo)
  uint8_t abs = 0;        ///< absolute value of source (VOP3P: neg_hi)
  uint8_t op_sel = 0;     ///< bits 0..2 sources, bit 3 destination
  uint8_t op_sel_hi = 0;  ///< VOP3P: 7 is the usual packed operation, v_fma_mix uses it to choose 16-bit sources
  uint8_t omod = 0;       ///< 0 none, 1 *2, 2 *4, 3 /2
  bool clamp = false;
  // memory
  bool glc = false, slc = false, dlc = false;
  uint8_t th = 0,
          scope = 0;  ///< GFX12 cache policy: temporal hint (bit 0 of an atomic's: returns the old value), scope
  bool offen = false, idxen = false, addr64 = false;
  bool lds = false, tfe = false, gds = false;
  uint8_t format = 0;   ///< MTBUF typed format; on GFX9 the data format in bits 3..0, the number format in 6..4
  int32_t offset = 0;   ///< immediate byte offset: DS offset0 (or the 16-bit offset), FLAT, MUBUF, SMEM
  uint8_t offset1 = 0;  ///< DS two-address forms only
  // DPP and SDWA
  uint16_t dpp_ctrl = 0;
  uint32_t dpp8 = 0;  ///< 24 bits, 3 per lane
  uint8_t row_mask = 0xf, bank_mask = 0xf;
  bool bound_ctrl = false, fetch_inactive = false;
  uint8_t dst_sel = 6, dst_unused = 0;  ///< SDWA; 6 = whole dword
  std::array<uint8_t, 2> src_sel{6, 6};
  uint8_t sext = 0;  ///< SDWA sign extension, bit i for source i
  // image and export
  uint8_t dmask = 0, dim = 0;
  bool unorm = false, r128 = false, lwe = false, d16 = false, a16 = false;
  bool declare_array = false;  ///< GFX9, which has no dim
  uint8_t export_target = 0, export_enable = 0;
  bool export_done = false, export_compressed = false, export_valid_mask = false;
  bool export_row = false;
  uint8_t interp_attribute = 0, interp_channel = 0;
  bool interp_high = false;
  uint8_t wait_exp = 0;                 ///< VINTERP: waits until expcnt is at most this
  uint8_t wait_va_vdst = 0;             ///< LDSDIR: waits for outstanding vector ALU writes
  bool wait_vm_vsrc = false;            ///< LDSDIR (GFX12): does not wait for vector memory to read its sources
  uint8_t nsa_count = 0;                ///< MIMG: further address registers after the vaddr operand
  std::array<uint8_t, 12> nsa_vaddr{};  ///< their VGPR numbers

  bool operator==(const Modifiers&) const = default;
};

/// One machine instruction as the encoder takes it and the decoder returns it. Operand order is that of the assembler
/// text: destinations first. The lane masks of carries and comparisons are always operands, vcc in VOP2 and VOPC. Other
/// implicit registers (scc, exec, m0, the vcc of v_div_fmas) are not listed; OpcodeInfo says them. Slots that the
/// instruction leaves out (vaddr or saddr 'off', no soffset, the result of an atomic without glc) are
/// OperandKind::none.
struct Inst {
  static constexpr unsigned kMaxDst = 2, kMaxSrc = 6;
  Opcode opcode = Opcode::invalid;
  Opcode opcode_y = Opcode::invalid;  ///< VOPD: the second operation; its operands follow those of the first
  Format format = Format::invalid;    ///< the encoding actually used
  uint8_t size_bytes = 0;             ///< set by decode and encode
  std::array<Operand, kMaxDst> dst;
  std::array<Operand, kMaxSrc> src;
  int32_t simm16 = 0;  ///< SOPP, SOPK immediate, sign extended
  Modifiers mods;
};

}  // namespace spalt::isa
