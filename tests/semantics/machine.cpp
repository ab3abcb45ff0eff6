// SPDX-License-Identifier: MIT
#include "machine.h"

#include <cstring>

#include "amdgpu/isa/codec/codec.h"
#include "amdgpu/isa/text/assembler.h"

namespace spalt::semantics {
namespace {

constexpr uint64_t kStepLimit = 10000;

std::string hex(uint32_t value) {
  char text[12];
  std::snprintf(text, sizeof text, "%08x", value);
  return text;
}

std::string unequal(const std::string& what, uint32_t got, uint32_t want) {
  return what + " is " + hex(got) + " instead of " + hex(want);
}

}  // namespace

State junk_state(unsigned wave_size, uint32_t seed) {
  State state;
  uint32_t value = seed * 2654435761u + 12345;
  const auto next = [&value] { return value = value * 1664525u + 1013904223u; };
  for (uint32_t& reg : state.s) reg = next();
  for (auto& reg : state.v) {
    for (uint32_t& lane : reg) lane = next();
  }
  state.scc = (next() >> 16 & 1) != 0;
  state.set_mask(isa::kExec.number, wave_size, ~uint64_t{0});
  return state;
}

Machine::Machine(const isa::Target& target, unsigned wave_size, std::span<const isa::Inst> instructions)
    : target_(target), wave_size_(wave_size) {
  std::vector<uint32_t> words;
  isa::Inst end;
  end.opcode = isa::Opcode::s_endpgm;
  std::vector<isa::Inst> all(instructions.begin(), instructions.end());
  all.push_back(end);
  for (const isa::Inst& inst : all) {
    isa::EncodedInst encoded;
    const char* reason = isa::try_encode(inst, target, encoded);
    if (reason != nullptr) {
      error_ = reason;
      return;
    }
    words.insert(words.end(), encoded.words, encoded.words + encoded.count);
  }
  load(words);
}

Machine::Machine(const isa::Target& target, unsigned wave_size, const std::string& assembly)
    : target_(target), wave_size_(wave_size) {
  const Result<isa::AssembledCode> code = isa::assemble(assembly + "\ns_endpgm\n", target, wave_size);
  if (code.ok()) {
    load(code->words);
  } else {
    error_ = isa::located_message(code.error()) + " in\n" + assembly;
  }
}

void Machine::load(const std::vector<uint32_t>& words) {
  std::vector<uint8_t> bytes(words.size() * 4);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  program_ = std::make_unique<emu::Program>(bytes, kCodeAddress, target_, wave_size_, State::kVgprs);
  group_.visited.assign(program_->step_count(), 0);
  wave_ = std::make_unique<emu::Wave>(*program_, group_, wave_size_, State::kVgprs);
}

void Machine::set_scratch(uint64_t base, uint64_t bytes) {
  group_.scratch_ring_base = flat_scratch_ = wave_->scratch_base = base;
  group_.scratch_ring_size = wave_->scratch_size = bytes;
}

std::string Machine::run(State& state) {
  emu::Wave& wave = *wave_;
  wave.reset(0);
  wave.start_at(0);
  for (unsigned reg = 0; reg < State::kScalars; ++reg) wave.write_s32(reg, state.s[reg]);
  for (unsigned reg = 0; reg < State::kVgprs; ++reg) {
    std::memcpy(wave.vgpr(reg), state.v[reg].data(), sizeof state.v[reg]);
  }
  wave.scc = state.scc;
  wave.mode.bits = state.mode;
  wave.flat_scratch = flat_scratch_;
  wave.run(kStepLimit);
  if (wave.state() == emu::WaveState::faulted) return wave.fault_record().instruction_message();
  if (wave.state() != emu::WaveState::ended) return "the wave did not end";
  for (unsigned reg = 0; reg < State::kScalars; ++reg) {
    if (reg != isa::kNull.number) state.s[reg] = wave.read_s32(reg);
  }
  for (unsigned reg = 0; reg < State::kVgprs; ++reg) {
    std::memcpy(state.v[reg].data(), wave.vgpr(reg), sizeof state.v[reg]);
  }
  state.scc = wave.scc;
  state.mode = wave.mode.bits;
  return {};
}

std::string Machine::text() const {
  return program_ == nullptr ? std::string() : program_->text((*program_)[0]);
}

std::string difference(const State& got, const State& want, unsigned wave_size) {
  for (unsigned reg = 0; reg < State::kScalars; ++reg) {
    if (reg != isa::kNull.number && got.s[reg] != want.s[reg]) {
      return unequal("scalar register " + std::to_string(reg), got.s[reg], want.s[reg]);
    }
  }
  for (unsigned reg = 0; reg < State::kVgprs; ++reg) {
    for (unsigned lane = 0; lane < wave_size; ++lane) {
      if (got.v[reg][lane] == want.v[reg][lane]) continue;
      return unequal("v" + std::to_string(reg) + " of lane " + std::to_string(lane), got.v[reg][lane],
                     want.v[reg][lane]);
    }
  }
  if (got.scc != want.scc) return got.scc ? "scc is set" : "scc is not set";
  return got.mode != want.mode ? unequal("mode", got.mode, want.mode) : std::string();
}

}  // namespace spalt::semantics
