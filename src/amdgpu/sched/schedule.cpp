// SPDX-License-Identifier: MIT
#include "amdgpu/sched/schedule.h"

#include <algorithm>
#include <utility>

#include "amdgpu/mir/dual_candidate.h"
#include "amdgpu/sched/dependences.h"

namespace spalt::sched {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;

/// Candidates looked at when registers are short; keeps a block of n instructions from costing n squared.
constexpr size_t kShortListSize = 24;
/// The same where a partner for a VOPD instruction is wanted.
constexpr size_t kPartnerListSize = 8;

struct Demand {
  int32_t vgprs = 0, sgprs = 0;
};

class Scheduler {
 public:
  Scheduler(mir::Function& function, const ScheduleConfig& config, Arena& scratch)
      : function_(function), config_(config), scratch_(scratch), dependences_(scratch) {}

  void run() {
    def_node_.assign(function_.vregs.size(), Dependences::kNone);
    count_uses();
    for (BlockId id : function_.layout) schedule_block(function_.blocks[id].insts);
  }

 private:
  void count_uses() {
    uses_.assign(function_.vregs.size(), 0);
    made_here_.assign(function_.vregs.size(), false);
    for (BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) {
        for (const Operand& use : function_.uses(inst)) {
          if (use.is_vreg()) ++uses_[use.value];
        }
      }
    }
    given_uses_.assign(uses_);
  }

  void schedule_block(mir::InstList& insts) {
    const auto find = [&](Opcode opcode) {
      return std::find_if(insts.begin(), insts.end(), [&](InstId id) { return function_.insts[id].opcode == opcode; });
    };
    auto first = find(Opcode::p_logical_start);
    const auto last = find(Opcode::p_logical_end);
    if (first == insts.end() || last == insts.end() || last - first < 4) return;
    ++first;
    nodes_.assign({first, last});
    Demand given = demand_of_given_order();
    if (given.sgprs > static_cast<int32_t>(config_.sgpr_budget) && sink_constant_loads()) {
      forget_given_order();
      nodes_.assign(order_);
      given = demand_of_given_order();
    }
    dependences_.build(function_, nodes_, def_node_);
    measure_heights();
    vgpr_limit_ = std::max<int32_t>(given.vgprs, static_cast<int32_t>(config_.vgpr_budget));
    sgpr_limit_ = std::max<int32_t>(given.sgprs, static_cast<int32_t>(config_.sgpr_budget));
    describe_halves();
    list_schedule();
    if (is_better_than_given(given.vgprs)) std::copy(order_.begin(), order_.end(), first);
  }

  /// Where half of the VGPRs are full, few waves fit, and spills are near: an eighth is left for values that live
  /// through the block, of which nothing is known here.
  bool is_better_than_given(int32_t given_vgprs) {
    const auto available =
        static_cast<int32_t>(config_.max_vgprs != 0 ? config_.max_vgprs : function_.target.vgpr_limit);
    if (std::max(given_vgprs, peak_vgprs_) * 2 <= available) return true;
    if (peak_vgprs_ > std::max(given_vgprs, available * 7 / 8)) return false;
    return length_ * occupancy_weight(peak_vgprs_) < length_of_given_order() * occupancy_weight(given_vgprs);
  }

  /// The fewer registers, the more waves share the time.
  uint64_t occupancy_weight(int32_t vgprs) const {
    return std::max<uint64_t>(static_cast<uint32_t>(vgprs), config_.vgpr_budget);
  }

  /// In cycles.
  uint32_t length_of_given_order() {
    earliest_.assign(nodes_.size(), 0);
    uint32_t cycle = 0;
    for (uint32_t node = 0; node < nodes_.size(); ++node) {
      cycle = std::max(cycle, earliest_[node]);
      for (const Dependences::Edge& edge : dependences_.successors(node)) {
        earliest_[edge.to] = std::max(earliest_[edge.to], cycle + edge.latency);
      }
      cycle += dependences_.issue_cycles(node);
    }
    return cycle;
  }

