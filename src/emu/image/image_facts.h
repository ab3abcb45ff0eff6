// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/target.h"

namespace spalt::emu {

/// What the texture units of the generations do differently (docs/texture-unit.md names the sources).
struct ImageFacts {
  /// The instruction names the dimension; otherwise the type of the resource and the bit DA do, and a16 is for
  /// gradients, too (GFX9).
  bool has_dim;
  /// All levels have the pitch of level 0 and follow each other from level 0 on; otherwise each has its own, and the
  /// smallest one comes first.
  bool one_pitch;
  /// Rows of a level begin at multiples of this many bytes.
  unsigned pitch_alignment;
  /// TRUNC_COORD truncates whatever is converted, layers and gathers too; otherwise only coordinates of nearest
  /// filters.
  bool truncates_all;
  /// A buffer descriptor in the place of an image descriptor can hang the unit.
  bool hangs_on_buffers;
  /// Gathers with d16 take four registers of which the last two are junk.
  bool gather_d16_takes_four;
};

const ImageFacts& image_facts(const isa::Target& target);

}  // namespace spalt::emu
