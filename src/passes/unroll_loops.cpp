// SPDX-License-Identifier: MIT
#include "passes/unroll_loops.h"

#include <algorithm>
#include <optional>

#include "analysis/dominance.h"
#include "analysis/loops.h"
#include "ir/cfg_edit.h"
#include "passes/loop_closer.h"
#include "passes/trip_count.h"

namespace spalt::passes {

using ir::Block;
using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

struct Candidate {
  uint32_t loop;
  BlockId latch;
  uint32_t copies;  ///< of the body, the one in place included
};

/// Makes the copies of one loop. Blocks and values of the loop map to those of the copy in progress; everything else
/// maps to itself.
class Copier {
 public:
  Copier(ir::Function& function, const analysis::Loops& loops, const Candidate& candidate, Arena& scratch)
      : f_(function),
        body_(std::span(function.layout())
                  .subspan(loops[candidate.loop].first, loops[candidate.loop].last + 1 - loops[candidate.loop].first),
              &scratch),
        header_(loops[candidate.loop].header),
        latch_(candidate.latch),
        copies_(candidate.copies),
        blocks_(scratch),
        values_(scratch),
        header_phis_(scratch),
        next_(scratch),
        carried_(scratch) {}

  /// Appends the new blocks to `layout`.
  void run(ir::BlockList& layout);

 private:
  struct Pair {
    Value original, copy;
  };
  Value map(Value value) const;
  BlockId map(BlockId block) const;
  void start_copy(ir::BlockList& layout);
  void copy_instructions(BlockId block);
  void copy_phis(BlockId block);
  void connect(BlockId block);
  void detach_header();
  void end_last_copy(BlockId latch);

