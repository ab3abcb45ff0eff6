// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/inst.h"

namespace spalt::isa {

/// The source code of a register; the registers are numbered as on GFX10.
inline uint32_t source_code(Reg reg, const EncodingTraits& traits) {
  if (reg == kM0) return traits.m0_code;
  return reg == kNull ? traits.null_code : reg.number;
}

/// Encoding state shared by the operands of one instruction. Functions return nullptr or why they failed.
struct OperandEncoder {
  uint32_t* words;
  const EncodingTraits& traits;
  bool checked = true;  ///< looks at file, width and alignment of registers
  bool literal_allowed = false;
  bool has_literal = false;
  uint32_t literal = 0;

  const char* encode(Operand operand, const OperandSlot& slot, const Placement& placement, unsigned dwords);
  /// The same for a register in one of the commonest fields, unchecked. False, and nothing is done, if it is in none.
  [[gnu::always_inline]] bool encode_register(Reg reg, const Placement& placement) {
    if (placement.coding == Coding::vgpr8) {
      if (!reg.is_vgpr()) return false;
      placement.field.put(words, reg.vgpr_index());
      return true;
    }
    if (!reg.valid()) return false;
    if (placement.coding == Coding::source9 || (placement.coding == Coding::source8 && !reg.is_vgpr())) {
      placement.field.put(words, source_code(reg, traits));
      return true;
    }
    if (placement.coding == Coding::vcc) return reg == kVcc;
    const bool is_tuple = placement.coding == Coding::pair6 || placement.coding == Coding::quad5;
    if (!reg.is_scalar() || !(is_tuple || placement.coding == Coding::scalar7)) return false;
    const unsigned aligned_to = placement.coding == Coding::pair6 ? 2 : placement.coding == Coding::quad5 ? 4 : 1;
    placement.field.put(words, source_code(reg, traits) / aligned_to);
    return true;
  }

 private:
  const char* encode_source(const Operand& operand, const OperandSlot& slot, uint32_t& code);
  const char* encode_scalar(Reg reg, const Placement& placement);
  void encode_scalar_offset(const Operand& operand);
  const char* add_literal(uint32_t value);
};

/// Reads one operand. `words` holds the whole instruction; `literal` is the dword after it, or nullptr when the input
/// ends there.
struct OperandDecoder {
  const uint32_t* words;
  const uint32_t* literal;
  const EncodingTraits& traits;
  int32_t& offset;  ///< the immediate offset, whose place a register may take
  bool literal_allowed = false;
  bool used_literal = false;

  const char* decode(Operand& operand, const OperandSlot& slot, const Placement& placement, unsigned dwords);

 private:
  const char* decode_source(uint32_t code, const OperandSlot& slot, unsigned dwords, Operand& operand);
  const char* decode_scalar_offset(Operand& operand, const OperandSlot& slot);
};

/// Whether a tuple of that many registers may start there: inside its file, SGPRs aligned.
bool valid_tuple(Reg reg, unsigned dwords, const EncodingTraits& traits);

}  // namespace spalt::isa
