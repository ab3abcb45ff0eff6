// SPDX-License-Identifier: MIT
#include "passes/trip_count.h"

#include <algorithm>

#include "ir/cfg_edit.h"
#include "ir/evaluate.h"

namespace spalt::passes {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// Instructions evaluated per iteration; more than any loop control needs.
constexpr size_t kMaxSlice = 96;
constexpr size_t kMaxOperands = 4;

class Evaluation {
 public:
  Evaluation(const ir::Function& function, const analysis::Dominance& dominance, const analysis::Loops& loops,
             uint32_t loop, BlockId latch, std::span<const Value> interesting, ir::FloatControls float_controls,
             Arena& scratch)
      : f_(function),
        dominance_(dominance),
        loops_(loops),
        loop_(loop),
        latch_(latch),
        interesting_(interesting),
        float_controls_(float_controls),
        exits_(scratch),
        phis_(scratch),
        operands_(scratch),
        carried_(scratch),
        decided_(scratch),
        next_(scratch),
        steps_(scratch) {}

  std::optional<TripCount> run(uint32_t max_trips);

 private:
  static constexpr uint32_t kUnknown = 0xffffffffu;
  struct Step {
    Value value;
    uint64_t bits = 0;
    ir::Evaluator evaluator = nullptr;  ///< none: a phi
  };
  /// A constant, or the place of a step.
  struct Source {
    uint32_t step = kUnknown;
    uint64_t bits = 0;
  };
  struct Exit {
    BlockId block;
    Value condition;
    bool leaves_if;  ///< value of the condition that leaves the loop
  };
  void find_exits();
  void collect_phis();
  Value start_of(Value phi) const;
  void collect_slice();
  bool add_to_slice(Value value);
  bool known(Value value) const { return f_.is_constant(value) || find(value) != kUnknown; }
  uint32_t find(Value value) const;
  Source source_of(Value value) const;
  uint64_t bits_of(const Source& source) const {
    return source.step == kUnknown ? source.bits : steps_[source.step].bits;
  }
  bool prune_phis();
  void resolve();
  void evaluate_slice();
  void advance();

