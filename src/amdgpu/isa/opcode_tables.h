// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/opcode.h"

namespace spalt::isa {

/// The opcode with this number in `format` on `generation`, or Opcode::invalid. SDWA and DPP words are looked up
/// through the VOP1, VOP2 or VOPC encoding they extend.
Opcode opcode_at(Format format, uint32_t number, Generation generation);

}  // namespace spalt::isa
