// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/liveness.h"

#include <vector>

namespace spalt::regalloc {
namespace {

using mir::BlockId;
using mir::InstId;
using mir::Operand;
using mir::VReg;

/// One use of a value that may make it live into `block`; `at_end` for operands of phis in a successor.
struct UseSite {
  uint32_t block : 31;
  uint32_t at_end : 1;
};

class Builder {
 public:
  Builder(const mir::Function& function, mir::RegFile file)
      : function_(function), file_(file), graph_(graph_of(file)) {}

  Liveness run() {
    result_.live_in.resize(function_.blocks.size());
    result_.live_out.resize(function_.blocks.size());
    def_block_.assign(function_.vregs.size(), BlockId());
    find_definitions();
    count_sites();
    fill_sites();
    for (uint32_t v = 0; v < function_.vregs.size(); ++v) {
      for (uint32_t i = first_[v]; i < first_[v + 1]; ++i) explore(VReg(v), sites_[i]);
    }
    return std::move(result_);
  }

 private:
  void find_definitions() {
    for (BlockId id : function_.layout) {
      for (InstId inst : function_.blocks[id].insts) {
        for (const Operand& def : function_.defs(inst)) {
          if (!handles(function_, file_, def)) continue;
          def_block_[def.vreg()] = id;
        }
      }
    }
  }

  /// Calls visit(value, site) for every use that can make a value live across a block boundary. Consecutive uses in one
  /// block are reported once.
  template <class Visit>
  void for_each_site(Visit&& visit) {
    last_.assign(function_.vregs.size(), BlockId());
    for (BlockId id : function_.layout) {
      const mir::Block& block = function_.blocks[id];
      for (InstId inst : block.insts) {
        const auto uses = function_.uses(inst);
        if (function_.insts[inst].opcode == mir::Opcode::p_phi) {
          if (!handles(function_, file_, function_.defs(inst)[0])) continue;
          const auto preds = preds_of(block, graph_);
          for (size_t i = 0; i < uses.size(); ++i) {
            if (handles(function_, file_, uses[i])) visit(uses[i].vreg(), UseSite{preds[i].index, 1});
          }
          continue;
        }
        for (const Operand& use : uses) {
          if (!handles(function_, file_, use)) continue;
          const VReg v = use.vreg();
          if (def_block_[v] == id || last_[v] == id) continue;
          last_[v] = id;
          visit(v, UseSite{id.index, 0});
        }
      }
    }
  }

  void count_sites() {
    first_.assign(function_.vregs.size() + 1, 0);
    for_each_site([this](VReg v, UseSite) { ++first_[v.index + 1]; });
    for (size_t i = 1; i < first_.size(); ++i) first_[i] += first_[i - 1];
  }

  void fill_sites() {
    sites_.resize(first_.back());
    std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
    for_each_site([&](VReg v, UseSite site) { sites_[next[v.index]++] = site; });
  }

  static bool has_last(const std::vector<VReg>& list, VReg v) { return !list.empty() && list.back() == v; }

  void explore(VReg v, UseSite site) {
    const BlockId start(site.block);
    if (site.at_end != 0) {
      add_out(start, v);
      if (def_block_[v] != start) stack_.push_back(start);
    } else {
      stack_.push_back(start);
    }
    while (!stack_.empty()) {
      const BlockId block = stack_.back();
      stack_.pop_back();
      if (has_last(result_.live_in[block], v)) continue;
      result_.live_in[block].push_back(v);
      for (BlockId pred : preds_of(function_.blocks[block], graph_)) {
        add_out(pred, v);
        if (def_block_[v] != pred) stack_.push_back(pred);
      }
    }
  }

  void add_out(BlockId block, VReg v) {
    if (!has_last(result_.live_out[block], v)) result_.live_out[block].push_back(v);
  }

  const mir::Function& function_;
  const mir::RegFile file_;
  const mir::Graph graph_;
  Liveness result_;
  IdMap<VReg, BlockId> def_block_, last_;
  std::vector<uint32_t> first_;
  std::vector<UseSite> sites_;
  std::vector<BlockId> stack_;
};

}  // namespace

Liveness compute_liveness(const mir::Function& function, mir::RegFile file) {
  return Builder(function, file).run();
}

void mark_kills(mir::Function& function, const Liveness& liveness, mir::RegFile file) {
  // The block after whose current position the value is live, as of the backward walk.
  IdMap<VReg, BlockId> live_in_block(function.vregs.size());
  for (BlockId id : function.layout) {
    for (VReg v : liveness.live_out[id]) live_in_block[v] = id;
    const auto& insts = function.blocks[id].insts;
    for (size_t i = insts.size(); i-- > 0;) {
      for (Operand& def : function.defs(insts[i])) {
        if (!handles(function, file, def)) continue;
        def.kill = live_in_block[def.vreg()] != id;
        live_in_block[def.vreg()] = BlockId();
      }
      if (function.insts[insts[i]].opcode == mir::Opcode::p_phi) continue;
      const auto uses = function.uses(insts[i]);
      for (Operand& use : uses) {
        if (handles(function, file, use)) use.kill = live_in_block[use.vreg()] != id;
      }
      for (const Operand& use : uses) {
        if (handles(function, file, use)) live_in_block[use.vreg()] = id;
      }
    }
  }
}

}  // namespace spalt::regalloc
