// SPDX-License-Identifier: MIT
//
// One walk over the blocks, predecessors first. At the start of a block the live values stand where one of its
// predecessors left them; the other predecessors move theirs there (apply_assignment). Inside the block registers are
// taken and freed instruction by instruction. Most instructions need no more than a free place per result; where the
// free registers are scattered, or an operand or result is bound to a register, a Placement finds room by moving live
// values in a parallel copy in front of the instruction (S. Hack, Register Allocation for Programs in SSA Form, 2007,
// chapter 4.6, without his repairing of the SSA form: behind allocation a value may be in different registers at
// different places).
//
// Cost: linear in instructions and in live values at block boundaries, which spilling bounds by the registers.
#include "amdgpu/regalloc/assign.h"

#include <algorithm>

#include "amdgpu/mir/two_passes.h"
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
  Assigner(const mir::Function& function, const Liveness& liveness, const RegisterSpace& space)
      : function_(function),
        liveness_(liveness),
        space_(space),
        file_(space.file),
        graph_(graph_of(space.file)),
        wishes_(function, space, {place_, free_, physical_}),
        placement_(space.file, space.allowed) {}

  Assignment run() {
    size_t operands = 0;
    for (const mir::Inst& inst : function_.insts) {
      operands = std::max<size_t>(operands, size_t{inst.operand_begin} + inst.def_count + inst.use_count);
    }
    result_.operand_reg.assign(operands, isa::kNoReg);
    result_.entry.resize(function_.blocks.size());
    result_.entry_live.resize(function_.blocks.size(), 0);
    result_.exit.resize(function_.blocks.size());
    place_.assign(function_.vregs.size(), kNowhere);
    finished_.assign(function_.blocks.size(), false);
    for (BlockId id : processing_order()) {
      if (!block(id)) return std::move(result_);
    }
    result_.ok = true;
    return std::move(result_);
  }

 private:
  bool handled(const Operand& operand) const { return handles(function_, file_, operand); }
  unsigned dwords(VReg v) const { return function_.vregs[v].cls.dwords; }
  bool is_phi(InstId inst) const { return function_.insts[inst].opcode == Opcode::p_phi; }

  void take(VReg v, unsigned index) {
    place_[v] = static_cast<uint16_t>(index);
    free_.remove(index, dwords(v));
    for (unsigned i = index; i < index + dwords(v) && i < owner_.size(); ++i) owner_[i] = v;
    wishes_.note_taken(v, index);
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
  std::vector<BlockId> processing_order() const {
    std::vector<BlockId> order, stack;
    std::vector<uint8_t> state(function_.blocks.size(), kAhead);
    order.reserve(function_.layout.size());
    for (BlockId id : function_.layout) {
      const auto preds = preds_of(function_.blocks[id], graph_);
      const bool ready = id == function_.layout[0] || std::any_of(preds.begin(), preds.end(), [&state](BlockId pred) {
                           return state[pred.index] == kDone;
                         });
      if (!ready) {
        state[id.index] = kWaiting;
        continue;
      }
      stack.push_back(id);
      while (!stack.empty()) {
        const BlockId next = stack.back();
        stack.pop_back();
        if (state[next.index] == kDone) continue;
        state[next.index] = kDone;
        order.push_back(next);
        for (BlockId succ : succs_of(function_.blocks[next], graph_)) {
          if (state[succ.index] == kWaiting) stack.push_back(succ);
        }
      }
    }
    for (BlockId id : function_.layout) {
      if (state[id.index] != kDone) order.push_back(id);
    }
    return order;
  }
  static constexpr uint8_t kAhead = 0, kWaiting = 1, kDone = 2;

  bool block(BlockId id) {
    free_ = space_.allowed;
    owner_.fill(VReg());
    physical_ = RegisterSet();
    wishes_.start_block();
    physical_ranges_.clear();
    if (!enter(id)) return false;
    const auto& insts = function_.blocks[id].insts;
    for (uint32_t i = 0; i < insts.size(); ++i) {
      if (is_phi(insts[i])) continue;
      if (!inst(id, i)) return false;
    }
    auto& exit = result_.exit[id];
    exit.reserve(liveness_.live_out[id].size());
    for (VReg v : liveness_.live_out[id]) exit.push_back({v, place_[v]});
    finished_[id.index] = true;
    return true;
  }

  /// The finished predecessor whose places the block takes over. One with other successors comes first: copies on its
  /// edges are the most expensive.
  BlockId model_pred(BlockId id) const {
    BlockId best;
    for (BlockId pred : preds_of(function_.blocks[id], graph_)) {
      if (!finished_[pred.index]) continue;
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
      if (place_[v] != kNowhere) take(v, place_[v]);
    }
    if (!whole || !enter_phis(id, model)) {
      if (!repack_entry(id)) return false;
    }
    auto& entry = result_.entry[id];
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
      if (place == kNowhere) place = find_place(file_, free_, dwords(v));
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
    owner_.fill(VReg());
    for (size_t i = 0; i < values_.size(); ++i) take(values_[i], placement_[i].index);
    return true;
  }

  // ---- instructions ----

  void assign_operand(InstId inst, size_t number, unsigned index) {
    result_.operand_reg[function_.insts[inst].operand_begin + number] = reg_of(file_, index);
  }

  bool inst(BlockId id, uint32_t position) {
    const InstId inst = function_.blocks[id].insts[position];
    assign_linear_vgprs(inst);
    if (!needs_solving(inst) && place_results(inst)) {
      finish_inst(inst);
    } else if (!solve_inst(id, position)) {
      return false;
    }
    track_physical(id, position);
    return true;
  }

  void assign_linear_vgprs(InstId inst) {
    if (file_ != mir::RegFile::vgpr) return;
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    for (size_t i = 0; i < defs.size() + uses.size(); ++i) {
      const Operand& operand = i < defs.size() ? defs[i] : uses[i - defs.size()];
      if (!operand.is_vreg()) continue;
      const mir::RegClass cls = function_.vregs[operand.vreg()].cls;
      if (cls.is_vgpr() && cls.linear) assign_operand(inst, i, space_.pinned_linear[operand.vreg()]);
    }
  }

  bool is_file_register(const Operand& operand) const {
    return operand.kind == Operand::Kind::reg &&
           (file_ == mir::RegFile::vgpr ? operand.reg.is_vgpr() : operand.reg.number < 108);
  }

  bool needs_solving(InstId inst) const {
    for (const Operand& def : function_.defs(inst)) {
      if (is_file_register(def) || (handled(def) && def.reg.valid())) return true;
    }
    for (const Operand& use : function_.uses(inst)) {
      if (handled(use) && (use.reg.valid() || (use.tied && !use.kill))) return true;
    }
    return false;
  }

  // ---- the common case ----

  /// Finds a free place for every result, killed operands freed, without moving anything. Changes nothing on failure.
  bool place_results(InstId inst) {
    RegisterSet free = free_;
    for (const Operand& use : function_.uses(inst)) {
      if (!handled(use) || !use.kill || outlasts_results(inst, use.vreg())) continue;
      for (unsigned i = 0; i < use.dwords; ++i) {
        if (space_.allowed.contains(place_[use.vreg()] + i)) free.add(place_[use.vreg()] + i, 1);
      }
    }
    const RegisterSet saved = free_;
    free_ = free - physical_;
    result_places_.clear();
    bool good = true;
    size_t number = 0;
    for (const Operand& def : function_.defs(inst)) {
      unsigned place = kNowhere;
      if (handled(def)) {
        place = tied_place(inst, number);
        if (place == kNowhere) place = wishes_.of_result(inst, def, number);
        if (place == kNowhere) place = wishes_.any_place(def.dwords);
        if (place == kNowhere) {
          good = false;
          break;
        }
        free_.remove(place, def.dwords);
      }
      result_places_.push_back(static_cast<uint16_t>(place));
      ++number;
    }
    free_ = saved;
    return good;
  }

  unsigned tied_place(InstId inst, size_t number) const {
    if (number != 0) return kNowhere;
    for (const Operand& use : function_.uses(inst)) {
      if (handled(use) && use.tied) return place_[use.vreg()];
    }
    return kNowhere;
  }

  void finish_inst(InstId inst) {
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    for (size_t i = 0; i < uses.size(); ++i) {
      if (handled(uses[i])) assign_operand(inst, defs.size() + i, place_[uses[i].vreg()]);
    }
    for (const Operand& use : uses) {
      if (handled(use) && use.kill && owner_[place_[use.vreg()]] == use.vreg()) release(use.vreg());
    }
    for (size_t i = 0; i < defs.size(); ++i) {
      if (!handled(defs[i])) continue;
      take(defs[i].vreg(), result_places_[i]);
      assign_operand(inst, i, result_places_[i]);
    }
    for (const Operand& def : defs) {
      if (handled(def) && def.kill) release(def.vreg());
    }
  }

  // ---- the general case ----

  /// What one entry of the placement stands for.
  struct Role {
    enum Kind : uint8_t { live, operand_copy, result } kind;
    uint16_t number;  ///< operand_copy: use; result: definition
  };

  bool solve_inst(BlockId id, uint32_t position) {
    const InstId inst = function_.blocks[id].insts[position];
    placement_.clear();
    roles_.clear();
    // A wish is judged with the killed operands' registers free.
    const RegisterSet saved = free_;
    block_physical(inst);
    add_required_operands(inst);
    add_live_values(inst);
    add_results(inst);
    free_ = saved;
    if (!placement_.solve()) return false;
    emit_moves(id, position);
    commit(inst);
    return true;
  }

  void add(VReg v, PlacedValue::Span span, unsigned index, bool movable, Role role) {
    PlacedValue value;
    value.value = v;
    value.dwords = static_cast<uint8_t>(dwords(v));
    value.span = span;
    value.index = static_cast<uint16_t>(index);
    value.movable = movable;
    placement_.add(value);
    roles_.push_back(role);
  }

  void block_physical(InstId inst) {
    RegisterSet written = physical_;
    for (const Operand& def : function_.defs(inst)) {
      if (is_file_register(def)) written.add(index_of(file_, def.reg), def.dwords);
    }
    placement_.block(physical_, written);
  }

  /// Operands that must be in a certain register. A value that dies here simply goes there; one that lives on, or is
  /// wanted elsewhere too, is copied there for this instruction.
  void add_required_operands(InstId inst) {
    const auto uses = function_.uses(inst);
    required_.clear();
    for (size_t i = 0; i < uses.size(); ++i) {
      if (!handled(uses[i]) || !uses[i].reg.valid()) continue;
      bool seen = false;
      for (const Role& role : roles_) {
        seen = seen || (uses[role.number].reg == uses[i].reg && uses[role.number].value == uses[i].value);
      }
      if (seen) continue;
      if (!in_file(file_, uses[i].reg)) SPALT_ICE("operand required in a register outside the allocatable files");
      required_.push_back(uses[i].vreg());
      if (stays_in_place(inst, uses[i])) continue;
      add(uses[i].vreg(), PlacedValue::before, index_of(file_, uses[i].reg), false,
          {Role::operand_copy, static_cast<uint16_t>(i)});
    }
  }

  /// The value lives where it is required, lives on, and nothing is written there.
  bool stays_in_place(InstId inst, const Operand& use) const {
    if (use.kill || reg_of(file_, place_[use.vreg()]) != use.reg) return false;
    for (const Operand& def : function_.defs(inst)) {
      const bool fixed = is_file_register(def) || (handled(def) && def.reg.valid());
      if (fixed && def.reg < use.reg.offset(use.dwords) && use.reg < def.reg.offset(def.dwords)) return false;
    }
    return true;
  }
  bool is_fixed_home(InstId inst, VReg v) const {
    for (const Operand& use : function_.uses(inst)) {
      if (handled(use) && use.vreg() == v && use.reg.valid() && stays_in_place(inst, use)) return true;
    }
    return false;
  }

  bool is_killed(InstId inst, VReg v) const {
    for (const Operand& use : function_.uses(inst)) {
      if (use.is_vreg() && use.vreg() == v && handled(use)) return use.kill;
    }
    return false;
  }
  /// The value dies here but must not share registers with the results.
  bool outlasts_results(InstId inst, VReg v) const {
    if (file_ != mir::RegFile::sgpr) return false;
    const auto uses = function_.uses(inst);
    for (size_t i = 0; i < uses.size(); ++i) {
      if (uses[i].is_vreg() && uses[i].vreg() == v && mir::second_pass_reads(function_, inst, i)) return true;
    }
    return false;
  }
  const Operand* tied_use(InstId inst) const {
    for (const Operand& use : function_.uses(inst)) {
      if (handled(use) && use.tied) return &use;
    }
    return nullptr;
  }

  void add_live_values(InstId inst) {
    const Operand* tied = tied_use(inst);
    for (unsigned i = 0; i < owner_.size();) {
      const VReg v = owner_[i];
      if (!v.valid()) {
        ++i;
        continue;
      }
      const bool killed = is_killed(inst, v);
      const bool required = std::find(required_.begin(), required_.end(), v) != required_.end();
      const bool apart = killed && outlasts_results(inst, v);
      if (killed && !apart) {
        for (unsigned r = i; r < i + dwords(v); ++r) {
          if (space_.allowed.contains(r)) free_.add(r, 1);
        }
      }
      if (!killed) {
        add(v, PlacedValue::through, i, !(required && is_fixed_home(inst, v)), {Role::live, 0});
      } else if (tied != nullptr && tied->vreg() == v) {
        // Becomes the tied result.
      } else if (!required) {
        add(v, apart ? PlacedValue::through : PlacedValue::before, i, true, {Role::live, 0});
      }
      i += dwords(v);
    }
  }

  void add_results(InstId inst) {
    const auto defs = function_.defs(inst);
    const Operand* tied = tied_use(inst);
    for (size_t i = 0; i < defs.size(); ++i) {
      if (!handled(defs[i])) continue;
      const bool fixed = defs[i].reg.valid();
      if (fixed && !in_file(file_, defs[i].reg))
        SPALT_ICE("result required in a register outside the allocatable files");
      const auto span = i == 0 && tied != nullptr ? PlacedValue::through : PlacedValue::after;
      unsigned wish = fixed ? index_of(file_, defs[i].reg) : unsigned{kNowhere};
      if (!fixed && span == PlacedValue::through && tied->kill) wish = place_[tied->vreg()];
      if (wish == kNowhere) wish = wishes_.of_result(inst, defs[i], i);
      add(defs[i].vreg(), span, wish, !fixed, {Role::result, static_cast<uint16_t>(i)});
    }
  }

  void emit_moves(BlockId id, uint32_t position) {
    const InstId inst = function_.blocks[id].insts[position];
    const Operand* tied = tied_use(inst);
    const uint32_t first = static_cast<uint32_t>(result_.moves.size());
    for (size_t i = 0; i < roles_.size(); ++i) {
      VReg v = placement_[i].value;
      if (roles_[i].kind == Role::result) {
        if (tied == nullptr || roles_[i].number != 0) continue;
        v = tied->vreg();
      }
      if (placement_[i].index != place_[v]) move(v, place_[v], placement_[i].index);
    }
    const uint32_t count = static_cast<uint32_t>(result_.moves.size()) - first;
    if (count != 0) result_.groups.push_back({id, position, first, count});
  }

  void move(VReg v, unsigned from, unsigned to) {
    const mir::RegClass cls = function_.vregs[v].cls;
    result_.moves.push_back({Operand::fixed(v, cls, reg_of(file_, to)), Operand::fixed(v, cls, reg_of(file_, from))});
  }

  /// Where an operand is read: its own copy if it has one, else where the value lives.
  unsigned read_place(InstId inst, size_t use_number) const {
    const Operand& use = function_.uses(inst)[use_number];
    unsigned copy = kNowhere, home = kNowhere;
    for (size_t i = 0; i < roles_.size(); ++i) {
      if (roles_[i].kind == Role::result) {
        if (use.tied && roles_[i].number == 0) return placement_[i].index;
        // The only register of a tied operand that dies is that of the result.
        const Operand* tied = tied_use(inst);
        if (roles_[i].number == 0 && tied != nullptr && tied->vreg() == use.vreg()) copy = placement_[i].index;
        continue;
      }
      if (placement_[i].value != use.vreg()) continue;
      if (roles_[i].kind == Role::live) {
        home = placement_[i].index;
      } else if (!use.reg.valid() || function_.uses(inst)[roles_[i].number].reg == use.reg) {
        copy = placement_[i].index;
      }
    }
    if (use.reg.valid() && copy != kNowhere) return copy;
    return home != kNowhere ? home : copy;
  }

  void commit(InstId inst) {
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    for (size_t i = 0; i < uses.size(); ++i) {
      if (handled(uses[i])) assign_operand(inst, defs.size() + i, read_place(inst, i));
    }
    free_ = space_.allowed;
    owner_.fill(VReg());
    for (size_t i = 0; i < roles_.size(); ++i) {
      const PlacedValue& value = placement_[i];
      if (roles_[i].kind == Role::operand_copy) continue;
      if (roles_[i].kind == Role::live && is_killed(inst, value.value)) continue;
      take(value.value, value.index);
      if (roles_[i].kind == Role::result) assign_operand(inst, roles_[i].number, value.index);
    }
    for (const Operand& def : defs) {
      if (handled(def) && def.kill) release(def.vreg());
    }
  }

  // ---- physical registers ----

  /// A physical register (vcc as an implicit operand) is occupied from its definition to its last use in the block.
  void track_physical(BlockId id, uint32_t position) {
    if (file_ != mir::RegFile::sgpr) return;
    const InstId inst = function_.blocks[id].insts[position];
    const size_t known = physical_ranges_.size();
    for (const Operand& def : function_.defs(inst)) {
      if (!is_file_register(def)) continue;
      std::erase_if(physical_ranges_, [&def](const PhysicalRange& range) { return overlap(range.reg, def); });
      const uint32_t last = last_physical_use(id, position, def);
      if (last > position) physical_ranges_.push_back({def, last});
    }
    if (known == 0 && physical_ranges_.empty()) return;
    std::erase_if(physical_ranges_, [position](const PhysicalRange& range) { return range.last <= position; });
    physical_ = RegisterSet();
    for (const PhysicalRange& range : physical_ranges_) physical_.add(index_of(file_, range.reg.reg), range.reg.dwords);
  }

  static bool overlap(const Operand& a, const Operand& b) {
    return a.kind == Operand::Kind::reg && b.kind == Operand::Kind::reg && a.reg < b.reg.offset(b.dwords) &&
           b.reg < a.reg.offset(a.dwords);
  }

  uint32_t last_physical_use(BlockId id, uint32_t position, const Operand& reg) const {
    const auto& insts = function_.blocks[id].insts;
    const auto overlaps = [&reg](const Operand& other) { return overlap(reg, other); };
    uint32_t last = position;
    for (uint32_t i = position + 1; i < insts.size(); ++i) {
      const auto uses = function_.uses(insts[i]);
      if (std::any_of(uses.begin(), uses.end(), overlaps)) last = i;
      const auto defs = function_.defs(insts[i]);
      if (std::any_of(defs.begin(), defs.end(), overlaps)) break;
    }
    return last;
  }

  const mir::Function& function_;
  const Liveness& liveness_;
  const RegisterSpace& space_;
  const mir::RegFile file_;
  const mir::Graph graph_;
  IdMap<VReg, uint16_t> place_;  ///< of live values: first register
  RegisterSet free_;
  RegisterSet physical_;  ///< registers that hold physical operands between definition and last use
  Wishes wishes_;
  Placement placement_;
  Assignment result_;
  std::vector<bool> finished_;  ///< blocks
  struct PhysicalRange {
    Operand reg;
    uint32_t last;  ///< position of the last use
  };
  std::vector<PhysicalRange> physical_ranges_;
  std::array<VReg, RegisterSet::kSize> owner_;  ///< live value in each register
  std::vector<uint16_t> result_places_;
  std::vector<Role> roles_;
  std::vector<VReg> values_, required_;
};

}  // namespace

Assignment assign_registers(const mir::Function& function, const Liveness& liveness, const RegisterSpace& space) {
  return Assigner(function, liveness, space).run();
}

}  // namespace spalt::regalloc
