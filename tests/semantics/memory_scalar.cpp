// SPDX-License-Identifier: MIT
// SMEM (Vega ISA guide, chapter 7 and 12.5; RDNA 2, chapter 7).
#include <algorithm>

#include "memory_buffers.h"
#include "memory_operations.h"

namespace spalt::semantics {
namespace {

using isa::Inst;
using isa::Operand;
using Op = Opcode;

constexpr unsigned kData = 8, kResult = 32, kBase = 20, kSoffset = 28, kRounds = 12;

enum class Base : uint8_t { plain, buffer, scratch };

unsigned below(Trial& trial, unsigned limit) {
  return static_cast<unsigned>(trial.random() % limit);
}

/// The place of an access in memory and how many bytes from there on are in range.
struct Place {
  unsigned at = 0, in_range = World::kMemoryBytes;
};

/// Fills in base and offsets from source `slot` on. The two low bits of an address do not count.
Place prepare(Trial& trial, World& world, Inst& inst, Base base, unsigned slot, unsigned bytes, unsigned alignment) {
  Place place;
  const unsigned limit = base == Base::buffer ? 1024 + bytes : World::kMemoryBytes - bytes;
  place.at = below(trial, limit / alignment + 1) * alignment;
  const unsigned unit = base == Base::scratch ? 64 : 1;
  // An immediate, a register, or from GFX9 on both.
  const unsigned how = below(trial, 3);
  unsigned by_register = how == 0 ? 0 : how == 1 ? place.at : below(trial, place.at + 1);
  by_register = by_register / unit * unit;
  const unsigned rest = place.at - by_register;
  inst.src[slot + 1] = Operand();
  if (how != 0) {
    world.regs.s[kSoffset] = by_register / unit;
    inst.src[slot + 1] = Operand::of(isa::sgpr(kSoffset));
  }
  const bool has_immediate = how != 1 || unit != 1;
  if (has_immediate) inst.mods.offset = static_cast<int32_t>(rest);
  // The immediate may be negative if the sum is not; buffers take no such one.
  if (how == 2 && base == Base::plain && trial.random() % 2 == 0) {
    inst.mods.offset -= 4000;
    world.regs.s[kSoffset] += 4000;
  }
  const unsigned low_bits = alignment == 4 && base == Base::plain && how == 2 ? below(trial, 4) : 0;
  if (low_bits != 0 && inst.mods.offset >= 0) inst.mods.offset += static_cast<int32_t>(low_bits);
  if (base == Base::buffer) {
    Descriptor d;
    d.num_records = 1024;
    if (trial.random() % 2 == 0) {
      d.stride = 32;
      d.num_records = 32;
    }
    set_descriptor(trial.target, world, kBase, d);
    inst.src[slot] = Operand::of(isa::sgpr(kBase), 4);
    place.in_range = place.at < 1024 ? 1024 - place.at : 0;
  } else {
    world.regs.set_pair(kBase, World::kMemory);
    inst.src[slot] = Operand::of(isa::sgpr(kBase), 2);
  }
  return place;
}

Inst smem_inst(Opcode opcode) {
  Inst inst;
  inst.opcode = opcode;
  inst.format = Format::smem;
  return inst;
}

void prove_load(Trial& trial, Opcode opcode, Base base, unsigned dwords) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = smem_inst(opcode);
    inst.dst[0] = Operand::of(isa::sgpr(kResult), dwords);
    const Place place = prepare(trial, world, inst, base, 0, dwords * 4, 4);
    World want = world;
    for (unsigned i = 0; i < dwords; ++i) {
      uint32_t value = 0;
      for (unsigned byte = 0; byte < 4 && 4 * i + 4 <= place.in_range; ++byte) {
        value |= uint32_t{world.memory[place.at + 4 * i + byte]} << (8 * byte);
      }
      want.regs.s[kResult + i] = value;
    }
    check(trial, inst, world, want);
  }
}

