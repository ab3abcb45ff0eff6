// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

struct Target;

/// One encoding of an opcode.
struct NumberEntry {
  Format format;
  int16_t number;
};

/// All encodings of an opcode on a generation, the short ones first, SDWA and DPP after VOP3.
std::span<const NumberEntry> opcode_encodings(Opcode opcode, Generation generation);

/// Whether the processor has the opcode in any encoding.
bool has_opcode(const Target& target, Opcode opcode);

/// The opcode with this number in `format` on `generation`, or Opcode::invalid. SDWA and DPP words are looked up
/// through the VOP1, VOP2 or VOPC encoding they extend.
Opcode opcode_at(Format format, uint32_t number, Generation generation);
/// As above for one processor, which may lack the opcode or have another one in its place.
Opcode opcode_at(Format format, uint32_t number, const Target& target);

}  // namespace spalt::isa