  /// Longest latency path from each node to the end of the block.
  void measure_heights() {
    height_.assign(nodes_.size(), 0);
    for (size_t i = nodes_.size(); i-- > 0;) {
      uint32_t height = 0;
      for (const Dependences::Edge& edge : dependences_.successors(static_cast<uint32_t>(i))) {
        height = std::max(height, edge.latency + height_[edge.to]);
      }
      height_[i] = height + dependences_.issue_cycles(static_cast<uint32_t>(i));
    }
  }

  // ---- register demand of values made in this block ----

  void add(Demand& demand, const Operand& operand, int sign) const {
    int32_t& count = operand.cls().is_vgpr() ? demand.vgprs : demand.sgprs;
    count += sign * operand.dwords;
  }

  /// Change of demand when `id` issues, given the uses that are left.
  Demand change(InstId id) {
    Demand demand;
    for (const Operand& use : function_.uses(id)) {
      if (use.is_vreg() && made_here_[use.value] && uses_[use.value] == 1) add(demand, use, -1);
    }
    for (const Operand& def : function_.defs(id)) {
      if (def.is_vreg()) add(demand, def, 1);
    }
    return demand;
  }

  /// `uses`: those that are left, of all values.
  void issue(InstId id, Vector<uint32_t>& uses, Demand& demand) {
    for (const Operand& use : function_.uses(id)) {
      if (use.is_vreg() && --uses[use.value] == 0 && made_here_[use.value]) add(demand, use, -1);
    }
    for (const Operand& def : function_.defs(id)) {
      if (!def.is_vreg()) continue;
      made_here_[def.value] = true;
      if (uses[def.value] != 0) add(demand, def, 1);
    }
  }

  Demand demand_of_given_order() {
    Demand now, peak;
    for (InstId id : nodes_) {
      issue(id, given_uses_, now);
      peak.vgprs = std::max(peak.vgprs, now.vgprs);
      peak.sgprs = std::max(peak.sgprs, now.sgprs);
    }
    return peak;
  }

  // ---- loads of constants ----

  /// Reads no register that is written again, and memory that is never written: it may be anywhere before its first
  /// user.
  bool is_constant_load(InstId id) const {
    const mir::Inst& inst = function_.insts[id];
    if (inst.memory != mir::kReadsConstant || mir::is_pseudo(inst.opcode) || !mir::has_flag(inst.opcode, isa::kSmem)) {
      return false;
    }
    const auto uses = function_.uses(id);
    return std::none_of(uses.begin(), uses.end(), [](const Operand& use) { return use.reg.valid(); });
  }

  /// Descriptors are loaded at the beginning of the program. Leaves the block's instructions in order_ with each such
  /// load right before its first user in the block, and says whether anything moved.
  bool sink_constant_loads() {
    load_of_.assign(function_.vregs.size(), InstId());
    used_here_.assign(function_.vregs.size(), false);
    bool any = false;
    for (InstId id : nodes_) {
      bool waits = false;
      for (const Operand& use : function_.uses(id)) {
        if (!use.is_vreg() || !load_of_[use.value].valid()) continue;
        used_here_[use.value] = waits = any = true;
      }
      if (!waits && is_constant_load(id)) load_of_[function_.defs(id)[0].value] = id;
    }
    if (!any) return false;
    order_.clear();
    for (InstId id : nodes_) place_after_loads(id);
    return true;
  }

  void place_after_loads(InstId id) {
    const auto defs = function_.defs(id);
    if (!defs.empty() && defs[0].is_vreg() && used_here_[defs[0].value] && load_of_[defs[0].value] == id) return;
    for (const Operand& use : function_.uses(id)) {
      if (!use.is_vreg() || !used_here_[use.value] || !load_of_[use.value].valid()) continue;
      order_.push_back(load_of_[use.value]);
      load_of_[use.value] = InstId();
    }
    order_.push_back(id);
  }

  /// As if the block had not been looked at.
  void forget_given_order() {
    for (InstId id : nodes_) {
      for (const Operand& use : function_.uses(id)) {
        if (use.is_vreg()) ++given_uses_[use.value];
      }
      for (const Operand& def : function_.defs(id)) {
        if (def.is_vreg()) made_here_[def.value] = false;
      }
    }
  }

  // ---- list scheduling ----

