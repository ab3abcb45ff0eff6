// SPDX-License-Identifier: MIT
//
// One walk over the blocks, predecessors first. At the start of a block the live values stand where one of its
// predecessors left them; the other predecessors move theirs there (apply_assignment). Inside the block registers are
// taken and freed instruction by instruction. Most instructions need no more than a free place per result; where the
// free registers are scattered, or an operand or result is bound to a register, a Placement finds room by moving live
// values in a parallel copy before the instruction (S. Hack, Register Allocation for Programs in SSA Form, 2007,
// chapter 4.6, without his repairing of the SSA form: after allocation a value may be in different registers at
// different places).
//
// What is loaded in a loop stays clear, where there is room, of what lanes in the next turn read: a lane that leaves
// the loop needs its loop variables no more, but other lanes go on with the same registers, and would wait for the
// load. An export reads its registers late, and who writes them waits for it: what is made after it in the block goes
// elsewhere, as long as there is room.
//
// Cost: linear in instructions and in live values at block boundaries, which spilling bounds by the registers.
#include "amdgpu/regalloc/assign.h"

#include <algorithm>
#include <vector>

#include "amdgpu/regalloc/inst_solver.h"
#include "amdgpu/regalloc/physical_ranges.h"
#include "amdgpu/regalloc/placement.h"
#include "amdgpu/regalloc/wishes.h"
#include "base/ice.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

constexpr uint16_t kNowhere = RegisterSet::kNone;

class Assigner {
 public:
  Assigner(const mir::Function& function, const Survey& survey, const RegisterSpace& space, Arena& arena)
      : function_(function),
        liveness_(survey.liveness[space.file]),
        space_(space),
        file_(space.file),
        graph_(graph_of(space.file)),
        arena_(arena),
        place_(arena, function.vregs.size(), kNowhere),
        physical_(function, space.file, arena),
        wishes_(function, survey.affinity, space, {place_, free_, physical_.occupied()}, arena),
        placement_(space.file, space.allowed, arena),
        solver_(function, space, wishes_, {place_, owner_, free_, physical_.occupied()}, arena),
        result_(function, arena),
        finished_(arena, function.blocks.size(), false),
        loop_headers_(arena),
        defs_(arena),
        uses_(arena),
        result_places_(arena),
        values_(arena) {}

  Assignment run() {
    if (file_ == mir::RegFile::vgpr) find_loop_headers();
    for (BlockId id : processing_order()) {
      if (!block(id)) return std::move(result_);
    }
    result_.ok = true;
    return std::move(result_);
  }

 private:
  bool handled(const Operand& operand) const { return handles(file_, operand); }
  unsigned dwords(VReg v) const { return function_.vregs[v].cls.dwords; }
  bool is_phi(InstId inst) const { return function_.insts[inst].opcode == Opcode::p_phi; }

  void take(VReg v, unsigned index) {
    occupy(v, index);
    wishes_.note_taken(v, index);
  }
  /// Values lie in allowed registers only.
  void forget_owners() { std::fill_n(owner_.begin(), space_.allowed.end(), VReg()); }
  /// For a value that was taken before, as it comes into a block.
  void occupy(VReg v, unsigned index) {
    const unsigned count = dwords(v);
    place_[v] = static_cast<uint16_t>(index);
    free_.remove(index, count);
    for (unsigned i = index; i < index + count && i < owner_.size(); ++i) owner_[i] = v;
  }
  void release(VReg v) {
    const unsigned index = place_[v];
    for (unsigned i = index; i < index + dwords(v) && i < owner_.size(); ++i) {
      owner_[i] = VReg();
      if (space_.allowed.contains(i)) free_.add(i, 1);
    }
  }

  // ---- block boundaries ----

