// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <span>

#include "memory_world.h"

namespace spalt::semantics {

enum class Kind : uint8_t { load, store, atomic };

/// What an instruction does at the place that its lanes point to.
struct Access {
  Kind kind = Kind::load;
  unsigned bytes = 4;  ///< of a lane, together
  unsigned unit = 4;   ///< bytes that are in range or out of range together; bounds of buffers
  unsigned alignment = 1;
  /// Distance of places that lanes may have. Stores do not overlap in part: hardware promises no order among lanes.
  unsigned step() const { return kind == Kind::store ? std::max(bytes, alignment) : alignment; }
};

/// One way in which the instructions of a format address memory.
struct AddressForm {
  const char* name;
  Format format;
  bool (*exists)(const isa::Target& target);
  /// Fills in the operands from `slot` on and the registers that they name, and says what the lanes access.
  Bytes (*prepare)(Trial& trial, World& world, isa::Inst& inst, const Access& access);
};

/// The forms of GLOBAL, FLAT, SCRATCH, MUBUF and DS. Operands other than the address use VGPRs from 8 on.
std::span<const AddressForm> address_forms();

// Buffer descriptors, for those who make their own (memory_typed.cpp, memory_scalar.cpp).

struct Descriptor {
  uint64_t base = World::kMemory;
  uint32_t stride = 0, num_records = World::kMemoryBytes;
  unsigned swizzle = 0;       ///< bytes of an element: 0, 4 or 16
  unsigned index_stride = 0;  ///< 0 to 3: 8 to 64
  unsigned oob = 3;           ///< GFX10 and later
  unsigned format = 0;        ///< as isa::Modifiers::format; 0 stands for an untyped buffer
  unsigned dst_sel = 04 | 05 << 3 | 06 << 6 | 07 << 9;
  unsigned stride_scale = 0;  ///< GFX12
  bool add_tid = false;
  bool unbound = false;
};
/// Puts the descriptor into s[reg ...].
void set_descriptor(const isa::Target& target, World& world, unsigned reg, const Descriptor& descriptor);

}  // namespace spalt::semantics
