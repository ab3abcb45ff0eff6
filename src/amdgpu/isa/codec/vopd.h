// SPDX-License-Identifier: MIT
//
// What makes two vector operations one VOPD instruction (RDNA 3 ISA guide, section 7.6 "Dual issue VALU"). The rules
// look at a short description of each operation, so that a pass that tries many pairs encodes none of them.
#pragma once
#include <span>

#include "amdgpu/isa/codec/codec.h"

namespace spalt::isa {

/// One of the two operations.
struct VopdHalf {
  Opcode opcode = Opcode::invalid;
  int16_t number = -1;  ///< in the opcode field; -1 where the operation can be in no pair
  uint8_t result = 0;   ///< VGPR
  /// VGPRs read as source 0, 1 and 2, or -1. An accumulator is source 2; a constant has no bank.
  int16_t registers[3] = {-1, -1, -1};
  uint8_t scalar_count = 0;
  uint16_t scalars[2] = {};  ///< the different scalar values read, by number; a lane mask is vcc
  bool has_literal = false;
  uint32_t literal = 0;

  bool can_pair() const { return number >= 0; }
};

/// `sources`: those of the text, without lane masks, which are always vcc.
VopdHalf vopd_half(Opcode opcode, const Operand& result, std::span<const Operand> sources, const Target& target);

/// nullptr, or why the two cannot be one instruction in this order.
const char* check_vopd(const VopdHalf& x, const VopdHalf& y, const Target& target);

/// Whether the target reads what both need when it is there (Target::dual_sources_alternate), in either order.
bool vopd_is_safe(const VopdHalf& x, const VopdHalf& y, const Target& target);

/// Whether it can be the first operation.
bool can_be_vopd_x(const VopdHalf& half);
/// The same of an operation with this number.
bool can_be_vopd_x(int number);

/// The opcode that computes the same of exchanged sources 0 and 1, or Opcode::invalid.
Opcode with_sources_exchanged(Opcode opcode, Generation generation);

/// The operation with sources 0 and 1 exchanged; in no pair where that is not possible.
VopdHalf with_sources_exchanged(const VopdHalf& half, Generation generation);

}  // namespace spalt::isa