  ir::Function& f_;
  ir::BlockList body_;
  BlockId header_, latch_;
  uint32_t copies_;
  IdMap<BlockId, BlockId> blocks_;
  Vector<Value> values_;  ///< by original; empty entries map to themselves
  Vector<Value> header_phis_;
  Vector<Value> next_;     ///< per header phi, its value in the next iteration of the current copy
  Vector<Value> carried_;  ///< operand of the latch, as in the original
};

Value Copier::map(Value value) const {
  return value.index < values_.size() && values_[value.index].valid() ? values_[value.index] : value;
}

BlockId Copier::map(BlockId block) const {
  return block.valid() && block.index < blocks_.size() && blocks_[block].valid() ? blocks_[block] : block;
}

/// Header phis end here: the copy in place keeps the entry values, others get those of the iteration before.
void Copier::detach_header() {
  const unsigned index = ir::pred_index(f_, header_, latch_);
  for (Value phi : ir::insts(f_, header_)) {
    if (f_.inst(phi).op != Op::phi) break;
    header_phis_.push_back(phi);
    carried_.push_back(f_.operand(phi, index));
  }
  next_ = carried_;
}

void Copier::start_copy(ir::BlockList& layout) {
  // What the next iteration starts with, read with the old mapping before it is replaced.
  for (size_t i = 0; i < header_phis_.size(); ++i) next_[i] = map(carried_[i]);
  for (BlockId block : body_) {
    const BlockId copy = f_.create_block();
    layout.push_back(copy);
    blocks_.resize(f_.block_capacity());
    blocks_[block] = copy;
  }
  for (size_t i = 0; i < header_phis_.size(); ++i) values_[header_phis_[i].index] = next_[i];
}

void Copier::copy_instructions(BlockId block) {
  const BlockId copy = blocks_[block];
  for (Value value : ir::insts(f_, block)) {
    if (block == header_ && f_.inst(value).op == Op::phi) continue;
    const ir::Inst inst = f_.inst(value);
    const Value made = f_.create(inst.op, inst.type, f_.operands(value), inst.imm, inst.flags);
    f_.inst(made).origin = inst.origin;
    if (inst.op != Op::phi) {
      for (Value& operand : f_.operands(made)) operand = map(operand);
    }
    f_.append(copy, made);
    if (!inst.type.is_none()) values_[value.index] = made;
  }
  const Block& from = f_.block(block);
  Block& to = f_.edit_block(copy);
  to.cases = from.cases;
  if (block == header_) return;
  to.merge = map(from.merge);
  to.continue_target = map(from.continue_target);
}

/// Edges of the copy. Back to the header: from the copy before to this one, made when both exist.
void Copier::connect(BlockId block) {
  const BlockId copy = blocks_[block];
  for (unsigned i = 0; i < f_.block(block).succs.size(); ++i) {
    const BlockId succ = f_.block(block).succs[i];
    const BlockId target = succ == header_ ? header_ : map(succ);
    f_.edit_block(copy).succs.push_back(target);
    if (target != succ || succ == header_) continue;  // inside: predecessors are copied in order with the phis
    // An exit: its phis get the values of this copy.
    f_.edit_block(succ).preds.push_back(copy);
    const unsigned index = ir::pred_index(f_, succ, block);
    for (Value phi : ir::insts(f_, succ)) {
      if (f_.inst(phi).op != Op::phi) break;
      f_.push_operand(phi, map(f_.operand(phi, index)));
    }
  }
  if (block == header_) return;
  for (unsigned i = 0; i < f_.block(block).preds.size(); ++i)
    f_.edit_block(copy).preds.push_back(map(f_.block(block).preds[i]));
}

void Copier::copy_phis(BlockId block) {
  if (block == header_) return;
  for (Value phi : ir::insts(f_, blocks_[block])) {
    if (f_.inst(phi).op != Op::phi) break;
    for (Value& operand : f_.operands(phi)) operand = map(operand);
  }
}

void Copier::run(ir::BlockList& layout) {
  values_.assign(f_.value_capacity(), Value());
  blocks_.assign(f_.block_capacity(), BlockId());
  detach_header();
  ir::BlockList headers(body_.arena()), latches(body_.arena());
  headers.push_back(header_);
  latches.push_back(latch_);
  for (uint32_t copy = 1; copy < copies_; ++copy) {
    start_copy(layout);
    for (BlockId block : body_) copy_instructions(block);
    for (BlockId block : body_) copy_phis(block);
    for (BlockId block : body_) connect(block);
    headers.push_back(blocks_[header_]);
    latches.push_back(blocks_[latch_]);
  }
  // Each latch goes on to the next header, which has no phis and no other predecessor.
  for (uint32_t copy = 0; copy + 1 < copies_; ++copy) {
    for (BlockId& succ : f_.edit_block(latches[copy]).succs) {
      if (succ == header_) succ = headers[copy + 1];
    }
    f_.edit_block(headers[copy + 1]).preds.push_back(latches[copy]);
  }
  // The header in place loses its back edge.
  const unsigned index = ir::pred_index(f_, header_, latch_);
  f_.edit_block(header_).preds.erase(index);
  for (Value phi : header_phis_) f_.erase_operand(phi, index);
  Block& header = f_.edit_block(header_);
  header.merge = header.continue_target = BlockId();

  end_last_copy(latches.back());
}

/// The last copy never reaches its back edge: the counted exit is taken before.
void Copier::end_last_copy(BlockId latch) {
  const Value terminator = f_.terminator(latch);
  auto& succs = f_.edit_block(latch).succs;
  SmallVector<BlockId, 2> kept;
  for (BlockId succ : succs) {
    if (succ != header_) kept.push_back(succ);
  }
  succs = kept;
  f_.unlink(terminator);
  const Op op = kept.empty() ? Op::unreachable : Op::branch;
  f_.append(latch, f_.create(op, ir::kVoid, {}));
}

class Unroller {
 public:
  Unroller(ir::Function& function, analysis::AnalysisCache& analyses, Arena& scratch, const UnrollLoopsConfig& config)
      : f_(function),
        config_(config),
        dominance_(analyses.dominance()),
        loops_(analyses.loops()),
        scratch_(scratch),
        offsets_(scratch) {}

  bool run();

 private:
  bool qualifies(uint32_t loop, Candidate& candidate);
  uint32_t count_instructions(uint32_t first, uint32_t last) const;
  void collect_scratch_offsets(uint32_t loop);

