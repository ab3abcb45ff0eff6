// SPDX-License-Identifier: MIT
//
// A forward data-flow analysis after the idea of the checker in regalloc2 (C. Fallin): the state says for each location
// which values of the unallocated function it certainly holds. Locations are single dwords: registers, lanes of linear
// VGPRs and of scratch that hold spilled SGPRs, dwords of scratch. Values are dwords of virtual registers; a location
// may hold several, because copies and phis make values equal. Constants have values of their own, shared by all
// virtual registers that load the same constant.
//
//   original instruction   each operand's location must hold the operand; results replace what was in theirs, and an
//   older instance
//                          of the same virtual register (the last iteration's) disappears everywhere
//   moves, spills, reloads carry the sets along
//   an edge to phis        what holds the operand now holds the phi
//   a join                 intersection
//
// VGPRs and scratch follow the logical graph: what one lane does not walk does not touch its registers. SGPRs and lanes
// follow the linear graph.
#include <algorithm>
#include <map>
#include <vector>

#include "amdgpu/mir/edges.h"
#include "amdgpu/mir/printer.h"
#include "amdgpu/regalloc/check/checked_locations.h"
#include "amdgpu/regalloc/check/checked_values.h"
#include "amdgpu/regalloc/check/parts.h"
#include "base/small_vector.h"

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::Function;
using mir::Graph;
using mir::InstId;
using mir::Opcode;
using mir::Operand;
using mir::RegClass;
using mir::VReg;

using ValueSet = SmallVector<Value, 2>;

bool contains(const ValueSet& set, Value value) {
  return std::find(set.begin(), set.end(), value) != set.end();
}

/// One value in one location; a stored state is a sorted list of them.
struct Held {
  uint32_t location;
  Value value;
  auto operator<=>(const Held&) const = default;
};
using Snapshot = std::vector<Held>;

class ValueChecker {
 public:
  ValueChecker(const Function& before, const Function& after, bool linear)
      : before_(before),
        after_(after),
        linear_(linear),
        graph_(linear ? Graph::linear : Graph::logical),
        edge_slots_(mir::edge_slots(after, graph_)),
        values_(before),
        locations_(after, linear) {}

  CheckFinding run() {
    held_.resize(locations_.count());
    mark_.assign(before_.vregs.size(), 0);
    at_start_.resize(after_.blocks.size());
    visited_.assign(after_.blocks.size(), false);
    visited_[after_.layout[0].index] = true;
    iterate();
    reporting_ = true;
    for (BlockId id : after_.layout) {
      if (visited_[id.index]) walk(id);
      if (finding_) break;
    }
    return finding_;
  }

 private:
  void report(BlockId block, InstId inst, const std::string& what) {
    if (reporting_ && !finding_) finding_ = broken_allocation(after_, block, inst, what);
  }

  // ---- values ----

  bool mine(RegClass cls) const { return cls.linear == linear_; }
  bool mine(const Operand& operand) const { return operand.is_vreg() && mine(before_.vregs[operand.vreg()].cls); }

  // ---- the state ----

  void set(uint32_t location, const ValueSet& values) {
    held_[location] = values;
    for (Value value : values) mark(value);
    // A write to a VGPR with spilled lanes destroys them.
    const CheckedLocations::Range lanes = locations_.lanes_of(location);
    for (uint32_t lane = lanes.begin; lane < lanes.end; ++lane) held_[lane].clear();
  }
  void mark(Value value) {
    if (is_vreg_value(value)) mark_[vreg_of(value)] = epoch_;
  }

  /// The older instance of a value that is defined again is gone.
  void forget(VReg v) {
    if (mark_[v] != epoch_ || values_.is_constant(v)) return;
    for (ValueSet& values : held_) {
      for (uint32_t i = 0; i < values.size();) {
        if (is_vreg_value(values[i]) && vreg_of(values[i]) == v) {
          values.erase(i);
        } else {
          ++i;
        }
      }
    }
  }

  // ---- iteration ----