void prove_store(Trial& trial, Opcode opcode, Base base, unsigned dwords) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = smem_inst(opcode);
    inst.src[0] = Operand::of(isa::sgpr(kData), dwords);
    const Place place = prepare(trial, world, inst, base, 1, dwords * 4, 4);
    World want = world;
    for (unsigned i = 0; i < dwords * 4 && i / 4 * 4 + 4 <= place.in_range; ++i) {
      want.memory[place.at + i] = static_cast<uint8_t>(world.regs.s[kData + i / 4] >> (8 * (i % 4)));
    }
    check(trial, inst, world, want);
  }
}

void prove_atomic(Trial& trial, Opcode opcode, Base base, const AtomicOperation& operation, unsigned size) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = smem_inst(opcode);
    const unsigned dwords = size / 4;
    inst.src[0] = Operand::of(isa::sgpr(kData), dwords * (operation.has_second ? 2 : 1));
    const bool returns = trial.random() % 2 == 0;
    inst.mods.glc = returns;
    if (returns) inst.dst[0] = Operand::of(isa::sgpr(kData), dwords);
    const Place place = prepare(trial, world, inst, base, 1, size, size);
    const bool in_range = size <= place.in_range;
    const auto put = [&](unsigned reg, uint64_t value) {
      world.regs.s[reg] = static_cast<uint32_t>(value);
      if (size == 8) world.regs.s[reg + 1] = static_cast<uint32_t>(value >> 32);
    };
    uint64_t old = 0;
    const uint64_t data = sample_atomic(trial.random, size);
    const uint64_t memory = sample_atomic(trial.random, size);
    const uint64_t second = trial.random() % 2 == 0 ? memory : sample_atomic(trial.random, size);
    if (operation.has_second) put(kData + dwords, second);
    put(kData, data);
    if (in_range) {
      for (unsigned i = 0; i < size; ++i) world.memory[place.at + i] = static_cast<uint8_t>(memory >> (8 * i));
      old = memory;
    }
    World want = world;
    const uint64_t next = operation.apply(old, data, second, size);
    for (unsigned i = 0; i < size && in_range; ++i) want.memory[place.at + i] = static_cast<uint8_t>(next >> (8 * i));
    if (returns) {
      want.regs.s[kData] = static_cast<uint32_t>(old);
      if (size == 8) want.regs.s[kData + 1] = static_cast<uint32_t>(old >> 32);
    }
    check(trial, inst, world, want);
  }
}

/// A value of one or two bytes, extended; the address is a multiple of its size.
void prove_narrow(Trial& trial, Opcode opcode, Base base, unsigned bytes, bool is_signed) {
  for (unsigned round = 0; round < kRounds; ++round) {
    World world = make_world(trial, trial.random);
    Inst inst = smem_inst(opcode);
    inst.dst[0] = Operand::of(isa::sgpr(kResult));
    const Place place = prepare(trial, world, inst, base, 0, bytes, bytes);
    World want = world;
    uint32_t value = 0;
    for (unsigned i = 0; i < bytes && bytes <= place.in_range; ++i) {
      value |= uint32_t{world.memory[place.at + i]} << (8 * i);
    }
    if (is_signed && (value >> (8 * bytes - 1) & 1) != 0) value |= ~0u << (8 * bytes);
    want.regs.s[kResult] = value;
    check(trial, inst, world, want);
  }
}

/// Instructions that only touch caches.
void prove_no_effect(Trial& trial, Opcode opcode) {
  World world = make_world(trial, trial.random);
  Inst inst;
  inst.opcode = opcode;
  const isa::OpcodeInfo& info = isa::info(opcode, trial.target.generation);
  for (unsigned i = 0; i < info.src_count; ++i) {
    const bool resource = info.src[i].type == isa::OperandType::b128;
    if (info.src[i].role == isa::OperandRole::imm) inst.src[i] = Operand::of_imm(1);
    if (info.src[i].role == isa::OperandRole::sreg) inst.src[i] = Operand::of(isa::sgpr(kBase), resource ? 4 : 2);
  }
  check(trial, inst, world, world);
}

/// Of a wave alone in its group.
void prove_wave_id(Trial& trial) {
  const World world = make_world(trial, trial.random);
  Inst inst = smem_inst(Op::s_get_waveid_in_workgroup);
  inst.dst[0] = Operand::of(isa::sgpr(kResult));
  World want = world;
  want.regs.s[kResult] = 0;
  check(trial, inst, world, want);
}

