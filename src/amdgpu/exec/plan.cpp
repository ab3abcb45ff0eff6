// SPDX-License-Identifier: MIT
#include "amdgpu/exec/plan.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "amdgpu/exec/scalar_phis.h"
#include "amdgpu/mir/dominance.h"
#include "base/ice.h"

namespace spalt::exec {
namespace {

using mir::BlockId;
using mir::Opcode;

/// Code longer than this is jumped over when no lane wants it. A taken branch costs about as much as this many
/// instructions issued with an empty exec.
constexpr uint32_t kSkipInstructions = 12;

/// Targets of the exports of pixels, up to the null target; those behind these are of vertices, two sources of blending
/// aside.
constexpr uint8_t kLastPixelTarget = 9, kFirstDualTarget = 21, kLastDualTarget = 22;

/// A parking edge.
struct Departure {
  uint32_t from, to;
};

class Planner {
 public:
  Planner(const mir::Function& function, Arena& scratch) : function_(function), scratch_(scratch), plan_(scratch) {}

  Plan run() {
    number_blocks();
    find_loops();
    find_bare_return();
    // Otherwise nobody waits anywhere, and exec is never empty.
    if (has_divergent_branch()) {
      compute_dominators();
      measure_blocks();
    } else if (plan_.bare_return != kNoPosition && block(plan_.bare_return).logical_preds.size() > 1) {
      find_owed();
    }
    // Lanes that leave a loop wait after it while others iterate, so an edge that parks may also bar the way to blocks
    // before it. Parking edges only become more from round to round; more than two rounds need a loop nest.
    do {
      exits_changed_ = false;
      pending_.assign((count_ + 63) / 64, 0);
      departures_.clear();
      parks_.clear();
      for (BlockPlan& plan : plan_.blocks) plan = {.back_edge = plan.back_edge, .loop_end = plan.loop_end};
      for (uint32_t p = 0; p < count_; ++p) plan_block(p);
    } while (exits_changed_);
    for (uint32_t p = 0; p < count_; ++p) {
      if (plan_.blocks[p].loop_end != kNoPosition) find_closed_exit(p);
    }
    count_live_masks();
    index_parks();
    for (uint32_t p = 0; p < count_; ++p) find_closed_branch(p);
    return std::move(plan_);
  }

 private:
  const mir::Block& block(uint32_t position) const { return function_.blocks[function_.layout[position]]; }
  Opcode terminator(uint32_t position) const {
    const auto& insts = block(position).insts;
    SPALT_ASSERT(!insts.empty());
    return function_.insts[insts.back()].opcode;
  }

  void number_blocks() {
    count_ = static_cast<uint32_t>(function_.layout.size());
    plan_.position.assign(function_.blocks.size(), kNoPosition);
    plan_.blocks.resize(count_);
    for (uint32_t p = 0; p < count_; ++p) plan_.position[function_.layout[p].index] = p;
    for (uint32_t p = 0; p < count_; ++p) {
      for (BlockId succ : block(p).logical_succs) {
        const uint32_t target = plan_.position[succ.index];
        if (target > p) continue;
        SPALT_ASSERT(plan_.blocks[target].loop_end == kNoPosition);
        plan_.blocks[target].loop_end = p;
        plan_.blocks[p].back_edge = true;
      }
    }
  }

  void find_bare_return() {
    const mir::Block& last = block(count_ - 1);
    // Not where lanes go on from there.
    const bool is_bare = last.insts.size() == 1 && function_.insts[last.insts[0]].opcode == Opcode::p_return &&
                         function_.uses(last.insts[0]).empty();
    if (count_ > 1 && is_bare) plan_.bare_return = count_ - 1;
  }

  void find_owed() {
    for (uint32_t p = 0; p < count_; ++p) {
      const auto& insts = block(p).insts;
      const auto owed = [&](mir::InstId id) { return is_owed(function_.insts[id]); };
      if (std::any_of(insts.begin(), insts.end(), owed)) plan_.last_owed = p;
    }
  }

