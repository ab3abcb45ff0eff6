// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "amdgpu/hazard/contents.h"
#include "amdgpu/hazard/cures.h"
#include "amdgpu/hazard/instruction.h"

namespace spalt::hazard {

/// Results of vector instructions that GFX11 forwards wrongly. Both hazards are over after a few vector instructions,
/// and with every instruction that waits for the vector results: memory, LDS and s_waitcnt_depctr with va_vdst 0. Ages
/// are counted in vector instructions issued since.
class Gfx11Rules {
  static constexpr unsigned kVgprs = isa::Reg::kVgprEnd - isa::Reg::kVgprBegin;

 public:
  /// Ages are sets, since paths differ at joins.
  struct State {
    /// By VGPR: ages of the result in it. Bit i: i vector instructions were issued since.
    std::array<uint8_t, kVgprs> written{};
    /// The same of transcendental results; six bits higher if another one was issued since.
    std::array<uint16_t, kVgprs> transcendental{};
    uint8_t transcendental_left = 0;  ///< vector instructions after which none of them counts any more
    uint16_t exec_written = 0;        ///< bit i: by a scalar instruction, i vector instructions ago

    bool join(const State& other);
    bool operator==(const State&) const = default;
  };

  explicit Gfx11Rules(const mir::Function& function, const Contents& program);
  bool any() const { return trans_use_ || partial_forwarding_; }

  Cures cures(const Instruction& inst, const State& state) const;
  void advance(const Instruction& inst, State& state) const;

 private:
  void forget_all(State& state) const;
  void pass_vector_instruction(State& state) const;
  void add_results(const Instruction& inst, State& state) const;
  bool may_forward_wrongly(const State& state) const;

  bool trans_use_ = false, partial_forwarding_ = false;
  unsigned vgprs_ = 0;  ///< the program has none above
};

}  // namespace spalt::hazard