  const ir::Function& f_;
  const analysis::Dominance& dominance_;
  const analysis::Loops& loops_;
  uint32_t loop_;
  BlockId latch_;
  std::span<const Value> interesting_;
  ir::FloatControls float_controls_;
  unsigned latch_index_ = 0;  ///< operand position in the header's phis
  Vector<Exit> exits_;
  Vector<Step> phis_;        ///< header phis that stay known
  Vector<Source> operands_;  ///< kMaxOperands for each step
  Vector<Source> carried_;   ///< what the next iteration gives each phi
  Vector<Source> decided_;   ///< the conditions of the exits
  Vector<uint64_t> next_;    ///< the phis' values in the next iteration
  Vector<Step> steps_;       ///< phis_ and what is computed from them, sorted by layout; phis_ come first
};

void Evaluation::find_exits() {
  for (const analysis::Edge& edge : loops_.exits(loop_)) {
    const Value terminator = f_.terminator(edge.from);
    if (f_.inst(terminator).op != Op::branch_if || !dominance_.dominates(edge.from, latch_)) continue;
    const auto& succs = f_.block(edge.from).succs;
    const bool both = !loops_.contains(loop_, succs[0]) && !loops_.contains(loop_, succs[1]);
    if (!both) exits_.push_back({edge.from, f_.operand(terminator, 0), succs[0] == edge.to});
  }
}

void Evaluation::collect_phis() {
  const BlockId header = loops_[loop_].header;
  latch_index_ = ir::pred_index(f_, header, latch_);
  for (Value phi : ir::insts(f_, header)) {
    if (f_.inst(phi).op != Op::phi) break;
    const Value start = start_of(phi);
    if (start.valid() && phis_.size() < kMaxSlice) phis_.push_back({phi, f_.inst(start).imm});
  }
}

/// The constant that all entries of the loop agree on: a header that is also where a construct before the loop ends has
/// several entries.
Value Evaluation::start_of(Value phi) const {
  Value start;
  for (unsigned i = 0; i < f_.operands(phi).size(); ++i) {
    const Value operand = f_.operand(phi, i);
    if (i == latch_index_) continue;
    if (!f_.is_constant(operand) || (start.valid() && f_.inst(start).imm != f_.inst(operand).imm)) return Value();
    start = operand;
  }
  return start;
}

uint32_t Evaluation::find(Value value) const {
  for (uint32_t i = 0; i < steps_.size(); ++i) {
    if (steps_[i].value == value) return i;
  }
  return kUnknown;
}

bool Evaluation::add_to_slice(Value value) {
  const ir::Inst& inst = f_.inst(value);
  if (!ir::is_pure(inst.op) || inst.op == Op::phi || inst.operand_count == 0 || inst.operand_count > kMaxOperands)
    return false;
  SmallVector<ir::Type, 4> types;
  for (Value operand : f_.operands(value)) {
    if (!known(operand)) return false;
    types.push_back(f_.type(operand));
  }
  return ir::find_evaluator(inst.op, inst.type, types, float_controls_) != nullptr;
}

/// What follows from the phis and is needed for an exit or for the phis themselves. The walk goes backward from those
/// to find what is needed, then forward to see what is known.
void Evaluation::collect_slice() {
  Vector<Value> wanted(steps_.arena());
  const auto want = [&](Value value) {
    const BlockId home = f_.inst(value).block;
    if (!home.valid() || !loops_.contains(loop_, home) || wanted.size() > 4 * kMaxSlice) return;
    if (std::find(wanted.begin(), wanted.end(), value) == wanted.end()) wanted.push_back(value);
  };
  for (const Exit& exit : exits_) want(exit.condition);
  for (const Step& phi : phis_) want(f_.operand(phi.value, latch_index_));
  for (Value value : interesting_) want(value);
  for (size_t i = 0; i < wanted.size(); ++i) {
    if (f_.inst(wanted[i]).op == Op::phi) continue;
    for (Value operand : f_.operands(wanted[i])) want(operand);
  }
  steps_ = phis_;
  // Operands were found after their users, so a few passes over the reversed list settle the order.
  bool grown = true;
  while (grown && steps_.size() < kMaxSlice) {
    grown = false;
    for (size_t i = wanted.size(); i-- > 0 && steps_.size() < kMaxSlice;) {
      if (find(wanted[i]) != kUnknown || !add_to_slice(wanted[i])) continue;
      steps_.push_back({wanted[i]});
      grown = true;
    }
  }
}

/// Drops phis whose next value is not known. Returns true if there were any.
bool Evaluation::prune_phis() {
  const size_t before = phis_.size();
  erase_if(phis_, [&](const Step& phi) { return !known(f_.operand(phi.value, latch_index_)); });
  return phis_.size() != before;
}

Evaluation::Source Evaluation::source_of(Value value) const {
  return f_.is_constant(value) ? Source{kUnknown, f_.inst(value).imm} : Source{find(value), 0};
}

/// Looks up once what every iteration reads.
void Evaluation::resolve() {
  operands_.resize(steps_.size() * kMaxOperands);
  for (size_t i = phis_.size(); i < steps_.size(); ++i) {
    const Value value = steps_[i].value;
    ir::Type types[kMaxOperands];
    const std::span<const Value> operands = f_.operands(value);
    for (size_t j = 0; j < operands.size(); ++j) {
      types[j] = f_.type(operands[j]);
      operands_[i * kMaxOperands + j] = source_of(operands[j]);
    }
    steps_[i].evaluator =
        ir::find_evaluator(f_.inst(value).op, f_.type(value), {types, operands.size()}, float_controls_);
  }
  for (const Step& phi : phis_) carried_.push_back(source_of(f_.operand(phi.value, latch_index_)));
  for (const Exit& exit : exits_) decided_.push_back(source_of(exit.condition));
  next_.resize(phis_.size());
}

void Evaluation::evaluate_slice() {
  for (size_t i = phis_.size(); i < steps_.size(); ++i) {
    uint64_t operands[kMaxOperands];
    for (size_t j = 0; j < kMaxOperands; ++j) operands[j] = bits_of(operands_[i * kMaxOperands + j]);
    steps_[i].bits = steps_[i].evaluator(operands);
  }
}

void Evaluation::advance() {
  for (size_t i = 0; i < phis_.size(); ++i) next_[i] = bits_of(carried_[i]);
  for (size_t i = 0; i < phis_.size(); ++i) steps_[i].bits = next_[i];
}

std::optional<TripCount> Evaluation::run(uint32_t max_trips) {
  find_exits();
  if (exits_.empty()) return std::nullopt;
  collect_phis();
  do {
    if (phis_.empty()) return std::nullopt;
    collect_slice();
  } while (prune_phis());
  erase_if(exits_, [&](const Exit& exit) { return !known(exit.condition); });
  if (exits_.empty()) return std::nullopt;
  const bool all_known =
      std::all_of(interesting_.begin(), interesting_.end(), [&](Value value) { return known(value); });
  resolve();
  for (uint32_t trip = 0; trip <= max_trips; ++trip) {
    evaluate_slice();
    for (size_t i = 0; i < exits_.size(); ++i) {
      if ((bits_of(decided_[i]) != 0) == exits_[i].leaves_if) return TripCount{trip, exits_[i].block, all_known};
    }
    advance();
  }
  return std::nullopt;
}

}  // namespace

BlockId single_latch(const ir::Function& function, const analysis::Loops& loops, uint32_t loop) {
  BlockId latch;
  for (BlockId pred : function.block(loops[loop].header).preds) {
    if (!loops.contains(loop, pred)) continue;
    if (latch.valid()) return BlockId();
    latch = pred;
  }
  return latch;
}

std::optional<TripCount> find_trip_count(const ir::Function& function, const analysis::Dominance& dominance,
                                         const analysis::Loops& loops, uint32_t loop, uint32_t max_trips,
                                         std::span<const Value> interesting, ir::FloatControls float_controls,
                                         Arena& scratch) {
  const ArenaScope scope(scratch);
  const BlockId latch = single_latch(function, loops, loop);
  if (!latch.valid()) return std::nullopt;
  return Evaluation(function, dominance, loops, loop, latch, interesting, float_controls, scratch).run(max_trips);
}

}  // namespace spalt::passes