  /// Layout order, except that a block waits for one of its predecessors: blocks on split back edges stand before their
  /// only one. Definitions still come before uses, as a block's dominators are those of each predecessor and itself.
  mir::BlockList processing_order() const {
    mir::BlockList order(arena_), stack(arena_);
    IdMap<BlockId, uint8_t> state(arena_, function_.blocks.size(), kAhead);
    order.reserve(function_.layout.size());
    for (BlockId id : function_.layout) {
      const auto preds = preds_of(function_.blocks[id], graph_);
      const bool ready = id == function_.layout[0] || std::any_of(preds.begin(), preds.end(), [&state](BlockId pred) {
                           return state[pred] == kDone;
                         });
      if (!ready) {
        state[id] = kWaiting;
        continue;
      }
      stack.push_back(id);
      while (!stack.empty()) {
        const BlockId next = stack.back();
        stack.pop_back();
        if (state[next] == kDone) continue;
        state[next] = kDone;
        order.push_back(next);
        for (BlockId succ : succs_of(function_.blocks[next], graph_)) {
          if (state[succ] == kWaiting) stack.push_back(succ);
        }
      }
    }
    for (BlockId id : function_.layout) {
      if (state[id] != kDone) order.push_back(id);
    }
    return order;
  }
  static constexpr uint8_t kAhead = 0, kWaiting = 1, kDone = 2;

  /// Of each block the header of the innermost loop whose part of the layout it is in, leaving lanes included.
  void find_loop_headers() {
    mir::BlockList open(arena_);
    for (BlockId id : function_.layout) {
      const mir::Block& block = function_.blocks[id];
      const size_t around = block.loop_header ? block.loop_depth - 1u : block.loop_depth;
      while (open.size() > around) open.pop_back();
      if (block.loop_header) open.push_back(id);
      if (open.empty()) continue;
      if (loop_headers_.size() == 0) loop_headers_.assign(function_.blocks.size(), BlockId());
      loop_headers_[id] = open.back();
    }
  }

  /// The registers with which a turn of the loop around the block begins.
  RegisterSet read_by_next_turn(BlockId id) const {
    RegisterSet registers;
    const BlockId header = loop_headers_.size() != 0 ? loop_headers_[id] : BlockId();
    if (!header.valid() || header == id) return registers;
    for (const Place& place : result_.entry[header]) registers.add(place.index, dwords(place.value));
    return registers;
  }

  bool block(BlockId id) {
    free_ = space_.allowed;
    next_turn_ = read_by_next_turn(id);
    forget_exports();
    forget_owners();
    physical_.start_block();
    wishes_.start_block();
    if (!enter(id)) return false;
    const auto& insts = function_.blocks[id].insts;
    for (uint32_t i = 0; i < insts.size(); ++i) {
      if (is_phi(insts[i])) continue;
      if (!inst(id, i)) return false;
    }
    auto& exit = result_.exit[id];
    exit.reserve(liveness_.live_out[id].size());
    for (VReg v : liveness_.live_out[id]) exit.push_back({v, place_[v]});
    finished_[id] = true;
    return true;
  }

  /// The finished predecessor whose places the block takes over. One with other successors comes first: copies on its
  /// edges are the most expensive.
  BlockId model_pred(BlockId id) const {
    BlockId best;
    for (BlockId pred : preds_of(function_.blocks[id], graph_)) {
      if (!finished_[pred]) continue;
      if (!best.valid() || rank(pred) > rank(best)) best = pred;
    }
    return best;
  }
  unsigned rank(BlockId pred) const {
    const mir::Block& block = function_.blocks[pred];
    return block.loop_depth * 2u + (succs_of(block, graph_).size() > 1 ? 1 : 0);
  }

