// SPDX-License-Identifier: MIT
#include "amdgpu/exec/scalar_phis.h"

#include <vector>

#include "amdgpu/exec/mask_bases.h"

namespace spalt::exec {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

/// A phi of an SGPR, lane masks included.
static bool is_scalar_phi(const mir::Function& function, InstId inst) {
  return mir::is_phi(function.insts[inst].opcode) && function.vregs[function.defs(inst)[0].vreg()].cls.linear;
}

bool has_scalar_phi(const mir::Function& function, BlockId block) {
  for (InstId id : function.blocks[block].insts) {
    if (!mir::is_phi(function.insts[id].opcode)) return false;
    if (is_scalar_phi(function, id) && function.insts[id].opcode != Opcode::p_phi_mask) return true;
  }
  return false;
}

ScalarPhis::ScalarPhis(mir::Function& function, const Plan& plan, Arena& scratch)
    : function_(function),
      plan_(plan),
      scratch_(scratch),
      layout_(function.layout, &scratch),
      phis_(scratch, layout_.size(), mir::InstList(scratch)),
      nothing_(scratch, layout_.size(), Vector<Operand>(scratch)),
      slot_from_(scratch) {
  MaskBases bases(function, plan, scratch);
  for (uint32_t p = 0; p < layout_.size(); ++p) {
    for (InstId inst : function_.blocks[layout_[p]].insts) {
      if (!mir::is_phi(function_.insts[inst].opcode)) break;
      if (!is_scalar_phi(function_, inst)) continue;
      phis_[p].push_back(inst);
      const bool joins = function_.insts[inst].opcode == Opcode::p_phi_mask;
      nothing_[p].push_back(joins ? bases.choose(p, inst) : Operand::undefined(function_.defs(inst)[0].dwords));
    }
  }
}

void ScalarPhis::follow_linear_graph(const Lowered& lowered) {
  slot_from_.assign(function_.blocks.size(), kNoPosition);
  for (uint32_t p = 0; p < layout_.size(); ++p) {
    if (phis_[p].empty()) continue;
    const BlockId id = layout_[p], entry = lowered.entry_of[p];
    const bool is_loop = plan_.blocks[p].loop_end != kNoPosition;
    // Phis of one block may use each other, so all operands are collected before any phi changes.
    if (entry == id || !is_loop) {
      const Vector<Operand> operands = linear_operands(p, entry, lowered);
      set_rows(phis_[p], operands);
      if (entry != id) move_to_head(p, entry);
    } else {
      split(p, entry, lowered);
    }
    for (InstId phi : phis_[p]) function_.insts[phi].opcode = Opcode::p_phi;
  }
}

void ScalarPhis::move_to_head(uint32_t p, BlockId head) {
  erase_if(function_.blocks[layout_[p]].insts, [this](InstId inst) { return is_scalar_phi(function_, inst); });
  auto& insts = function_.blocks[head].insts;
  insts.insert(insts.begin(), phis_[p].begin(), phis_[p].end());
}

/// The head of a loop joins what comes from outside, the header adds the back edge.
void ScalarPhis::split(uint32_t p, BlockId head, const Lowered& lowered) {
  const Vector<Operand> outside = linear_operands(p, head, lowered);
  Vector<Operand> around = linear_operands(p, layout_[p], lowered);
  const auto& preds = function_.blocks[layout_[p]].linear_preds;
  mir::InstList head_phis(scratch_);
  for (uint32_t i = 0; i < phis_[p].size(); ++i) {
    const Operand joined = function_.def(function_.vregs[function_.defs(phis_[p][i])[0].vreg()].cls);
    head_phis.push_back(function_.create(Opcode::p_phi, {&joined, 1}, {}));
    for (uint32_t pred = 0; pred < preds.size(); ++pred) {
      if (preds[pred] == head) around[i * preds.size() + pred] = joined;
    }
  }
  set_rows(head_phis, outside);
  set_rows(phis_[p], around);
  auto& insts = function_.blocks[head].insts;
  insts.insert(insts.begin(), head_phis.rbegin(), head_phis.rend());
}

/// The operands of the phis of the block at p on the linear edges to `place`, a row for each phi: those of the logical
/// edge if the wave walks it, else what came along with parked lanes.
Vector<Operand> ScalarPhis::linear_operands(uint32_t p, BlockId place, const Lowered& lowered) {
  const auto& logical = function_.blocks[layout_[p]].logical_preds;
  for (uint32_t i = 0; i < logical.size(); ++i) {
    if (edge_kind(logical[i], p) == EdgeKind::direct) slot_from_[logical[i].index] = i;
  }
  const auto& preds = function_.blocks[place].linear_preds;
  Vector<Operand> operands(scratch_, phis_[p].size() * preds.size());
  for (uint32_t pred = 0; pred < preds.size(); ++pred) {
    const uint32_t slot = slot_from_[preds[pred].index];
    ParkedSets::Set at = lowered.parked.seek(lowered.at_end[preds[pred].index], p, 0);
    for (uint32_t i = 0; i < phis_[p].size(); ++i) {
      Operand& operand = operands[i * preds.size() + pred];
      if (slot != kNoPosition) {
        operand = function_.uses(phis_[p][i])[slot];
        continue;
      }
      at = lowered.parked.seek(at, p, i + 1);
      const bool present = at != ParkedSets::kEmpty && lowered.parked.front(at).at(p, i + 1);
      operand = present ? lowered.parked.front(at).value : nothing_[p][i];
    }
  }
  for (BlockId pred : logical) slot_from_[pred.index] = kNoPosition;
  return operands;
}

EdgeKind ScalarPhis::edge_kind(BlockId from, uint32_t to) const {
  const auto& succs = function_.blocks[from].logical_succs;
  for (unsigned i = 0; i < succs.size(); ++i) {
    if (plan_.position[succs[i].index] == to) return plan_.blocks[plan_.position[from.index]].succ[i];
  }
  return EdgeKind::none;
}

void ScalarPhis::set_rows(std::span<const InstId> phis, std::span<const Operand> operands) {
  const size_t count = operands.size() / phis.size();
  for (size_t i = 0; i < phis.size(); ++i) function_.set_uses(phis[i], operands.subspan(i * count, count));
}

}  // namespace spalt::exec
