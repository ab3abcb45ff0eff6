// SPDX-License-Identifier: MIT
// DS instructions that address LDS in a way of their own (RDNA 2 ISA guide, 12.13 "LDS & GDS"; Vega ISA guide, the same
// section, for the forms with an operand in LDS), and global ones that use the number of the lane. Lane crossing is in
// memory_lds_lane.cpp.
#include <algorithm>
#include <bit>

#include "memory_operations.h"
#include "memory_world.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;
using Op = Opcode;

constexpr unsigned kAddress = 0, kData = 8, kSecond = 12, kResult = 16, kRounds = 8;

uint64_t read_value(const std::vector<uint8_t>& bytes, unsigned at, unsigned size) {
  return size == 4 ? read_dword(bytes, at) : read_dword(bytes, at) | uint64_t{read_dword(bytes, at + 4)} << 32;
}
void write_value(std::vector<uint8_t>& bytes, unsigned at, unsigned size, uint64_t value) {
  write_dword(bytes, at, static_cast<uint32_t>(value));
  if (size == 8) write_dword(bytes, at + 4, static_cast<uint32_t>(value >> 32));
}

// ---- two addresses ----

enum class Two : uint8_t { load, store, exchange };

/// Two elements of each lane, in the order of the lanes where they meet.
void prove_two(Trial& trial, Opcode opcode, Two kind, unsigned dwords, unsigned scale) {
  const unsigned element = dwords * 4, unit = element * scale, most_apart = (World::kLdsBytes - element) / unit;
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = ds_inst(opcode);
    // Stores of one lane do not meet those of another: hardware promises no order.
    const unsigned least_apart = kind == Two::store ? (trial.wave_size + scale - 1) / scale : 0;
    const auto low = static_cast<unsigned>(trial.random() % (256 - least_apart));
    const unsigned range = std::min(most_apart, 255 - low) - least_apart;
    const unsigned apart = least_apart + static_cast<unsigned>(trial.random() % (range + 1));
    const bool descending = trial.random() % 2 == 0;
    const unsigned offsets[2] = {descending ? low + apart : low, descending ? low : low + apart};
    inst.mods.offset = static_cast<int32_t>(offsets[0]);
    inst.mods.offset1 = static_cast<uint8_t>(offsets[1]);
    const unsigned room = (World::kLdsBytes - element - apart * unit) / element;
    for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
      const auto slot = static_cast<uint32_t>(kind == Two::store ? lane : trial.random() % (room + 1));
      world.regs.v[kAddress][lane] = slot * element - low * unit;
    }
    inst.src[0] = Operand::of(isa::vgpr(kAddress));
    if (kind != Two::load) {
      inst.src[1] = Operand::of(isa::vgpr(kData), dwords);
      inst.src[2] = Operand::of(isa::vgpr(kSecond), dwords);
    }
    if (kind != Two::store) inst.dst[0] = Operand::of(isa::vgpr(kResult), 2 * dwords);
    World want = world;
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
      for (unsigned i = 0; i < 2 * dwords; ++i) {
        const unsigned half = i / dwords, part = i % dwords;
        const unsigned at = world.regs.v[kAddress][lane] + offsets[half] * unit + 4 * part;
        if (kind != Two::store) want.regs.v[kResult + i][lane] = read_dword(want.lds, at);
        const uint32_t data = world.regs.v[(half == 0 ? kData : kSecond) + part][lane];
        if (kind != Two::load) write_dword(want.lds, at, data);
      }
    });
    check(trial, inst, world, want);
  }
}

// ---- lane number as address ----

void prove_addtid(Trial& trial, Opcode opcode, bool load) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = ds_inst(opcode);
    const unsigned first = static_cast<unsigned>(trial.random() % 900) * 4;
    inst.mods.offset = static_cast<int32_t>(trial.random() % (first + 1) / 4 * 4);
    const unsigned base = first - static_cast<unsigned>(inst.mods.offset);
    world.regs.s[isa::kM0.number] = base | static_cast<uint32_t>(trial.random()) << 16;
    if (load) {
      inst.dst[0] = Operand::of(isa::vgpr(kResult));
    } else {
      inst.src[0] = Operand::of(isa::vgpr(kData));
    }
    World want = world;
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
      const unsigned at = first + 4 * lane;
      if (load) {
        want.regs.v[kResult][lane] = read_dword(want.lds, at);
      } else {
        write_dword(want.lds, at, world.regs.v[kData][lane]);
      }
    });
    check(trial, inst, world, want);
  }
}