  bool enter(BlockId id) {
    const BlockId model = model_pred(id);
    if (model.valid()) {
      for (const Place& place : result_.exit[model]) place_[place.value] = place.index;
    } else {
      for (VReg v : liveness_.live_in[id]) place_[v] = kNowhere;  // only in code that nothing reaches
    }
    bool whole = true;
    for (VReg v : liveness_.live_in[id]) {
      whole = whole && place_[v] != kNowhere;
      if (place_[v] != kNowhere) occupy(v, place_[v]);
    }
    if (!whole || !enter_phis(id, model)) {
      if (!repack_entry(id)) return false;
    }
    auto& entry = result_.entry[id];
    entry.reserve(liveness_.live_in[id].size());
    for (VReg v : liveness_.live_in[id]) entry.push_back({v, place_[v]});
    result_.entry_live[id] = static_cast<uint32_t>(entry.size());
    for_each_phi(id, [&](InstId, VReg v) { entry.push_back({v, place_[v]}); });
    for_each_phi(id, [&](InstId phi, VReg v) {
      if (is_dead_phi(phi)) release(v);
    });
    return true;
  }

  template <class Visit>
  void for_each_phi(BlockId id, Visit&& visit) const {
    for (InstId inst : function_.blocks[id].insts) {
      if (!is_phi(inst)) break;
      if (handled(function_.defs(inst)[0])) visit(inst, function_.defs(inst)[0].vreg());
    }
  }
  bool is_dead_phi(InstId phi) const { return function_.defs(phi)[0].kill; }

  bool enter_phis(BlockId id, BlockId model) {
    bool good = true;
    const auto preds = preds_of(function_.blocks[id], graph_);
    const size_t index = static_cast<size_t>(std::find(preds.begin(), preds.end(), model) - preds.begin());
    for_each_phi(id, [&](InstId phi, VReg v) {
      if (!good) return;
      unsigned place = wishes_.preferred(v);
      if (place == kNowhere && model.valid()) {
        const Operand& use = function_.uses(phi)[index];
        if (use.is_vreg() && wishes_.is_free(place_[use.vreg()], dwords(v))) place = place_[use.vreg()];
      }
      if (place == kNowhere) place = wishes_.any_place_of_phi(v);
      if (place == kNowhere) {
        good = false;
      } else {
        take(v, place);
      }
    });
    return good;
  }

  /// The entry of a block with several predecessors may be arranged freely; the predecessors' ends adapt.
  bool repack_entry(BlockId id) {
    placement_.clear();
    values_.clear();
    const auto add = [this](VReg v) {
      values_.push_back(v);
      placement_.add({v, static_cast<uint8_t>(dwords(v)), PlacedValue::through, kNowhere});
    };
    for (VReg v : liveness_.live_in[id]) add(v);
    for_each_phi(id, [&](InstId, VReg v) { add(v); });
    if (!placement_.solve()) return false;
    free_ = space_.allowed;
    forget_owners();
    for (size_t i = 0; i < values_.size(); ++i) take(values_[i], placement_[i].index);
    return true;
  }

  // ---- instructions ----

  void assign_operand(InstId inst, size_t number, unsigned index) {
    result_.operand_reg[function_.insts[inst].operand_begin + number] = reg_of(file_, index);
  }

  bool inst(BlockId id, uint32_t position) {
    const InstId inst = function_.blocks[id].insts[position];
    if (space_.pinned_linear.size() != 0) assign_linear_vgprs(inst);
    const bool has_values = (function_.insts[inst].pass_flags & values_flag(file_)) != 0;
    if (!has_values && !physical_.defines_any(inst)) {
      physical_.pass(id, position, inst);
      return true;
    }
    const bool bound = collect_operands(inst);
    if (!bound && place_results(inst)) {
      finish_inst(inst);
    } else {
      if (!solver_.solve(inst)) return false;
      emit_moves(id, position);
      commit(inst);
    }
    if (function_.insts[inst].opcode == Opcode::exp) note_export(inst);
    physical_.pass(id, position, inst);
    return true;
  }

