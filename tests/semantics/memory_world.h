// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "amdgpu/isa/inst.h"
#include "machine.h"
#include "proof.h"

namespace spalt::semantics {

/// All that a memory instruction can read or change.
struct World {
  static constexpr uint64_t kMemory = 0x2000001000, kScratch = 0x3000000000;
  static constexpr unsigned kMemoryBytes = 4096, kLdsBytes = 4096, kScratchBytesPerLane = 64;

  State regs;
  std::vector<uint8_t> memory, lds;
  std::vector<uint8_t> scratch;  ///< of the wave: dwords of neighbouring lanes lie side by side

  uint64_t exec(unsigned wave_size) const { return regs.exec(wave_size); }
};

/// Junk everywhere; some lanes are not active.
World make_world(const Trial& trial, std::mt19937& random);

/// Runs one instruction on the world. The result is the fault, or why the instruction cannot be encoded.
std::string execute(const Trial& trial, const isa::Inst& inst, World& world);

/// The first difference as text, or empty.
std::string difference(const World& got, const World& want, unsigned wave_size);

/// Runs the instruction and compares with the world that is wanted.
void check(Trial& trial, const isa::Inst& inst, const World& before, const World& want);
/// The instruction must fault with a message that has this part.
void check_fault(Trial& trial, const isa::Inst& inst, const World& before, const std::string& part);

/// Byte i of what a lane accesses; nullptr where that is out of range: it reads 0 and is not written.
using Bytes = std::function<uint8_t*(World&, unsigned lane, unsigned i)>;

template <class F>
void for_active_lanes(const World& world, unsigned wave_size, F function) {
  const uint64_t exec = world.exec(wave_size);
  for (unsigned lane = 0; lane < wave_size; ++lane) {
    if ((exec >> lane & 1) != 0) function(lane);
  }
}

uint32_t read_dword(const std::vector<uint8_t>& bytes, unsigned at);
void write_dword(std::vector<uint8_t>& bytes, unsigned at, uint32_t value);

/// A DS instruction without operands.
isa::Inst ds_inst(Opcode opcode);
/// The proof of the opcode of that name; none where no target has it.
void add_proof(Proofs& proofs, const std::string& name, const std::function<void(Trial&, Opcode)>& run);

/// An atomic instruction returns the old value: glc, on GFX12 a bit of the temporal hint.
void set_returns(const isa::Target& target, isa::Inst& inst);

}  // namespace spalt::semantics
