// SPDX-License-Identifier: MIT
//
// A value is spilled everywhere or nowhere: it is stored once after its definition and reloaded before each use. The
// blocks are walked backwards, inner loops first, with the set of values that are live in registers; where their size
// exceeds the limit, those with the lowest cost (definitions and uses weighted by loop depth, per dword and instruction
// that the value lives over) leave: a value that is used soon frees its register for a moment only. The
// walk models what rewrite_spills will insert, so that its result needs no second look: an operand that is reloaded
// occupies a register at its instruction only, a spilled result one after it, moves between slots for spilled phis one
// temporary at the end of the predecessor.
//
// A walk may raise the demand at the end of a block that it saw before (a phi that is spilled later); walks repeat
// until one spills no phi, rarely more than twice. Any other value needs no more room in memory than in a register: its
// reload takes the place that it had. Each walk is linear apart from sorting the live values where the limit is
// exceeded.
#include <algorithm>

#include "amdgpu/mir/edges.h"
#include "amdgpu/regalloc/spill/spill.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::VReg;

constexpr uint32_t kNotLive = 0xffffffffu;
constexpr unsigned kMaxWalks = 16;

/// How often a block runs, roughly.
float frequency(const mir::Block& block) {
  float result = 1;
  for (unsigned depth = std::min<unsigned>(block.loop_depth, 6); depth > 0; --depth) result *= 8;
  return result;
}

bool loads_constant(const mir::Function& function, InstId inst) {
  switch (function.insts[inst].opcode) {
    case Opcode::s_mov_b32:
    case Opcode::s_mov_b64:
    case Opcode::s_movk_i32:
    case Opcode::v_mov_b32:
    case Opcode::p_copy:
      break;
    default:
      return false;
  }
  if (function.insts[inst].has_modifiers() || function.defs(inst).size() != 1) return false;
  const auto uses = function.uses(inst);
  return std::all_of(uses.begin(), uses.end(), [](const Operand& use) { return use.is_imm(); });
}

class Walker {
 public:
  Walker(const mir::Function& function, const Liveness& liveness, mir::RegFile file, unsigned limit, SpillState* state,
         Arena& scratch)
      : function_(function),
        liveness_(liveness),
        file_(file),
        limit_(limit),
        state_(state),
        scratch_(scratch),
        edge_slots_(mir::edge_slots(function, graph_of(file), &scratch)),
        position_(scratch, function.vregs.size(), kNotLive),
        seen_(scratch, function.vregs.size(), 0),
        excluded_(scratch, function.vregs.size(), 0) {}

  bool choose() {
    compute_costs();
    mir::BlockList order(function_.layout, &scratch_);
    std::stable_sort(order.begin(), order.end(), [this](BlockId a, BlockId b) {
      return function_.blocks[a].loop_depth > function_.blocks[b].loop_depth;
    });
    bool any = false;
    for (unsigned walk = 0; walk < kMaxWalks; ++walk) {
      chosen_ = phi_chosen_ = false;
      for (BlockId id : order) walk_block(id);
      any |= chosen_;
      if (!phi_chosen_) break;
    }
    return any;
  }

  unsigned max_demand() {
    for (BlockId id : function_.layout) walk_block(id);
    return max_;
  }

 private:
  unsigned dwords(VReg v) const { return function_.vregs[v].cls.dwords; }
  bool in_memory(VReg v) const { return state_ != nullptr && state_->fate[v] != SpillState::keep; }
  bool handled(const Operand& operand) const { return handles(file_, operand); }
  bool is_phi(InstId inst) const { return function_.insts[inst].opcode == Opcode::p_phi; }

  void compute_costs() {
    cost_.assign(function_.vregs.size(), 0);
    is_phi_result_.assign(function_.vregs.size(), false);
    measure_lifetimes();
    for (BlockId id : function_.layout) {
      const mir::Block& block = function_.blocks[id];
      const float weight = frequency(block);
      for (InstId inst : block.insts) {
        if (is_phi(inst)) {
          add_phi_costs(block, inst);
          continue;
        }
        const bool constant = loads_constant(function_, inst) || is_shared_reload(inst);
        for (const Operand& def : function_.defs(inst)) {
          if (!handled(def)) continue;
          if (constant) {
            state_->constant[def.vreg()] = inst;
          } else {
            cost_[def.vreg()] += weight;
          }
        }
        for (const Operand& use : function_.uses(inst)) {
          if (handled(use)) cost_[use.vreg()] += weight;
        }
      }
    }
    for (uint32_t v = 0; v < function_.vregs.size(); ++v) {
      const VReg id(v);
      // Loading a constant costs less than memory or a lane.
      if (state_->constant[id].valid()) cost_[id] *= 0.25f;
      cost_[id] /= static_cast<float>(dwords(id)) * static_cast<float>(1 + end_[id] - begin_[id]);
    }
  }