  /// Which operands are values of this file. True where one is bound to a register, so that values may have to move.
  bool collect_operands(InstId inst) {
    defs_.clear();
    uses_.clear();
    bool bound = false;
    const auto defs = function_.defs(inst);
    for (uint32_t i = 0; i < defs.size(); ++i) {
      if (handled(defs[i])) {
        defs_.push_back(i);
        bound |= defs[i].reg.valid();
      } else {
        bound |= is_file_register(file_, defs[i]);
      }
    }
    const auto uses = function_.uses(inst);
    for (uint32_t i = 0; i < uses.size(); ++i) {
      if (!handled(uses[i])) continue;
      uses_.push_back(i);
      bound |= uses[i].reg.valid() || (uses[i].tied && !uses[i].kill);
    }
    return bound;
  }

  void assign_linear_vgprs(InstId inst) {
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    for (size_t i = 0; i < defs.size() + uses.size(); ++i) {
      const Operand& operand = i < defs.size() ? defs[i] : uses[i - defs.size()];
      if (!operand.is_vreg()) continue;
      const mir::RegClass cls = operand.cls();
      if (cls.is_vgpr() && cls.linear) assign_operand(inst, i, space_.pinned_linear[operand.vreg()]);
    }
  }

  // ---- the common case ----

  /// Finds a free place for every result, killed operands freed, without moving anything. Changes nothing on failure.
  bool place_results(InstId inst) {
    result_places_.clear();
    if (defs_.empty()) return true;
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    const RegisterSet saved = free_;
    for (uint32_t i : uses_) {
      const Operand& use = uses[i];
      if (!use.kill || solver_.outlasts_results(inst, use.vreg())) continue;
      const unsigned place = place_[use.vreg()];
      for (unsigned r = place; r < place + use.dwords; ++r) {
        if (space_.allowed.contains(r)) free_.add(r, 1);
      }
    }
    free_ = free_ - physical_.occupied();
    bool good = true;
    for (uint32_t i : defs_) {
      unsigned place = i == 0 ? tied_place(uses) : kNowhere;
      if (place == kNowhere) place = wishes_.of_result(inst, defs[i], i);
      if (place == kNowhere && is_loaded(inst)) place = place_beside(next_turn_, defs[i].vreg());
      if (place == kNowhere) place = place_beside_exports(defs[i].vreg());
      good = place != kNowhere;
      if (!good) break;
      free_.remove(place, defs[i].dwords);
      result_places_.push_back(static_cast<uint16_t>(place));
    }
    free_ = saved;
    return good;
  }

  bool is_loaded(InstId inst) const {
    const Opcode opcode = function_.insts[inst].opcode;
    return mir::has_flag(opcode, isa::kVmem) && mir::has_flag(opcode, isa::kMayLoad);
  }

  unsigned place_beside(const RegisterSet& avoided, VReg v) {
    const RegisterSet all = free_;
    free_ = free_ - avoided;
    const unsigned place = wishes_.any_place(v);
    free_ = all;
    return place;
  }

  /// Whoever has to wait for one export has waited for those before it, and mostly for all.
  unsigned place_beside_exports(VReg v) {
    if (has_exported_) {
      if (const unsigned place = place_beside(exported_, v); place != kNowhere) return place;
      forget_exports();
    }
    return wishes_.any_place(v);
  }

  void note_export(InstId inst) {
    const auto uses = function_.uses(inst);
    const uint32_t first = function_.insts[inst].operand_begin;
    for (uint32_t i : uses_) exported_.add(index_of(file_, result_.operand_reg[first + i]), uses[i].dwords);
    has_exported_ = has_exported_ || !uses_.empty();
  }
  void forget_exports() {
    exported_ = RegisterSet();
    has_exported_ = false;
  }

  unsigned tied_place(std::span<const Operand> uses) const {
    for (uint32_t i : uses_) {
      if (uses[i].tied) return place_[uses[i].vreg()];
    }
    return kNowhere;
  }

