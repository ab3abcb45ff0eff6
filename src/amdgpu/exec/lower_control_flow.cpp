// SPDX-License-Identifier: MIT
#include "amdgpu/exec/lower_control_flow.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "amdgpu/exec/logical_code.h"
#include "amdgpu/exec/loop_exits.h"
#include "amdgpu/exec/mask_code.h"
#include "amdgpu/exec/parked.h"
#include "amdgpu/exec/plan.h"
#include "amdgpu/exec/scalar_phis.h"
#include "amdgpu/mir/edges.h"
#include "base/ice.h"

namespace spalt::exec {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

using Set = ParkedSets::Set;

/// The export target of pixels that takes nothing.
constexpr uint8_t kNullTarget = 9;

class Lowering {
 public:
  Lowering(mir::Function& function, const Plan& plan, CompileContext& context)
      : function_(function),
        cancellation_(context.cancellation),
        scratch_(context.scratch),
        plan_(plan),
        code_(function, scratch_),
        old_layout_(function.layout, &scratch_),
        phis_(function, plan_, scratch_),
        loops_(function, plan_, scratch_),
        parked_(scratch_) {
    if (plan_.parks) edge_slots_.emplace(mir::edge_slots(function, mir::Graph::logical, &scratch_));
  }

  void run() {
    const uint32_t count = static_cast<uint32_t>(plan_.blocks.size());
    entry_of_.assign(old_layout_);
    create_heads();
    at_end_.resize(function_.blocks.size(), ParkedSets::kEmpty);
    layout_.reserve(function_.blocks.size());
    for (uint32_t p = 0; p < count; ++p) {
      cancellation_.poll();
      lower_block(p, old_layout_[p]);
    }
    if (empty_end_.valid()) write_empty_end();
    function_.layout.assign(layout_);
    phis_.follow_linear_graph({entry_of_, parked_, at_end_});
    function_.stage = mir::Stage::masked;
  }

 private:
  /// What is parked for the bare return: that somebody is, or was, is all that matters.
  static Operand somebody() { return Operand::immediate(1); }

  // ---- preparation ----

  bool is_loop(uint32_t p) const { return plan_.blocks[p].loop_end != kNoPosition; }

  /// A head block joins parked lanes or tests exec before the block proper, where the block's own start is not the
  /// place: after the test, or because the block is also reached by its loop's back edge.
  void create_heads() {
    for (uint32_t p = 0; p < plan_.blocks.size(); ++p) {
      const BlockPlan& plan = plan_.blocks[p];
      // A loop needs one where something must happen once before it.
      const bool joins_before_loop = is_loop(p) && (plan.pending || plan.closed_exit != kNoPosition ||
                                                    function_.blocks[old_layout_[p]].logical_preds.size() > 2);
      if (!plan.check_empty && !joins_before_loop) continue;
      entry_of_[p] = function_.create_block();
      function_.blocks[entry_of_[p]].loop_depth =
          static_cast<uint16_t>(function_.blocks[old_layout_[p]].loop_depth - (is_loop(p) ? 1 : 0));
    }
  }

  // ---- emission helpers ----

  InstId emit(Opcode opcode, std::initializer_list<Operand> defs, std::initializer_list<Operand> uses) {
    return code_.emit(opcode, defs, uses);
  }
  Operand exec() const { return code_.exec(); }
  static Operand scc() { return MaskCode::scc(); }
  void edge_to(BlockId from, BlockId to) { function_.add_linear_edge(from, to); }
  /// A back edge enters after the head.
  BlockId target_block(uint32_t from, uint32_t to, BlockId block) {
    return to <= from ? block : forward_target(from + 1, to);
  }
  /// The wave that passes by its exports sends one of nothing. `passed`: the first block that it does not come to.
  /// `exec_is_empty`: that is why.
  BlockId forward_target(uint32_t passed, uint32_t to, bool exec_is_empty = false) {
    if (!plan_.passes_owed(passed, to)) return entry_of_[to];
    if (!empty_end_.valid()) empty_end_ = function_.create_block();
    clears_exec_ |= !exec_is_empty;
    return empty_end_;
  }

  // ---- one block ----

