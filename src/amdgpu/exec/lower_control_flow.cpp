// SPDX-License-Identifier: MIT
#include "amdgpu/exec/lower_control_flow.h"

#include <algorithm>

#include "amdgpu/exec/mask_ops.h"
#include "amdgpu/exec/plan.h"
#include "base/ice.h"

namespace spalt::exec {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

/// The pending mask of the block at position `target` as of some point of the linear walk. Absent means 0.
struct Pending {
  uint32_t target;
  Operand mask;
};
using PendingSet = std::vector<Pending>;  // sorted by target

bool same_mask(const Operand& a, const Operand& b) {
  return a.kind == b.kind && a.value == b.value && a.reg == b.reg;
}

const Operand* find_pending(const PendingSet& set, uint32_t target) {
  for (const Pending& entry : set) {
    if (entry.target == target) return &entry.mask;
  }
  return nullptr;
}

void set_pending(PendingSet& set, uint32_t target, Operand mask) {
  const auto at = std::lower_bound(set.begin(), set.end(), target,
                                   [](const Pending& entry, uint32_t value) { return entry.target < value; });
  if (at != set.end() && at->target == target) {
    at->mask = mask;
  } else {
    set.insert(at, {target, mask});
  }
}

class Lowering {
 public:
  explicit Lowering(mir::Function& function)
      : function_(function), plan_(make_plan(function)), ops_(mask_ops(function.wave_size)) {}

  void run() {
    const uint32_t count = static_cast<uint32_t>(plan_.blocks.size());
    collect_loop_exits();
    const std::vector<BlockId> old_layout = function_.layout;
    entry_of_.assign(count, BlockId());
    for (uint32_t p = 0; p < count; ++p) entry_of_[p] = old_layout[p];
    create_heads(old_layout);
    at_end_.resize(function_.blocks.size());
    layout_.reserve(function_.blocks.size());
    for (uint32_t p = 0; p < count; ++p) lower_block(p, old_layout[p]);
    function_.layout = layout_;
    convert_scalar_phis(old_layout);
    function_.stage = mir::Stage::masked;
  }

 private:
  // ---- preparation ----

  /// For each loop: blocks behind it for which lanes park inside it. Their masks are carried around the loop by header
  /// phis.
  void collect_loop_exits() {
    const uint32_t count = static_cast<uint32_t>(plan_.blocks.size());
    exits_.resize(count);
    std::vector<uint32_t> open;  // headers of the loops around position p, innermost last
    for (uint32_t p = 0; p < count; ++p) {
      while (!open.empty() && plan_.blocks[open.back()].loop_end < p) open.pop_back();
      if (plan_.blocks[p].loop_end != kNoPosition) open.push_back(p);
      const auto& succs = function_.blocks[function_.layout[p]].logical_succs;
      for (unsigned i = 0; i < succs.size(); ++i) {
        if (plan_.blocks[p].succ[i] != EdgeKind::park) continue;
        const uint32_t target = plan_.position[succs[i].index];
        for (size_t l = open.size(); l-- > 0 && target > plan_.blocks[open[l]].loop_end;) {
          auto& exits = exits_[open[l]];
          if (std::find(exits.begin(), exits.end(), target) == exits.end()) exits.push_back(target);
        }
      }
    }
  }

  bool is_loop(uint32_t p) const { return plan_.blocks[p].loop_end != kNoPosition; }

  /// A head block joins parked lanes or tests exec before the block proper, where the block's own start is not the
  /// place: behind the test, or because the block is also reached by its loop's back edge.
  void create_heads(const std::vector<BlockId>& old_layout) {
    for (uint32_t p = 0; p < plan_.blocks.size(); ++p) {
      const BlockPlan& plan = plan_.blocks[p];
      const bool joins_before_loop =
          is_loop(p) && (plan.pending || function_.blocks[old_layout[p]].logical_preds.size() > 2);
      if (!plan.check_empty && !joins_before_loop) continue;
      entry_of_[p] = function_.create_block();
      function_.blocks[entry_of_[p]].loop_depth =
          static_cast<uint16_t>(function_.blocks[old_layout[p]].loop_depth - (is_loop(p) ? 1 : 0));
    }
  }