  void iterate() {
    bool changed = true;
    std::vector<bool> pending = visited_;
    while (changed) {
      changed = false;
      for (BlockId id : after_.layout) {
        if (!pending[id.index]) continue;
        pending[id.index] = false;
        walk(id);
        const auto succs = succs_of(after_.blocks[id], graph_);
        for (uint32_t i = 0; i < succs.size(); ++i) {
          if (!flow(succs[i], edge_slots_(id, i))) continue;
          pending[succs[i].index] = true;
          changed = true;
        }
      }
    }
  }

  void load(const Snapshot& snapshot) {
    ++epoch_;
    for (ValueSet& values : held_) values.clear();
    for (const Held& held : snapshot) {
      held_[held.location].push_back(held.value);
      mark(held.value);
    }
  }

  /// Brings the state at hand, that at the end of predecessor number `slot`, to the start of `to`. Returns whether that
  /// changed.
  bool flow(BlockId to, uint32_t slot) {
    Snapshot arriving;
    phi_snapshot(to, slot, arriving);
    std::sort(arriving.begin(), arriving.end());
    arriving.erase(std::unique(arriving.begin(), arriving.end()), arriving.end());
    if (!visited_[to.index]) {
      visited_[to.index] = true;
      at_start_[to] = std::move(arriving);
      return true;
    }
    Snapshot common;
    std::set_intersection(arriving.begin(), arriving.end(), at_start_[to].begin(), at_start_[to].end(),
                          std::back_inserter(common));
    if (common.size() == at_start_[to].size()) return false;
    at_start_[to] = std::move(common);
    return true;
  }

  struct PhiValue {
    VReg phi;
    Operand operand;
  };

  void phi_snapshot(BlockId to, uint32_t slot, Snapshot& arriving) {
    phis_.clear();
    if (to.index < before_.blocks.size()) {
      for (InstId inst : before_.blocks[to].insts) {
        if (before_.insts[inst].opcode != Opcode::p_phi || !mine(before_.defs(inst)[0])) continue;
        phis_.push_back({before_.defs(inst)[0].vreg(), before_.uses(inst)[slot]});
      }
    }
    ++phi_epoch_;
    is_phi_of_target_.resize(before_.vregs.size(), 0);
    sources_.clear();
    for (const PhiValue& phi : phis_) {
      is_phi_of_target_[phi.phi] = phi_epoch_;
      for (unsigned d = 0; d < before_.vregs[phi.phi].cls.dwords; ++d) {
        const Value result = make_value(kKindVReg, phi.phi.index, d);
        if (phi.operand.is_vreg() && !values_.is_undefined(phi.operand.vreg())) {
          sources_.emplace_back(values_.value_of(phi.operand.vreg(), d), result);
        } else if (phi.operand.is_imm()) {
          const unsigned dwords = before_.vregs[phi.phi].cls.dwords;
          sources_.emplace_back(values_.constant(phi.operand.value, dwords, d), result);
        } else {
          // Any content will do.
          for (uint32_t at = 0; at < held_.size(); ++at) arriving.push_back({at, result});
        }
      }
    }
    std::sort(sources_.begin(), sources_.end());
    for (uint32_t at = 0; at < held_.size(); ++at) {
      for (Value value : held_[at]) {
        const bool old_phi = is_vreg_value(value) && is_phi_of_target_[vreg_of(value)] == phi_epoch_;
        if (!old_phi) arriving.push_back({at, value});
        for (auto source = std::lower_bound(sources_.begin(), sources_.end(), std::pair<Value, Value>(value, 0));
             source != sources_.end() && source->first == value; ++source) {
          arriving.push_back({at, source->second});
        }
      }
    }
  }

  // ---- one block ----

  void walk(BlockId id) {
    load(at_start_[id]);
    walked_ = id;
    physical_block_.fill(BlockId());
    for (InstId inst : after_.blocks[id].insts) {
      if (finding_) return;
      if (inst.index < before_.insts.size()) {
        check_original(id, inst);
      } else {
        follow_added(id, inst);
      }
    }
  }

  bool is_register_of_graph(isa::Reg reg) const { return linear_ || reg.is_vgpr(); }