  void find_loops() {
    loop_of_.assign(count_, kNoPosition);
    parent_loop_.assign(count_, kNoPosition);
    nearest_exit_.assign(count_, kNoPosition);
    uint32_t loop = kNoPosition;
    for (uint32_t p = 0; p < count_; ++p) {
      while (loop != kNoPosition && plan_.blocks[loop].loop_end < p) loop = parent_loop_[loop];
      if (plan_.blocks[p].loop_end != kNoPosition) {
        parent_loop_[p] = loop;
        loop = p;
      }
      loop_of_[p] = loop;
    }
  }

  bool has_divergent_branch() const {
    for (uint32_t p = 0; p < count_; ++p) {
      if (terminator(p) == Opcode::p_branch_mask) return true;
    }
    return false;
  }

  void compute_dominators() {
    dominance_.emplace(function_, mir::Graph::logical, &scratch_);
    dominator_.assign(count_, 0);
    for (uint32_t p = 1; p < count_; ++p) {
      const BlockId above = dominance_->idom(function_.layout[p]);
      if (above.valid()) dominator_[p] = plan_.position[above.index];
    }
  }

  bool dominates(uint32_t above, uint32_t below) const {
    return dominance_->dominates(function_.layout[above], function_.layout[below]);
  }

  /// Prefix sums of instruction counts and of blocks that must not run for nobody.
  void measure_blocks() {
    size_before_.assign(count_ + 1, 0);
    needs_before_.assign(count_ + 1, 0);
    owed_before_.assign(count_ + 1, 0);
    needs_lanes_.assign(count_, false);
    for (uint32_t p = 0; p < count_; ++p) {
      uint32_t size = 0, owed = 0;
      for (mir::InstId id : block(p).insts) {
        const mir::Inst& inst = function_.insts[id];
        const uint32_t flags = mir::flags(inst.opcode);
        note_covered(id);
        if (is_owed(inst)) {
          ++owed;
          plan_.last_owed = p;
          continue;
        }
        if ((flags & (isa::kSmem | isa::kSideEffects)) != 0) needs_lanes_[p] = true;
        // A memory instruction occupies its unit even with an empty exec.
        size += (flags & (isa::kVmem | isa::kLds | isa::kSmem)) != 0 ? kSkipInstructions : 1;
      }
      // A uniform test or a loop entered for nobody would decide on stale values and might spin.
      const bool closes_loop = plan_.blocks[p].back_edge && terminator(p) == Opcode::p_branch;
      if (terminator(p) == Opcode::p_branch_scc || plan_.blocks[p].loop_end != kNoPosition || closes_loop) {
        needs_lanes_[p] = true;
      }
      // The wave carries one value of an SGPR phi; run for nobody, this block would replace that of lanes that wait.
      for (BlockId succ : block(p).logical_succs) {
        if (has_scalar_phi(function_, succ)) needs_lanes_[p] = true;
      }
      size_before_[p + 1] = size_before_[p] + size;
      owed_before_[p + 1] = owed_before_[p] + owed;
      needs_before_[p + 1] = needs_before_[p] + (needs_lanes_[p] ? 1 : 0);
    }
  }

  /// A mask that is exec, or a copy of one: somebody was running then.
  void note_covered(mir::InstId inst) {
    const Opcode opcode = function_.insts[inst].opcode;
    if (opcode != Opcode::s_mov_b32 && opcode != Opcode::s_mov_b64 && opcode != Opcode::p_copy) return;
    const mir::Operand& def = function_.defs(inst)[0];
    const mir::Operand& use = function_.uses(inst)[0];
    if (def.is_vreg() && (use.is_reg(isa::kExec) || is_covered(use))) covered_.push_back(def.vreg());
  }
  bool is_covered(const mir::Operand& mask) const {
    return mask.is_vreg() && std::find(covered_.begin(), covered_.end(), mask.vreg()) != covered_.end();
  }

  /// The branch keeps what was running at the start: where helper lanes leave.
  bool stays_nonempty(uint32_t p) const {
    return terminator(p) == Opcode::p_branch_mask && is_covered(function_.uses(block(p).insts.back())[0]);
  }

  /// Exports of pixels: the hardware waits for them whether or not fragments are left, and takes those in exec for
  /// them.
  bool is_owed(const mir::Inst& inst) const {
    if (inst.opcode != Opcode::exp) return false;
    const uint8_t target = function_.modifiers(inst).export_target;
    return target <= kLastPixelTarget || (target >= kFirstDualTarget && target <= kLastDualTarget);
  }