  void lower_block(uint32_t p, BlockId id) {
    const BlockPlan& plan = plan_.blocks[p];
    old_.assign(function_.blocks[id].insts);
    const mir::InstList& old = old_;
    mir::InstList& code = new_;
    code.clear();
    code_.write_to(code);
    const BlockId entry = entry_of_[p];
    Set state = merge_states(entry);
    if (entry != id) {
      join(p, state);
      emit_head_end(p, id, entry, state);
      function_.blocks[entry].insts.assign(code);
      code.clear();
      at_end_[entry.index] = state;
      layout_.push_back(entry);
    }
    if (is_loop(p)) open_loop(p, state);
    size_t next = count_leading(function_, old, p == 0);
    code.insert(code.end(), old.begin(), old.begin() + next);
    if (entry == id) join(p, state);
    emit(Opcode::p_logical_start, {}, {});
    for (; next + 1 < old.size(); ++next) {
      if (plan_.parks) code_.note(old[next], id);
      code.push_back(old[next]);
    }
    lower_terminator(p, id, old.back(), state);
    function_.blocks[id].insts.assign(code);
    layout_.push_back(id);
    at_end_[id.index] = state;
    if (plan.back_edge) close_loop(p, id);
  }

  void emit_head_end(uint32_t p, BlockId body, BlockId head, Set& state) {
    const uint32_t waiting = first_waiting(state, p);
    if (plan_.blocks[p].closed_exit != kNoPosition) park_ahead(state, plan_.blocks[p].closed_exit);
    // The plan does not tell exclusive paths apart: where nobody waits after p, all lanes are here.
    if (!plan_.blocks[p].check_empty || waiting == kNoPosition) {
      emit(Opcode::p_jump, {}, {Operand::target(body)});
    } else {
      const BlockId target = forward_target(p, waiting, true);
      emit(Opcode::p_jump_execz, {}, {exec(), Operand::target(target), Operand::target(body)});
      edge_to(head, target);
    }
    edge_to(head, body);
  }

  /// The first block after p where lanes wait; an empty wave goes on there.
  uint32_t first_waiting(Set state, uint32_t p) const {
    for (; state != ParkedSets::kEmpty; state = parked_.rest(state)) {
      const Parked& entry = parked_.front(state);
      if (entry.target > p && entry.is_waiting()) return entry.target;
    }
    return kNoPosition;
  }

  /// Combines what is parked at the ends of all linear predecessors; phis where it differs.
  Set merge_states(BlockId entry) {
    const auto preds = function_.blocks[entry].linear_preds.span();
    if (preds.empty()) return ParkedSets::kEmpty;
    sets_.clear();
    for (BlockId pred : preds) sets_.push_back(at_end_[pred.index]);
    merged_.clear();
    while (std::any_of(sets_.begin(), sets_.end(), [&](Set set) { return set != sets_[0]; })) {
      const Parked result = merge_first(sets_);
      if (!result.is_default()) merged_.push_back(result);
    }
    return parked_.prepend(merged_, sets_[0]);
  }

  /// Takes the first entry of all from the sets that have it; the others have its default.
  Parked merge_first(std::span<Set> sets) {
    const Parked* first = nullptr;
    for (Set set : sets) {
      if (set == ParkedSets::kEmpty) continue;
      const Parked& entry = parked_.front(set);
      if (first == nullptr || entry.before(first->target, first->slot)) first = &entry;
    }
    Parked result = *first;
    bool differ = false;
    values_.clear();
    for (Set& set : sets) {
      const bool present = set != ParkedSets::kEmpty && parked_.front(set).at(result.target, result.slot);
      values_.push_back(present ? parked_.front(set).value : first->nothing);
      differ |= !values_.back().same_value(values_[0]);
      if (present) set = parked_.rest(set);
    }
    if (result.target == plan_.bare_return) return result;
    result.value = values_[0];
    if (!differ) return result;
    result.value = phi_def(result.target, result.slot);
    code_.emit_phi(result.value, values_);
    return result;
  }

  /// What `slot` of an entry for `target` is when nothing has been parked.
  Operand nothing(uint32_t target, uint32_t slot) const {
    return slot == 0 ? Operand::immediate(0) : phis_.nothing(target, slot - 1);
  }
  Operand phi_def(uint32_t target, uint32_t slot) {
    if (slot == 0) return code_.mask_def();
    return function_.def(function_.vregs[function_.defs(phis_.of(target)[slot - 1])[0].vreg()].cls);
  }

