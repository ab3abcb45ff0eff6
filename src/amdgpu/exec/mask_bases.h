// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <vector>

#include "amdgpu/exec/plan.h"
#include "amdgpu/mir/dominance.h"
#include "amdgpu/mir/function.h"

namespace spalt::exec {

/// Chooses for each p_phi_mask the value that its lanes have unless they bring another one: all 0, all 1, or a mask
/// that is an operand more than once, so that lanes which bring it need no code.
class MaskBases {
 public:
  /// Keeps references to both.
  MaskBases(const mir::Function& function, const Plan& plan, Arena& scratch)
      : function_(function), plan_(plan), scratch_(scratch) {}

  /// For a phi of the block at `position`.
  mir::Operand choose(uint32_t position, mir::InstId phi);

 private:
  bool can_be_base(const mir::Operand& mask, uint32_t position);
  void index_definitions();

  const mir::Function& function_;
  const Plan& plan_;
  Arena& scratch_;
  std::optional<mir::Dominance> dominance_;  ///< of the logical graph, when it is first asked for
  Vector<uint32_t> def_position_{scratch_};  ///< by vreg
  Vector<uint32_t> loop_of_{scratch_};       ///< by position: header of the innermost loop
  Vector<int32_t> times_{scratch_};          ///< by vreg: how often the phi at hand has it; else 0
};

}  // namespace spalt::exec