  // ---- emission helpers ----

  Operand mask_def() { return function_.def(function_.lane_mask_class()); }
  Operand exec() const { return Operand::physical(isa::kExec, ops_.dwords); }
  static Operand scc() { return Operand::physical(isa::kScc); }

  InstId emit(Opcode opcode, std::initializer_list<Operand> defs, std::initializer_list<Operand> uses) {
    const InstId id = function_.create(opcode, std::span<const Operand>(defs.begin(), defs.size()),
                                       std::span<const Operand>(uses.begin(), uses.size()));
    out_->push_back(id);
    return id;
  }
  Operand emit_mask(Opcode opcode, Operand a, Operand b) {
    const Operand result = mask_def();
    emit(opcode, {result, scc()}, {a, b});
    return result;
  }
  void edge(BlockId from, uint32_t to_position) { edge_to(from, entry_of_[to_position]); }
  void edge_to(BlockId from, BlockId to) { function_.add_linear_edge(from, to); }
  /// A back edge enters behind the head.
  BlockId target_block(uint32_t from, uint32_t to, BlockId block) const { return to <= from ? block : entry_of_[to]; }

  // ---- one block ----

  void lower_block(uint32_t p, BlockId id) {
    const BlockPlan& plan = plan_.blocks[p];
    std::vector<InstId> old;
    old.swap(function_.blocks[id].insts);
    PendingSet state;
    std::vector<InstId> code;
    out_ = &code;
    const BlockId entry = entry_of_[p];
    merge_states(entry, state);
    if (entry != id) {
      join(p, state);
      emit_head_end(p, id);
      function_.blocks[entry].insts = std::move(code);
      code.clear();
      at_end_[entry.index] = state;
      layout_.push_back(entry);
    }
    if (is_loop(p)) open_loop(p, state);
    size_t next = 0;
    while (next < old.size() && is_leading(function_.insts[old[next]].opcode)) code.push_back(old[next++]);
    if (entry == id) join(p, state);
    emit(Opcode::p_logical_start, {}, {});
    while (next + 1 < old.size()) code.push_back(old[next++]);
    lower_terminator(p, id, old.back(), state);
    function_.blocks[id].insts = std::move(code);
    layout_.push_back(id);
    at_end_[id.index] = std::move(state);
    if (plan.back_edge) close_loop(p, id);
  }

  static bool is_leading(Opcode opcode) { return opcode == Opcode::p_phi || opcode == Opcode::p_start; }

  void emit_head_end(uint32_t p, BlockId body) {
    const BlockId head = entry_of_[p];
    if (!plan_.blocks[p].check_empty) {
      emit(Opcode::p_jump, {}, {Operand::target(body)});
    } else {
      const uint32_t waiting = next_pending_at_start(p);
      emit(Opcode::p_jump_execz, {}, {exec(), Operand::target(entry_of_[waiting]), Operand::target(body)});
      edge(head, waiting);
    }
    edge_to(head, body);
  }

  /// First block behind p that can hold lanes parked before p: the end of p only adds later or equal ones of its own,
  /// so the search runs over the masks that arrive.
  uint32_t next_pending_at_start(uint32_t p) const {
    const PendingSet& state = *arriving_;
    for (const Pending& entry : state) {
      if (entry.target > p) return entry.target;
    }
    SPALT_ICE("exec may be empty but nobody waits");
  }

  /// Combines the masks of all linear predecessors; phis where they differ.
  void merge_states(BlockId entry, PendingSet& state) {
    const auto preds = SmallVector<BlockId, 4>(function_.blocks[entry].linear_preds.span());
    arriving_ = &state;
    if (preds.empty()) return;
    state = at_end_[preds[0].index];
    if (preds.size() == 1) return;
    for (BlockId pred : preds) {
      for (const Pending& other : at_end_[pred.index]) {
        if (find_pending(state, other.target) == nullptr) set_pending(state, other.target, Operand::immediate(0));
      }
    }
    for (Pending& merged : state) {
      SmallVector<Operand, 4> values;
      bool differ = false;
      for (BlockId pred : preds) {
        const Operand* value = find_pending(at_end_[pred.index], merged.target);
        values.push_back(value != nullptr ? *value : Operand::immediate(0));
        differ |= !same_mask(values.back(), values[0]);
      }
      merged.mask = values[0];
      if (!differ) continue;
      merged.mask = mask_def();
      const Operand defs[] = {merged.mask};
      out_->push_back(function_.create(Opcode::p_phi, defs, values));
    }
    std::erase_if(state, [](const Pending& entry_mask) { return entry_mask.mask.is_imm(); });
  }

