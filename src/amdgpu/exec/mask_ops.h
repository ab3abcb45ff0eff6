// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/mir/opcode.h"

namespace spalt::exec {

/// The scalar instructions that work on a lane mask of the wave's size.
struct MaskOps {
  mir::Opcode mov, and_, andn2, or_, orn2, cselect, and_saveexec, andn1_saveexec;
  unsigned dwords;
};

inline MaskOps mask_ops(unsigned wave_size) {
  using enum mir::Opcode;
  if (wave_size == 32)
    return {s_mov_b32,     s_and_b32,          s_andn2_b32,          s_or_b32, s_orn2_b32,
            s_cselect_b32, s_and_saveexec_b32, s_andn1_saveexec_b32, 1};
  return {s_mov_b64,     s_and_b64,          s_andn2_b64,          s_or_b64, s_orn2_b64,
          s_cselect_b64, s_and_saveexec_b64, s_andn1_saveexec_b64, 2};
}

}  // namespace spalt::exec
