// SPDX-License-Identifier: MIT
#include "memory_world.h"

#include "amdgpu/isa/codec/codec.h"
#include "emu/memory/guest_memory.h"

namespace spalt::semantics {
namespace {

constexpr uint64_t kAllLanes = ~uint64_t{0};

void fill(std::vector<uint8_t>& bytes, size_t size, std::mt19937& random) {
  bytes.resize(size);
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
}

std::string difference(const char* what, const std::vector<uint8_t>& got, const std::vector<uint8_t>& want) {
  for (size_t i = 0; i < want.size(); ++i) {
    if (got[i] == want[i]) continue;
    return std::string(what) + " byte " + std::to_string(i) + " is " + std::to_string(got[i]) + " instead of " +
           std::to_string(want[i]);
  }
  return {};
}

}  // namespace

World make_world(const Trial& trial, std::mt19937& random) {
  World world;
  world.regs = junk_state(trial.wave_size, static_cast<uint32_t>(random()));
  fill(world.memory, World::kMemoryBytes, random);
  fill(world.lds, World::kLdsBytes, random);
  fill(world.scratch, size_t{World::kScratchBytesPerLane} * trial.wave_size, random);
  uint64_t exec = random() | static_cast<uint64_t>(random()) << 32;
  if (random() % 4 == 0) exec = kAllLanes;
  world.regs.set_mask(isa::kExec.number, trial.wave_size, exec);
  return world;
}

std::string execute(const Trial& trial, const isa::Inst& inst, World& world) {
  Machine machine(trial.target, trial.wave_size, std::span(&inst, 1));
  if (!machine.error().empty()) return machine.error();
  emu::Memory memory;
  (void)memory.add({World::kMemory, world.memory.size(), world.memory.data(), true, "memory"});
  (void)memory.add({World::kScratch, world.scratch.size(), world.scratch.data(), true, "scratch"});
  machine.group().memory = &memory;
  machine.group().lds = world.lds;
  machine.set_scratch(World::kScratch, world.scratch.size());
  std::string fault = machine.run(world.regs);
  world.lds = machine.group().lds;
  return fault;
}

std::string difference(const World& got, const World& want, unsigned wave_size) {
  std::string text = difference(got.regs, want.regs, wave_size);
  if (text.empty()) text = difference("memory", got.memory, want.memory);
  if (text.empty()) text = difference("LDS", got.lds, want.lds);
  if (text.empty()) text = difference("scratch", got.scratch, want.scratch);
  return text;
}

namespace {

std::string label(const Trial& trial, const isa::Inst& inst) {
  isa::Inst named = inst;
  return "wave" + std::to_string(trial.wave_size) + " " + isa::to_text(named, trial.target) + ": ";
}

}  // namespace

void check(Trial& trial, const isa::Inst& inst, const World& before, const World& want) {
  World got = before;
  const std::string fault = execute(trial, inst, got);
  trial.checked();
  if (!fault.empty()) return trial.fail(label(trial, inst) + fault);
  const std::string text = difference(got, want, trial.wave_size);
  if (!text.empty()) trial.fail(label(trial, inst) + text);
}

void check_fault(Trial& trial, const isa::Inst& inst, const World& before, const std::string& part) {
  World got = before;
  const std::string fault = execute(trial, inst, got);
  trial.checked();
  if (fault.find(part) == std::string::npos)
    trial.fail(label(trial, inst) + "wanted \"" + part + "\", got \"" + fault + "\"");
}

uint32_t read_dword(const std::vector<uint8_t>& bytes, unsigned at) {
  return bytes.at(at) | bytes.at(at + 1) << 8 | bytes.at(at + 2) << 16 | static_cast<uint32_t>(bytes.at(at + 3)) << 24;
}
void write_dword(std::vector<uint8_t>& bytes, unsigned at, uint32_t value) {
  for (unsigned i = 0; i < 4; ++i) bytes.at(at + i) = static_cast<uint8_t>(value >> (8 * i));
}

isa::Inst ds_inst(Opcode opcode) {
  isa::Inst inst;
  inst.opcode = opcode;
  inst.format = Format::ds;
  return inst;
}

void add_proof(Proofs& proofs, const std::string& name, const std::function<void(Trial&, Opcode)>& run) {
  const Opcode opcode = isa::find_opcode(name);
  if (opcode != Opcode::invalid) proofs.push_back({name, {opcode}, [=](Trial& trial) { run(trial, opcode); }});
}

void set_returns(const isa::Target& target, isa::Inst& inst) {
  if (target.major >= 12) {
    inst.mods.th = 1;
  } else {
    inst.mods.glc = true;
  }
}

}  // namespace spalt::semantics
