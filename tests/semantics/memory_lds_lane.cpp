// SPDX-License-Identifier: MIT
// DS instructions that cross lanes (RDNA 2 ISA guide, 12.13 "LDS & GDS").
#include <bit>

#include "memory_world.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;
using Op = Opcode;

constexpr unsigned kAddress = 0, kData = 8, kResult = 16, kRounds = 8;

uint32_t if_active(const World& world, unsigned wave_size, unsigned reg, unsigned lane) {
  const bool active = lane < wave_size && (world.exec(wave_size) >> lane & 1) != 0;
  return active ? world.regs.v[reg][lane] : 0;
}

/// The source lane, by the pseudo code of DS_SWIZZLE_B32.
unsigned swizzle_source(unsigned offset, unsigned i) {
  if (offset >= 0xe000) {
    const unsigned mask = offset & 0x1f;
    unsigned j = 0;
    for (unsigned bit = 0; bit < 5; ++bit) {
      if (i & (1u << bit)) j |= 16u >> bit;
    }
    j = j >> std::popcount(mask);
    return j | (i & mask) | (i & 0x20);
  }
  if (offset >= 0xc000) {
    int rotate = static_cast<int>(offset >> 5 & 0x1f);
    const unsigned mask = offset & 0x1f;
    if (offset & 0x400) rotate = -rotate;
    const auto moved = static_cast<unsigned>(static_cast<int>(i) + rotate);
    return (i & mask) | (moved & ~mask & 0x1fu) | (i & 0x20);
  }
  if (offset & 0x8000) return (i & ~3u) | (offset >> (2 * (i & 3)) & 3);
  const unsigned and_mask = offset & 0x1f, or_mask = offset >> 5 & 0x1f, xor_mask = offset >> 10 & 0x1f;
  return (((i & and_mask) | or_mask) ^ xor_mask) | (i & 0x20);
}

void prove_swizzle(Trial& trial) {
  for (unsigned round = 0; round < 60; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = ds_inst(Op::ds_swizzle_b32);
    unsigned offset = static_cast<unsigned>(trial.random() % 0x10000);
    if (round % 4 == 0) offset = 0xe000 | offset % 32;
    if (round % 4 == 1) offset = 0xc000 | offset % 0x800;
    inst.mods.offset = static_cast<int32_t>(offset);
    inst.src[0] = Operand::of(isa::vgpr(kData));
    inst.dst[0] = Operand::of(isa::vgpr(kResult));
    World want = world;
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
      want.regs.v[kResult][lane] = if_active(world, trial.wave_size, kData, swizzle_source(offset, lane));
    });
    check(trial, inst, world, want);
  }
}

/// Index in bytes, modulo the wave (Vega ISA guide; RDNA 4), elsewhere modulo 32 (RDNA 3). The RDNA 1 and 2 guides say
/// 64 and are wrong (docs/isa-errata.md).
void prove_permute(Trial& trial, bool backward) {
  const bool whole = trial.target.major == 9 || trial.target.major >= 12;
  const unsigned group = whole ? trial.wave_size : 32;
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = ds_inst(backward ? Op::ds_bpermute_b32 : Op::ds_permute_b32);
    inst.mods.offset = round % 2 == 0 ? 0 : static_cast<int32_t>(trial.random() % 0x10000);
    for (unsigned lane = 0; lane < trial.wave_size && round % 4 < 2; ++lane) world.regs.v[kAddress][lane] %= 256;
    inst.src[0] = Operand::of(isa::vgpr(kAddress));
    inst.src[1] = Operand::of(isa::vgpr(kData));
    inst.dst[0] = Operand::of(isa::vgpr(kResult));
    World want = world;
    std::vector<uint32_t> result(trial.wave_size, 0);
    for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
      const uint32_t index = (world.regs.v[kAddress][lane] + static_cast<uint32_t>(inst.mods.offset)) / 4 % group;
      const unsigned other = lane / group * group + index;
      if (backward) {
        result[lane] = if_active(world, trial.wave_size, kData, other);
      } else if ((world.exec(trial.wave_size) >> lane & 1) != 0) {
        result[other] = world.regs.v[kData][lane];
      }
    }
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) { want.regs.v[kResult][lane] = result[lane]; });
    check(trial, inst, world, want);
  }
}

void prove_nop(Trial& trial) {
  const World world = make_world(trial, trial.random);
  check(trial, ds_inst(Op::ds_nop), world, world);
}

}  // namespace

void add_memory_lds_lane(Proofs& proofs) {
  add_proof(proofs, "ds_swizzle_b32", [](Trial& trial, Opcode) { prove_swizzle(trial); });
  add_proof(proofs, "ds_permute_b32", [](Trial& trial, Opcode) { prove_permute(trial, false); });
  add_proof(proofs, "ds_bpermute_b32", [](Trial& trial, Opcode) { prove_permute(trial, true); });
  add_proof(proofs, "ds_nop", [](Trial& trial, Opcode) { prove_nop(trial); });
}

}  // namespace spalt::semantics
