// SPDX-License-Identifier: MIT
#include "amdgpu/opt/hoist_edge_code.h"

#include <algorithm>
#include <vector>

namespace spalt::opt {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

class EdgeHoister {
 public:
  EdgeHoister(mir::Function& function, Arena& scratch)
      : function_(function), position_(scratch, function.blocks.size(), 0) {
    for (uint32_t p = 0; p < function.layout.size(); ++p) position_[function.layout[p].index] = p;
  }

  void run() {
    for (BlockId edge : function_.layout) {
      if (is_candidate(edge)) hoist(edge, function_.blocks[edge].logical_preds[0]);
    }
  }

 private:
  bool is_candidate(BlockId edge) const {
    const mir::Block& block = function_.blocks[edge];
    if (block.logical_preds.size() != 1 || block.logical_succs.size() != 1) return false;
    if (block.insts.size() < 2 || block.insts.size() > kMaxHoisted + 1) return false;
    const BlockId from = block.logical_preds[0], to = block.logical_succs[0];
    if (function_.blocks[from].logical_succs.size() != 2) return false;
    if (function_.blocks[to].logical_preds.size() > kMaxJoined) return false;
    if (position_[to.index] <= position_[edge.index]) return false;
    const uint16_t depth = block.loop_depth;
    if (function_.blocks[from].loop_depth != depth || function_.blocks[to].loop_depth != depth) return false;
    const auto code = std::span(block.insts).first(block.insts.size() - 1);
    return std::all_of(code.begin(), code.end(), [this](InstId inst) { return can_move(inst); });
  }

  /// Computes VGPRs from values alone, lane by lane.
  bool can_move(InstId inst) const {
    const Opcode opcode = function_.insts[inst].opcode;
    constexpr uint32_t kNeeds =
        isa::kReadsExec | isa::kIgnoresExec | isa::kSideEffects | isa::kReadsVcc | isa::kWritesVcc | isa::kReadsM0;
    if (mir::is_pseudo(opcode) || !mir::has_flag(opcode, isa::kValu) || mir::has_flag(opcode, kNeeds)) return false;
    for (const Operand& def : function_.defs(inst)) {
      if (!def.is_vreg() || def.reg.valid() || !def.cls().is_vgpr()) return false;
    }
    for (const Operand& use : function_.uses(inst)) {
      if (!use.is_imm() && (!use.is_vreg() || use.reg.valid())) return false;
    }
    return true;
  }

  /// Before what sets scc for the terminator, which is to stay the last instruction before it.
  void hoist(BlockId edge, BlockId from) {
    auto& code = function_.blocks[edge].insts;
    auto& target = function_.blocks[from].insts;
    size_t at = target.size() - 1;
    const auto is_scc = [](const Operand& operand) { return operand.is_reg(isa::kScc); };
    const auto uses = function_.uses(target[at]);
    if (std::any_of(uses.begin(), uses.end(), is_scc)) {
      while (at > 0) {
        const auto defs = function_.defs(target[--at]);
        if (std::any_of(defs.begin(), defs.end(), is_scc)) break;
      }
    }
    target.insert(target.begin() + static_cast<long>(at), code.begin(), code.end() - 1);
    code.erase(code.begin(), code.end() - 1);
  }

  mir::Function& function_;
  Vector<uint32_t> position_;
};

}  // namespace

void hoist_edge_code(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  EdgeHoister(function, context.scratch).run();
}

}  // namespace spalt::opt
