// SPDX-License-Identifier: MIT
// Pairs are found from their ends: the two components of a vector that is stored, or read as a dword, are a pair if
// they are the same operation in the same block; then their operands may be pairs, and so on, through phis, too. What
// is no pair is an operand all the same: the halves of one dword as they are, constants, anything else by an
// instruction that joins.
//
// A pair is computed where the second of its values was. So whoever reads the first must come after that place; pairs
// for which this does not hold are given up. Pairs that are operands of each other then stand or fall together: each
// spares an instruction, joins and high halves that something else reads cost some, times what loops around are thought
// to do.
//
// Invariant: a value is in at most one pair. Cost: linear, each step looks at each operand once.
#include "amdgpu/lower/pack_halves.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "amdgpu/lower/inserter.h"
#include "analysis/divergence.h"
#include "analysis/uses.h"
#include "ir/packed.h"

namespace spalt::lower {

using ir::BlockId;
using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// What costs no instruction: negations are modifiers of who reads them.
constexpr ir::OpSet kFree = {Op::fneg, Op::phi};
/// What joining two halves costs: a move into the upper half, and a copy where the lower one is read elsewhere.
constexpr int64_t kJoin = 2;
/// A loop runs this often in its estimate, up to a depth.
constexpr unsigned kTurnsLog2 = 3, kMaxDepth = 4;

using PairId = uint32_t;
constexpr PairId kNoPair = 0xffffffffu;

struct Pair {
  Value low, high;
  Value packed;      ///< what computes both, once there is one
  PairId group = 0;  ///< union-find: the pair itself, or one of the same group
  int64_t gain = 0;  ///< instructions that the group spares; of the group's representative
  bool dropped = false;
};

class HalfPacker {
 public:
  HalfPacker(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context)
      : module_(module),
        function_(module.functions[0]),
        analyses_(analyses),
        context_(context),
        loops_(analyses.loops()),
        uses_(function_, true, &context.scratch),
        insert_(function_, context.scratch),
        pairs_(context.scratch),
        pair_of_(context.scratch, function_.value_capacity(), kNoPair),
        positions_(context.scratch, function_.value_capacity(), 0u),
        worklist_(context.scratch),
        gains_(context.scratch) {}

  bool run() {
    number();
    find_pairs();
    if (pairs_.empty()) return false;
    drop_early_readers();
    drop_unprofitable();
    if (std::all_of(pairs_.begin(), pairs_.end(), [](const Pair& pair) { return pair.dropped; })) return false;
    transform();
    return true;
  }

 private:
  void number();
  void find_pairs();
  bool note_pair(Value low, Value high);
  bool may_pair(Value low, Value high);
  bool is_for_vectors(Value low, Value high);
  bool amounts_fit(Value low, Value high) const;

  /// The pair that these two are, in this order; kNoPair if they are none.
  PairId live_pair(Value low, Value high) const {
    const PairId pair = pair_at(low);
    return pair != kNoPair && pairs_[pair].low == low && pairs_[pair].high == high ? pair : kNoPair;
  }
  PairId pair_at(Value value) const {
    if (value.index >= pair_of_.size()) return kNoPair;
    const PairId pair = pair_of_[value.index];
    return pair == kNoPair || pairs_[pair].dropped ? kNoPair : pair;
  }
  Value later(const Pair& pair) const {
    return positions_[pair.low.index] > positions_[pair.high.index] ? pair.low : pair.high;
  }
  uint32_t place(Value value) const {
    const PairId pair = pair_at(value);
    return positions_[pair == kNoPair ? value.index : later(pairs_[pair]).index];
  }
  bool is_read_early(const Pair& pair) const;
  void drop_early_readers();

  PairId representative(PairId pair) {
    while (pairs_[pair].group != pair) pair = pairs_[pair].group = pairs_[pairs_[pair].group].group;
    return pair;
  }
  int64_t weight(BlockId block) const { return int64_t{1} << (kTurnsLog2 * std::min(loops_.depth(block), kMaxDepth)); }
  bool is_free(Value low, Value high) const;
  bool is_whole(Value low, Value high) const;
  bool is_in_place(Value low, Value high) const;
  int64_t cost_of_operands(PairId id);
  bool is_join_of(Value user, const Pair& pair) const {
    return inst(user).op == Op::vec && ir::is_pair(inst(user).type) && function_.operand(user, 0) == pair.low &&
           function_.operand(user, 1) == pair.high;
  }
  bool takes_in_place(const Pair& pair, Value user, unsigned operand) const;
  int64_t cost_of_users(PairId id) const;
  void drop_unprofitable();

