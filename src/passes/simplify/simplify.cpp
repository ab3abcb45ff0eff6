// SPDX-License-Identifier: MIT
#include "passes/simplify/simplify.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "ir/evaluate.h"
#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

// A rule either shrinks its instruction or brings it closer to a canonical form, so few rounds are ever needed; the
// bounds only keep an oversight from becoming an endless loop.
constexpr unsigned kMaxRounds = 16;
constexpr unsigned kMaxEmitDepth = 6;

using Rule = Value (*)(Simplifier&, Value);

/// The rules for an operation, or null.
constexpr Rule rule_of(Op op, ir::OpGroup group) {
  switch (op) {
    case Op::phi:
      return simplify_phi;
    case Op::select:
      return simplify_select;
    case Op::iadd:
    case Op::isub:
    case Op::imul:
    case Op::uadd_carry:
    case Op::usub_borrow:
    case Op::umul_hi:
    case Op::smin:
    case Op::smax:
    case Op::umin:
    case Op::umax:
      return simplify_integer;
    case Op::udiv:
    case Op::sdiv:
    case Op::umod:
    case Op::srem:
    case Op::smod:
      return simplify_division;
    case Op::iand:
    case Op::ior:
    case Op::ixor:
    case Op::inot:
    case Op::ishl:
    case Op::ushr:
    case Op::sshr:
    case Op::bit_reverse:
    case Op::bfe_u:
    case Op::bfe_s:
    case Op::bfi:
      return simplify_bits;
    case Op::ieq:
    case Op::ine:
    case Op::slt:
    case Op::sle:
    case Op::ult:
    case Op::ule:
      return simplify_compare;
    case Op::vec:
    case Op::pack64:
    case Op::extract:
    case Op::bitcast:
    case Op::trunc:
    case Op::zext:
    case Op::sext:
    case Op::f_to_f:
    case Op::builtin:
      return simplify_conversion;
    case Op::buffer_of:
      return simplify_buffer;
    default:
      return group == ir::OpGroup::floating || group == ir::OpGroup::float_compare ? simplify_float : nullptr;
  }
}

enum class Visit : uint8_t { skip, simplify, load, store, atomic, image, barrier, branch };

constexpr Visit visit_of(Op op, ir::OpGroup group, unsigned properties) {
  if (op == Op::load) return Visit::load;
  if (op == Op::store) return Visit::store;
  if (op == Op::branch_if) return Visit::branch;
  if (group == ir::OpGroup::atomic) return Visit::atomic;
  if (group == ir::OpGroup::image && (properties & (ir::kReads | ir::kWrites)) != 0) return Visit::image;
  if (group == ir::OpGroup::synchronize) return Visit::barrier;
  return (properties & (ir::kPure | ir::kLanes)) != 0 ? Visit::simplify : Visit::skip;
}

/// What the walk needs to know of an operation.
struct Row {
  Rule rule;
  Visit visit;
  bool folds;     ///< on constants
  bool commutes;  ///< operands 0 and 1
  bool facts;     ///< compute_facts may know something
};

constexpr Row make_row(Op op, ir::OpGroup group, uint8_t operands, unsigned properties) {
  // Those with any number of operands have no evaluator.
  const bool folds = operands > 0 && operands <= 4;
  return {rule_of(op, group), visit_of(op, group, properties), folds, (properties & ir::kCommutes) != 0, has_facts(op)};
}

constexpr uint8_t any = ir::OpInfo::kAnyOperands;
constexpr unsigned pure = ir::kPure, commutes = ir::kCommutes, reads = ir::kReads, writes = ir::kWrites,
                   barrier = ir::kBarrier, ends = ir::kEnds, lanes = ir::kLanes;
constexpr Row kRows[] = {
#define SPALT_OP(name, group, operands, result, properties) \
  make_row(Op::name, ir::OpGroup::group, operands, properties),
#include "ir/ops.def"
#undef SPALT_OP
};

const Row& row_of(Op op) {
  return kRows[static_cast<unsigned>(op)];
}

}  // namespace

Simplifier::Simplifier(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context,
                       const SimplifyConfig& config)
    : function_(function),
      config_(config),
      dominance_(analyses.dominance()),
      cancellation_(context.cancellation),
      // Half full at most, with room for some that rules make.
      table_(context.scratch, std::bit_ceil(function.value_capacity() / 2 * 3 + 64)),
      replacement_(context.scratch, function.value_capacity()),
      has_facts_(context.scratch, function.value_capacity(), 0),
      facts_(context.scratch),
      uses_(context.scratch),
      memory_(function, config.bindings, analyses.dominance(), analyses.loops(), context.scratch),
      has_undef_(function.operations().meets({Op::undef})) {}

bool Simplifier::run() {
  for (BlockId block : function_.layout()) {
    if (!dominance_.reachable(block)) continue;
    cancellation_.poll();
    memory_.enter(block);
    barrier_ = {};
    for (Value value : ir::insts(function_, block)) visit(value);
  }
  if (!replaced_) return changed_;
  // Uses that come before the definition: phis over back edges, and blocks that do not run.
  for (BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      if (op(value) != Op::phi && dominance_.reachable(block)) break;
      resolve_operands(value);
    }
  }
  return changed_;
}