  void check_original(BlockId id, InstId inst) {
    const auto old_uses = before_.uses(inst);
    for (size_t i = 0; i < old_uses.size(); ++i) check_use(id, inst, old_uses[i], after_.uses(inst)[i]);
    const auto old_defs = before_.defs(inst);
    for (const Operand& def : old_defs) {
      if (mine(def)) forget(def.vreg());
    }
    const uint32_t flags = mir::flags(before_.insts[inst].opcode);
    if (linear_ && (flags & isa::kWritesVcc) != 0) {
      for (unsigned d = 0; d < 2; ++d) set(isa::kVcc.number + d, {});
    }
    for (size_t i = 0; i < old_defs.size(); ++i) define(old_defs[i], after_.defs(inst)[i]);
  }

  void check_use(BlockId id, InstId inst, const Operand& old_use, const Operand& new_use) {
    if (old_use.kind == Operand::Kind::reg) return check_physical(id, inst, old_use);
    if (!mine(old_use) || values_.is_undefined(old_use.vreg())) return;
    for (unsigned d = 0; d < old_use.dwords; ++d) {
      const uint32_t at = CheckedLocations::of(new_use.reg, d);
      if (at != CheckedLocations::kNone && contains(held_[at], values_.value_of(old_use.vreg(), d))) continue;
      return report(
          id, inst,
          "%" + std::to_string(old_use.value) + " is not in " + mir::register_name(new_use.reg, new_use.dwords));
    }
  }

  /// vcc and m0 between an explicit definition and its use in the same block.
  void check_physical(BlockId id, InstId inst, const Operand& use) {
    if (!linear_ || (use.reg != isa::kVcc && use.reg != isa::kVccHi && use.reg != isa::kM0)) return;
    for (unsigned d = 0; d < use.dwords; ++d) {
      const uint32_t number = use.reg.number + d;
      if (physical_block_[number] != id) continue;
      if (contains(held_[number], make_value(kKindPhysical, number, 0))) continue;
      return report(id, inst, mir::register_name(use.reg, use.dwords) + " was overwritten");
    }
  }

  void define(const Operand& old_def, const Operand& new_def) {
    if (!new_def.reg.valid() || !is_register_of_graph(new_def.reg)) return;
    for (unsigned d = 0; d < new_def.dwords; ++d) {
      const uint32_t at = CheckedLocations::of(new_def.reg, d);
      if (at == CheckedLocations::kNone) continue;
      if (old_def.kind == Operand::Kind::reg) {
        set(at, {make_value(kKindPhysical, at, 0)});
        if (at < isa::Reg::kVgprBegin) physical_block_[at] = walked_;
      } else if (mine(old_def)) {
        set(at, {values_.value_of(old_def.vreg(), d)});
      } else {
        set(at, {});
      }
    }
  }

  // ---- added instructions ----

  void follow_added(BlockId id, InstId inst) {
    switch (after_.insts[inst].opcode) {
      case Opcode::p_parallel_copy:
        return follow_parallel_copy(id, inst);
      case Opcode::p_spill_vgpr:
        for (unsigned d = 0; !linear_ && d < after_.uses(inst)[0].dwords; ++d) {
          set(locations_.slot(inst, d), held_[CheckedLocations::of(after_.uses(inst)[0].reg, d)]);
        }
        return;
      case Opcode::p_reload_vgpr:
        for (unsigned d = 0; d < after_.defs(inst)[0].dwords; ++d) {
          set(CheckedLocations::of(after_.defs(inst)[0].reg, d),
              linear_ ? ValueSet() : held_[locations_.slot(inst, d)]);
        }
        return;
      case Opcode::p_spill_sgpr:
        for (unsigned d = 0; linear_ && d < after_.uses(inst)[0].dwords; ++d) {
          set(locations_.lane(inst, d), held_[CheckedLocations::of(after_.uses(inst)[0].reg, d)]);
        }
        return;
      case Opcode::p_reload_sgpr:
        for (unsigned d = 0; linear_ && d < after_.defs(inst)[0].dwords; ++d) {
          set(CheckedLocations::of(after_.defs(inst)[0].reg, d), held_[locations_.lane(inst, d)]);
        }
        return;
      case Opcode::p_spill_sgpr_scratch:
      case Opcode::p_reload_sgpr_scratch:
        return follow_scratch_row(inst);
      case Opcode::p_jump:
        return;
      default:
        return follow_constant(inst);
    }
  }