/// Memory = SGPR pair + offset + 4 * lane.
void prove_global_addtid(Trial& trial, Opcode opcode, bool load) {
  constexpr unsigned kSaddr = 20;
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst;
    inst.opcode = opcode;
    inst.format = Format::global;
    const unsigned first = static_cast<unsigned>(trial.random() % 900) * 4;
    inst.mods.offset = trial.target.global_offset_min + static_cast<int32_t>(trial.random() % 100);
    world.regs.set_pair(kSaddr, World::kMemory + first - static_cast<uint64_t>(int64_t{inst.mods.offset}));
    inst.src[load ? 0 : 1] = Operand::of(isa::sgpr(kSaddr), 2);
    if (load) {
      inst.dst[0] = Operand::of(isa::vgpr(kResult));
    } else {
      inst.src[0] = Operand::of(isa::vgpr(kData));
    }
    World want = world;
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
      if (load) {
        want.regs.v[kResult][lane] = read_dword(want.memory, first + 4 * lane);
      } else {
        write_dword(want.memory, first + 4 * lane, world.regs.v[kData][lane]);
      }
    });
    check(trial, inst, world, want);
  }
}

// ---- counters ----

/// The number of active lanes, added or subtracted once.
void prove_count(Trial& trial, Opcode opcode, bool append) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = ds_inst(opcode);
    const unsigned at = static_cast<unsigned>(trial.random() % 1000) * 4;
    inst.mods.offset = static_cast<int32_t>(trial.random() % (at / 4 + 1)) * 4;
    // LLVM puts the address into m0 as it is (llvm.amdgcn.ds.append).
    world.regs.s[isa::kM0.number] = at - static_cast<uint32_t>(inst.mods.offset);
    inst.dst[0] = Operand::of(isa::vgpr(kResult));
    World want = world;
    const uint32_t old = read_dword(world.lds, at);
    uint64_t lanes = world.exec(trial.wave_size);
    const auto count = static_cast<uint32_t>(std::popcount(lanes));
    write_dword(want.lds, at, append ? old + count : old - count);
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) { want.regs.v[kResult][lane] = old; });
    check(trial, inst, world, want);
  }
}

// ---- an operand in LDS ----

/// A = address, B = A + 4 * (offset1[7] ? {A[31], A[31:17]} : {offset1[6], offset1[6:0], offset0}).
void prove_src2(Trial& trial, Opcode opcode, AtomicFunction apply, unsigned size) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = ds_inst(opcode);
    const bool in_address = trial.random() % 2 == 0;
    const int distance = static_cast<int>(trial.random() % 400) - 200;  // dwords
    const uint32_t field = static_cast<uint32_t>(distance) & 0x7fffu;
    inst.mods.offset = static_cast<int32_t>(in_address ? 0x8000u | (trial.random() & 0x7fffu) : field);
    std::vector<unsigned> a(trial.wave_size), b(trial.wave_size);
    for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
      // Targets below, operands above: what a lane reads no other lane changes.
      a[lane] = 1600 + lane * 8;
      b[lane] = a[lane] + static_cast<unsigned>(distance * 4);
      write_value(world.lds, a[lane], size, sample_atomic(trial.random, size));
      world.regs.v[kAddress][lane] = a[lane] | (in_address ? field << 17 : 0);
    }
    inst.src[0] = Operand::of(isa::vgpr(kAddress));
    World want = world;
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
      const uint64_t old = read_value(want.lds, a[lane], size), operand = read_value(want.lds, b[lane], size);
      write_value(want.lds, a[lane], size, apply(old, operand, 0, size));
    });
    check(trial, inst, world, want);
  }
}

// ---- exchange under a condition ----

