// SPDX-License-Identifier: MIT
// Addresses of GLOBAL, FLAT, SCRATCH and DS, byte by byte as the guides give them (RDNA 2 ISA guide, chapters 9 and 10;
// RDNA 3 ISA guide, chapters 11 and 12). Those of buffers are in memory_buffers.cpp.
#include "memory_forms.h"

#include <algorithm>

#include "emu/wave/operands.h"
#include "memory_buffers.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;
using isa::Target;

constexpr unsigned kVaddr = 0, kSaddr = 20;

bool always(const Target&) {
  return true;
}

/// Where the lanes go: anywhere, a few places together, or each its own place.
std::vector<unsigned> scatter(Trial& trial, unsigned limit, const Access& access, unsigned step) {
  const unsigned shift = access.alignment == 1 && step > access.unit ? static_cast<unsigned>(trial.random() % 4) : 0;
  const unsigned slots = (limit - access.bytes - shift) / step + 1, apart = std::max(access.bytes, step) / step,
                 few = 3;
  const auto pattern = trial.random() % 3;
  std::vector<unsigned> offsets(trial.wave_size);
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    unsigned slot = static_cast<unsigned>(trial.random()) % slots;
    if (pattern == 1) slot = slot % few * apart;
    if (pattern == 2) slot = lane * 37 % trial.wave_size * apart;
    offsets[lane] = slot % slots * step + shift;
  }
  return offsets;
}
std::vector<unsigned> scatter(Trial& trial, unsigned limit, const Access& access) {
  return scatter(trial, limit, access, access.step());
}

int32_t pick_immediate(Trial& trial, int32_t low, int32_t high) {
  switch (trial.random() % 4) {
    case 0:
      return 0;
    case 1:
      return low;
    case 2:
      return high;
    default:
      return low + static_cast<int32_t>(trial.random() % static_cast<uint32_t>(high - low + 1));
  }
}

void set_wide(World& world, unsigned reg, unsigned lane, uint64_t value) {
  world.regs.v[reg][lane] = static_cast<uint32_t>(value);
  world.regs.v[reg + 1][lane] = static_cast<uint32_t>(value >> 32);
}

Bytes in_memory(std::vector<unsigned> offsets) {
  return [offsets](World& world, unsigned lane, unsigned i) { return &world.memory[offsets[lane] + i]; };
}

/// The source slot of the scalar address.
unsigned saddr_slot(const Access& access) {
  return access.kind == Kind::load ? 1 : 2;
}

// ---- GLOBAL ----

Bytes global_vector(Trial& trial, World& world, Inst& inst, const Access& access) {
  const std::vector<unsigned> offsets = scatter(trial, World::kMemoryBytes, access);
  inst.mods.offset = pick_immediate(trial, trial.target.global_offset_min, trial.target.global_offset_max);
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    set_wide(world, kVaddr, lane, World::kMemory + offsets[lane] - static_cast<uint64_t>(int64_t{inst.mods.offset}));
  }
  inst.src[0] = Operand::of(isa::vgpr(kVaddr), 2);
  return in_memory(offsets);
}

Bytes global_scalar(Trial& trial, World& world, Inst& inst, const Access& access) {
  const std::vector<unsigned> offsets = scatter(trial, World::kMemoryBytes, access);
  inst.mods.offset = pick_immediate(trial, trial.target.global_offset_min, trial.target.global_offset_max);
  // The vector offset is unsigned: a base far below makes it large.
  const uint64_t distance = trial.random() % 2 == 0 ? 0x80001000u : 0x40;
  const uint64_t base = World::kMemory - distance - static_cast<uint64_t>(int64_t{inst.mods.offset});
  world.regs.set_pair(kSaddr, base);
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    world.regs.v[kVaddr][lane] = static_cast<uint32_t>(distance + offsets[lane]);
  }
  inst.src[0] = Operand::of(isa::vgpr(kVaddr));
  inst.src[saddr_slot(access)] = Operand::of(isa::sgpr(kSaddr), 2);
  return in_memory(offsets);
}

// ---- SCRATCH ----

/// Byte `offset` of a lane's private memory.
uint8_t* scratch_byte(World& world, unsigned wave_size, unsigned lane, unsigned offset) {
  return &world.scratch[(offset / 4 * wave_size + lane) * 4 + offset % 4];
}

Bytes in_scratch(const Trial& trial, std::vector<unsigned> offsets) {
  const unsigned wave_size = trial.wave_size;
  return [offsets, wave_size](World& world, unsigned lane, unsigned i) {
    return scratch_byte(world, wave_size, lane, offsets[lane] + i);
  };
}

/// Private offsets at which no component crosses a dword.
std::vector<unsigned> scatter_private(Trial& trial, const Access& access) {
  Access aligned = access;
  aligned.alignment = std::max(access.alignment, access.unit);
  return scatter(trial, World::kScratchBytesPerLane, aligned);
}

void point_at_scratch(const Trial& trial, World& world) {
  if (trial.target.flat_scratch_in_sgprs) world.regs.set_pair(isa::kFlatScratchLo.number, World::kScratch);
}

Bytes scratch_vector(Trial& trial, World& world, Inst& inst, const Access& access) {
  point_at_scratch(trial, world);
  const std::vector<unsigned> offsets = scatter_private(trial, access);
  const unsigned least = *std::min_element(offsets.begin(), offsets.end());
  inst.mods.offset = pick_immediate(trial, trial.target.scratch_offset_min, static_cast<int32_t>(least));
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    world.regs.v[kVaddr][lane] = static_cast<uint32_t>(static_cast<int32_t>(offsets[lane]) - inst.mods.offset);
  }
  inst.src[0] = Operand::of(isa::vgpr(kVaddr));
  return in_scratch(trial, offsets);
}