  /// Header phis for the masks of blocks behind the loop; the operand of the back edge is filled by close_loop.
  void open_loop(uint32_t p, PendingSet& state) {
    for (uint32_t target : exits_[p]) {
      const Operand* outside = find_pending(state, target);
      const Operand result = mask_def();
      const Operand operands[] = {outside != nullptr ? *outside : Operand::immediate(0), Operand::immediate(0)};
      const Operand defs[] = {result};
      const InstId phi = function_.create(Opcode::p_phi, defs, operands);
      out_->push_back(phi);
      loop_phis_.push_back({p, target, phi});
      set_pending(state, target, result);
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
      const Operand* value = find_pending(at_end_[id.index], phi.target);
      if (value != nullptr) function_.uses(phi.phi)[1] = *value;
    }
  }

  /// Lanes that wait for block p start to run.
  void join(uint32_t p, PendingSet& state) {
    const BlockPlan& plan = plan_.blocks[p];
    if (!plan.pending) return;
    const Operand* waiting = find_pending(state, p);
    SPALT_ASSERT(waiting != nullptr);
    if (plan.direct_pred) {
      emit(ops_.or_, {exec(), scc()}, {exec(), *waiting});
    } else {
      emit(ops_.mov, {exec()}, {*waiting});
    }
    std::erase_if(state, [p](const Pending& entry) { return entry.target == p; });
  }

  // ---- terminators ----

  void lower_terminator(uint32_t p, BlockId id, InstId old, PendingSet& state) {
    const Opcode opcode = function_.insts[old].opcode;
    const SmallVector<Operand, 4> uses(std::span<const Operand>(function_.uses(old)));
    if (opcode == Opcode::p_return) {
      emit(Opcode::p_logical_end, {}, {});
      lower_return(p, id);
    } else if (opcode == Opcode::p_branch) {
      emit(Opcode::p_logical_end, {}, {});
      lower_jump(p, id, state);
    } else if (opcode == Opcode::p_branch_scc && !plan_.blocks[p].demoted) {
      // Behind the producer of scc, which is the last instruction of the logical code.
      emit(Opcode::p_logical_end, {}, {});
      lower_uniform_branch(p, id);
    } else {
      Operand condition = uses[0];
      if (opcode == Opcode::p_branch_scc) {
        condition = mask_def();
        emit(ops_.cselect, {condition}, {Operand::immediate(0xffffffffu), Operand::immediate(0), scc()});
      }
      emit(Opcode::p_logical_end, {}, {});
      lower_divergent_branch(p, id, condition, state);
    }
  }

  void lower_return(uint32_t p, BlockId id) {
    const uint32_t waiting = plan_.blocks[p].next_pending;
    if (waiting == kNoPosition) {
      const InstId end = emit(Opcode::s_endpgm, {}, {});
      function_.insts[end].simm16 = 0;
    } else {
      leave_empty(id, waiting);
    }
  }

  /// All lanes are parked: the wave goes on at the next block that can hold some.
  void leave_empty(BlockId id, uint32_t waiting) {
    SPALT_ASSERT(waiting != kNoPosition);
    if (plan_.blocks[waiting].direct_pred) emit(ops_.mov, {exec()}, {Operand::immediate(0)});
    emit(Opcode::p_jump, {}, {Operand::target(entry_of_[waiting])});
    edge(id, waiting);
  }

  void park(PendingSet& state, uint32_t target, Operand lanes) {
    const Operand* before = find_pending(state, target);
    if (before != nullptr) {
      lanes = emit_mask(ops_.or_, *before, lanes);
    } else if (lanes.is_reg(isa::kExec)) {
      const Operand copy = mask_def();
      emit(ops_.mov, {copy}, {lanes});
      lanes = copy;
    }
    set_pending(state, target, lanes);
  }