  /// Header phis for what travels to blocks after the loop; the operand of the back edge is filled by close_loop.
  void open_loop(uint32_t p, Set& state) {
    for (uint32_t target : loops_.exits(p)) {
      entries_.clear();
      if (target == plan_.bare_return) {
        entries_.push_back({target, 0, somebody(), nothing(target, 0)});
        state = parked_.with(state, entries_);
        continue;
      }
      Set at = parked_.seek(state, target, 0);
      // The lanes that leave to a closed exit are in its mask since they entered; what they bring along is not.
      const bool is_closed = plan_.blocks[p].closed_exit == target;
      for (uint32_t slot = 0; slot <= phis_.of(target).size(); ++slot) {
        if (is_closed && (slot == 0 || !phis_.joins_lanes(target, slot - 1))) continue;
        at = parked_.seek(at, target, slot);
        const bool present = at != ParkedSets::kEmpty && parked_.front(at).at(target, slot);
        const Operand result = phi_def(target, slot);
        const Operand none = nothing(target, slot);
        const Operand operands[] = {present ? parked_.front(at).value : none, none};
        loop_phis_.push_back({p, target, slot, code_.emit_phi(result, operands)});
        entries_.push_back({target, slot, result, none});
      }
      state = parked_.with(state, entries_);
    }
  }

  void close_loop(uint32_t p, BlockId id) {
    uint32_t header = kNoPosition;
    for (BlockId succ : function_.blocks[id].logical_succs) {
      if (plan_.position[succ.index] <= p) header = plan_.position[succ.index];
    }
    while (!loop_phis_.empty() && loop_phis_.back().header == header) {
      const LoopPhi phi = loop_phis_.back();
      loop_phis_.pop_back();
      closing_.push_back(phi);
    }
    // In the order in which they were opened the entries of one target follow each other in the set.
    Set at = at_end_[id.index];
    for (size_t i = closing_.size(); i-- > 0;) {
      const LoopPhi& phi = closing_[i];
      if (i + 1 == closing_.size() || closing_[i + 1].target != phi.target) at = at_end_[id.index];
      at = parked_.seek(at, phi.target, phi.slot);
      if (at == ParkedSets::kEmpty || !parked_.front(at).at(phi.target, phi.slot)) continue;
      function_.uses(phi.phi)[1] = parked_.front(at).value;
    }
    closing_.clear();
  }

  /// Lanes that wait for block p start to run.
  void join(uint32_t p, Set& state) {
    const BlockPlan& plan = plan_.blocks[p];
    if (!plan.pending || p == plan_.bare_return) return;
    const Operand* waiting = parked_.find(state, p, 0);
    SPALT_ASSERT(waiting != nullptr);
    if (plan.else_side) {
      emit(code_.ops.andn2, {exec(), scc()}, {*waiting, exec()});
    } else if (plan.direct_pred) {
      emit(code_.ops.or_, {exec(), scc()}, {exec(), *waiting});
    } else {
      emit(code_.ops.mov, {exec()}, {*waiting});
    }
    state = parked_.without(state, p);
  }

  // ---- terminators ----

  void lower_terminator(uint32_t p, BlockId id, InstId old, Set& state) {
    const Opcode opcode = function_.insts[old].opcode;
    const SmallVector<Operand, 4> uses(std::span<const Operand>(function_.uses(old)));
    if (opcode == Opcode::p_return) {
      emit(Opcode::p_logical_end, {}, {});
      lower_return(p, id, uses.span(), state);
    } else if (opcode == Opcode::p_branch) {
      emit(Opcode::p_logical_end, {}, {});
      lower_jump(p, id, state);
    } else if (opcode == Opcode::p_branch_scc && !plan_.blocks[p].demoted) {
      // After the producer of scc, which is the last instruction of the logical code.
      emit(Opcode::p_logical_end, {}, {});
      lower_uniform_branch(p, id, goes_to_second(id, uses.span()));
    } else {
      Operand condition = uses[0];
      if (opcode == Opcode::p_branch_scc) {
        condition = code_.mask_def();
        const bool second = goes_to_second(id, uses.span());
        const Operand if_set = Operand::immediate(second ? 0 : 0xffffffffu);
        emit(code_.ops.cselect, {condition}, {if_set, Operand::immediate(second ? 0xffffffffu : 0), scc()});
      }
      emit(Opcode::p_logical_end, {}, {});
      lower_divergent_branch(p, id, condition, state);
    }
  }

