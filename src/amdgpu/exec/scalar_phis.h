// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <vector>

#include "amdgpu/exec/parked.h"
#include "amdgpu/exec/plan.h"
#include "amdgpu/mir/function.h"

namespace spalt::exec {

/// Does a phi of an SGPR stand at the head of the block?
bool has_scalar_phi(const mir::Function& function, mir::BlockId block);

/// The SGPR phis of the selected function. They have an operand per logical predecessor, and must get one per linear
/// predecessor: those that lowering makes itself already follow the linear graph. Blocks are named by their positions
/// in the layout of the selected function.
class ScalarPhis {
 public:
  ScalarPhis(mir::Function& function, const Plan& plan);

  std::span<const mir::InstId> of(uint32_t position) const { return phis_[position]; }

  /// What the lowered function looks like.
  struct Lowered {
    const std::vector<mir::BlockId>& entry_of;   ///< by position: the head if there is one, else the block
    const ParkedSets& parked;                    ///< with the values that parked lanes bring along
    const std::vector<ParkedSets::Set>& at_end;  ///< by block id
  };
  /// Requires the whole linear graph; leaves all phis correct on it.
  void follow_linear_graph(const Lowered& lowered);

 private:
  void move_to_head(uint32_t p, mir::BlockId head);
  void split(uint32_t p, mir::BlockId head, const Lowered& lowered);
  std::vector<mir::Operand> linear_operands(uint32_t p, mir::BlockId place, const Lowered& lowered);
  EdgeKind edge_kind(mir::BlockId from, uint32_t to) const;
  void set_rows(std::span<const mir::InstId> phis, std::span<const mir::Operand> operands);

  mir::Function& function_;
  const Plan& plan_;
  const std::vector<mir::BlockId> layout_;      ///< of the selected function
  std::vector<std::vector<mir::InstId>> phis_;  ///< by position
  std::vector<uint32_t> slot_from_;             ///< of linear_operands, by block id: the logical edge that is walked
};

}  // namespace spalt::exec
