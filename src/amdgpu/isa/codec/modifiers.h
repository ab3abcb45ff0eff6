// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/codec/fields.h"
#include "amdgpu/isa/inst.h"

namespace spalt::isa {

/// The value of one modifier as the unsigned bits of its field.
uint32_t get_modifier(const Modifiers& mods, Mod mod);
void set_modifier(Modifiers& mods, Mod mod, uint32_t value);
/// Writes each into its field.
void put_modifiers(const Modifiers& mods, const ModFields& fields, uint32_t* words);

/// Why the opcode cannot have these modifiers in this format, or nullptr. Knows what the opcode accepts (neg and abs on
/// float sources only, and so on) and which values are reserved.
const char* check_modifiers(const OpcodeInfo& info, Format format, const Modifiers& mods, Generation generation);

/// Registers that each slot of `inst`, encoded as `format`, takes. It depends on the modifiers for buffer addresses,
/// image data and addresses, a status dword from tfe. `saddr_present` is for GLOBAL, whose vaddr is an offset then.
unsigned operand_dwords(const OpcodeInfo& info, Format format, const Inst& inst, const Placement& placement,
                        bool saddr_present, unsigned wave_size, Generation generation);

/// Whether an optional slot is there: the result of an atomic (glc, bit 0 of th), of a load to LDS (never), a buffer
/// address.
bool slot_present(const OpcodeInfo& info, Format format, const Modifiers& mods, const Placement& placement);

}  // namespace spalt::isa
