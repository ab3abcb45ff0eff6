// SPDX-License-Identifier: MIT
//
// What instructions cost, in cycles of the shader clock: one table for everybody who weighs code, from scheduling to
// `spalt analyze`. docs/cycles.md names the source of each number.
#pragma once
#include <cstdint>

#include "amdgpu/isa/target.h"

namespace spalt::isa {

/// What executes instructions. Each SIMD has its own of the first four; the others belong to a compute unit.
enum class Unit : uint8_t {
  sequencer,  ///< waits, branches, messages: nothing that computes
  scalar,
  vector,
  transcendental,  ///< works beside the vector unit, which hands it its instructions
  scalar_memory,
  vector_memory,
  lds,
  exports
};
constexpr unsigned kUnitCount = 8;
/// Whether the SIMDs of a compute unit take turns at it.
constexpr bool is_shared(Unit unit) {
  return unit >= Unit::scalar_memory;
}

/// What a wave pays for one instruction, and what other waves of its SIMD cannot have meanwhile.
struct Cost {
  Unit unit = Unit::sequencer;
  uint16_t busy = 0;            ///< cycles until the unit takes the next instruction
  uint16_t transcendental = 0;  ///< cycles until the transcendental unit does
  /// From the issue until an instruction that reads the result may issue; of memory and exports until the counter of
  /// the operation goes down.
  uint16_t latency = 0;
};

/// What the cost of an access to memory depends on beside its opcode.
struct AccessFacts {
  unsigned dwords = 1;         ///< of data for each lane
  bool likely_cached = false;  ///< a scalar load of what all waves read: a descriptor, or a constant address
};

/// The cost of one instruction; of a pair (VOPD) that of either half.
Cost cost_of(const Target& target, unsigned wave_size, Opcode opcode, AccessFacts access = {});

/// Cycles between two instructions of one wave.
unsigned issue_interval(const Target& target);
/// Cycles from a branch that is taken to the first instruction at its target.
unsigned branch_latency(const Target& target);

}  // namespace spalt::isa