  void lower_jump(uint32_t p, BlockId id, PendingSet& state) {
    const BlockPlan& plan = plan_.blocks[p];
    const BlockId succ = function_.blocks[id].logical_succs[0];
    const uint32_t to = plan_.position[succ.index];
    if (plan.succ[0] == EdgeKind::park) {
      park(state, to, exec());
      leave_empty(id, plan.next_pending);
      return;
    }
    const BlockId target = target_block(p, to, succ);
    emit(Opcode::p_jump, {}, {Operand::target(target)});
    edge_to(id, target);
  }

  void lower_uniform_branch(uint32_t p, BlockId id) {
    const SmallVector<BlockId, 2> succs(function_.blocks[id].logical_succs.span());
    const BlockId a = target_block(p, plan_.position[succs[0].index], succs[0]);
    const BlockId b = target_block(p, plan_.position[succs[1].index], succs[1]);
    emit(Opcode::p_jump_scc1, {}, {scc(), Operand::target(a), Operand::target(b)});
    edge_to(id, a);
    edge_to(id, b);
  }

  void lower_divergent_branch(uint32_t p, BlockId id, Operand condition, PendingSet& state) {
    const BlockPlan& plan = plan_.blocks[p];
    const SmallVector<BlockId, 2> succs(function_.blocks[id].logical_succs.span());
    for (unsigned i = 0; i < 2; ++i) {
      if (plan.succ[i] != EdgeKind::park) continue;
      const Operand lanes = emit_mask(i == 0 ? ops_.and_ : ops_.andn2, exec(), condition);
      park(state, plan_.position[succs[i].index], lanes);
    }
    if (plan.parks_all) {
      leave_empty(id, plan.next_pending);
      return;
    }
    const unsigned walked = plan.succ[0] == EdgeKind::direct ? 0 : 1;
    emit(walked == 0 ? ops_.and_ : ops_.andn2, {exec(), scc()}, {exec(), condition});
    const uint32_t to = plan_.position[succs[walked].index];
    const BlockId target = target_block(p, to, succs[walked]);
    if (to <= p) {
      emit(Opcode::p_jump_execnz, {}, {exec(), Operand::target(target), Operand::target(entry_of_[plan.next_pending])});
      edge_to(id, target);
      edge(id, plan.next_pending);
    } else if (plan.skip) {
      emit(Opcode::p_jump_execz, {}, {exec(), Operand::target(entry_of_[plan.next_pending]), Operand::target(target)});
      edge(id, plan.next_pending);
      edge_to(id, target);
    } else {
      emit(Opcode::p_jump, {}, {Operand::target(target)});
      edge_to(id, target);
    }
  }

  // ---- SGPR phis ----

  void convert_scalar_phis(const std::vector<BlockId>& old_layout) {
    for (uint32_t p = 0; p < old_layout.size(); ++p) {
      const BlockId id = old_layout[p];
      std::vector<InstId> kept, moved;
      copies_.clear();
      bool in_phis = true;
      for (InstId inst : std::vector<InstId>(function_.blocks[id].insts)) {
        if (in_phis && function_.insts[inst].opcode != Opcode::p_phi) {
          in_phis = false;
          kept.insert(kept.end(), copies_.begin(), copies_.end());
        }
        if (is_selected_scalar_phi(inst)) {
          convert_phi(p, id, inst, kept, moved);
        } else {
          kept.push_back(inst);
        }
      }
      function_.blocks[id].insts = std::move(kept);
      if (moved.empty()) continue;
      auto& head = function_.blocks[entry_of_[p]].insts;
      head.insert(head.begin(), moved.begin(), moved.end());
    }
  }

  /// Phis of the selected function have an operand per logical predecessor; the masks made here already follow the
  /// linear graph.
  bool is_selected_scalar_phi(InstId inst) const {
    return function_.insts[inst].opcode == Opcode::p_phi && inst.index < first_new_inst_ &&
           function_.vregs[function_.defs(inst)[0].vreg()].cls.linear;
  }