  /// The instructions, in layout order, from the first to the last place where a value lives.
  void measure_lifetimes() {
    begin_.assign(function_.vregs.size(), kNotLive);
    end_.assign(function_.vregs.size(), 0);
    uint32_t position = 0;
    const auto note = [&](VReg v) {
      begin_[v] = std::min(begin_[v], position);
      end_[v] = std::max(end_[v], position);
    };
    for (BlockId id : function_.layout) {
      for (VReg v : liveness_.live_in[id]) note(v);
      for (InstId inst : function_.blocks[id].insts) {
        ++position;
        for (const Operand& def : function_.defs(inst)) {
          if (handled(def)) note(def.vreg());
        }
        for (const Operand& use : function_.uses(inst)) {
          if (handled(use) && !is_phi(inst)) note(use.vreg());
        }
      }
      for (VReg v : liveness_.live_out[id]) note(v);
    }
  }

  bool is_shared_reload(InstId inst) const {
    if (!is_reload(function_.insts[inst].opcode)) return false;
    return state_->temporary[function_.defs(inst)[0].vreg()] == SpillState::shared;
  }

  void add_phi_costs(const mir::Block& block, InstId phi) {
    const Operand def = function_.defs(phi)[0];
    if (!handled(def)) return;
    is_phi_result_[def.vreg()] = true;
    const auto preds = preds_of(block, graph_of(file_));
    const auto uses = function_.uses(phi);
    for (size_t i = 0; i < uses.size(); ++i) {
      const float weight = frequency(function_.blocks[preds[i]]);
      cost_[def.vreg()] += weight;
      if (handled(uses[i])) cost_[uses[i].vreg()] += weight;
    }
  }

  // ---- the set of values live in registers ----

  void add(VReg v) {
    if (position_[v] != kNotLive || in_memory(v)) return;
    position_[v] = static_cast<uint32_t>(live_.size());
    live_.push_back(v);
    size_ += dwords(v);
  }
  void remove(VReg v) {
    const uint32_t at = position_[v];
    if (at == kNotLive) return;
    live_[at] = live_.back();
    position_[live_[at]] = at;
    live_.pop_back();
    position_[v] = kNotLive;
    size_ -= dwords(v);
  }

  void exclude(std::span<const Operand> operands) {
    ++exclusion_;
    for (const Operand& operand : operands) {
      if (handled(operand)) excluded_[operand.vreg()] = exclusion_;
    }
  }

  /// Takes values out of registers until `demand` fits, excluded ones aside.
  void reduce(unsigned demand) {
    max_ = std::max(max_, demand);
    if (state_ == nullptr || demand <= limit_) return;
    candidates_.clear();
    for (VReg v : live_) {
      if (excluded_[v] != exclusion_ && state_->temporary[v] != SpillState::single) candidates_.push_back(v);
    }
    // A heap, because mostly one or two leave.
    const auto dearer = [this](VReg a, VReg b) { return cost_[a] != cost_[b] ? cost_[a] > cost_[b] : a > b; };
    std::make_heap(candidates_.begin(), candidates_.end(), dearer);
    while (demand > limit_ && !candidates_.empty()) {
      std::pop_heap(candidates_.begin(), candidates_.end(), dearer);
      const VReg v = candidates_.back();
      candidates_.pop_back();
      demand -= dwords(v);
      take_out(v);
      remove(v);
    }
  }

  void take_out(VReg v) {
    state_->fate[v] = state_->constant[v].valid() ? SpillState::remat : SpillState::spill;
    chosen_ = true;
    phi_chosen_ |= is_phi_result_[v];
  }

  // ---- points of the program ----

  void walk_block(BlockId id) {
    const mir::Block& block = function_.blocks[id];
    for (VReg v : liveness_.live_out[id]) add(v);
    walk_end(id);
    size_t i = block.insts.size();
    for (; i > 0 && !is_phi(block.insts[i - 1]); --i) walk_inst(block.insts[i - 1]);
    unsigned dead_phis = 0;
    for (size_t p = 0; p < i; ++p) {
      const Operand def = function_.defs(block.insts[p])[0];
      if (handled(def) && position_[def.vreg()] == kNotLive && !in_memory(def.vreg())) dead_phis += def.dwords;
    }
    ++exclusion_;
    reduce(size_ + dead_phis);
    for (VReg v : live_) position_[v] = kNotLive;
    live_.clear();
    size_ = 0;
  }

