// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/liveness.h"

namespace spalt::regalloc {

using mir::BlockId;
using mir::InstId;
using mir::Operand;
using mir::RegFile;
using mir::VReg;

LivenessBuilder::LivenessBuilder(const mir::Function& function, FileSet files, Arena& arena)
    : function_(function),
      files_(files),
      result_{Liveness(files.sgpr ? function.blocks.size() : 0, arena),
              Liveness(files.vgpr ? function.blocks.size() : 0, arena)},
      def_block_(arena, function.vregs.size(), BlockId()),
      last_(arena, function.vregs.size(), BlockId()),
      first_(arena, function.vregs.size(), kNone),
      sites_(arena),
      stack_(arena) {}

void LivenessBuilder::visit_phi(BlockId block, InstId inst) {
  const Operand& def = function_.defs(inst)[0];
  if (!files_.handles(def)) return;
  def_block_[def.vreg()] = block;
  const RegFile file = def.cls().file;
  const auto preds = preds_of(function_.blocks[block], graph_of(file));
  const auto uses = function_.uses(inst);
  for (size_t i = 0; i < uses.size(); ++i) {
    if (handles(file, uses[i])) add_site(uses[i].vreg(), preds[i], true);
  }
}

void LivenessBuilder::add_site(VReg v, BlockId block, bool at_end) {
  sites_.push_back({block.index, at_end ? 1u : 0u, first_[v]});
  first_[v] = sites_.size() - 1;
}

PerFile<Liveness> LivenessBuilder::finish() && {
  for (uint32_t i = 0; i < function_.vregs.size(); ++i) {
    const VReg v(i);
    if (first_[v] == kNone) continue;
    const RegFile file = function_.vregs[v].cls.file;
    for (uint32_t site = first_[v]; site != kNone; site = sites_[site].next) {
      explore(v, sites_[site], graph_of(file), result_[file]);
    }
  }
  return std::move(result_);
}

void LivenessBuilder::explore(VReg v, const UseSite& site, mir::Graph graph, Liveness& result) {
  // Values come in the order of their numbers, so that one look tells whether a list has this one.
  const auto has = [v](const Vector<VReg>& list) { return !list.empty() && list.back() == v; };
  const auto add_out = [&](BlockId block) {
    if (!has(result.live_out[block])) result.live_out[block].push_back(v);
  };
  const BlockId start(site.block);
  if (site.at_end != 0) add_out(start);
  if (site.at_end == 0 || def_block_[v] != start) stack_.push_back(start);
  while (!stack_.empty()) {
    const BlockId block = stack_.back();
    stack_.pop_back();
    if (has(result.live_in[block])) continue;
    result.live_in[block].push_back(v);
    for (BlockId pred : preds_of(function_.blocks[block], graph)) {
      add_out(pred);
      if (def_block_[v] != pred) stack_.push_back(pred);
    }
  }
}

Liveness compute_liveness(const mir::Function& function, RegFile file, Arena& arena) {
  LivenessBuilder builder(function, FileSet::only(file), arena);
  for (BlockId id : function.layout) {
    for (InstId inst : function.blocks[id].insts) builder.visit(id, inst);
  }
  return std::move(std::move(builder).finish()[file]);
}

}  // namespace spalt::regalloc
