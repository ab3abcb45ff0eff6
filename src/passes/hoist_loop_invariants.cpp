// SPDX-License-Identifier: MIT
#include "passes/hoist_loop_invariants.h"

#include <algorithm>

#include "analysis/alias.h"
#include "analysis/dominance.h"
#include "analysis/loops.h"
#include "ir/cfg_edit.h"

namespace spalt::passes {

using analysis::kNoLoop;
using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

class Hoister {
 public:
  Hoister(ir::Function& function, analysis::AnalysisCache& analyses, Arena& scratch)
      : f_(function),
        dominance_(analyses.dominance()),
        loops_(analyses.loops()),
        preheader_(scratch, loops_.size()),
        created_(scratch) {}

  bool run() {
    const ir::BlockList blocks(f_.layout(), created_.arena());
    for (BlockId block : blocks) {
      if (loops_.loop_of(block) == kNoLoop || !dominance_.reachable(block)) continue;
      for (Value value : ir::insts(f_, block)) {
        const uint32_t loop = loop_to_leave(value, block);
        if (loop != kNoLoop) move(value, loop);
      }
    }
    insert_preheaders();
    return changed_;
  }

 private:
  uint32_t loop_to_leave(Value value, BlockId block);
  uint32_t home_loop(BlockId home, BlockId user);
  bool is_fixed_descriptor(Value descriptor) const;
  bool needs_execution(Value value);
  bool always_executes(uint32_t loop, BlockId block);
  void move(Value value, uint32_t loop);
  BlockId preheader(uint32_t loop);
  BlockId create_preheader(uint32_t loop, const SmallVector<BlockId, 4>& entries);
  void insert_preheaders();

