// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"
#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::semantics {

/// The registers of one wave.
struct State {
  static constexpr unsigned kVgprs = 40, kScalars = 128, kLanes = 64;
  std::array<uint32_t, kScalars> s{};  ///< by isa::Reg number; that of null has no meaning
  std::array<std::array<uint32_t, kLanes>, kVgprs> v{};
  bool scc = false;
  uint32_t mode = 0xf0;

  uint64_t pair(unsigned reg) const { return s[reg] | static_cast<uint64_t>(s[reg + 1]) << 32; }
  void set_pair(unsigned reg, uint64_t value) {
    s[reg] = static_cast<uint32_t>(value);
    s[reg + 1] = static_cast<uint32_t>(value >> 32);
  }
  /// A lane mask: one register in wave32, two in wave64.
  uint64_t mask(unsigned reg, unsigned wave_size) const { return wave_size == 32 ? s[reg] : pair(reg); }
  void set_mask(unsigned reg, unsigned wave_size, uint64_t value) {
    s[reg] = static_cast<uint32_t>(value);
    if (wave_size == 64) s[reg + 1] = static_cast<uint32_t>(value >> 32);
  }
  uint64_t exec(unsigned wave_size) const { return mask(isa::kExec.number, wave_size); }
};

/// Registers that hold different values everywhere; all lanes active, mode with denormals.
State junk_state(unsigned wave_size, uint32_t seed);

/// Some machine code on one wave of the emulator, without memory: no buffers, LDS or scratch unless a test adds them.
class Machine {
 public:
  static constexpr uint64_t kCodeAddress = 0x10000;

  /// s_endpgm is added at the end.
  Machine(const isa::Target& target, unsigned wave_size, std::span<const isa::Inst> instructions);
  Machine(const isa::Target& target, unsigned wave_size, const std::string& assembly);

  /// Empty, or why the code cannot be encoded.
  const std::string& error() const { return error_; }
  /// Runs the wave to its end and leaves its registers in `state`. The result is the message of a fault.
  std::string run(State& state);
  emu::GroupMemory& group() { return group_; }
  /// Gives the wave a part of the scratch ring, to which flat scratch points.
  void set_scratch(uint64_t base, uint64_t bytes);
  std::string text() const;

 private:
  void load(const std::vector<uint32_t>& words);

  const isa::Target& target_;
  unsigned wave_size_;
  std::string error_;
  std::unique_ptr<emu::Program> program_;
  emu::GroupMemory group_;
  uint64_t flat_scratch_ = 0;
  std::unique_ptr<emu::Wave> wave_;
};

/// The first difference of two states as text, or empty. Lanes beyond the wave size do not count.
std::string difference(const State& got, const State& want, unsigned wave_size);

}  // namespace spalt::semantics
