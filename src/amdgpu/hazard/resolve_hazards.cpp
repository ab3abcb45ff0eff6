// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/resolve_hazards.h"

#include <algorithm>
#include <vector>

#include "amdgpu/hazard/gfx10_rules.h"
#include "amdgpu/hazard/gfx11_rules.h"
#include "amdgpu/hazard/nop_rules.h"
#include "amdgpu/hazard/sgpr_write_rules.h"

namespace spalt::hazard {
namespace {

using mir::BlockId;
using mir::InstId;

/// Rules know instructions only; this walks the function and puts the cures into it.
template <class Rules>
class Resolver {
  using State = typename Rules::State;

 public:
  Resolver(mir::Function& function, const Rules& rules) : function_(function), rules_(rules), builder_(function) {}

  void run() {
    find_fixpoint();
    builder_.make_new();
    for (BlockId id : function_.layout) rewrite(id);
  }

 private:
  void find_fixpoint() {
    at_start_.resize(function_.blocks.size());
    std::vector<bool> dirty(function_.blocks.size(), true);
    for (bool changed = true; changed;) {
      changed = false;
      for (BlockId id : function_.layout) {
        if (!dirty[id.index]) continue;
        dirty[id.index] = false;
        State state = at_start_[id.index];
        const auto& insts = function_.blocks[id].insts;
        for (size_t i = 0; i < insts.size(); i += issued(insts[i])) step(&insts[i], state);
        for (BlockId succ : function_.blocks[id].linear_succs) {
          if (!at_start_[succ.index].join(state)) continue;
          dirty[succ.index] = true;
          changed = true;
        }
      }
    }
  }

  void rewrite(BlockId id) {
    State& state = at_start_[id.index];
    mir::InstList old;
    old.swap(function_.blocks[id].insts);
    auto& out = function_.blocks[id].insts;
    out.reserve(old.size());
    for (size_t i = 0, count = 0; i < old.size(); i += count) {
      for (InstId cure : step(&old[i], state)) out.push_back(cure);
      count = issued(old[i]);
      for (size_t half = 0; half < count; ++half) out.push_back(old[i + half]);
    }
  }

  /// 2 for the first half of a pair that nothing may come into.
  size_t issued(InstId id) const { return function_.insts[id].dual ? 2 : 1; }

  /// The instructions that `ids[0]`, and the other half if it is one of a pair, need in front of them; advances the
  /// state over all of them.
  SmallVector<InstId, 4> step(const InstId* ids, State& state) {
    const bool pair = issued(ids[0]) == 2;
    Cures cures = rules_.cures(Instruction(function_, ids[0]), state);
    if (pair) cures |= rules_.cures(Instruction(function_, ids[1], true), state);
    SmallVector<InstId, 4> inserted;
    if (cures.any()) {
      inserted = builder_.build(cures);
      for (InstId cure : inserted) rules_.advance(Instruction(function_, cure), state);
    }
    rules_.advance(Instruction(function_, ids[0]), state);
    if (pair) rules_.advance(Instruction(function_, ids[1], true), state);
    return inserted;
  }

  mir::Function& function_;
  const Rules& rules_;
  CureBuilder builder_;
  std::vector<State> at_start_;
};

template <class Rules>
void resolve(mir::Function& function) {
  const Rules rules(function);
  if (rules.any()) Resolver<Rules>(function, rules).run();
}

}  // namespace

void resolve_hazards(mir::Function& function) {
  resolve<NopRules>(function);
  resolve<Gfx10Rules>(function);
  resolve<Gfx11Rules>(function);
  resolve<SgprWriteRules>(function);
}

}  // namespace spalt::hazard