  /// The end of a block that leads to phis. Operands of register phis that are in memory are reloaded there, all
  /// together; spilled phis whose operands are not in registers need a temporary, one after the other.
  void walk_end(BlockId id) {
    unsigned reloaded = 0, temporary = 0;
    ++exclusion_;
    ++seen_mark_;
    phis_.clear();
    const auto succs = succs_of(function_.blocks[id], graph_of(file_));
    for (uint32_t i = 0; i < succs.size(); ++i) {
      const size_t index = edge_slots_(id, i);
      for (InstId inst : function_.blocks[succs[i]].insts) {
        if (!is_phi(inst)) break;
        const Operand def = function_.defs(inst)[0];
        if (!handled(def)) continue;
        const Operand& use = function_.uses(inst)[index];
        const bool operand_in_memory = use.is_imm() || (use.is_vreg() && in_memory(use.vreg()));
        if (in_memory(def.vreg())) {
          if (operand_in_memory) temporary = std::max<unsigned>(temporary, def.dwords);
          continue;
        }
        phis_.push_back(def.vreg());
        if (!use.is_vreg()) {
          reloaded += use.is_imm() ? def.dwords : 0;
          continue;
        }
        excluded_[use.vreg()] = exclusion_;
        if (operand_in_memory && seen_[use.vreg()] != seen_mark_) reloaded += def.dwords;
        seen_[use.vreg()] = seen_mark_;
      }
    }
    reduce(size_ + reloaded + temporary);
    // What is left too much can only be the phis' own traffic.
    unsigned demand = size_ + reloaded + temporary;
    for (VReg phi : phis_) {
      if (state_ == nullptr || demand <= limit_) break;
      demand -= std::min(demand, dwords(phi));
      take_out(phi);
    }
  }

  void walk_inst(InstId inst) {
    const auto defs = function_.defs(inst);
    const auto uses = function_.uses(inst);
    unsigned results = 0;
    for (const Operand& def : defs) {
      if (handled(def) && position_[def.vreg()] == kNotLive) results += def.dwords;
    }
    exclude(defs);
    reduce(size_ + results);
    for (const Operand& def : defs) {
      if (handled(def)) remove(def.vreg());
    }
    unsigned reloaded = 0;
    ++seen_mark_;
    for (const Operand& use : uses) {
      if (!handled(use)) continue;
      // An operand in a required or tied register that lives on needs a copy of its own.
      const bool pinned = use.reg.valid() || use.tied;
      if (pinned && position_[use.vreg()] != kNotLive) reloaded += use.dwords;
      if (in_memory(use.vreg()) && seen_[use.vreg()] != seen_mark_) reloaded += use.dwords;
      seen_[use.vreg()] = seen_mark_;
    }
    for (const Operand& use : uses) {
      if (handled(use)) add(use.vreg());
    }
    exclude(uses);
    reduce(size_ + reloaded);
  }

  const mir::Function& function_;
  const Liveness& liveness_;
  const mir::RegFile file_;
  const unsigned limit_;
  SpillState* const state_;  ///< none when only measuring
  Arena& scratch_;
  const mir::EdgeSlots edge_slots_;
  IdMap<VReg, float> cost_{scratch_};
  IdMap<VReg, bool> is_phi_result_{scratch_};
  IdMap<VReg, uint32_t> begin_{scratch_}, end_{scratch_};  ///< positions
  IdMap<VReg, uint32_t> position_;                         ///< in live_
  Vector<VReg> live_{scratch_};
  unsigned size_ = 0;  ///< dwords of live_
  unsigned max_ = 0;
  bool chosen_ = false, phi_chosen_ = false;  ///< in this walk
  IdMap<VReg, uint32_t> seen_, excluded_;
  uint32_t seen_mark_ = 0, exclusion_ = 0;
  Vector<VReg> candidates_{scratch_}, phis_{scratch_};
};

}  // namespace

unsigned max_demand(const mir::Function& function, const Liveness& liveness, mir::RegFile file, Arena& scratch) {
  return Walker(function, liveness, file, 0, nullptr, scratch).max_demand();
}

bool choose_spills(const mir::Function& function, const Liveness& liveness, mir::RegFile file, unsigned limit,
                   SpillState& state, Arena& scratch) {
  const size_t count = function.vregs.size();
  state.fate.assign(count, SpillState::keep);
  state.constant.assign(count, InstId());
  state.temporary.resize(count, SpillState::none);
  return Walker(function, liveness, file, limit, &state, scratch).choose();
}

}  // namespace spalt::regalloc
