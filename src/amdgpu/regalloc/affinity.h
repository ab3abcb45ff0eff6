// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/regalloc/register_file.h"

namespace spalt::regalloc {

/// Which values would like to share registers, so that copies disappear. Only preferences: nothing here is about
/// correctness.
struct Affinity {
  /// A value would like to be the dwords of `tuple` from `offset` on.
  struct Part {
    mir::VReg tuple;
    uint16_t offset = 0;
  };
  /// Representative of the values that want one register: phis with their operands, copies, tied operands with their
  /// results.
  IdMap<mir::VReg, mir::VReg> web;
  IdMap<mir::VReg, Part> part;  ///< by representative
  IdMap<mir::VReg, isa::Reg>
      fixed;  ///< by representative: a register that some use or definition requires or the selector prefers
};

Affinity compute_affinity(const mir::Function& function, mir::RegFile file);

}  // namespace spalt::regalloc