/// A clock shows some time, and nothing else changes.
void prove_clock(Trial& trial, Opcode opcode) {
  World world = make_world(trial, trial.random);
  Inst inst = smem_inst(opcode);
  inst.dst[0] = Operand::of(isa::sgpr(kResult), 2);
  World got = world;
  const std::string fault = execute(trial, inst, got);
  trial.checked();
  if (!fault.empty()) return trial.fail(fault);
  if (got.regs.pair(kResult) == 0 || got.regs.pair(kResult) == world.regs.pair(kResult)) trial.fail("shows no time");
  got.regs.set_pair(kResult, world.regs.pair(kResult));
  const std::string text = difference(got, world, trial.wave_size);
  if (!text.empty()) trial.fail(text);
}

void add(Proofs& proofs, const std::string& name, const std::function<void(Trial&, Opcode)>& run) {
  const Opcode opcode = isa::find_opcode(name);
  if (opcode != Opcode::invalid) proofs.push_back({name, {opcode}, [=](Trial& trial) { run(trial, opcode); }});
}

}  // namespace

void add_memory_scalar(Proofs& proofs) {
  const std::pair<const char*, Base> bases[] = {
      {"s_", Base::plain}, {"s_buffer_", Base::buffer}, {"s_scratch_", Base::scratch}};
  const std::pair<const char*, unsigned> sizes[] = {{"dword", 1},   {"dwordx2", 2}, {"dwordx3", 3},
                                                    {"dwordx4", 4}, {"dwordx8", 8}, {"dwordx16", 16}};
  for (const auto& [prefix, kind] : bases) {
    const Base base = kind;
    for (const auto& [suffix, count] : sizes) {
      const unsigned dwords = count;
      add(proofs, std::string(prefix) + "load_" + suffix,
          [=](Trial& trial, Opcode opcode) { prove_load(trial, opcode, base, dwords); });
      add(proofs, std::string(prefix) + "store_" + suffix,
          [=](Trial& trial, Opcode opcode) { prove_store(trial, opcode, base, dwords); });
    }
    for (const unsigned bytes : {1u, 2u}) {
      for (const bool is_signed : {false, true}) {
        const std::string type = (is_signed ? "i" : "u") + std::to_string(8 * bytes);
        add(proofs, std::string(prefix) + "load_" + type,
            [=](Trial& trial, Opcode opcode) { prove_narrow(trial, opcode, base, bytes, is_signed); });
      }
    }
    for (const AtomicOperation& operation : atomic_operations()) {
      for (const unsigned size : {4u, 8u}) {
        add(proofs, std::string(prefix) + "atomic_" + operation.name + (size == 8 ? "_x2" : ""),
            [=](Trial& trial, Opcode opcode) { prove_atomic(trial, opcode, base, operation, size); });
      }
    }
  }
  for (const char* name : {"s_gl1_inv",
                           "s_dcache_inv",
                           "s_dcache_inv_vol",
                           "s_dcache_wb",
                           "s_dcache_wb_vol",
                           "s_dcache_discard",
                           "s_dcache_discard_x2",
                           "s_prefetch_inst",
                           "s_prefetch_inst_pc_rel",
                           "s_prefetch_data",
                           "s_prefetch_data_pc_rel",
                           "s_buffer_prefetch_data",
                           "s_atc_probe",
                           "s_atc_probe_buffer",
                           "buffer_gl0_inv",
                           "buffer_gl1_inv",
                           "buffer_wbinvl1",
                           "buffer_wbinvl1_vol",
                           "global_inv",
                           "global_wb",
                           "global_wbinv"}) {
    add(proofs, name, prove_no_effect);
  }
  add(proofs, "s_get_waveid_in_workgroup", [](Trial& trial, Opcode) { prove_wave_id(trial); });
  add(proofs, "s_memtime", prove_clock);
  add(proofs, "s_memrealtime", prove_clock);
}

}  // namespace spalt::semantics