/// All lanes at the same private offset.
Bytes scratch_scalar(Trial& trial, World& world, Inst& inst, const Access& access) {
  point_at_scratch(trial, world);
  const unsigned offset = scatter_private(trial, access)[0];
  inst.mods.offset = pick_immediate(trial, trial.target.scratch_offset_min, static_cast<int32_t>(offset));
  world.regs.s[kSaddr] = static_cast<uint32_t>(static_cast<int32_t>(offset) - inst.mods.offset);
  inst.src[saddr_slot(access)] = Operand::of(isa::sgpr(kSaddr));
  return in_scratch(trial, std::vector<unsigned>(trial.wave_size, offset));
}

Bytes scratch_immediate(Trial& trial, World& world, Inst& inst, const Access& access) {
  point_at_scratch(trial, world);
  const unsigned offset = scatter_private(trial, access)[0];
  inst.mods.offset = static_cast<int32_t>(offset);
  return in_scratch(trial, std::vector<unsigned>(trial.wave_size, offset));
}

Bytes scratch_both(Trial& trial, World& world, Inst& inst, const Access& access) {
  const Bytes bytes = scratch_vector(trial, world, inst, access);
  uint32_t least = UINT32_MAX;
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) least = std::min(least, world.regs.v[kVaddr][lane]);
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) world.regs.v[kVaddr][lane] -= least;
  world.regs.s[kSaddr] = least;
  inst.src[saddr_slot(access)] = Operand::of(isa::sgpr(kSaddr));
  return bytes;
}

// ---- FLAT ----

/// Every lane goes to memory, LDS or, unless it is an atomic, scratch.
Bytes flat(Trial& trial, World& world, Inst& inst, const Access& access) {
  point_at_scratch(trial, world);
  const std::vector<unsigned> offsets = scatter(trial, World::kMemoryBytes, access);
  const std::vector<unsigned> private_offsets = scatter_private(trial, access);
  // Of GFX10 the offset is not used: LLVM knows it as broken there (docs/isa-errata.md, "FLAT offsets").
  if (trial.target.major != 10) inst.mods.offset = pick_immediate(trial, 0, trial.target.global_offset_max);
  const auto immediate = static_cast<uint64_t>(int64_t{inst.mods.offset});
  std::vector<unsigned> segments(trial.wave_size);
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    segments[lane] = trial.random() % (access.kind == Kind::atomic ? 2 : 3);
    // An address in an aperture must be there before the offset is added.
    const uint64_t inside = segments[lane] == 2 ? private_offsets[lane] : offsets[lane];
    if (segments[lane] != 0 && inside < immediate) segments[lane] = 0;
    const uint64_t base = segments[lane] == 0   ? World::kMemory
                          : segments[lane] == 1 ? emu::kSharedApertureBase
                                                : emu::kPrivateApertureBase;
    set_wide(world, kVaddr, lane, base + (segments[lane] == 2 ? private_offsets[lane] : offsets[lane]) - immediate);
  }
  inst.src[0] = Operand::of(isa::vgpr(kVaddr), 2);
  const unsigned wave_size = trial.wave_size;
  return [=](World& w, unsigned lane, unsigned i) -> uint8_t* {
    if (segments[lane] == 2) return scratch_byte(w, wave_size, lane, private_offsets[lane] + i);
    return segments[lane] == 1 ? &w.lds[offsets[lane] + i] : &w.memory[offsets[lane] + i];
  };
}

// ---- DS ----

Bytes lds(Trial& trial, World& world, Inst& inst, const Access& access) {
  const std::vector<unsigned> offsets = scatter(trial, World::kLdsBytes, access);
  inst.mods.offset = pick_immediate(trial, 0, 0xffff);
  for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
    world.regs.v[kVaddr][lane] = offsets[lane] - static_cast<uint32_t>(inst.mods.offset);
  }
  inst.src[0] = Operand::of(isa::vgpr(kVaddr));
  return [offsets](World& w, unsigned lane, unsigned i) { return &w.lds[offsets[lane] + i]; };
}

constexpr AddressForm kForms[] = {
    {"vector address", Format::global, always, global_vector},
    {"scalar address", Format::global, always, global_scalar},
    {"vector address", Format::scratch, always, scratch_vector},
    {"scalar address", Format::scratch, always, scratch_scalar},
    {"no address", Format::scratch, [](const Target& t) { return t.major >= 11 || (t.major == 10 && t.minor >= 3); },
     scratch_immediate},
    {"both addresses", Format::scratch, [](const Target& t) { return t.major >= 11; }, scratch_both},
    {"flat address", Format::flat, always, flat},
    {"LDS address", Format::ds, always, lds},
    {"raw", Format::mubuf, always, buffer_raw},
    {"offset alone", Format::mubuf, always, buffer_without_address},
    {"structured", Format::mubuf, always, buffer_structured},
    {"structured with offset", Format::mubuf, has_oob_select, buffer_structured_offset},
    {"unchecked", Format::mubuf, has_oob_select, buffer_unchecked},
    {"swizzled", Format::mubuf, always, buffer_swizzled},
    {"lane added", Format::mubuf, always, buffer_lane_added},
    {"16-byte elements", Format::mubuf, [](const Target& t) { return t.major >= 11; }, buffer_swizzled_16},
    {"unbound", Format::mubuf, always, buffer_unbound},
};

}  // namespace

std::span<const AddressForm> address_forms() {
  return kForms;
}

}  // namespace spalt::semantics