  void transform();
  void start_phis(BlockId block);
  void finish_phis();
  void pack(Pair& pair, Value position);
  void replace_members(const Pair& pair);
  Value packed_operand(Type type, Value low, Value high);

  const ir::Inst& inst(Value value) const { return function_.inst(value); }
  /// The number of operands that come in pairs; those before them are the same for both.
  unsigned first_paired(Op op) const { return op == Op::select ? 1 : 0; }

  ir::Module& module_;
  ir::Function& function_;
  analysis::AnalysisCache& analyses_;
  CompileContext& context_;
  const analysis::Loops& loops_;
  std::optional<analysis::Divergence> divergence_;  ///< once there are two integers to ask about
  const analysis::Uses uses_;
  Inserter insert_;
  Vector<Pair> pairs_;
  Vector<PairId> pair_of_;      ///< by value
  Vector<uint32_t> positions_;  ///< by value: its number in layout order
  Vector<PairId> worklist_;
  Vector<int64_t> gains_;  ///< by pair, of its own
};

void HalfPacker::number() {
  uint32_t position = 0;
  for (BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) positions_[value.index] = ++position;
  }
}

/// Integers that all lanes agree about stay in the scalar unit, which has no pairs.
bool HalfPacker::is_for_vectors(Value low, Value high) {
  if (inst(low).type.is_float()) return true;
  if (!divergence_) divergence_ = analysis::analyze_divergence(function_, module_, analyses_, context_);
  return divergence_->divergent(low) || divergence_->divergent(high);
}

/// Amounts of shifts may have any width; those of a pair are halves of a dword.
bool HalfPacker::amounts_fit(Value low, Value high) const {
  if (function_.is_constant(low) && function_.is_constant(high)) return true;
  return function_.type(low) == ir::kI16 && function_.type(high) == ir::kI16;
}

bool HalfPacker::may_pair(Value low, Value high) {
  const ir::Inst& a = inst(low);
  const ir::Inst& b = inst(high);
  if (low == high || a.op != b.op || a.type != b.type || a.block != b.block || !a.block.valid()) return false;
  const Type pair = a.type.vector(2);
  if (a.type.is_vector() || !ir::is_pair(pair)) return false;
  if (!ir::works_on_pairs(a.op, pair) && a.op != Op::select && a.op != Op::phi) return false;
  if (pair_of_[low.index] != kNoPair || pair_of_[high.index] != kNoPair) return false;
  if (first_paired(a.op) != 0 && function_.operand(low, 0) != function_.operand(high, 0)) return false;
  if (ir::kPackedShift.has(a.op) && !amounts_fit(function_.operand(low, 1), function_.operand(high, 1))) return false;
  return is_for_vectors(low, high);
}

bool HalfPacker::note_pair(Value low, Value high) {
  if (!may_pair(low, high)) return false;
  const auto id = static_cast<PairId>(pairs_.size());
  pairs_.push_back({.low = low, .high = high, .group = id});
  pair_of_[low.index] = pair_of_[high.index] = id;
  return true;
}

void HalfPacker::find_pairs() {
  for (BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      if (inst(value).op != Op::vec || !ir::is_pair(inst(value).type)) continue;
      PairId next = static_cast<PairId>(pairs_.size());
      note_pair(function_.operand(value, 0), function_.operand(value, 1));
      for (; next < pairs_.size(); ++next) {
        const Value low = pairs_[next].low, high = pairs_[next].high;
        for (unsigned i = first_paired(inst(low).op); i < inst(low).operand_count; ++i) {
          note_pair(function_.operand(low, i), function_.operand(high, i));
        }
      }
    }
  }
}

/// Whether something reads one value of the pair before both can be there.
bool HalfPacker::is_read_early(const Pair& pair) const {
  if (inst(pair.low).op == Op::phi) return false;
  const BlockId block = inst(pair.low).block;
  const uint32_t ready = positions_[later(pair).index];
  for (const Value member : {pair.low, pair.high}) {
    for (Value user : uses_.of(member)) {
      if (inst(user).op == Op::phi || inst(user).block != block) continue;
      if (place(user) <= ready) return true;
    }
  }
  return false;
}

