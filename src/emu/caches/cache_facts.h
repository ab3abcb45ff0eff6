// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"

namespace spalt::emu {

/// What makes a load go past a cache that may hold the line: one of these bits, or a scope of at least this.
struct PassedBy {
  bool glc = false, dlc = false;
  uint8_t scope = 0xff;

  bool matches(const isa::Modifiers& mods) const {
    return (glc && mods.glc) || (dlc && mods.dlc) || mods.scope >= scope;
  }
};

/// The caches between the waves of one generation, from docs/abi/amdgpu.md (LLVM AMDGPU usage
/// guide, "Memory Model", the prose before each table) and the guides. Below them lies the L2, which all share and
/// which is the memory as far as one device can tell. Stores go through to it from every cache.
struct CacheFacts {
  uint16_t line_bytes;    ///< of the caches above the L2
  bool has_array_cache;   ///< one that the work-group processors of a shader array share, below those of the units
  PassedBy unit_passed;   ///< the vector cache of a compute unit: L1 of GFX9, else L0
  PassedBy array_passed;  ///< the cache of the shader array: GL1
};

const CacheFacts& cache_facts(const isa::Target& target);

/// Which caches an instruction empties: those of the wave that executes it.
struct Invalidation {
  bool unit = false, array = false, scalar = false;
};

/// Of an instruction that invalidates; nothing for others.
Invalidation invalidation_of(isa::Opcode opcode, const isa::Modifiers& mods);

}  // namespace spalt::emu