  uint32_t first_pending_after(uint32_t position) const {
    uint32_t word = (position + 1) / 64;
    if (word >= pending_.size()) return kNoPosition;
    uint64_t bits = pending_[word] & (~uint64_t{0} << ((position + 1) % 64));
    while (bits == 0) {
      if (++word >= pending_.size()) return kNoPosition;
      bits = pending_[word];
    }
    return word * 64 + static_cast<uint32_t>(__builtin_ctzll(bits));
  }

  /// The wave can walk from `from` to a later block only if it passes nobody who waits in between: lanes that were
  /// parked on the way here, or that left a loop around `from` in an earlier iteration, from any of its blocks.
  bool can_jump(uint32_t from, uint32_t to) const {
    const uint32_t waiting = first_pending_after(from);
    if (waiting != kNoPosition && waiting < to) return false;
    for (uint32_t l = loop_of_[from]; l != kNoPosition && plan_.blocks[l].loop_end < to; l = parent_loop_[l]) {
      if (nearest_exit_[l] < to) return false;
    }
    return true;
  }

  void park(uint32_t from, uint32_t to) {
    pending_[to / 64] |= uint64_t{1} << (to % 64);
    plan_.blocks[to].pending = plan_.parks = true;
    parks_.push_back({from, to});
    if (!stays_nonempty(from)) departures_.push_back({from, to});
    if (to == plan_.bare_return) return;  // no block comes after it
    for (uint32_t l = loop_of_[from]; l != kNoPosition && plan_.blocks[l].loop_end < to; l = parent_loop_[l]) {
      if (nearest_exit_[l] <= to) continue;
      nearest_exit_[l] = to;
      exits_changed_ = true;
    }
  }

  void go(uint32_t from, unsigned index, uint32_t to, EdgeKind kind) {
    plan_.blocks[from].succ[index] = kind;
    if (kind == EdgeKind::park) {
      park(from, to);
    } else {
      plan_.blocks[to].direct_pred = true;
    }
  }

  void plan_block(uint32_t p) {
    BlockPlan& plan = plan_.blocks[p];
    plan_arrival(p);
    switch (terminator(p)) {
      case Opcode::p_return:
        plan.parks_all = true;
        break;
      case Opcode::p_branch:
        plan_jump(p);
        break;
      case Opcode::p_branch_scc:
        plan_uniform_branch(p);
        break;
      case Opcode::p_branch_mask:
        plan_divergent_branch(p);
        break;
      default:
        SPALT_ICE("block without a logical terminator");
    }
    plan.next_pending = first_pending_after(p);
    // Lanes parked at the end of the code cannot exist, so an empty exec always has somewhere to go.
    if (plan.skip) plan.skip = decide_skip(p);
  }

  /// exec is empty at p if lanes that were running in p's dominator may all have left for blocks after p.
  void plan_arrival(uint32_t p) {
    BlockPlan& plan = plan_.blocks[p];
    if (p == 0 || !dominance_) return;
    while (!departures_.empty() && departures_.back().to <= p) departures_.pop_back();
    // After a loop the reference is the loop's start: the wave leaves when the last lanes do, wherever those that come
    // here left.
    uint32_t dominator = dominator_[p];
    for (uint32_t l = loop_of_[dominator]; l != kNoPosition && plan_.blocks[l].loop_end < p; l = parent_loop_[l]) {
      dominator = l;
    }
    const BlockPlan& above = plan_.blocks[dominator];
    const bool left = !departures_.empty() && departures_.back().from >= dominator;
    const bool guarded = dominator + 1 == p && above.skip;
    plan.maybe_empty = (left && !guarded) || (above.maybe_empty && !above.check_empty && !guarded);
    plan.check_empty = plan.maybe_empty && (needs_lanes_[p] || (plan.pending && is_worth_passing(p)));
  }

  bool is_long(uint32_t begin, uint32_t end) const {
    return size_before_[end] - size_before_[begin] >= kSkipInstructions;
  }

  /// Whether it is worth a jump to pass what lanes that waited for p do on their own, the else side of a branch.
  bool is_worth_passing(uint32_t p) const {
    const uint32_t end = first_pending_after(p);
    return end != kNoPosition && owed_before_[end] == owed_before_[p] && is_long(p, end);
  }