  void finish_inst(InstId inst) {
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    for (uint32_t i : uses_) assign_operand(inst, defs.size() + i, place_[uses[i].vreg()]);
    for (uint32_t i : uses_) {
      if (uses[i].kill && owner_[place_[uses[i].vreg()]] == uses[i].vreg()) release(uses[i].vreg());
    }
    for (uint32_t n = 0; n < defs_.size(); ++n) {
      take(defs[defs_[n]].vreg(), result_places_[n]);
      assign_operand(inst, defs_[n], result_places_[n]);
    }
    for (uint32_t i : defs_) {
      if (defs[i].kill) release(defs[i].vreg());
    }
  }

  // ---- the general case ----

  void emit_moves(BlockId id, uint32_t position) {
    const InstId inst = function_.blocks[id].insts[position];
    const Operand* tied = solver_.tied_use(inst);
    const uint32_t first = static_cast<uint32_t>(result_.moves.size());
    for (size_t i = 0; i < solver_.size(); ++i) {
      VReg v = solver_[i].value;
      if (solver_.role(i).kind == InstSolver::Role::result) {
        if (tied == nullptr || solver_.role(i).number != 0) continue;
        v = tied->vreg();
      }
      if (solver_[i].index != place_[v]) move(v, place_[v], solver_[i].index);
    }
    const uint32_t count = static_cast<uint32_t>(result_.moves.size()) - first;
    if (count != 0) result_.groups.push_back({id, position, first, count});
  }

  void move(VReg v, unsigned from, unsigned to) {
    const mir::RegClass cls = function_.vregs[v].cls;
    result_.moves.push_back({Operand::fixed(v, cls, reg_of(file_, to)), Operand::fixed(v, cls, reg_of(file_, from))});
  }

  void commit(InstId inst) {
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    for (size_t i = 0; i < uses.size(); ++i) {
      if (handled(uses[i])) assign_operand(inst, defs.size() + i, solver_.read_place(inst, i));
    }
    free_ = space_.allowed;
    forget_owners();
    for (size_t i = 0; i < solver_.size(); ++i) {
      const PlacedValue& value = solver_[i];
      if (solver_.role(i).kind == InstSolver::Role::operand_copy) continue;
      if (solver_.role(i).kind == InstSolver::Role::live && solver_.is_killed(inst, value.value)) continue;
      take(value.value, value.index);
      if (solver_.role(i).kind == InstSolver::Role::result) assign_operand(inst, solver_.role(i).number, value.index);
    }
    for (const Operand& def : defs) {
      if (handled(def) && def.kill) release(def.vreg());
    }
  }

  const mir::Function& function_;
  const Liveness& liveness_;
  const RegisterSpace& space_;
  const mir::RegFile file_;
  const mir::Graph graph_;
  Arena& arena_;
  IdMap<VReg, uint16_t> place_;  ///< of live values: first register
  RegisterSet free_;
  PhysicalRanges physical_;
  Wishes wishes_;
  Placement placement_;  ///< of repack_entry
  InstSolver solver_;
  Assignment result_;
  IdMap<BlockId, bool> finished_;
  IdMap<BlockId, BlockId> loop_headers_;        ///< empty where there are none
  RegisterSet next_turn_;                       ///< of the block at hand
  RegisterSet exported_;                        ///< that exports before in the block read
  bool has_exported_ = false;                   ///< any of them
  std::array<VReg, RegisterSet::kSize> owner_;  ///< live value in each register
  // Of the instruction at hand:
  Vector<uint32_t> defs_, uses_;    ///< numbers of the operands that are values of this file
  Vector<uint16_t> result_places_;  ///< by place in defs_

  Vector<VReg> values_;
};

}  // namespace

Assignment assign_registers(const mir::Function& function, const Survey& survey, const RegisterSpace& space,
                            Arena& arena) {
  return Assigner(function, survey, space, arena).run();
}

}  // namespace spalt::regalloc