  /// The value that a phi takes on the linear edge from `pred`; undefined where no lane of the phi's block comes along.
  Operand operand_from(InstId phi, uint32_t p, BlockId id, BlockId pred) const {
    const auto& logical = function_.blocks[id].logical_preds;
    for (uint32_t i = 0; i < logical.size(); ++i) {
      if (logical[i] == pred && edge_kind(pred, p) == EdgeKind::direct) return function_.uses(phi)[i];
    }
    return Operand::undefined(function_.defs(phi)[0].dwords);
  }

  EdgeKind edge_kind(BlockId from, uint32_t to) const {
    const auto& succs = function_.blocks[from].logical_succs;
    for (unsigned i = 0; i < succs.size(); ++i) {
      if (plan_.position[succs[i].index] == to) return plan_.blocks[plan_.position[from.index]].succ[i];
    }
    return EdgeKind::none;
  }

  void convert_phi(uint32_t p, BlockId id, InstId phi, std::vector<InstId>& kept, std::vector<InstId>& moved) {
    if (forward_same_value(p, phi)) return;
    const bool has_head = entry_of_[p] != id;
    if (!has_head) {
      set_linear_operands(phi, p, id, id);
      kept.push_back(phi);
      return;
    }
    if (!is_loop(p)) {
      set_linear_operands(phi, p, id, entry_of_[p]);
      moved.push_back(phi);
      return;
    }
    // The head joins what comes from outside, the header adds the back edge.
    const mir::RegClass cls = function_.vregs[function_.defs(phi)[0].vreg()].cls;
    const Operand outside = function_.def(cls);
    const Operand defs[] = {outside};
    const InstId head_phi = function_.create(Opcode::p_phi, defs, std::span<const Operand>(function_.uses(phi)));
    set_linear_operands(head_phi, p, id, entry_of_[p]);
    moved.push_back(head_phi);
    SmallVector<Operand, 4> values;
    for (BlockId pred : function_.blocks[id].linear_preds) {
      values.push_back(pred == entry_of_[p] ? outside : operand_from(phi, p, id, pred));
    }
    function_.set_uses(phi, values);
    kept.push_back(phi);
  }

  void set_linear_operands(InstId phi, uint32_t p, BlockId id, BlockId place) {
    SmallVector<Operand, 4> values;
    for (BlockId pred : function_.blocks[place].linear_preds) values.push_back(operand_from(phi, p, id, pred));
    function_.set_uses(phi, values);
  }

  /// A phi at a block where lanes wait is uniform only if it always takes the same value; then it is a copy of that.
  bool forward_same_value(uint32_t p, InstId phi) {
    if (!plan_.blocks[p].pending) return false;
    Operand common;
    for (const Operand& value : function_.uses(phi)) {
      if (value.kind == Operand::Kind::undef) continue;
      if (common.kind == Operand::Kind::none) {
        common = value;
      } else if (!same_mask(common, value)) {
        SPALT_ICE("uniform phi where lanes of different paths meet");
      }
    }
    if (common.kind == Operand::Kind::none) common = Operand::undefined(function_.defs(phi)[0].dwords);
    function_.insts[phi].opcode = Opcode::p_copy;
    function_.set_uses(phi, std::span<const Operand>(&common, 1));
    copies_.push_back(phi);
    return true;
  }

  struct LoopPhi {
    uint32_t header, target;
    InstId phi;
  };

  mir::Function& function_;
  const Plan plan_;
  const MaskOps ops_;
  const uint32_t first_new_inst_ = static_cast<uint32_t>(function_.insts.size());
  std::vector<std::vector<uint32_t>> exits_;  ///< by position of the header
  std::vector<BlockId> entry_of_;             ///< by position: the head if there is one, else the block
  std::vector<PendingSet> at_end_;            ///< by block id
  std::vector<BlockId> layout_;
  std::vector<LoopPhi> loop_phis_;
  std::vector<InstId> copies_;  ///< of the block at hand: what became of its phis with one value
  std::vector<InstId>* out_ = nullptr;
  const PendingSet* arriving_ = nullptr;
};

}  // namespace

void lower_control_flow(mir::Function& function) {
  Lowering(function).run();
  repair_linear_ssa(function);
  split_linear_edges(function);
}

}  // namespace spalt::exec
