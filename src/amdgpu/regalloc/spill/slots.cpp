// SPDX-License-Identifier: MIT
//
// Live ranges are lists of layout intervals. A spilled phi and its spilled operands join into one web with one slot
// when their ranges do not meet, so that most loop variables need no traffic on the back edge. Webs are then packed by
// a linear scan over their hulls.
#include <algorithm>

#include "amdgpu/regalloc/spill/spill.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

/// Joining compares interval lists up to this length; longer ones keep slots of their own.
constexpr size_t kMaxCompared = 128;

struct Interval {
  uint32_t begin, end;  ///< half open
};

class SlotAssigner {
 public:
  SlotAssigner(const mir::Function& function, const Liveness& liveness, mir::RegFile file, SpillState& state,
               Arena& scratch)
      : function_(function), liveness_(liveness), file_(file), state_(state), scratch_(scratch) {}

  void run() {
    collect_values();
    if (values_.empty()) return;
    build_ranges();
    join_phis();
    pack();
  }

 private:
  static constexpr uint32_t kNoValue = 0xffffffffu;

  /// Index among the values that need a slot.
  uint32_t value_index(const Operand& operand) const {
    return handles(file_, operand) ? index_[operand.vreg()] : kNoValue;
  }

  void collect_values() {
    index_.assign(function_.vregs.size(), kNoValue);
    for (uint32_t v = 0; v < function_.vregs.size(); ++v) {
      if (state_.fate[VReg(v)] != SpillState::spill || state_.temporary[VReg(v)] == SpillState::stored) continue;
      index_[VReg(v)] = static_cast<uint32_t>(values_.size());
      values_.push_back(VReg(v));
    }
    ranges_.resize(values_.size(), Vector<Interval>(scratch_));
    leader_.resize(values_.size());
    for (uint32_t i = 0; i < leader_.size(); ++i) leader_[i] = i;
  }

  void extend(uint32_t value, uint32_t begin, uint32_t end) {
    if (begin >= end) end = begin + 1;
    auto& range = ranges_[value];
    if (!range.empty() && begin <= range.back().end && begin >= range.back().begin) {
      range.back().end = std::max(range.back().end, end);
    } else {
      range.push_back({begin, end});
    }
  }

  void build_ranges() {
    block_begin_.assign(function_.blocks.size(), 0);
    block_end_.assign(function_.blocks.size(), 0);
    uint32_t position = 0;
    for (BlockId id : function_.layout) {
      block_begin_[id] = position;
      position += static_cast<uint32_t>(function_.blocks[id].insts.size()) + 1;
      block_end_[id] = position++;
    }
    begin_.assign(values_.size(), 0);
    last_.assign(values_.size(), 0);
    touched_in_.assign(values_.size(), BlockId());
    for (BlockId id : function_.layout) build_block(id);
    for (BlockId id : function_.layout) add_phi_points(id);
    for (auto& range : ranges_) normalize(range);
  }

  void touch(BlockId id, uint32_t value, uint32_t position) {
    if (touched_in_[value] != id) {
      touched_in_[value] = id;
      begin_[value] = position;
      block_values_.push_back(value);
    }
    last_[value] = position;
  }

  void build_block(BlockId id) {
    const mir::Block& block = function_.blocks[id];
    block_values_.clear();
    for (VReg v : liveness_.live_in[id]) {
      if (index_[v] != kNoValue) touch(id, index_[v], block_begin_[id]);
    }
    for (uint32_t i = 0; i < block.insts.size(); ++i) {
      const bool phi = function_.insts[block.insts[i]].opcode == Opcode::p_phi;
      const uint32_t position = block_begin_[id] + (phi ? 0 : i + 1);
      for (const Operand& def : function_.defs(block.insts[i])) {
        if (const uint32_t value = value_index(def); value != kNoValue) touch(id, value, position);
      }
      if (phi) continue;
      for (const Operand& use : function_.uses(block.insts[i])) {
        if (const uint32_t value = value_index(use); value != kNoValue) touch(id, value, position);
      }
    }
    // A value that leaves the block only as operand of a phi ends where that phi begins.
    for (VReg v : liveness_.live_out[id]) {
      if (index_[v] != kNoValue) last_[index_[v]] = block_end_[id] - 1;
    }
    for (BlockId succ : succs_of(block, graph_of(file_))) {
      for (VReg v : liveness_.live_in[succ]) {
        if (index_[v] != kNoValue) last_[index_[v]] = block_end_[id];
      }
    }
    for (uint32_t value : block_values_) extend(value, begin_[value], last_[value] + 1);
  }

  /// A spilled phi is written at the ends of the predecessors.
  void add_phi_points(BlockId id) {
    const mir::Block& block = function_.blocks[id];
    for (InstId inst : block.insts) {
      if (function_.insts[inst].opcode != Opcode::p_phi) break;
      const uint32_t value = value_index(function_.defs(inst)[0]);
      if (value == kNoValue) continue;
      for (BlockId pred : preds_of(block, graph_of(file_))) {
        ranges_[value].push_back({block_end_[pred], block_end_[pred] + 1});
      }
    }
  }