  ir::Function& f_;
  const analysis::Dominance& dominance_;
  const analysis::Loops& loops_;
  ir::BlockList preheader_;  ///< per loop, once asked for
  /// Blocks created here, which `loops_` does not know: loop around each, and the header that each comes before.
  struct Created {
    BlockId block, header;
    uint32_t parent;
  };
  Vector<Created> created_;
  uint32_t known_blocks_ = f_.block_capacity();
  bool changed_ = false;
};

/// The innermost loop around both blocks; `home` dominates `user`.
uint32_t Hoister::home_loop(BlockId home, BlockId user) {
  uint32_t loop = kNoLoop;
  if (home.index < known_blocks_) {
    loop = loops_.loop_of(home);
  } else {
    loop = created_[home.index - known_blocks_].parent;
  }
  while (loop != kNoLoop && !loops_.contains(loop, user)) loop = loops_[loop].parent;
  return loop;
}

/// Of a binding's element that is known, and so there whenever the shader runs.
bool Hoister::is_fixed_descriptor(Value descriptor) const {
  return f_.inst(descriptor).op == Op::resource && f_.is_constant(f_.operand(descriptor, 0));
}

/// True for loads that may only happen where the program has them, and for descriptors, which are loaded too: elsewhere
/// the index may be past the end of its array.
bool Hoister::needs_execution(Value value) {
  if (f_.inst(value).op == Op::buffer_of) return true;
  if (f_.inst(value).op == Op::resource || f_.inst(value).op == Op::sampler)
    return !f_.is_constant(f_.operand(value, 0));
  // Where the image is there, coordinates outside of it do no harm.
  if (f_.inst(value).op == Op::image_load) return !is_fixed_descriptor(f_.operand(value, 0));
  if (f_.inst(value).op != Op::load) return false;
  // Fixed places of fixed buffers are there whenever the shader runs.
  const analysis::MemoryPlace place = analysis::memory_place(f_, value);
  if (place.offset.valid()) return true;
  if (!place.base.valid()) return false;
  return !is_fixed_descriptor(place.base);
}

/// True if entering the loop means to run the block: it comes before every way out and back.
bool Hoister::always_executes(uint32_t loop, BlockId block) {
  for (const analysis::Edge& exit : loops_.exits(loop)) {
    if (!dominance_.dominates(block, exit.from)) return false;
  }
  for (BlockId pred : f_.block(loops_[loop].header).preds) {
    if (pred.index < known_blocks_ && loops_.contains(loop, pred) && !dominance_.dominates(block, pred)) return false;
  }
  return true;
}

/// The outermost loop that the instruction need not be in, or kNoLoop.
uint32_t Hoister::loop_to_leave(Value value, BlockId block) {
  const ir::Inst& inst = f_.inst(value);
  const bool load =
      (inst.op == Op::load || inst.op == Op::image_load) && analysis::reads_constant_memory(f_.access(value));
  if (inst.op == Op::phi || (!load && !ir::is_pure(inst.op))) return kNoLoop;
  uint32_t stay = kNoLoop;
  for (Value operand : f_.operands(value)) {
    const BlockId home = f_.inst(operand).block;
    if (!home.valid()) continue;
    const uint32_t loop = home_loop(home, block);
    if (loop != kNoLoop && (stay == kNoLoop || loops_[loop].depth > loops_[stay].depth)) stay = loop;
  }
  const bool conditional = needs_execution(value);
  uint32_t leave = kNoLoop;
  for (uint32_t loop = loops_.loop_of(block); loop != stay; loop = loops_[loop].parent) {
    if (conditional && !always_executes(loop, block)) break;
    leave = loop;
  }
  return leave;
}

void Hoister::move(Value value, uint32_t loop) {
  const BlockId target = preheader(loop);
  f_.unlink(value);
  f_.insert_before(f_.terminator(target), value);
  changed_ = true;
}

BlockId Hoister::preheader(uint32_t loop) {
  if (preheader_[loop].valid()) return preheader_[loop];
  SmallVector<BlockId, 4> entries;
  for (BlockId pred : f_.block(loops_[loop].header).preds) {
    const bool back = pred.index < known_blocks_ && loops_.contains(loop, pred);
    if (!back) entries.push_back(pred);
  }
  const bool ready = entries.size() == 1 && f_.block(entries[0]).succs.size() == 1;
  preheader_[loop] = ready ? entries[0] : create_preheader(loop, entries);
  return preheader_[loop];
}

/// Routes all entries through a new block. With several entries, the header's phis are split in two.
BlockId Hoister::create_preheader(uint32_t loop, const SmallVector<BlockId, 4>& entries) {
  const BlockId header = loops_[loop].header;
  const BlockId block = f_.create_block();
  created_.push_back({block, header, loops_[loop].parent});
  SmallVector<Value, 16> merged;
  SmallVector<unsigned, 8> positions;
  for (unsigned i = 0; i < f_.block(header).preds.size(); ++i) {
    const BlockId pred = f_.block(header).preds[i];
    if (std::find(entries.begin(), entries.end(), pred) != entries.end()) positions.push_back(i);
  }
  for (Value phi : ir::insts(f_, header)) {
    if (f_.inst(phi).op != Op::phi) break;
    SmallVector<Value, 16> operands;
    for (unsigned position : positions) operands.push_back(f_.operand(phi, position));
    if (operands.size() == 1) {
      merged.push_back(operands[0]);
      continue;
    }
    const Value joined = f_.create(Op::phi, f_.type(phi), operands);
    f_.append(block, joined);
    merged.push_back(joined);
  }
  const Value jump = ir::append_jump(f_, block);
  (void)jump;
  for (unsigned position : positions) f_.edit_block(block).preds.push_back(f_.block(header).preds[position]);
  for (BlockId pred : entries) {
    for (BlockId& succ : f_.edit_block(pred).succs) {
      if (succ == header) succ = block;
    }
  }
  // The header keeps the first entry's place for the new block and loses the others.
  ir::Block& info = f_.edit_block(header);
  size_t next = 0;
  for (unsigned i = positions.size(); i-- > 1;) info.preds.erase(positions[i]);
  info.preds[positions[0]] = block;
  for (Value phi : ir::insts(f_, header)) {
    if (f_.inst(phi).op != Op::phi) break;
    SmallVector<Value, 16> operands(f_.operands(phi));
    for (unsigned i = positions.size(); i-- > 1;) operands.erase(positions[i]);
    operands[positions[0]] = merged[next++];
    f_.set_operands(phi, operands);
  }
  f_.edit_block(block).succs.push_back(header);
  return block;
}

/// Places the new blocks before their headers. Whatever ended or continued at a header now does so at its
/// preheader.
void Hoister::insert_preheaders() {
  if (created_.empty()) return;
  IdMap<BlockId, BlockId> before(created_.arena(), f_.block_capacity(), BlockId());
  for (const Created& created : created_) before[created.header] = created.block;
  ir::BlockList layout(created_.arena());
  for (BlockId block : f_.layout()) {
    if (before[block].valid()) layout.push_back(before[block]);
    layout.push_back(block);
    ir::Block& info = f_.edit_block(block);
    if (info.merge.valid() && before[info.merge].valid()) info.merge = before[info.merge];
    const bool own = info.continue_target == block;  // a loop of one block continues at its header
    if (!own && info.continue_target.valid() && before[info.continue_target].valid()) {
      info.continue_target = before[info.continue_target];
    }
  }
  f_.edit_layout() = std::move(layout);
}

}  // namespace

bool hoist_loop_invariants(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context) {
  if (analyses.loops().empty()) return false;
  const ArenaScope scope(context.scratch);
  return Hoister(function, analyses, context.scratch).run();
}

}  // namespace spalt::passes