/// From the end of each block: what decides a pair are users that are computed after it.
void HalfPacker::drop_early_readers() {
  for (BlockId block : function_.layout()) {
    for (Value value = function_.block(block).last; value.valid(); value = inst(value).prev) {
      const PairId id = pair_at(value);
      if (id != kNoPair && later(pairs_[id]) == value && is_read_early(pairs_[id])) pairs_[id].dropped = true;
    }
  }
}

/// Whether these are the halves of one dword, each in its place.
bool HalfPacker::is_whole(Value low, Value high) const {
  return is_free(low, high) && inst(low).op == Op::extract && inst(high).op == Op::extract && inst(low).imm == 0 &&
         inst(high).imm == 1;
}

/// Whether these two need no instruction to be the halves of an operand: each is a half of the same dword, or constant.
bool HalfPacker::is_free(Value low, Value high) const {
  if (low == high || live_pair(low, high) != kNoPair) return true;
  if (function_.is_constant(low) && function_.is_constant(high)) return true;
  const ir::Inst& a = inst(low);
  const ir::Inst& b = inst(high);
  return a.op == Op::extract && b.op == Op::extract && function_.operand(low, 0) == function_.operand(high, 0) &&
         ir::is_pair(function_.type(function_.operand(low, 0)));
}

/// Whether these two are an operand without anything that chooses halves.
bool HalfPacker::is_in_place(Value low, Value high) const {
  if (live_pair(low, high) != kNoPair || is_whole(low, high)) return true;
  return function_.is_constant(low) && function_.is_constant(high);
}

int64_t HalfPacker::cost_of_operands(PairId id) {
  const Value low = pairs_[id].low, high = pairs_[id].high;
  const Op op = inst(low).op;
  int64_t cost = 0;
  for (unsigned i = first_paired(op); i < inst(low).operand_count; ++i) {
    const Value a = function_.operand(low, i), b = function_.operand(high, i);
    const PairId from = live_pair(a, b);
    if (from != kNoPair) pairs_[representative(id)].group = representative(from);
    if (ir::kPackedBits.has(op) ? is_in_place(a, b) : is_free(a, b)) continue;
    const BlockId block = inst(low).block;
    cost += kJoin * weight(op == Op::phi ? function_.block(block).preds[i] : block);
  }
  return cost;
}

/// Whether the user, a vector or of a pair, takes the pair's high half as it is.
bool HalfPacker::takes_in_place(const Pair& pair, Value user, unsigned operand) const {
  if (is_join_of(user, pair)) return true;
  const PairId by = pair_at(user);
  if (by == kNoPair) return false;
  const Value low = function_.operand(pairs_[by].low, operand), high = function_.operand(pairs_[by].high, operand);
  return (low == pair.low && high == pair.high) || is_free(low, high);
}

/// A joined result spares the join; a high half that something else reads must be moved down.
int64_t HalfPacker::cost_of_users(PairId id) const {
  const Pair& pair = pairs_[id];
  const std::span<const Value> users = uses_.of(pair.high);
  const std::span<const uint32_t> operands = uses_.operands_of(pair.high);
  int64_t cost = 0;
  bool moves_down = false;
  for (size_t i = 0; i < users.size(); ++i) {
    if (is_join_of(users[i], pair)) cost -= weight(inst(users[i]).block);
    moves_down |= !takes_in_place(pair, users[i], operands[i]);
  }
  if (moves_down) cost += weight(inst(pair.high).block);
  return cost;
}

void HalfPacker::drop_unprofitable() {
  gains_.resize(pairs_.size(), 0);
  for (PairId id = 0; id < pairs_.size(); ++id) {
    if (pairs_[id].dropped) continue;
    const Value low = pairs_[id].low;
    gains_[id] = (kFree.has(inst(low).op) ? 0 : weight(inst(low).block)) - cost_of_operands(id) - cost_of_users(id);
  }
  for (PairId id = 0; id < pairs_.size(); ++id) {
    if (!pairs_[id].dropped) pairs_[representative(id)].gain += gains_[id];
  }
  for (PairId id = 0; id < pairs_.size(); ++id) {
    if (!pairs_[id].dropped && pairs_[representative(id)].gain <= 0) worklist_.push_back(id);
  }
  for (PairId id : worklist_) pairs_[id].dropped = true;
}

