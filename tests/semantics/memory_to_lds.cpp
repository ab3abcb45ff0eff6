// SPDX-License-Identifier: MIT
// Loads that go to LDS (RDNA 2 ISA guide, 8.1.9 "Memory Buffer Load to LDS"), loads with a status register, and what no
// memory instruction may do.
#include <bit>

#include "memory_buffers.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;
using Op = Opcode;

constexpr unsigned kAddress = 0, kData = 8, kResult = 16, kRounds = 8;

// ---- loads into LDS ----

/// Each lane writes the dword at m0[15:0] + instruction offset + 4 * lane.
void prove_load_to_lds(Trial& trial, Opcode opcode, unsigned bytes, bool is_signed, bool lds_bit) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst;
    inst.opcode = opcode;
    inst.format = Format::mubuf;
    inst.mods.lds = lds_bit;
    const Access access{Kind::load, bytes, bytes, 4};
    const Bytes place =
        round % 2 == 0 ? buffer_raw(trial, world, inst, access) : buffer_structured(trial, world, inst, access);
    const auto base = static_cast<unsigned>(trial.random() % 100) * 4;
    world.regs.s[isa::kM0.number] = base | 0xabcd0000u;
    const unsigned first = base + static_cast<unsigned>(inst.mods.offset);
    const auto lanes = static_cast<unsigned>(std::bit_width(world.exec(trial.wave_size)));
    if (lanes != 0 && first + 4 * lanes > World::kLdsBytes) {
      check_fault(trial, inst, world, "accesses LDS bytes");
      continue;
    }
    World want = world;
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
      uint32_t value = 0;
      for (unsigned i = 0; i < bytes; ++i) {
        if (const uint8_t* at = place(want, lane, i)) value |= uint32_t{*at} << (8 * i);
      }
      if (is_signed && bytes < 4 && (value >> (8 * bytes - 1) & 1) != 0) value |= ~0u << (8 * bytes);
      write_dword(want.lds, first + 4 * lane, value);
    });
    check(trial, inst, world, want);
  }
}

/// The status register of a load in which no lane fails stays as it is.
void prove_tfe(Trial& trial) {
  World world = make_world(trial, trial.random);
  Inst inst;
  inst.opcode = Op::buffer_load_dword;
  inst.format = Format::mubuf;
  inst.mods.tfe = true;
  inst.dst[0] = Operand::of(isa::vgpr(kResult), 2);
  const Bytes place = buffer_raw(trial, world, inst, {Kind::load, 4, 4, 4});
  World want = world;
  for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
    uint32_t value = 0;
    for (unsigned i = 0; i < 4; ++i) {
      if (const uint8_t* at = place(want, lane, i)) value |= uint32_t{*at} << (8 * i);
    }
    want.regs.v[kResult][lane] = value;
  });
  check(trial, inst, world, want);
}

/// What no instruction may do, whatever it loads or stores.
void prove_faults(Trial& trial) {
  World world = make_world(trial, trial.random);
  world.regs.set_mask(isa::kExec.number, trial.wave_size, 4);
  const auto address = [&](uint64_t value) {
    world.regs.v[kAddress][2] = static_cast<uint32_t>(value);
    world.regs.v[kAddress + 1][2] = static_cast<uint32_t>(value >> 32);
  };
  Inst load;
  load.opcode = Op::global_load_dword;
  load.format = Format::global;
  load.src[0] = Operand::of(isa::vgpr(kAddress), 2);
  load.dst[0] = Operand::of(isa::vgpr(kResult));
  for (const int64_t offset : {int64_t{-1}, int64_t{World::kMemoryBytes - 3}}) {
    address(World::kMemory + static_cast<uint64_t>(offset));
    check_fault(trial, load, world, "outside any mapping, ");
  }
  Inst atomic = load;
  atomic.opcode = Op::global_atomic_add;
  atomic.dst[0] = Operand();
  atomic.src[1] = Operand::of(isa::vgpr(kData));
  address(World::kMemory + 2);
  check_fault(trial, atomic, world, "atomically, but unaligned (lane 2)");
  Inst lds = ds_inst(Op::ds_read_b64);
  lds.src[0] = Operand::of(isa::vgpr(kAddress));
  lds.dst[0] = Operand::of(isa::vgpr(kResult), 2);
  address(World::kLdsBytes - 4);
  check_fault(trial, lds, world, "accesses LDS bytes");
  lds = ds_inst(Op::ds_add_u32);
  lds.src[0] = Operand::of(isa::vgpr(kAddress));
  lds.src[1] = Operand::of(isa::vgpr(kData));
  address(2);
  check_fault(trial, lds, world, "an LDS atomic is unaligned");
  if (trial.target.major >= 12) return;  // has no GDS
  lds.mods.gds = true;
  check_fault(trial, lds, world, "accesses GDS");
}

void add_loads_to_lds(Proofs& proofs) {
  struct Row {
    const char *with_bit, *own;
    unsigned bytes;
    bool is_signed;
  };
  constexpr Row kRows[] = {{"buffer_load_ubyte", "buffer_load_lds_u8", 1, false},
                           {nullptr, "buffer_load_lds_i8", 1, true},
                           {"buffer_load_ushort", "buffer_load_lds_u16", 2, false},
                           {"buffer_load_sshort", "buffer_load_lds_i16", 2, true},
                           {"buffer_load_dword", "buffer_load_lds_b32", 4, false},
                           // The descriptors here have the format "32 uint".
                           {nullptr, "buffer_load_lds_format_x", 4, false}};
  for (const Row& row : kRows) {
    add_proof(proofs, row.own,
              [=](Trial& trial, Opcode opcode) { prove_load_to_lds(trial, opcode, row.bytes, row.is_signed, false); });
    if (row.with_bit == nullptr) continue;
    const Opcode opcode = isa::find_opcode(row.with_bit);
    proofs.push_back({std::string(row.with_bit) + " to LDS", {opcode}, [=](Trial& trial) {
                        if (trial.target.major >= 11) return trial.checked();  // has opcodes of its own
                        prove_load_to_lds(trial, opcode, row.bytes, row.is_signed, true);
                      }});
  }
}

}  // namespace

void add_memory_to_lds(Proofs& proofs) {
  add_loads_to_lds(proofs);
  proofs.push_back({"buffer_load_dword with tfe", {Op::buffer_load_dword}, prove_tfe});
  proofs.push_back({"faults of memory", {Op::global_load_dword, Op::ds_read_b64}, prove_faults});
}

}  // namespace spalt::semantics