  /// `goes_on`: the lanes that run in the code that follows, if there is to be some.
  void lower_return(uint32_t p, BlockId id, std::span<const Operand> goes_on, Set state) {
    const uint32_t waiting = first_waiting(state, p);
    if (waiting == kNoPosition) {
      emit_program_end(function_, code_, goes_on);
    } else {
      leave_empty(p, id, waiting);
    }
  }

  /// The hardware waits for exports of every wave; one of nothing says that no fragment is left.
  void write_empty_end() {
    isa::Modifiers mods;
    mods.export_target = function_.target.has_null_export ? kNullTarget : uint8_t{0};
    mods.export_enable = 0;
    mods.export_done = true;
    mods.export_valid_mask = function_.target.has_null_export;
    mir::InstList& code = function_.blocks[empty_end_].insts;
    code_.write_to(code);
    if (clears_exec_) emit(code_.ops.mov, {exec()}, {Operand::immediate(0)});
    const InstId id = emit(Opcode::exp, {}, {Operand(), Operand(), Operand(), Operand()});
    function_.set_modifiers(function_.insts[id], mods);
    function_.insts[emit(Opcode::s_endpgm, {}, {})].simm16 = 0;
    layout_.push_back(empty_end_);
  }

  /// All lanes are parked: the wave goes on at the next block that can hold some.
  void leave_empty(uint32_t p, BlockId id, uint32_t waiting) {
    SPALT_ASSERT(waiting != kNoPosition);
    if (plan_.blocks[waiting].direct_pred && waiting != plan_.bare_return) {
      emit(code_.ops.mov, {exec()}, {Operand::immediate(0)});
    }
    const BlockId target = forward_target(p + 1, waiting);
    emit(Opcode::p_jump, {}, {Operand::target(target)});
    edge_to(id, target);
  }

  /// All running lanes will arrive at `target`: they are in its mask before they go there.
  void park_ahead(Set& state, uint32_t target) { add_waiting(state, target, exec()); }

  void add_waiting(Set& state, uint32_t target, Operand lanes) {
    const Operand* before = parked_.find(state, target, 0);
    if (target == plan_.bare_return) {
      lanes = somebody();
    } else if (before != nullptr) {
      lanes = code_.emit_mask(code_.ops.or_, *before, lanes);
    } else if (lanes.is_reg(isa::kExec)) {
      lanes = code_.copy_of_exec();
    }
    const Parked entry{target, 0, lanes, nothing(target, 0)};
    state = parked_.with(state, {&entry, 1});
  }

  /// The values that SGPR phis of successor number `succ` take for lanes that leave `from` and wait for it.
  void park_values(Set& state, BlockId from, uint32_t succ, LeavingLanes& lanes) {
    const uint32_t target = plan_.position[function_.blocks[from].logical_succs[succ].index];
    if (phis_.of(target).empty()) return;
    const uint32_t index = (*edge_slots_)(from, succ);
    entries_.clear();
    for (uint32_t slot = 1; slot <= phis_.of(target).size(); ++slot) {
      const InstId phi = phis_.of(target)[slot - 1];
      const Operand value = function_.uses(phi)[index];
      const bool joins = phis_.joins_lanes(target, slot - 1);
      entries_.push_back(
          {target, slot, joins ? joined_mask(state, target, slot, from, value, lanes) : value, nothing(target, slot)});
    }
    state = parked_.with(state, entries_);
  }

  /// The same for the lanes in exec, which walk that edge: phis that join lane masks take what others left, too.
  void bring_masks(Set state, BlockId from, uint32_t succ, LeavingLanes lanes) {
    const uint32_t target = plan_.position[function_.blocks[from].logical_succs[succ].index];
    // Where nobody waits, the bits of other lanes do not matter.
    if (parked_.find(state, target, 0) == nullptr) return;
    const uint32_t index = (*edge_slots_)(from, succ);
    for (uint32_t slot = 1; slot <= phis_.of(target).size(); ++slot) {
      const InstId phi = phis_.of(target)[slot - 1];
      if (!phis_.joins_lanes(target, slot - 1)) continue;
      const Operand joined = joined_mask(state, target, slot, from, function_.uses(phi)[index], lanes);
      function_.uses(phi)[index] = joined;
    }
  }