  /// SGPRs in scratch. The VGPR that they pass through loses its content.
  void follow_scratch_row(InstId inst) {
    if (!linear_) return;
    const bool store = after_.insts[inst].opcode == Opcode::p_spill_sgpr_scratch;
    const Operand& value = store ? after_.uses(inst)[0] : after_.defs(inst)[0];
    for (unsigned d = 0; d < value.dwords; ++d) {
      if (store) {
        set(locations_.scratch_lane(inst, d), held_[CheckedLocations::of(value.reg, d)]);
      } else {
        set(CheckedLocations::of(value.reg, d), held_[locations_.scratch_lane(inst, d)]);
      }
    }
    set(CheckedLocations::of(after_.uses(inst)[store ? 1 : 0].reg, 0), {});
    set(isa::kM0.number, {});
  }

  void follow_constant(InstId inst) {
    if (after_.defs(inst).empty()) return;
    const Operand& def = after_.defs(inst)[0];
    if (!is_register_of_graph(def.reg)) return;
    for (unsigned d = 0; d < def.dwords; ++d) {
      ValueSet values;
      if (is_constant_load(after_, inst)) values.push_back(values_.loaded_constant(after_, inst, d));
      set(CheckedLocations::of(def.reg, d), values);
    }
  }

  void follow_parallel_copy(BlockId id, InstId inst) {
    const auto defs = after_.defs(inst);
    const auto uses = after_.uses(inst);
    std::vector<ValueSet> read;
    for (size_t i = 0; i < uses.size(); ++i) {
      for (unsigned d = 0; d < defs[i].dwords; ++d) {
        ValueSet values;
        if (uses[i].is_imm()) {
          values.push_back(values_.constant(uses[i].value, defs[i].dwords, d));
        } else if (uses[i].is_vreg() && uses[i].dwords == defs[i].dwords) {
          values = held_[CheckedLocations::of(uses[i].reg, d)];
        } else {
          report(id, inst, "a copy of something else than a register or a constant");
        }
        read.push_back(std::move(values));
      }
    }
    size_t next = 0;
    for (const Operand& def : defs) {
      for (unsigned d = 0; d < def.dwords; ++d, ++next) {
        if (is_register_of_graph(def.reg)) set(CheckedLocations::of(def.reg, d), read[next]);
      }
    }
    if (linear_ && has_scalar_cycle(inst)) set(isa::kM0.number, {});
  }

  /// Cycles of SGPR copies go through m0 when they are expanded.
  bool has_scalar_cycle(InstId inst) const {
    std::map<unsigned, unsigned> source_of;
    const auto defs = after_.defs(inst);
    const auto uses = after_.uses(inst);
    for (size_t i = 0; i < defs.size(); ++i) {
      for (unsigned d = 0; d < defs[i].dwords && uses[i].is_vreg(); ++d) {
        if (!defs[i].reg.is_vgpr()) source_of[defs[i].reg.number + d] = uses[i].reg.number + d;
      }
    }
    for (const auto& [start, first] : source_of) {
      unsigned at = first;
      for (size_t steps = 0; steps < source_of.size(); ++steps) {
        if (at == start && first != start) return true;
        const auto next = source_of.find(at);
        if (next == source_of.end()) break;
        at = next->second;
      }
    }
    return false;
  }

  const Function& before_;
  const Function& after_;
  const bool linear_;
  const Graph graph_;
  const mir::EdgeSlots edge_slots_;
  CheckedValues values_;
  const CheckedLocations locations_;
  std::vector<ValueSet> held_;  ///< the current state, by location
  IdMap<BlockId, Snapshot> at_start_;
  std::vector<bool> visited_;
  IdMap<VReg, uint32_t> mark_;  ///< epoch in which the value was last put anywhere
  uint32_t epoch_ = 0, phi_epoch_ = 0;
  IdMap<VReg, uint32_t> is_phi_of_target_;
  std::vector<PhiValue> phis_;
  std::vector<std::pair<Value, Value>> sources_;
  std::array<BlockId, isa::Reg::kVgprBegin> physical_block_;  ///< block of the last explicit definition
  BlockId walked_;
  bool reporting_ = false;
  CheckFinding finding_;
};

}  // namespace

CheckFinding check_values(const Function& before, const Function& after, bool linear) {
  return ValueChecker(before, after, linear).run();
}

}  // namespace spalt::regalloc
