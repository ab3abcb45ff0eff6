// SPDX-License-Identifier: MIT
#include "amdgpu/hazard/resolve_hazards.h"

#include <algorithm>
#include <vector>

#include "amdgpu/hazard/gfx10_rules.h"
#include "amdgpu/hazard/gfx11_rules.h"
#include "amdgpu/hazard/lds_direct_rules.h"
#include "amdgpu/hazard/nop_rules.h"
#include "amdgpu/hazard/sgpr_write_rules.h"
#include "amdgpu/mir/dominance.h"

namespace spalt::hazard {
namespace {

using mir::BlockId;
using mir::InstId;

/// Rules know instructions only; this walks the function and puts the cures into it.
template <class Rules>
class Resolver {
  using State = typename Rules::State;

 public:
  Resolver(mir::Function& function, const Rules& rules, Arena& scratch)
      : function_(function),
        rules_(rules),
        builder_(function),
        scratch_(scratch),
        at_start_(scratch, function.blocks.size()) {}

  void run() {
    if constexpr (requires { rules_.at_start(); }) at_start_[function_.layout.front().index].join(rules_.at_start());
    if (mir::has_back_edge(function_, mir::Graph::linear, &scratch_)) find_fixpoint();
    builder_.make_new();
    for (BlockId id : function_.layout) {
      rewrite(id);
      for (BlockId succ : function_.blocks[id].linear_succs) at_start_[succ.index].join(at_start_[id.index]);
    }
  }

 private:
  void find_fixpoint() {
    Vector<bool> dirty(scratch_, function_.blocks.size(), true);
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

  /// Leaves the state at the end of the block in the place of that at its start.
  void rewrite(BlockId id) {
    State& state = at_start_[id.index];
    mir::InstList& insts = function_.blocks[id].insts;
    out_.clear();
    for (size_t i = 0, count = 0; i < insts.size(); i += count) {
      for (InstId cure : step(&insts[i], state)) out_.push_back(cure);
      count = issued(insts[i]);
      for (size_t half = 0; half < count; ++half) out_.push_back(insts[i + half]);
    }
    if (out_.size() != insts.size()) insts.assign(out_);
  }

  /// 2 for the first half of a pair that nothing may come into.
  size_t issued(InstId id) const { return function_.insts[id].dual ? 2 : 1; }

  /// The instructions that `ids[0]`, and the other half if it is one of a pair, need before them; advances the
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
  Arena& scratch_;
  Vector<State> at_start_;  ///< of blocks that were rewritten: at their end
  mir::InstList out_{scratch_};
};

template <class Rules>
void resolve(mir::Function& function, const Contents& program, Arena& scratch) {
  const Rules rules(function, program);
  if (rules.any()) Resolver<Rules>(function, rules, scratch).run();
}

}  // namespace

void resolve_hazards(mir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  const Contents program(function);
  resolve<NopRules>(function, program, context.scratch);
  resolve<Gfx10Rules>(function, program, context.scratch);
  resolve<Gfx11Rules>(function, program, context.scratch);
  resolve<LdsDirectRules>(function, program, context.scratch);
  resolve<SgprWriteRules>(function, program, context.scratch);
}

}  // namespace spalt::hazard
