// SPDX-License-Identifier: MIT
#pragma once
#include <type_traits>

#include "amdgpu/isa/inst.h"

namespace spalt::mir {

/// Calls visit(name, field) for every field of isa::Modifiers; printer and parser share the list. Pairs are given
/// element by element.
template <class ModifiersType, class Visit>
void for_each_modifier(ModifiersType& mods, Visit&& visit) {
  static_assert(std::is_same_v<std::remove_const_t<ModifiersType>, isa::Modifiers>);
#define SPALT_MODIFIER(type, name, value) visit(#name, mods.name);
#define SPALT_MODIFIER_PAIR(type, name, value, first, second) visit(#first, mods.name[0]), visit(#second, mods.name[1]);
#define SPALT_MODIFIER_PART(name, member, first, bits)
#include "amdgpu/isa/modifiers.def"
}

/// Names of the MemoryBit values, bit 0 first.
constexpr const char* kMemoryNames[] = {"reads_buffer",  "writes_buffer",  "reads_shared",   "writes_shared",
                                        "reads_scratch", "writes_scratch", "reads_constant", "orders_memory"};
/// Names of the Stage values.
constexpr const char* kStageNames[4] = {"selected", "masked", "allocated", "final"};

}  // namespace spalt::mir
