// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "emu/memory/descriptor.h"
#include "emu/memory/lane_access.h"

namespace spalt::emu {

struct Step;

/// The parts of a buffer address that all lanes share.
struct BufferAccess {
  BufferDescriptor descriptor;
  uint32_t soffset = 0, immediate = 0;
  const uint32_t* index = nullptr;   ///< per lane, when idxen
  const uint32_t* offset = nullptr;  ///< per lane, when offen
  bool typed = false;
  bool whole = false;             ///< bounds are checked for all components together: typed accesses and atomics
  bool swizzled_soffset = false;  ///< isa::Target::soffset_is_swizzled
};

/// `vaddr` is the source slot of the address; the descriptor and the scalar offset follow it.
BufferAccess read_buffer_access(Wave& wave, const Step& step, unsigned vaddr, bool typed);

/// Sets how far apart the components of the transfer lie and places its lanes in memory. Ends the transfer.
void place_in_buffer(Wave& wave, const BufferAccess& access, Transfer& transfer);

}  // namespace spalt::emu