  /// The mask for the block at `target` with the bits of lanes that wait there, and those of `value` for `lanes`.
  Operand joined_mask(Set state, uint32_t target, uint32_t slot, BlockId from, const Operand& value,
                      LeavingLanes& lanes) {
    const Operand base = nothing(target, slot);
    const Operand* before = parked_.find(state, target, slot);
    return code_.join(before != nullptr ? *before : base, base, value, from, lanes);
  }

  void lower_jump(uint32_t p, BlockId id, Set& state) {
    const BlockPlan& plan = plan_.blocks[p];
    const BlockId succ = function_.blocks[id].logical_succs[0];
    const uint32_t to = plan_.position[succ.index];
    if (plan.succ[0] == EdgeKind::park) {
      LeavingLanes lanes{.all = exec()};
      if (!plan.parked_ahead && !loops_.waits_since_entry(p, to)) add_waiting(state, to, exec());
      park_values(state, id, 0, lanes);
      leave_empty(p, id, first_waiting(state, p));
      return;
    }
    const BlockId target = target_block(p, to, succ);
    if (to > p) bring_masks(state, id, 0, {.all = exec()});
    emit(Opcode::p_jump, {}, {Operand::target(target)});
    edge_to(id, target);
  }

  /// Whether a branch on scc goes to its block's second successor where scc is 1: the condition was computed inverted.
  bool goes_to_second(BlockId id, std::span<const Operand> uses) const {
    const auto& succs = function_.blocks[id].logical_succs;
    return uses[1].block() == succs[1] && succs[0] != succs[1];
  }

  void lower_uniform_branch(uint32_t p, BlockId id, bool to_second) {
    const SmallVector<BlockId, 2> succs(function_.blocks[id].logical_succs.span());
    const BlockId a = target_block(p, plan_.position[succs[0].index], succs[0]);
    const BlockId b = target_block(p, plan_.position[succs[1].index], succs[1]);
    // Neither edge is critical where masks join, so nobody waits there: the operands of phis are right.
    emit(Opcode::p_jump_scc1, {}, {scc(), Operand::target(to_second ? b : a), Operand::target(to_second ? a : b)});
    edge_to(id, a);
    edge_to(id, b);
  }

  void lower_divergent_branch(uint32_t p, BlockId id, Operand condition, Set& state) {
    const BlockPlan& plan = plan_.blocks[p];
    const SmallVector<BlockId, 2> succs(function_.blocks[id].logical_succs.span());
    if (plan.closed || plan.merge != kNoPosition) {
      save_and_narrow(p, id, condition, state);
    } else {
      for (unsigned i = 0; i < 2; ++i) {
        if (plan.succ[i] != EdgeKind::park) continue;
        const uint32_t to = plan_.position[succs[i].index];
        LeavingLanes lanes{.all = exec(), .opcode = i == 0 ? code_.ops.and_ : code_.ops.andn2, .by = condition};
        if (!loops_.waits_since_entry(p, to)) {
          add_waiting(state, to, to == plan_.bare_return ? somebody() : code_.mask_of(lanes));
        }
        park_values(state, id, i, lanes);
      }
      if (plan.parks_all) return leave_empty(p, id, first_waiting(state, p));
      emit(walked_side(plan) == 0 ? code_.ops.and_ : code_.ops.andn2, {exec(), scc()}, {exec(), condition});
    }
    const uint32_t waiting = first_waiting(state, p);
    const unsigned walked = walked_side(plan);
    const uint32_t to = plan_.position[succs[walked].index];
    const BlockId target = target_block(p, to, succs[walked]);
    if (to > p) bring_masks(state, id, walked, {.all = exec(), .opcode = code_.ops.and_, .by = exec(), .mask = exec()});
    if (to <= p) {
      const BlockId way_out = forward_target(p + 1, waiting, true);
      emit(Opcode::p_jump_execnz, {}, {exec(), Operand::target(target), Operand::target(way_out)});
      edge_to(id, target);
      edge_to(id, way_out);
    } else if (plan.skip) {
      const BlockId way_out = forward_target(p + 1, waiting, true);
      emit(Opcode::p_jump_execz, {}, {exec(), Operand::target(way_out), Operand::target(target)});
      edge_to(id, way_out);
      edge_to(id, target);
    } else {
      emit(Opcode::p_jump, {}, {Operand::target(target)});
      edge_to(id, target);
    }
  }