void prove_condxchg(Trial& trial) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = ds_inst(Op::ds_condxchg32_rtn_b64);
    std::vector<unsigned> at(trial.wave_size);
    for (unsigned lane = 0; lane < trial.wave_size; ++lane) {
      at[lane] = static_cast<unsigned>(trial.random() % 500) * 8;
      world.regs.v[kAddress][lane] = at[lane];
    }
    inst.src[0] = Operand::of(isa::vgpr(kAddress));
    inst.src[1] = Operand::of(isa::vgpr(kData), 2);
    inst.dst[0] = Operand::of(isa::vgpr(kResult), 2);
    World want = world;
    for_active_lanes(world, trial.wave_size, [&](unsigned lane) {
      for (unsigned i = 0; i < 2; ++i) {
        const uint32_t data = world.regs.v[kData + i][lane];
        want.regs.v[kResult + i][lane] = read_dword(want.lds, at[lane] + 4 * i);
        if ((data & 0x80000000u) != 0) write_dword(want.lds, at[lane] + 4 * i, data & 0x7fffffffu);
      }
    });
    check(trial, inst, world, want);
  }
}

void add_two(Proofs& proofs) {
  for (const unsigned dwords : {1u, 2u}) {
    const std::string bits = dwords == 1 ? "b32" : "b64";
    for (const unsigned scale : {1u, 64u}) {
      const std::string form = (scale == 1 ? "2_" : "2st64_");
      const auto row = [&](const std::string& name, Two kind) {
        add_proof(proofs, name, [=](Trial& trial, Opcode opcode) { prove_two(trial, opcode, kind, dwords, scale); });
      };
      row("ds_read" + form + bits, Two::load);
      row("ds_write" + form + bits, Two::store);
      row("ds_wrxchg" + form + "rtn_" + bits, Two::exchange);
    }
  }
}

void add_src2(Proofs& proofs) {
  const std::pair<const char*, AtomicFunction> rows[] = {{"add_src2_u", atomic_function("add")},
                                                         {"sub_src2_u", atomic_function("sub")},
                                                         {"rsub_src2_u", atomic_rsub},
                                                         {"inc_src2_u", atomic_function("inc")},
                                                         {"dec_src2_u", atomic_function("dec")},
                                                         {"min_src2_i", atomic_function("smin")},
                                                         {"max_src2_i", atomic_function("smax")},
                                                         {"min_src2_u", atomic_function("umin")},
                                                         {"max_src2_u", atomic_function("umax")},
                                                         {"and_src2_b", atomic_function("and")},
                                                         {"or_src2_b", atomic_function("or")},
                                                         {"xor_src2_b", atomic_function("xor")},
                                                         {"write_src2_b", atomic_function("swap")},
                                                         {"min_src2_f", atomic_function("fmin")},
                                                         {"max_src2_f", atomic_function("fmax")},
                                                         {"add_src2_f", atomic_fadd}};
  for (const auto& [name, apply] : rows) {
    for (const unsigned size : {4u, 8u}) {
      const AtomicFunction function = apply;
      add_proof(proofs, std::string("ds_") + name + std::to_string(size * 8),
                [=](Trial& trial, Opcode opcode) { prove_src2(trial, opcode, function, size); });
    }
  }
}

}  // namespace

void add_memory_lds(Proofs& proofs) {
  add_two(proofs);
  add_src2(proofs);
  add_proof(proofs, "ds_read_addtid_b32", [](Trial& trial, Opcode opcode) { prove_addtid(trial, opcode, true); });
  add_proof(proofs, "ds_write_addtid_b32", [](Trial& trial, Opcode opcode) { prove_addtid(trial, opcode, false); });
  add_proof(proofs, "global_load_dword_addtid", [](Trial& trial, Opcode op) { prove_global_addtid(trial, op, true); });
  add_proof(proofs, "global_store_dword_addtid",
            [](Trial& trial, Opcode op) { prove_global_addtid(trial, op, false); });
  add_proof(proofs, "ds_append", [](Trial& trial, Opcode opcode) { prove_count(trial, opcode, true); });
  add_proof(proofs, "ds_consume", [](Trial& trial, Opcode opcode) { prove_count(trial, opcode, false); });
  add_proof(proofs, "ds_condxchg32_rtn_b64", [](Trial& trial, Opcode) { prove_condxchg(trial); });
}

}  // namespace spalt::semantics
