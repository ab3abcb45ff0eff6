// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "machine.h"

namespace spalt::semantics {

// How operands reach a vector instruction and how its result reaches the register, written from the ISA guides:
// constants, op_sel, SDWA, DPP, input modifiers.

unsigned slot_bits(isa::OperandType type);
bool is_float(isa::OperandType type);

/// VOP3P, also with DPP: op_sel and neg are per half and the instruction applies them.
bool is_packed(const isa::Inst& inst);

/// Bits of the constant that a source field names: 128 to 208 integers, 240 to 248 floats.
uint64_t inline_constant(unsigned number, isa::OperandType type);

/// The lane that `lane` reads through DPP16, or -1.
int dpp16_lane(unsigned control, unsigned lane, unsigned wave_size);
int dpp8_lane(uint32_t selects, unsigned lane);

/// Source `index` of the instruction in a lane of the state, with its modifiers. Packed instructions apply theirs
/// themselves.
uint64_t source_value(const State& state, const isa::Inst& inst, unsigned index, isa::OperandType type, unsigned lane,
                      unsigned wave_size);
/// Whether DPP lets the lane be written at all; `source` lanes as in source_value.
bool dpp_writes(const State& state, const isa::Inst& inst, unsigned lane, unsigned wave_size);

/// Bits of the destination's lowest dword that the result replaces, as the instruction reads them when it accumulates.
uint64_t old_half(uint64_t old, const isa::Inst& inst, unsigned bits);
/// The lowest dword of the destination after a result of `bits` bits.
uint32_t merged(uint32_t old, uint64_t value, const isa::Inst& inst, unsigned bits, const isa::Target& target);

}  // namespace spalt::semantics
