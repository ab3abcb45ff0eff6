// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "amdgpu/exec/parked.h"
#include "amdgpu/exec/plan.h"
#include "amdgpu/mir/function.h"

namespace spalt::exec {

/// Does a phi of an SGPR, other than of a lane mask, stand at the head of the block?
bool has_scalar_phi(const mir::Function& function, mir::BlockId block);

/// The SGPR phis of the selected function. They have an operand per logical predecessor, and must get one per linear
/// predecessor: those that lowering makes itself already follow the linear graph. Phis that join lane masks are among
/// them. Blocks are named by their positions in the layout of the selected function.
class ScalarPhis {
 public:
  ScalarPhis(mir::Function& function, const Plan& plan, Arena& scratch);

  std::span<const mir::InstId> of(uint32_t position) const { return phis_[position]; }
  bool joins_lanes(uint32_t position, uint32_t index) const {
    return function_.insts[phis_[position][index]].opcode == mir::Opcode::p_phi_mask;
  }
  /// The value for lanes that bring none: undefined, or of phis that join lane masks the base (MaskBases).
  const mir::Operand& nothing(uint32_t position, uint32_t index) const { return nothing_[position][index]; }

  /// What the lowered function looks like.
  struct Lowered {
    const mir::BlockList& entry_of;           ///< by position: the head if there is one, else the block
    const ParkedSets& parked;                 ///< with the values that parked lanes bring along
    std::span<const ParkedSets::Set> at_end;  ///< by block id
  };
  /// Requires the whole linear graph, and that the operands of a phi that joins lane masks are what is right for the
  /// wave on those logical edges that it walks. Leaves all phis correct on the linear graph.
  void follow_linear_graph(const Lowered& lowered);

 private:
  void move_to_head(uint32_t p, mir::BlockId head);
  void split(uint32_t p, mir::BlockId head, const Lowered& lowered);
  Vector<mir::Operand> linear_operands(uint32_t p, mir::BlockId place, const Lowered& lowered);
  EdgeKind edge_kind(mir::BlockId from, uint32_t to) const;
  void set_rows(std::span<const mir::InstId> phis, std::span<const mir::Operand> operands);

  mir::Function& function_;
  const Plan& plan_;
  Arena& scratch_;
  const mir::BlockList layout_;           ///< of the selected function
  Vector<mir::InstList> phis_;            ///< by position
  Vector<Vector<mir::Operand>> nothing_;  ///< likewise
  Vector<uint32_t> slot_from_;            ///< of linear_operands, by block id: the logical edge that is walked
};

}  // namespace spalt::exec