Value HalfPacker::packed_operand(Type type, Value low, Value high) {
  const PairId pair = live_pair(low, high);
  if (pair != kNoPair) return pairs_[pair].packed;
  if (function_.is_constant(low) && function_.is_constant(high)) {
    const uint64_t bits = (inst(low).imm & 0xffff) | (inst(high).imm & 0xffff) << 16;
    return insert_.op(Op::bitcast, type, {function_.constant(ir::kI32, bits)});
  }
  if (is_whole(low, high)) return insert_.current(function_.operand(low, 0));
  return insert_.op(Op::vec, type, {insert_.current(low), insert_.current(high)});
}

/// Whoever reads one of the two takes it from the packed value.
void HalfPacker::replace_members(const Pair& pair) {
  const Type half = inst(pair.low).type;
  const Value low = insert_.op(Op::extract, half, {pair.packed}, 0);
  const Value high = insert_.op(Op::extract, half, {pair.packed}, 1);
  insert_.replace(pair.low, low);
  insert_.replace(pair.high, high);
}

void HalfPacker::pack(Pair& pair, Value position) {
  const ir::Inst a = inst(pair.low), b = inst(pair.high);
  insert_.before(position, (a.flags & b.flags) | ((a.flags | b.flags) & ir::kPrecise));
  const Type type = a.type.vector(2);
  SmallVector<Value, 4> operands;
  for (unsigned i = 0; i < a.operand_count; ++i) {
    const Value low = function_.operand(pair.low, i), high = function_.operand(pair.high, i);
    operands.push_back(i < first_paired(a.op) ? insert_.current(low) : packed_operand(type, low, high));
  }
  pair.packed = insert_.op(a.op, type, operands);
  replace_members(pair);
}

/// Their operands follow when all values are there.
void HalfPacker::start_phis(BlockId block) {
  SmallVector<PairId, 8> pairs;
  Value first = function_.block(block).first;
  for (; inst(first).op == Op::phi; first = inst(first).next) {
    const PairId id = pair_at(first);
    if (id != kNoPair && pairs_[id].low == first) pairs.push_back(id);
  }
  insert_.before(first);
  for (const PairId id : pairs) {
    const Type type = inst(pairs_[id].low).type.vector(2);
    SmallVector<Value, 4> nothing;
    nothing.resize(inst(pairs_[id].low).operand_count, function_.undef(type));
    pairs_[id].packed = function_.create(Op::phi, type, nothing.span());
    function_.prepend_phi(block, pairs_[id].packed);
    replace_members(pairs_[id]);
  }
}

void HalfPacker::finish_phis() {
  for (const Pair& pair : pairs_) {
    if (pair.dropped || inst(pair.packed).op != Op::phi) continue;
    for (unsigned i = 0; i < inst(pair.packed).operand_count; ++i) {
      const BlockId block = inst(pair.packed).block;
      insert_.before(function_.terminator(function_.block(block).preds[i]));
      const Type type = inst(pair.packed).type;
      const Value operand = packed_operand(type, function_.operand(pair.low, i), function_.operand(pair.high, i));
      function_.set_operand(pair.packed, i, operand);
    }
  }
}

void HalfPacker::transform() {
  for (BlockId block : function_.layout()) {
    start_phis(block);
    for (Value value : ir::insts(function_, block)) {
      const ir::Inst& what = inst(value);
      if (what.op == Op::vec && ir::is_pair(what.type)) {
        const PairId whole = live_pair(function_.operand(value, 0), function_.operand(value, 1));
        if (whole != kNoPair) insert_.replace(value, pairs_[whole].packed);
        continue;
      }
      const PairId id = pair_at(value);
      if (id != kNoPair && !pairs_[id].packed.valid() && later(pairs_[id]) == value) pack(pairs_[id], value);
    }
  }
  finish_phis();
  insert_.finish();
}

}  // namespace

bool pack_halves(ir::Module& module, analysis::AnalysisCache& analyses, CompileContext& context) {
  const ir::Function& function = module.functions[0];
  if (!function.has_results_of(ir::Scalar::f16) && !function.has_results_of(ir::Scalar::i16)) return false;
  const ArenaScope scope(context.scratch);
  return HalfPacker(module, analyses, context).run();
}

}  // namespace spalt::lower
