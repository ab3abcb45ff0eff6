// SPDX-License-Identifier: MIT
#include "amdgpu/regalloc/split_edges.h"

#include <algorithm>

#include "base/ice.h"

namespace spalt::regalloc {

using mir::Block;
using mir::BlockId;
using mir::Opcode;
using mir::Operand;

BlockId EdgeSplitter::split(BlockId from, size_t succ, size_t slot) {
  const BlockId id = function_.create_block();
  const BlockId to = function_.blocks[from].linear_succs[succ];
  const Operand target = Operand::target(to);
  function_.append(id, Opcode::p_jump, {}, {&target, 1});
  Block& source = function_.blocks[from];
  Block& end = function_.blocks[to];
  for (Operand& use : function_.uses(source.insts.back())) {
    if (use.kind == Operand::Kind::block && use.block() == to) use.value = id.index;
  }
  source.linear_succs[succ] = id;
  SPALT_ASSERT(end.linear_preds[slot] == from);
  end.linear_preds[slot] = id;
  Block& middle = function_.blocks[id];
  middle.loop_depth = std::min(source.loop_depth, end.loop_depth);
  middle.linear_preds.push_back(from);
  middle.linear_succs.push_back(to);
  added_.push_back({id, to});
  return id;
}

void EdgeSplitter::finish() {
  if (added_.empty()) return;
  // By target: the first block that was added before it; next: by added block, the one after it.
  IdMap<BlockId, BlockId> first(scratch_, function_.blocks.size()), next(scratch_, function_.blocks.size());
  for (size_t i = added_.size(); i-- > 0;) {
    next[added_[i].block] = first[added_[i].before];
    first[added_[i].before] = added_[i].block;
  }
  mir::BlockList layout(scratch_);
  layout.reserve(function_.layout.size() + added_.size());
  for (BlockId id : function_.layout) {
    for (BlockId added = first[id]; added.valid(); added = next[added]) layout.push_back(added);
    layout.push_back(id);
  }
  function_.layout.assign(layout);
  added_.clear();
}

bool split_edges_to_phis(mir::Function& function, Arena& scratch) {
  EdgeSplitter splitter(function, scratch);
  bool any = false;
  const mir::BlockList layout(function.layout, &scratch);
  for (BlockId id : layout) {
    const auto& insts = function.blocks[id].insts;
    const bool has_phi = std::any_of(insts.begin(), insts.end(), [&function](mir::InstId inst) {
      return function.insts[inst].opcode == Opcode::p_phi &&
             function.vregs[function.defs(inst)[0].vreg()].cls.file == mir::RegFile::sgpr;
    });
    if (!has_phi || function.blocks[id].linear_preds.size() < 2) continue;
    const SmallVector<BlockId, 4> preds(function.blocks[id].linear_preds.span());
    for (uint32_t slot = 0; slot < preds.size(); ++slot) {
      const auto& succs = function.blocks[preds[slot]].linear_succs;
      if (succs.size() < 2) continue;
      const auto succ = std::find(succs.begin(), succs.end(), id) - succs.begin();
      splitter.split(preds[slot], static_cast<size_t>(succ), slot);
      any = true;
    }
  }
  splitter.finish();
  return any;
}

}  // namespace spalt::regalloc