void Simplifier::visit(Value value) {
  if (replaced_) resolve_operands(value);
  insert_point_ = value;
  Value result = value;
  switch (row_of(op(value)).visit) {
    case Visit::skip:
      if (ir::info(op(value)).has(ir::kBarrier)) barrier_ = {};
      return;
    case Visit::simplify:
      result = simplify(value);
      break;
    case Visit::load:
      result = visit_load(value);
      break;
    case Visit::store:
      return visit_store(value);
    case Visit::atomic:
      return visit_atomic(value);
    case Visit::image:
      result = visit_image(value);
      break;
    case Visit::barrier:
      return visit_barrier(value);
    case Visit::branch:
      return visit_branch(value);
  }
  if (result != value) replace(value, result);
}

void Simplifier::visit_branch(Value value) {
  const Value condition = operand(value, 0);
  if (op(condition) != Op::inot) return;
  ir::Block& block = function_.edit_block(function_.inst(value).block);
  std::swap(block.succs[0], block.succs[1]);
  set_operand(value, 0, operand(condition, 0));
}

/// The value that stands for `value` from now on.
Value Simplifier::simplify(Value value) {
  Value result = value;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    const Row& row = row_of(op(value));
    result = row.folds && is_constant(operand(value, 0)) ? fold(value) : Value();
    if (result.valid()) break;
    if (has_undef_ && reads_undef(value)) result = simplify_undef(*this, value);
    if (result.valid()) break;
    if (row.commutes) order_operands(value);
    if (row.rule != nullptr) result = row.rule(*this, value);
    if (result != value) break;
    changed_ = true;
  }
  if (result.valid() && result != value) return resolve(result);
  if (row_of(op(value)).facts) record_facts(value);
  return number(value);
}

/// The first operand is a constant.
Value Simplifier::fold(Value value) {
  const auto operands = function_.operands(value);
  ir::Type types[4];
  uint64_t values[4];
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!is_constant(operands[i])) return Value();
    types[i] = type(operands[i]);
    values[i] = bits(operands[i]);
  }
  const auto result =
      ir::evaluate(op(value), type(value), {types, operands.size()}, {values, operands.size()}, config_.float_controls);
  return result ? constant(type(value), *result) : Value();
}

/// Constants go right, others are ordered by id, so that equal computations look equal.
void Simplifier::order_operands(Value value) {
  const Value a = operand(value, 0), b = operand(value, 1);
  const bool swap = is_constant(a) != is_constant(b) ? is_constant(a) : b < a;
  if (!swap) return;
  function_.set_operand(value, 0, b);
  function_.set_operand(value, 1, a);
  changed_ = true;
}

Value Simplifier::emit(Op op, ir::Type type, std::span<const Value> operands, uint16_t flags, uint64_t imm) {
  const Value value = function_.create(op, type, operands, imm, flags);
  function_.insert_before(insert_point_, value);
  count_operands(value, 1);
  changed_ = true;
  if (emit_depth_ >= kMaxEmitDepth) return value;
  ++emit_depth_;
  const Value outer = std::exchange(insert_point_, value);
  const Value result = simplify(value);
  insert_point_ = outer;
  --emit_depth_;
  if (result != value) replace(value, result);
  return result;
}

Value Simplifier::change(Value value, Op op, std::initializer_list<Value> operands, uint16_t flags) {
  function_.set_operation(value, op, type(value), 0, flags);
  count_operands(value, -1);
  function_.set_operands(value, std::span<const Value>(operands.begin(), operands.size()));
  count_operands(value, 1);
  changed_ = true;
  return value;
}

void Simplifier::set_operand(Value value, unsigned index, Value operand) {
  count_operands(value, -1);
  function_.set_operand(value, index, operand);
  count_operands(value, 1);
  changed_ = true;
}

// Uses are counted when a rule first asks, which few do, and kept up to date from then on.

bool Simplifier::single_use(Value value) {
  if (!counted_) count_uses();
  return value.index >= uses_.size() || uses_[value.index] <= 1;
}

void Simplifier::count_uses() {
  uses_.assign(function_.value_capacity(), 0);
  for (BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      for (Value operand : function_.operands(value)) ++uses_[resolve(operand).index];
    }
  }
  counted_ = true;
}

void Simplifier::count_operands(Value value, int count) {
  if (!counted_) return;
  uses_.resize(function_.value_capacity());
  for (Value operand : function_.operands(value)) uses_[operand.index] += static_cast<uint32_t>(count);
}

Value Simplifier::resolve_replaced(Value value) {
  Value root = value;
  while (is_replaced(root)) root = replacement_[root.index];
  while (value != root) {
    const Value next = replacement_[value.index];
    replacement_[value.index] = root;
    value = next;
  }
  return root;
}

void Simplifier::replace(Value value, Value with) {
  if (replacement_.size() <= value.index) replacement_.resize(function_.value_capacity());
  replacement_[value.index] = with;
  count_operands(value, -1);
  if (counted_) uses_[with.index] += uses_[value.index];
  function_.unlink(value);
  replaced_ = changed_ = true;
}

bool Simplifier::available(Value value) const {
  return analysis::available_in(function_, dominance_, value, function_.inst(insert_point_).block);
}

void Simplifier::record_facts(Value value) {
  if (!type(value).is_integer() || type(value).is_vector()) return;
  const BitFacts known = compute_facts(*this, value);
  if (has_facts_.size() <= value.index) has_facts_.resize(function_.value_capacity(), 0);
  if (facts_.size() <= value.index) facts_.resize_for_overwrite(function_.value_capacity());
  has_facts_[value.index] = 1;
  facts_[value.index] = {known.ones, std::min(known.max, known.ones)};
}

bool simplify(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context,
              const SimplifyConfig& config) {
  const ArenaScope scope(context.scratch);
  return Simplifier(function, analyses, context, config).run();
}

}  // namespace spalt::passes
