// SPDX-License-Identifier: MIT
#include <algorithm>
#include <vector>

#include "amdgpu/exec/lower_control_flow.h"
#include "amdgpu/mir/dominance.h"
#include "base/ice.h"

namespace spalt::exec {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

constexpr uint32_t kNone = 0xffffffffu;

/// One use that its definition does not dominate on the linear graph.
struct StrayUse {
  VReg vreg;
  InstId inst;
  uint32_t index;
  uint32_t position;  ///< of the block at whose end (phi) or in which (others) the value is needed
  bool at_end;
};

class Repair {
 public:
  Repair(mir::Function& function, Arena& scratch)
      : function_(function), scratch_(scratch), dominance_(function, mir::Graph::linear, &scratch) {}

  void run() {
    index_layout();
    find_stray_uses();
    if (stray_.empty()) return;
    std::sort(stray_.begin(), stray_.end(), [](const StrayUse& a, const StrayUse& b) {
      return a.vreg != b.vreg ? a.vreg < b.vreg : a.position < b.position;
    });
    stamp_.assign(count_, 0);
    value_.resize(count_);
    new_phis_.resize(count_, mir::InstList(scratch_));
    for (size_t i = 0; i < stray_.size();) {
      size_t end = i;
      while (end < stray_.size() && stray_[end].vreg == stray_[i].vreg) ++end;
      repair(stray_[i].vreg, std::span<const StrayUse>(stray_).subspan(i, end - i));
      i = end;
    }
    for (uint32_t p = 0; p < count_; ++p) {
      auto& insts = block(p).insts;
      insts.insert(insts.begin(), new_phis_[p].begin(), new_phis_[p].end());
    }
  }

 private:
  mir::Block& block(uint32_t position) { return function_.blocks[function_.layout[position]]; }

  void index_layout() {
    count_ = static_cast<uint32_t>(function_.layout.size());
    position_.assign(function_.blocks.size(), kNone);
    for (uint32_t p = 0; p < count_; ++p) position_[function_.layout[p].index] = p;
  }

  bool dominates(uint32_t a, uint32_t b) const {
    return dominance_.dominates(function_.layout[a], function_.layout[b]);
  }

  void find_stray_uses() {
    def_position_.assign(function_.vregs.size(), kNone);
    for (uint32_t p = 0; p < count_; ++p) {
      for (InstId id : block(p).insts) {
        for (const Operand& def : function_.defs(id)) {
          if (def.is_vreg()) def_position_[def.value] = p;
        }
      }
    }
    for (uint32_t p = 0; p < count_; ++p) {
      for (InstId id : block(p).insts) check_uses(p, id);
    }
  }

  void check_uses(uint32_t p, InstId id) {
    const bool phi = function_.insts[id].opcode == Opcode::p_phi;
    if (phi && !function_.defs(id)[0].cls().linear) return;
    const auto uses = function_.uses(id);
    for (uint32_t i = 0; i < uses.size(); ++i) {
      if (!uses[i].is_vreg() || !uses[i].cls().linear) continue;
      const uint32_t at = phi ? position_[block(p).linear_preds[i].index] : p;
      const uint32_t def = def_position_[uses[i].value];
      SPALT_ASSERT(def != kNone);
      if (def != at && !dominates(def, at)) stray_.push_back({uses[i].vreg(), id, i, at, phi});
    }
  }

  /// The value is live into every block between its definition and a stray use, walking linear edges backward. Edges
  /// that come from before the definition bring nothing: no lane that needs the value takes them.
  void repair(VReg vreg, std::span<const StrayUse> uses) {
    const uint32_t def = def_position_[vreg.index];
    ++epoch_;
    live_.clear();
    for (const StrayUse& use : uses) visit(use.position, def);
    for (size_t next = 0; next < live_.size(); ++next) {
      for (BlockId pred : block(live_[next]).linear_preds) visit(position_[pred.index], def);
    }
    std::sort(live_.begin(), live_.end());
    for (uint32_t p : live_) place_value(vreg, def, p);
    for (uint32_t p : live_) fill_phi(vreg, def, p);
    for (const StrayUse& use : uses) {
      Operand& operand = function_.uses(use.inst)[use.index];
      const Operand value = value_[use.position];
      operand.kind = value.kind;
      operand.value = value.value;
      if (value.kind == Operand::Kind::undef && function_.insts[use.inst].opcode != Opcode::p_phi) {
        SPALT_ICE("scalar value used where its definition cannot have run");
      }
    }
  }

  void visit(uint32_t p, uint32_t def) {
    if (p <= def || stamp_[p] == epoch_) return;
    stamp_[p] = epoch_;
    live_.push_back(p);
  }

  Operand value_from(VReg vreg, uint32_t def, BlockId pred) {
    const uint32_t q = position_[pred.index];
    if (q == def) return function_.use(vreg);
    if (q > def && stamp_[q] == epoch_) return value_[q];
    return Operand::undefined(function_.vregs[vreg].cls.dwords);
  }

  void place_value(VReg vreg, uint32_t def, uint32_t p) {
    const auto& preds = block(p).linear_preds;
    bool needs_phi = false;
    Operand common;
    for (BlockId pred : preds) {
      needs_phi |= position_[pred.index] >= p;  // back edge: not known yet
      if (needs_phi) break;
      const Operand value = value_from(vreg, def, pred);
      if (common.kind == Operand::Kind::none) common = value;
      needs_phi |= !common.same_value(value);
    }
    value_[p] = common;
    if (!needs_phi) return;
    const Operand result = function_.def(function_.vregs[vreg].cls);
    const SmallVector<Operand, 4> empty = [&] {
      SmallVector<Operand, 4> operands;
      operands.resize(preds.size(), Operand::undefined(result.dwords));
      return operands;
    }();
    new_phis_[p].push_back(function_.create(Opcode::p_phi, std::span<const Operand>(&result, 1), empty));
    value_[p] = result;
    phi_stamp_.resize(count_, 0);
    phi_stamp_[p] = epoch_;
  }

  void fill_phi(VReg vreg, uint32_t def, uint32_t p) {
    if (phi_stamp_.empty() || phi_stamp_[p] != epoch_) return;
    const auto& preds = block(p).linear_preds;
    for (uint32_t i = 0; i < preds.size(); ++i) {
      function_.uses(new_phis_[p].back())[i] = value_from(vreg, def, preds[i]);
    }
  }

  mir::Function& function_;
  Arena& scratch_;
  const mir::Dominance dominance_;
  uint32_t count_ = 0;
  Vector<uint32_t> position_{scratch_};      ///< by block id
  Vector<uint32_t> def_position_{scratch_};  ///< by vreg
  Vector<StrayUse> stray_{scratch_};
  Vector<uint32_t> live_{scratch_};  ///< positions where the value at hand is live-in
  Vector<uint32_t> stamp_{scratch_}, phi_stamp_{scratch_};
  Vector<Operand> value_{scratch_};  ///< at the end of the block, valid for stamped positions
  Vector<mir::InstList> new_phis_{scratch_};
  uint32_t epoch_ = 0;
};

}  // namespace

void repair_linear_ssa(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Repair(function, context.scratch).run();
}

}  // namespace spalt::exec
