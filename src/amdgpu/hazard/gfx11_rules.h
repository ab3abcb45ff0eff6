// SPDX-License-Identifier: MIT
#pragma once
#include <array>

#include "amdgpu/hazard/cures.h"
#include "amdgpu/hazard/instruction.h"

namespace spalt::hazard {

/// Results of vector instructions that GFX11 forwards wrongly. Both hazards are over after a few vector instructions,
/// and with every instruction that waits for the vector results: memory, LDS and s_waitcnt_depctr with va_vdst 0. Ages
/// are counted in vector instructions issued since.
class Gfx11Rules {
  static constexpr unsigned kTransWindow = 6;    ///< vector instructions between a transcendental and its use
  static constexpr unsigned kTransPassed = 2;    ///< transcendental ones between them
  static constexpr unsigned kForwardWindow = 8;  ///< the older of two results that are used together

 public:
  struct State {
    /// Results of transcendental instructions, by how many others of these were issued since, and by age.
    std::array<std::array<Vgprs, kTransWindow>, kTransPassed> transcendental;
    std::array<Vgprs, kForwardWindow> written;  ///< by age
    uint16_t exec_written = 0;                  ///< bit i: by a scalar instruction, i vector instructions ago

    bool join(const State& other);
    bool operator==(const State&) const = default;
  };

  explicit Gfx11Rules(const mir::Function& function);
  bool any() const { return trans_use_ || partial_forwarding_; }

  Cures cures(const Instruction& inst, const State& state) const;
  void advance(const Instruction& inst, State& state) const;

 private:
  bool forwards_partially(const Vgprs& read, const State& state) const;

  bool trans_use_ = false, partial_forwarding_ = false;
};

}  // namespace spalt::hazard
