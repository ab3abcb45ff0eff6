// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>

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

/// Everything about an instruction that is not an operand (modifiers.def). Fields that a format does not have keep
/// their defaults.
struct Modifiers {
#define SPALT_MODIFIER(type, name, value) type name = value;
#define SPALT_MODIFIER_PAIR(type, name, value, first, second) std::array<type, 2> name{value, value};
#define SPALT_MODIFIER_PART(name, member, first, bits)
#include "amdgpu/isa/modifiers.def"

  bool operator==(const Modifiers& other) const {
    return std::memcmp(this, &other, sizeof(*this)) == 0;
  }
};
static_assert(std::has_unique_object_representations_v<Modifiers>);
inline constexpr Modifiers kNoModifiers{};

/// Further address registers of an image instruction, after the vaddr operand (NSA).
struct AddressRegisters {
  uint8_t count = 0;
  std::array<uint8_t, 12> vgprs{};
  bool operator==(const AddressRegisters&) const = default;
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
  AddressRegisters nsa;
};

}  // namespace spalt::isa