  static unsigned walked_side(const BlockPlan& plan) { return plan.succ[0] == EdgeKind::direct ? 0 : 1; }

  /// The mask before the branch serves as pending mask of the far side, and of the merge block where there is an else
  /// side.
  void save_and_narrow(uint32_t p, BlockId id, Operand condition, Set& state) {
    const BlockPlan& plan = plan_.blocks[p];
    const unsigned walked = walked_side(plan);
    const Operand saved = code_.mask_def();
    emit(walked == 0 ? code_.ops.and_saveexec : code_.ops.andn1_saveexec, {saved, exec(), scc()}, {condition, exec()});
    LeavingLanes lanes{.all = saved, .opcode = code_.ops.andn2, .by = exec()};
    add_waiting(state, plan_.position[function_.blocks[id].logical_succs[1 - walked].index], saved);
    park_values(state, id, 1 - walked, lanes);
    if (plan.merge != kNoPosition) add_waiting(state, plan.merge, saved);
  }

  struct LoopPhi {
    uint32_t header, target, slot;
    InstId phi;
  };

  mir::Function& function_;
  const Cancellation& cancellation_;
  Arena& scratch_;
  const Plan& plan_;
  std::optional<mir::EdgeSlots> edge_slots_;  ///< of the logical graph, where lanes park
  MaskCode code_;
  const mir::BlockList old_layout_;
  ScalarPhis phis_;
  const LoopExits loops_;
  mir::BlockList entry_of_{scratch_};  ///< by position: the head if there is one, else the block
  BlockId empty_end_;                  ///< where a wave ends that passed by its exports
  bool clears_exec_ = false;           ///< lanes run where a wave comes there
  ParkedSets parked_;
  Vector<Set> at_end_{scratch_};  ///< by block id
  mir::BlockList layout_{scratch_};
  Vector<LoopPhi> loop_phis_{scratch_};
  Vector<LoopPhi> closing_{scratch_};  ///< of close_loop
  Vector<Parked> entries_{scratch_};   ///< of open_loop and park
  Vector<Operand> values_{scratch_};   ///< of merge_first
  Vector<Set> sets_{scratch_};         ///< of merge_states
  Vector<Parked> merged_{scratch_};    ///< likewise
  mir::InstList old_{scratch_}, new_{scratch_};
};

/// A function of one block: all lanes run from its start to its end, so nothing has to be planned.
void lower_straight_line(mir::Function& function, CompileContext& context) {
  mir::InstList& insts = function.blocks[function.layout[0]].insts;
  mir::InstList code(context.scratch);
  code.reserve(insts.size() + 2);
  MaskCode out(function, context.scratch);
  out.write_to(code);
  const size_t start = count_leading(function, insts, true);
  code.insert(code.end(), insts.begin(), insts.begin() + start);
  out.emit(Opcode::p_logical_start, {}, {});
  code.insert(code.end(), insts.begin() + start, insts.end() - 1);
  out.emit(Opcode::p_logical_end, {}, {});
  const SmallVector<Operand, 4> goes_on(std::span<const Operand>(function.uses(insts.back())));
  emit_program_end(function, out, goes_on.span());
  insts.assign(code);
  function.stage = mir::Stage::masked;
}

}  // namespace

Result<void> lower_control_flow(mir::Function& function, CompileContext& context, const Config& config) {
  const ArenaScope scope(context.scratch);
  if (function.layout.size() == 1 && function.blocks[function.layout[0]].logical_succs.empty()) {
    lower_straight_line(function, context);
    return {};
  }
  if (config.fold_edges) fold_empty_edges(function, context, config.kept_edges);
  const Plan plan = make_plan(function, context.scratch);
  if (plan.live_masks > kMaxLiveMasks) {
    return Error{Status::limit_exceeded, "divergent branches or switches nest too deep: summed over all blocks, " +
                                             std::to_string(plan.live_masks) + " lane masks are live, and at most " +
                                             std::to_string(kMaxLiveMasks) + " may be"};
  }
  Lowering(function, plan, context).run();
  // Where every edge is walked, what dominates on the logical graph does so on the linear one.
  if (plan.parks) repair_linear_ssa(function, context);
  split_linear_edges(function, context);
  return {};
}

}  // namespace spalt::exec