  ir::Function& f_;
  const UnrollLoopsConfig& config_;
  const analysis::Dominance& dominance_;
  const analysis::Loops& loops_;
  Arena& scratch_;
  Vector<Value> offsets_;  ///< of accesses to scratch memory in the current loop, those that are not constant yet
};

uint32_t Unroller::count_instructions(uint32_t first, uint32_t last) const {
  uint32_t count = 0;
  for (uint32_t position = first; position <= last && count <= config_.max_scratch_instructions; ++position) {
    for (Value value : ir::insts(f_, f_.layout()[position])) {
      if (f_.inst(value).op != Op::phi) ++count;
    }
  }
  return count;
}

void Unroller::collect_scratch_offsets(uint32_t loop) {
  offsets_.clear();
  for (uint32_t position = loops_[loop].first; position <= loops_[loop].last; ++position) {
    for (Value value : ir::insts(f_, f_.layout()[position])) {
      if (!ir::is_memory(f_.inst(value).op) || f_.access(value).storage != ir::StorageClass::scratch) continue;
      const Value offset = f_.operand(value, 0);
      if (!f_.is_constant(offset)) offsets_.push_back(offset);
    }
  }
}

bool Unroller::qualifies(uint32_t loop, Candidate& candidate) {
  const analysis::Loop& range = loops_[loop];
  const uint32_t size = count_instructions(range.first, range.last);
  if (size > config_.max_scratch_instructions || !dominance_.reachable(range.header)) return false;
  candidate.loop = loop;
  candidate.latch = single_latch(f_, loops_, loop);
  if (!candidate.latch.valid() || f_.inst(f_.terminator(candidate.latch)).op == Op::switch_on) return false;
  const auto& succs = f_.block(candidate.latch).succs;
  if (succs.size() == 2 && succs[0] == succs[1]) return false;
  collect_scratch_offsets(loop);
  const auto trips = find_trip_count(f_, dominance_, loops_, loop, config_.max_scratch_trips, offsets_,
                                     config_.float_controls, scratch_);
  if (!trips) return false;
  candidate.copies = trips->full + 1;
  // The last copy ends at the exit.
  const uint32_t last_copy = count_instructions(range.first, loops_.position(trips->exit));
  const uint64_t total = static_cast<uint64_t>(trips->full) * size + last_copy;
  if (!offsets_.empty() && trips->all_known) return total <= config_.max_scratch_instructions;
  // Chosen loops block those around them, so an inner loop stays one.
  const bool has_inner_loop = loop + 1 < loops_.size() && loops_[loop + 1].parent == loop;
  if (has_inner_loop || trips->full > config_.max_trips) return false;
  const bool exits_elsewhere = loops_.exits(loop).size() > 1;
  return total <= (exits_elsewhere ? config_.max_exiting_instructions : config_.max_instructions);
}

bool Unroller::run() {
  std::optional<LoopCloser> closer;
  Vector<Candidate> chosen(scratch_);
  Vector<uint8_t> blocked(scratch_, loops_.size(), 0);
  uint64_t growth = 0;
  for (uint32_t loop = loops_.size(); loop-- > 0;) {  // inner before outer
    Candidate candidate{};
    if (blocked[loop] != 0 || !qualifies(loop, candidate)) continue;
    if (!closer) closer.emplace(f_, dominance_, loops_, scratch_);
    if (!closer->can_close(loop)) continue;
    const uint64_t added = uint64_t{candidate.copies - 1} * count_instructions(loops_[loop].first, loops_[loop].last);
    if (growth + added > config_.max_growth) continue;
    growth += added;
    chosen.push_back(candidate);
    for (uint32_t outer = loops_[loop].parent; outer != analysis::kNoLoop; outer = loops_[outer].parent)
      blocked[outer] = 1;
  }
  if (chosen.empty()) return false;
  for (const Candidate& candidate : chosen) closer->close(candidate.loop);

  // Chosen loops do not overlap; the copies of each follow it in the layout.
  const ir::BlockList old(f_.layout(), &scratch_);
  Vector<ir::BlockList> copies(scratch_, chosen.size(), ir::BlockList(scratch_));
  for (size_t i = 0; i < chosen.size(); ++i) Copier(f_, loops_, chosen[i], scratch_).run(copies[i]);
  ir::BlockList layout(scratch_);
  size_t next = chosen.size();  // chosen is in descending order of position
  for (uint32_t position = 0; position < old.size(); ++position) {
    layout.push_back(old[position]);
    while (next > 0 && loops_[chosen[next - 1].loop].last == position) {
      --next;
      layout.insert(layout.end(), copies[next].begin(), copies[next].end());
    }
  }
  f_.edit_layout() = std::move(layout);
  return true;
}

}  // namespace

bool unroll_loops(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context,
                  const UnrollLoopsConfig& config) {
  if (analyses.loops().empty()) return false;
  const ArenaScope scope(context.scratch);
  return Unroller(function, analyses, context.scratch, config).run();
}

}  // namespace spalt::passes