  static void normalize(Vector<Interval>& range) {
    std::sort(range.begin(), range.end(), [](const Interval& a, const Interval& b) { return a.begin < b.begin; });
    size_t kept = 0;
    for (size_t i = 1; i < range.size(); ++i) {
      if (range[i].begin <= range[kept].end) {
        range[kept].end = std::max(range[kept].end, range[i].end);
      } else {
        range[++kept] = range[i];
      }
    }
    if (!range.empty()) range.resize(kept + 1);
  }

  static bool meet(const Vector<Interval>& a, const Vector<Interval>& b) {
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (a[i].end <= b[j].begin) {
        ++i;
      } else if (b[j].end <= a[i].begin) {
        ++j;
      } else {
        return true;
      }
    }
    return false;
  }

  uint32_t find(uint32_t value) {
    while (leader_[value] != value) value = leader_[value] = leader_[leader_[value]];
    return value;
  }

  void join_phis() {
    for (BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) {
        if (function_.insts[inst].opcode != Opcode::p_phi) break;
        const uint32_t phi = value_index(function_.defs(inst)[0]);
        if (phi == kNoValue) continue;
        for (const Operand& use : function_.uses(inst)) {
          const uint32_t operand = value_index(use);
          if (operand != kNoValue) join(find(phi), find(operand));
        }
      }
    }
  }

  void join(uint32_t a, uint32_t b) {
    if (a == b || ranges_[a].size() + ranges_[b].size() > kMaxCompared || meet(ranges_[a], ranges_[b])) return;
    ranges_[a].append(ranges_[b]);
    normalize(ranges_[a]);
    ranges_[b].clear();
    leader_[b] = a;
  }

  // ---- packing ----

  uint32_t fresh_slot(unsigned dwords) {
    if (file_ == mir::RegFile::sgpr) {
      // The lanes of one tuple lie in one VGPR.
      const uint32_t lane = state_.next_slot % function_.wave_size;
      if (lane + dwords > function_.wave_size) state_.next_slot += function_.wave_size - lane;
    }
    const uint32_t slot = state_.next_slot;
    state_.next_slot += dwords;
    return slot;
  }

  void pack() {
    Vector<uint32_t> webs(scratch_);
    unsigned largest = 0;
    for (uint32_t i = 0; i < values_.size(); ++i) {
      if (find(i) == i) webs.push_back(i);
      largest = std::max(largest, dwords(i));
    }
    std::sort(webs.begin(), webs.end(), [this](uint32_t a, uint32_t b) {
      return ranges_[a].front().begin != ranges_[b].front().begin ? ranges_[a].front().begin < ranges_[b].front().begin
                                                                  : a < b;
    });
    Vector<Active> active(scratch_);  // heap: the first one to end on top
    Vector<Vector<uint32_t>> free_slots(scratch_, largest + 1, Vector<uint32_t>(scratch_));  // by size
    Vector<uint32_t> slot_of(scratch_, values_.size(), 0);
    for (uint32_t number = 0; number < webs.size(); ++number) {
      const uint32_t web = webs[number];
      // Ranges that touch are kept apart: at the edge between them both slots may be in use.
      while (!active.empty() && active.front().end < ranges_[web].front().begin) {
        const uint32_t done = webs[active.front().number];
        free_slots[dwords(done)].push_back(slot_of[done]);
        std::pop_heap(active.begin(), active.end());
        active.pop_back();
      }
      auto& pool = free_slots[dwords(web)];
      if (pool.empty()) {
        slot_of[web] = fresh_slot(dwords(web));
      } else {
        slot_of[web] = pool.back();
        pool.pop_back();
      }
      active.push_back({ranges_[web].back().end, number});
      std::push_heap(active.begin(), active.end());
    }
    for (uint32_t i = 0; i < values_.size(); ++i) {
      state_.slot[values_[i]] = slot_of[find(i)];
      state_.spilled_dwords += dwords(i);
    }
  }

  /// A web that holds a slot until the end of its hull. Of two that end together the one that came first goes first.
  struct Active {
    uint32_t end, number;
    bool operator<(const Active& other) const { return end != other.end ? end > other.end : number > other.number; }
  };
  unsigned dwords(uint32_t value) const { return function_.vregs[values_[value]].cls.dwords; }

  const mir::Function& function_;
  const Liveness& liveness_;
  const mir::RegFile file_;
  SpillState& state_;
  Arena& scratch_;
  IdMap<VReg, uint32_t> index_{scratch_};
  Vector<VReg> values_{scratch_};
  Vector<Vector<Interval>> ranges_{scratch_};
  Vector<uint32_t> leader_{scratch_}, begin_{scratch_}, last_{scratch_}, block_values_{scratch_};
  Vector<BlockId> touched_in_{scratch_};
  IdMap<BlockId, uint32_t> block_begin_{scratch_}, block_end_{scratch_};
};

}  // namespace

void assign_slots(const mir::Function& function, const Liveness& liveness, mir::RegFile file, SpillState& state,
                  Arena& scratch) {
  state.slot.resize(function.vregs.size(), 0);
  SlotAssigner(function, liveness, file, state, scratch).run();
}

}  // namespace spalt::regalloc
