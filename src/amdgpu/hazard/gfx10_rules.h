// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/hazard/contents.h"
#include "amdgpu/hazard/cures.h"
#include "amdgpu/hazard/instruction.h"

namespace spalt::hazard {

/// Hazards of GFX10.1 that last until some instruction ends them, however long that takes: registers, exec and LDS that
/// are accessed while an older instruction is still at work on them.
class Gfx10Rules {
 public:
  struct State {
    Scalars read_by_memory;            ///< by vector memory and LDS instructions since the last vector instruction
    Scalars read_by_smem;              ///< since the last scalar instruction
    bool exec_read = false;            ///< by other than vector instructions
    bool vcmpx = false;                ///< the last vector instruction is one
    bool lds = false, memory = false;  ///< since the last access of the other kind, no branch yet
    bool branch_after_lds = false, branch_after_memory = false;  ///< a branch, too

    bool join(const State& other);
    bool operator==(const State&) const = default;
  };

  explicit Gfx10Rules(const mir::Function& function, const Contents& program);
  bool any() const { return active_.any(active_); }

  Cures cures(const Instruction& inst, const State& state) const;
  void advance(const Instruction& inst, State& state) const;

 private:
  bool has(isa::Hazard hazard) const { return active_.contains(hazard); }
  static Cures cures_at_end(const State& state);
  void advance_scalar_rules(const Instruction& inst, State& state) const;
  void advance_exec_rules(const Instruction& inst, State& state) const;
  void advance_memory_rules(const Instruction& inst, State& state) const;

  isa::HazardSet active_;  ///< those of the target that this program can have
};

}  // namespace spalt::hazard