  void plan_jump(uint32_t p) {
    const uint32_t to = plan_.position[block(p).logical_succs[0].index];
    if (to <= p || can_jump(p, to)) {
      go(p, 0, to, EdgeKind::direct);
    } else {
      go(p, 0, to, EdgeKind::park);
      plan_.blocks[p].parks_all = true;
    }
  }

  void plan_uniform_branch(uint32_t p) {
    const auto& succs = block(p).logical_succs;
    const uint32_t a = plan_.position[succs[0].index], b = plan_.position[succs[1].index];
    if ((a <= p || can_jump(p, a)) && (b <= p || can_jump(p, b))) {
      go(p, 0, a, EdgeKind::direct);
      go(p, 1, b, EdgeKind::direct);
      return;
    }
    plan_.blocks[p].demoted = true;
    plan_divergent_branch(p);
  }

  /// The nearer forward target is walked when it is the next block, every other forward target is parked; the back edge
  /// is walked.
  void plan_divergent_branch(uint32_t p) {
    BlockPlan& plan = plan_.blocks[p];
    const auto& succs = block(p).logical_succs;
    const uint32_t targets[2] = {plan_.position[succs[0].index], plan_.position[succs[1].index]};
    SPALT_ASSERT(targets[0] != targets[1]);
    for (unsigned i = 0; i < 2; ++i) {
      const bool walked = targets[i] <= p || (targets[i] == p + 1 && !plan.back_edge);
      go(p, i, targets[i], walked ? EdgeKind::direct : EdgeKind::park);
    }
    plan.parks_all = plan.succ[0] == EdgeKind::park && plan.succ[1] == EdgeKind::park;
    plan.skip = !plan.parks_all && !plan.back_edge;
  }

  bool decide_skip(uint32_t p) const {
    const uint32_t end = plan_.blocks[p].next_pending;
    if (owed_before_[end] != owed_before_[p + 1]) {
      // Only to the end, where an export of nothing stands for them.
      if (!plan_.passes_owed(p + 1, end) || stays_nonempty(p)) return false;
    }
    if (needs_before_[end] - needs_before_[p + 1] != 0) return true;
    return is_long(p + 1, end);
  }

  /// A mask lives from the first block that parks lanes in it, or from the start of a loop that those lanes leave.
  void count_live_masks() {
    Vector<uint32_t> first(scratch_, count_, kNoPosition);
    for (const Departure& park : parks_) {
      if (park.to == plan_.bare_return) continue;
      uint32_t from = park.from;
      for (uint32_t l = loop_of_[from]; l != kNoPosition && plan_.blocks[l].loop_end < park.to; l = parent_loop_[l]) {
        from = l;
      }
      first[park.to] = std::min(first[park.to], from);
    }
    for (uint32_t p = 0; p < count_; ++p) plan_.live_masks += first[p] == kNoPosition ? 0 : p - first[p];
  }

  // ---- where one saved mask replaces collected ones ----

  /// A loop that lanes leave to one block only.
  void find_closed_exit(uint32_t header) {
    const uint32_t end = plan_.blocks[header].loop_end;
    uint32_t exit = kNoPosition;
    for (uint32_t p = header; p <= end; ++p) {
      for (BlockId succ : block(p).logical_succs) {
        const uint32_t to = plan_.position[succ.index];
        if (to <= end) continue;
        if (exit != kNoPosition && exit != to) return;
        exit = to;
      }
    }
    if (exit != kNoPosition && exit != plan_.bare_return && nearest_exit_[header] == exit)
      plan_.blocks[header].closed_exit = exit;
  }

  /// A tree over parks_ with the largest target below each node; leaves from leaves_ on, children of n are 2n and 2n+1.
  /// A nest of branches asks for ranges that contain each other, which a walk over each would make quadratic.
  void index_parks() {
    leaves_ = std::bit_ceil(std::max<size_t>(parks_.size(), 1));
    farthest_.assign(2 * leaves_, 0);
    for (size_t i = 0; i < parks_.size(); ++i) farthest_[leaves_ + i] = parks_[i].to;
    for (size_t node = leaves_; node-- > 1;) farthest_[node] = std::max(farthest_[2 * node], farthest_[2 * node + 1]);
  }

