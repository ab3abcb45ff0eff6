// SPDX-License-Identifier: MIT
#pragma once
#include "memory_forms.h"

namespace spalt::semantics {

// Ways of addressing a buffer, each with its own kind of descriptor. They fill in the operands after the data.
Bytes buffer_raw(Trial& trial, World& world, isa::Inst& inst, const Access& access);
Bytes buffer_without_address(Trial& trial, World& world, isa::Inst& inst, const Access& access);
Bytes buffer_structured(Trial& trial, World& world, isa::Inst& inst, const Access& access);
Bytes buffer_structured_offset(Trial& trial, World& world, isa::Inst& inst, const Access& access);
Bytes buffer_unchecked(Trial& trial, World& world, isa::Inst& inst, const Access& access);
Bytes buffer_swizzled(Trial& trial, World& world, isa::Inst& inst, const Access& access);
Bytes buffer_lane_added(Trial& trial, World& world, isa::Inst& inst, const Access& access);
Bytes buffer_swizzled_16(Trial& trial, World& world, isa::Inst& inst, const Access& access);
Bytes buffer_unbound(Trial& trial, World& world, isa::Inst& inst, const Access& access);

bool has_oob_select(const isa::Target& target);

}  // namespace spalt::semantics
