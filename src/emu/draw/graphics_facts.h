// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/target.h"

namespace spalt::emu {

/// VGPRs that the hardware fills; kNoVgpr: the stage has no such register.
constexpr uint8_t kNoVgpr = 0xff;
struct VertexVgprs {
  uint8_t vertex_id = 0, instance_id = kNoVgpr, instance_id_too = kNoVgpr, primitive_id = kNoVgpr;
};

/// What graphics waves of the generations start with and send differently (PAL pipeline ABI, section 5; RADV and LLPC).
struct GraphicsFacts {
  VertexVgprs vertex;         ///< of a hardware vertex wave
  VertexVgprs primitive;      ///< of a primitive shader, whose v0 is the primitive word
  bool parameters_in_ring;    ///< attributes go to the next stage through memory, not by exports
  bool ring_before_position;  ///< and must be there when the last position is exported
  bool must_allocate;         ///< GS_ALLOC_REQ is sent in any case
  uint8_t index_bits;         ///< of the primitive word; an edge flag follows each
  bool has_valid_mask;        ///< exports have VM; otherwise the last one means it
  bool has_null_export;
  bool always_exports;           ///< each pixel wave owes an export
  uint8_t ar_alpha;              ///< component with alpha where the export format is 32_AR
  bool alpha_with_depth;         ///< alpha to coverage takes the alpha of the depth export where there is one
  bool hangs_on_empty_position;  ///< the first position, exported by no lane and not done
};

const GraphicsFacts& graphics_facts(const isa::Target& target);

}  // namespace spalt::emu