  /// Larger key first, then smaller node: one number that compares so.
  class Candidate {
   public:
    Candidate(uint32_t key, uint32_t node) : order_(uint64_t{key} << 32 | ~node) {}
    uint32_t key() const { return static_cast<uint32_t>(order_ >> 32); }
    uint32_t node() const { return ~static_cast<uint32_t>(order_); }
    bool operator<(const Candidate& other) const { return order_ < other.order_; }

   private:
    uint64_t order_;
  };

  void list_schedule() {
    const auto count = static_cast<uint32_t>(nodes_.size());
    left_.resize(count);
    earliest_.assign(count, 0);
    order_.clear();
    ready_.clear();
    waiting_.clear();
    Demand demand;
    peak_vgprs_ = 0;
    for (uint32_t node = 0; node < count; ++node) {
      left_[node] = dependences_.predecessor_count(node);
      if (left_[node] == 0) push(ready_, {height_[node], node});
    }
    uint32_t cycle = 0;
    while (order_.size() < count) {
      while (!waiting_.empty() && (~waiting_.front().key() <= cycle || ready_.empty())) {
        const Candidate arrived = pop(waiting_);
        cycle = std::max(cycle, ~arrived.key());
        push(ready_, {height_[arrived.node()], arrived.node()});
      }
      if (demand.sgprs >= sgpr_limit_ && !frees_sgprs()) arrive_early(cycle);
      uint32_t node = take(demand);
      uint32_t partner = halves_.empty() ? Dependences::kNone : take_partner(node, demand);
      // One that can be the second half only stands second, so that it may read what the other one overwrites.
      if (partner != Dependences::kNone && !halves_[node].first) std::swap(node, partner);
      for (; node != Dependences::kNone; node = std::exchange(partner, Dependences::kNone)) start(node, demand, cycle);
    }
    length_ = cycle;
  }

  void start(uint32_t node, Demand& demand, uint32_t& cycle) {
    issue(nodes_[node], uses_, demand);
    peak_vgprs_ = std::max(peak_vgprs_, demand.vgprs);
    order_.push_back(nodes_[node]);
    for (const Dependences::Edge& edge : dependences_.successors(node)) {
      earliest_[edge.to] = std::max(earliest_[edge.to], cycle + edge.latency);
      if (--left_[edge.to] == 0) push(waiting_, {~earliest_[edge.to], edge.to});
    }
    cycle += dependences_.issue_cycles(node);
  }

  static void push(Vector<Candidate>& heap, Candidate candidate) {
    heap.push_back(candidate);
    std::push_heap(heap.begin(), heap.end());
  }
  static Candidate pop(Vector<Candidate>& heap) {
    std::pop_heap(heap.begin(), heap.end());
    const Candidate top = heap.back();
    heap.pop_back();
    return top;
  }

  /// Takes out one that need not be the largest.
  static void remove(Vector<Candidate>& heap, size_t at) {
    const Candidate moved = heap.back();
    heap.pop_back();
    if (at == heap.size()) return;
    for (; at > 0 && heap[(at - 1) / 2] < moved; at = (at - 1) / 2) heap[at] = heap[(at - 1) / 2];
    for (size_t child = 2 * at + 1; child < heap.size(); at = child, child = 2 * at + 1) {
      if (child + 1 < heap.size() && heap[child] < heap[child + 1]) ++child;
      if (!(moved < heap[child])) break;
      heap[at] = heap[child];
    }
    heap[at] = moved;
  }

  /// Whether some instruction that is ready makes no more scalars than it ends.
  bool frees_sgprs() {
    const size_t count = std::min<size_t>(ready_.size(), kShortListSize);
    return std::any_of(ready_.begin(), ready_.begin() + static_cast<long>(count),
                       [&](const Candidate& candidate) { return change(nodes_[candidate.node()]).sgprs <= 0; });
  }

  /// Waiting for a load costs less than loading more than there are registers for.
  void arrive_early(uint32_t& cycle) {
    while (!waiting_.empty() && !frees_sgprs()) {
      const Candidate arrived = pop(waiting_);
      cycle = std::max(cycle, ~arrived.key());
      push(ready_, {height_[arrived.node()], arrived.node()});
    }
  }