  /// The first edge in [from, to) whose lanes wait at `limit` or after it; null if there is none.
  const Departure* first_park_beyond(uint32_t from, uint32_t to, uint32_t limit) const {
    const auto at = std::lower_bound(parks_.begin(), parks_.end(), from,
                                     [](const Departure& park, uint32_t value) { return park.from < value; });
    size_t node = leaves_ + static_cast<size_t>(at - parks_.begin());
    if (at == parks_.end()) return nullptr;
    // Up and to the right until a subtree has one, then down to its first.
    while (farthest_[node] < limit) {
      while (node % 2 == 1) node /= 2;
      if (node == 0) return nullptr;
      ++node;
    }
    while (node < leaves_) node = farthest_[2 * node] >= limit ? 2 * node : 2 * node + 1;
    const Departure& found = parks_[node - leaves_];
    return found.from < to ? &found : nullptr;
  }

  void find_closed_branch(uint32_t p) {
    BlockPlan& plan = plan_.blocks[p];
    const bool divergent = terminator(p) == Opcode::p_branch_mask || plan.demoted;
    if (!divergent || plan.parks_all || plan.back_edge) return;
    const unsigned far_side = plan.succ[0] == EdgeKind::park ? 0 : 1;
    const uint32_t far = plan_.position[block(p).logical_succs[far_side].index];
    if (far == plan_.bare_return) return;
    // Lanes of the near side that go around the loop once more do not come out of it with the others.
    if (loop_of_[p] != kNoPosition && plan_.blocks[loop_of_[p]].loop_end < far) return;
    const Departure* beyond = first_park_beyond(p + 1, far, far + 1);
    if (beyond == nullptr) {
      plan.closed = true;
      return;
    }
    find_if_else(p, far, *beyond);
  }

  /// The then side ends in the block before `far` and leads to one merge block after that, to which the else side leads
  /// as well.
  void find_if_else(uint32_t p, uint32_t far, const Departure& then_end) {
    const uint32_t merge = then_end.to;
    if (then_end.from + 1 != far || terminator(far - 1) != Opcode::p_branch || plan_.blocks[far].direct_pred) return;
    if (loop_of_[p] != kNoPosition && plan_.blocks[loop_of_[p]].loop_end < merge) return;
    if (loop_of_[far - 1] != loop_of_[p] || block(far).logical_preds.size() != 1) return;
    if (first_park_beyond(far, merge, merge + 1) != nullptr) return;
    // Lanes that join the then side from elsewhere are not in the mask that the branch saved for the merge block.
    if (!dominates(p, far - 1)) return;
    // Nobody but the branch may send lanes to the else side, and nothing of the then side but its end may wait at or
    // after it.
    if (first_park_beyond(p + 1, far - 1, far) != nullptr) return;
    plan_.blocks[p].merge = merge;
    plan_.blocks[far].else_side = true;
    plan_.blocks[far - 1].parked_ahead = true;
  }

  const mir::Function& function_;
  Arena& scratch_;
  std::optional<mir::Dominance> dominance_;  ///< none without divergent branches
  Plan plan_;
  uint32_t count_ = 0;
  Vector<uint32_t> loop_of_{scratch_};       ///< innermost loop around each position, by the position of its header
  Vector<uint32_t> parent_loop_{scratch_};   ///< by header
  Vector<uint32_t> nearest_exit_{scratch_};  ///< by header: first block after the loop for which lanes park inside
  bool exits_changed_ = false;
  Vector<uint32_t> dominator_{scratch_};  ///< the immediate one; of blocks that nothing reaches the entry
  Vector<uint32_t> size_before_{scratch_}, needs_before_{scratch_}, owed_before_{scratch_};
  Vector<bool> needs_lanes_{scratch_};
  SmallVector<mir::VReg, 4> covered_;    ///< registers that hold what exec was somewhere
  Vector<uint64_t> pending_{scratch_};   ///< bit per position: parked lanes may wait there
  Vector<Departure> parks_{scratch_};    ///< all of them, in order of source
  Vector<uint32_t> farthest_{scratch_};  ///< see index_parks
  size_t leaves_ = 0;
  Vector<Departure> departures_{scratch_};  ///< parking edges in order of source whose target is still ahead
};

}  // namespace

Plan make_plan(const mir::Function& function, Arena& scratch) {
  return Planner(function, scratch).run();
}

}  // namespace spalt::exec
