// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/hazard/contents.h"
#include "amdgpu/hazard/cures.h"
#include "amdgpu/hazard/instruction.h"

namespace spalt::hazard {

/// A load of parameters writes its register while a memory instruction before it may still have to read, or write, the
/// same one (GFX11; later ones wait themselves). Vector instructions and exports in between are enough. Code that is
/// linked after other code loads no parameters.
class LdsDirectRules {
 public:
  struct State {
    Vgprs in_memory;  ///< registers of memory instructions since the last vector instruction

    bool join(const State& other) {
      const State before = *this;
      in_memory |= other.in_memory;
      return *this != before;
    }
    bool operator==(const State&) const = default;
  };

  explicit LdsDirectRules(const mir::Function& function, const Contents& program);
  bool any() const { return any_; }

  Cures cures(const Instruction& inst, const State& state) const;
  void advance(const Instruction& inst, State& state) const;

 private:
  bool any_ = false;
};

}  // namespace spalt::hazard
