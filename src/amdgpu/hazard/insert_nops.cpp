// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/insert_nops.h"

#include <algorithm>
#include <array>

#include "amdgpu/hazard/hazard_rules.h"

namespace spalt::hazard {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Opcode;

/// Wait states that are still missing, per rule.
struct HazardState {
  std::array<uint8_t, kHazardRuleCount> missing{};

  bool operator==(const HazardState&) const = default;
  /// Unites with the state of another path; true if this state grew.
  bool join(const HazardState& other) {
    const HazardState before = *this;
    for (unsigned i = 0; i < kHazardRuleCount; ++i) missing[i] = std::max(missing[i], other.missing[i]);
    return *this != before;
  }
  void elapse(unsigned wait_states) {
    for (uint8_t& left : missing) left = static_cast<uint8_t>(left > wait_states ? left - wait_states : 0);
  }
};

class NopInserter {
 public:
  explicit NopInserter(mir::Function& function) : function_(function) {}

  void run() {
    if (!any_hazard()) return;
    find_fixpoint();
    for (BlockId id : function_.layout) rewrite(id);
  }

 private:
  bool applies(const HazardRule& rule) const { return function_.target.*rule.exists; }

  bool any_hazard() const {
    for (const HazardRule& rule : hazard_rules()) {
      if (!applies(rule)) continue;
      for (BlockId id : function_.layout) {
        for (InstId inst : function_.blocks[id].insts) {
          const Opcode opcode = function_.insts[inst].opcode;
          if (!is_pseudo(opcode) && rule.first(isa::info(to_isa(opcode)))) return true;
        }
      }
    }
    return false;
  }

  void find_fixpoint() {
    at_start_.resize(function_.blocks.size());
    std::vector<bool> dirty(function_.blocks.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId id : function_.layout) {
        if (!dirty[id.index]) continue;
        dirty[id.index] = false;
        HazardState state = at_start_[id.index];
        for (InstId inst : function_.blocks[id].insts) step(inst, state);
        for (BlockId succ : function_.blocks[id].linear_succs) {
          if (!at_start_[succ.index].join(state)) continue;
          dirty[succ.index] = true;
          changed = true;
        }
      }
    }
  }

  void rewrite(BlockId id) {
    HazardState& state = at_start_[id.index];
    std::vector<InstId> old;
    old.swap(function_.blocks[id].insts);
    auto& out = function_.blocks[id].insts;
    for (InstId inst : old) {
      if (const unsigned missing = step(inst, state); missing != 0) {
        const InstId nop = function_.create(Opcode::s_nop, {}, {});
        function_.insts[nop].simm16 = static_cast<int32_t>(missing - 1);
        out.push_back(nop);
      }
      out.push_back(inst);
    }
  }

  /// The wait states that `id` needs in front of it; advances the state over both.
  unsigned step(InstId id, HazardState& state) const {
    const mir::Inst& inst = function_.insts[id];
    if (is_pseudo(inst.opcode)) return 0;  // markers; no time passes
    const isa::OpcodeInfo& info = isa::info(to_isa(inst.opcode));
    unsigned missing = 0;
    for (unsigned i = 0; i < kHazardRuleCount; ++i) {
      if (state.missing[i] != 0 && hazard_rules()[i].second(info))
        missing = std::max<unsigned>(missing, state.missing[i]);
    }
    state.elapse(missing);
    // The immediate of s_nop counts further wait states (RDNA 2 ISA guide, S_NOP); only its low four bits count.
    state.elapse(inst.opcode == Opcode::s_nop ? (static_cast<unsigned>(inst.simm16) & 0xf) + 1 : 1);
    for (unsigned i = 0; i < kHazardRuleCount; ++i) {
      const HazardRule& rule = hazard_rules()[i];
      if (!applies(rule)) continue;
      if (rule.resolved_by(info)) state.missing[i] = 0;
      if (rule.first(info)) state.missing[i] = rule.wait_states;
    }
    return missing;
  }

  mir::Function& function_;
  std::vector<HazardState> at_start_;
};

}  // namespace

void insert_hazard_nops(mir::Function& function) {
  NopInserter(function).run();
}

}  // namespace spalt::hazard