  uint32_t take(const Demand& demand) {
    const bool tight = demand.vgprs >= vgpr_limit_ || demand.sgprs >= sgpr_limit_;
    return tight ? take_relieving(demand) : pop(ready_).node();
  }

  /// The ready instruction that frees most registers of the scarcer file; the first in the given order among equals.
  uint32_t take_relieving(const Demand& demand) {
    const bool vector = demand.vgprs >= vgpr_limit_;
    size_t best = 0;
    int32_t best_change = INT32_MAX;
    for (size_t i = 0; i < ready_.size() && i < kShortListSize; ++i) {
      const Demand d = change(nodes_[ready_[i].node()]);
      const int32_t value = vector ? d.vgprs : d.sgprs;
      if (value < best_change || (value == best_change && ready_[i].node() < ready_[best].node())) {
        best = i;
        best_change = value;
      }
    }
    const uint32_t node = ready_[best].node();
    remove(ready_, best);
    return node;
  }

  // ---- halves of VOPD instructions ----

  void describe_halves() {
    halves_.clear();
    if (!function_.has_dual_issue()) return;
    halves_.resize(nodes_.size());
    for (size_t node = 0; node < nodes_.size(); ++node) {
      if (mir::has_dual_form(function_, nodes_[node])) halves_[node] = mir::dual_candidate(function_, nodes_[node]);
    }
  }

  /// An accumulator must end, so that the sum can take its register.
  bool can_pair(const mir::DualCandidate& half) const {
    return half.can_pair() && (!half.accumulator().valid() || uses_[half.accumulator().index] == 1);
  }

  /// Of the first instructions that are ready, the one with the longest path that `node` can be one VOPD instruction
  /// with, however long its own is: it takes no turn of its own.
  uint32_t take_partner(uint32_t node, const Demand& demand) {
    const mir::DualCandidate& half = halves_[node];
    if (!can_pair(half)) return Dependences::kNone;
    const bool tight = demand.vgprs >= vgpr_limit_;
    size_t best = ready_.size();
    for (size_t i = 0; i < ready_.size() && i < kPartnerListSize; ++i) {
      const uint32_t other = ready_[i].node();
      if (best != ready_.size() && ready_[i] < ready_[best]) continue;
      if (!can_pair(halves_[other]) || !mir::may_pair(half, halves_[other], function_.target)) continue;
      if (!tight || change(nodes_[other]).vgprs <= 0) best = i;
    }
    if (best == ready_.size()) return Dependences::kNone;
    const uint32_t partner = ready_[best].node();
    remove(ready_, best);
    return partner;
  }

  mir::Function& function_;
  const ScheduleConfig config_;
  Arena& scratch_;
  Dependences dependences_;
  Vector<uint32_t> def_node_{scratch_};    ///< scratch of Dependences
  Vector<uint32_t> uses_{scratch_};        ///< by virtual register: uses not issued yet
  Vector<uint32_t> given_uses_{scratch_};  ///< the same in the walk that measures the given order
  Vector<bool> made_here_{scratch_};
  Vector<InstId> load_of_{scratch_};  ///< by virtual register: the load that makes it, before its first user is placed
  Vector<bool> used_here_{scratch_};  ///< by virtual register: of those loads
  mir::InstList nodes_{scratch_}, order_{scratch_};
  Vector<mir::DualCandidate> halves_{scratch_};  ///< by node; empty where there is no dual issue
  Vector<uint32_t> height_{scratch_}, left_{scratch_}, earliest_{scratch_};
  // Heaps. The key of ready_ is the height, that of waiting_, whose operands are on their way, the inverted time of
  // their arrival.
  Vector<Candidate> ready_{scratch_}, waiting_{scratch_};
  int32_t vgpr_limit_ = 0, sgpr_limit_ = 0;
  int32_t peak_vgprs_ = 0;  ///< of the new order
  uint32_t length_ = 0;     ///< of the new order, in cycles
};

}  // namespace

void schedule(mir::Function& function, CompileContext& context, const ScheduleConfig& config) {
  const ArenaScope scope(context.scratch);
  Scheduler(function, config, context.scratch).run();
}

}  // namespace spalt::sched
