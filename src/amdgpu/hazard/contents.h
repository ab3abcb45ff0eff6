// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/hazard/instruction.h"

namespace spalt::hazard {

/// What a program has, from one walk: most rules see there that they have nothing to do.
struct Contents {
  uint32_t flags = 0;  ///< isa::OpcodeFlag bits of all instructions
  // The others only where the target has a hazard that asks for one of them.
  bool scalar_exec = false, vector_exec = false;  ///< scalar, vector instructions that write exec
  bool permlane = false, parameter_load = false;

  /// With code after it that is not known, which has anything but loads of parameters.
  explicit Contents(const mir::Function& function);
  bool has(uint32_t any_of) const { return (flags & any_of) != 0; }
};

bool is_permlane(const Instruction& inst);

}  // namespace spalt::hazard
