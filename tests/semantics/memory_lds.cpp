// SPDX-License-Identifier: MIT
// DS instructions that address LDS in a way of their own or cross lanes (RDNA 2 ISA guide, 12.13 "LDS & GDS"; Vega ISA
// guide, the same section, for the forms with an operand in LDS), and loads that go to LDS.
#include <algorithm>
#include <bit>

#include "memory_buffers.h"
#include "memory_operations.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;
using Op = Opcode;

constexpr unsigned kAddress = 0, kData = 8, kSecond = 12, kResult = 16, kRounds = 8;

Inst ds_inst(Opcode opcode) {
  Inst inst;
  inst.opcode = opcode;
  inst.format = Format::ds;
  return inst;
}

uint32_t read_dword(const std::vector<uint8_t>& bytes, unsigned at) {
  return bytes.at(at) | bytes.at(at + 1) << 8 | bytes.at(at + 2) << 16 | static_cast<uint32_t>(bytes.at(at + 3)) << 24;
}
void write_dword(std::vector<uint8_t>& bytes, unsigned at, uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes.at(at + i) = static_cast<uint8_t>(value >> (8 * i));
}
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

// ---- lane crossing ----

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
      check_fault(trial, inst, world, "loads into LDS bytes");
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
    check_fault(trial, load, world, "outside any allocation (lane 2)");
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

void add(Proofs& proofs, const std::string& name, const std::function<void(Trial&, Opcode)>& run) {
  const Opcode opcode = isa::find_opcode(name);
  if (opcode != Opcode::invalid) proofs.push_back({name, {opcode}, [=](Trial& trial) { run(trial, opcode); }});
}

void add_two(Proofs& proofs) {
  for (const unsigned dwords : {1u, 2u}) {
    const std::string bits = dwords == 1 ? "b32" : "b64";
    for (const unsigned scale : {1u, 64u}) {
      const std::string form = (scale == 1 ? "2_" : "2st64_");
      const auto row = [&](const std::string& name, Two kind) {
        add(proofs, name, [=](Trial& trial, Opcode opcode) { prove_two(trial, opcode, kind, dwords, scale); });
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
      add(proofs, std::string("ds_") + name + std::to_string(size * 8),
          [=](Trial& trial, Opcode opcode) { prove_src2(trial, opcode, function, size); });
    }
  }
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
    add(proofs, row.own,
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

void add_memory_lds(Proofs& proofs) {
  add_two(proofs);
  add_src2(proofs);
  add_loads_to_lds(proofs);
  add(proofs, "ds_read_addtid_b32", [](Trial& trial, Opcode opcode) { prove_addtid(trial, opcode, true); });
  add(proofs, "ds_write_addtid_b32", [](Trial& trial, Opcode opcode) { prove_addtid(trial, opcode, false); });
  add(proofs, "global_load_dword_addtid", [](Trial& trial, Opcode op) { prove_global_addtid(trial, op, true); });
  add(proofs, "global_store_dword_addtid", [](Trial& trial, Opcode op) { prove_global_addtid(trial, op, false); });
  add(proofs, "ds_append", [](Trial& trial, Opcode opcode) { prove_count(trial, opcode, true); });
  add(proofs, "ds_consume", [](Trial& trial, Opcode opcode) { prove_count(trial, opcode, false); });
  add(proofs, "ds_condxchg32_rtn_b64", [](Trial& trial, Opcode) { prove_condxchg(trial); });
  add(proofs, "ds_swizzle_b32", [](Trial& trial, Opcode) { prove_swizzle(trial); });
  add(proofs, "ds_permute_b32", [](Trial& trial, Opcode) { prove_permute(trial, false); });
  add(proofs, "ds_bpermute_b32", [](Trial& trial, Opcode) { prove_permute(trial, true); });
  proofs.push_back({"buffer_load_dword with tfe", {Op::buffer_load_dword}, prove_tfe});
  proofs.push_back({"faults of memory", {Op::global_load_dword, Op::ds_read_b64}, prove_faults});
  add(proofs, "ds_nop", [](Trial& trial, Opcode) { prove_nop(trial); });
}

}  // namespace spalt::semantics
