// SPDX-License-Identifier: MIT
#include "passes/simplify/simplify.h"

#include <algorithm>
#include <bit>

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

Value apply_rules(Simplifier& s, Value value) {
  switch (s.op(value)) {
    case Op::phi:
      return simplify_phi(s, value);
    case Op::select:
      return simplify_select(s, value);
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
      return simplify_integer(s, value);
    case Op::udiv:
    case Op::sdiv:
    case Op::umod:
    case Op::srem:
    case Op::smod:
      return simplify_division(s, value);
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
      return simplify_bits(s, value);
    case Op::ieq:
    case Op::ine:
    case Op::slt:
    case Op::sle:
    case Op::ult:
    case Op::ule:
      return simplify_compare(s, value);
    case Op::vec:
    case Op::extract:
    case Op::bitcast:
    case Op::trunc:
    case Op::zext:
    case Op::sext:
    case Op::f_to_f:
    case Op::builtin:
      return simplify_conversion(s, value);
    default:
      break;
  }
  const ir::OpGroup group = ir::group(s.op(value));
  return group == ir::OpGroup::floating || group == ir::OpGroup::float_compare ? simplify_float(s, value) : Value();
}

/// The result depends on which lanes run, or on the way into the block, so that equal ones in other blocks differ.
bool bound_to_block(Op op) {
  return op == Op::phi || ir::depends_on_lanes(op);
}

}  // namespace

Simplifier::Simplifier(ir::Function& function, const analysis::Dominance& dominance, CompileContext& context,
                       const SimplifyConfig& config)
    : function_(function),
      config_(config),
      dominance_(dominance),
      cancellation_(context.cancellation),
      table_(context.scratch, std::bit_ceil(function.value_capacity() + 128)),
      replacement_(context.scratch, function.value_capacity()),
      facts_(context.scratch, function.value_capacity()),
      uses_(context.scratch),
      memory_(context.scratch) {}

bool Simplifier::run() {
  count_uses();
  BlockId previous;
  for (BlockId block : function_.layout()) {
    if (!dominance_.reachable(block)) continue;
    cancellation_.poll();
    // What memory holds survives only where nothing else can have run in between.
    const auto& preds = function_.block(block).preds;
    if (preds.size() != 1 || preds[0] != previous) memory_.clear();
    visit_block(block);
    previous = block;
  }
  // Uses that come before the definition: phis over back edges, and blocks that do not run.
  for (BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) {
      if (op(value) != Op::phi && dominance_.reachable(block)) break;
      resolve_operands(value);
    }
  }
  return changed_;
}

void Simplifier::visit_block(BlockId block) {
  for (Value value : ir::insts(function_, block)) visit(value);
}

void Simplifier::visit(Value value) {
  resolve_operands(value);
  insert_point_ = value;
  const Op kind = op(value);
  Value result = value;
  if (kind == Op::load) {
    result = visit_load(value);
  } else if (kind == Op::store) {
    visit_store(value);
  } else if (ir::is_atomic(kind)) {
    visit_atomic(value);
  } else if (kind == Op::memory_barrier || kind == Op::control_barrier) {
    visit_barrier(value);
  } else if (kind == Op::branch_if && op(operand(value, 0)) == Op::inot) {
    ir::Block& block = function_.edit_block(function_.inst(value).block);
    std::swap(block.succs[0], block.succs[1]);
    set_operand(value, 0, operand(operand(value, 0), 0));
  } else if (ir::is_pure(kind) || ir::depends_on_lanes(kind)) {
    result = simplify(value);
  }
  if (result != value) replace(value, result);
}

/// The value that stands for `value` from now on.
Value Simplifier::simplify(Value value) {
  const Value outer = insert_point_;
  insert_point_ = value;
  Value result = value;
  for (unsigned round = 0; round < kMaxRounds; ++round) {
    result = fold(value);
    if (result.valid()) break;
    order_operands(value);
    result = apply_rules(*this, value);
    if (result != value) break;
    changed_ = true;
  }
  insert_point_ = outer;
  if (result.valid() && result != value) return resolve(result);
  record_facts(value);
  return number(value);
}

Value Simplifier::fold(Value value) {
  const auto operands = function_.operands(value);
  if (operands.empty() || operands.size() > 4 || op(value) == Op::phi) return Value();
  ir::Type types[4];
  uint64_t values[4];
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!is_constant(operands[i])) return Value();
    types[i] = type(operands[i]);
    values[i] = bits(operands[i]);
  }
  const auto result = ir::evaluate(op(value), type(value), {types, operands.size()}, {values, operands.size()});
  return result ? constant(type(value), *result) : Value();
}

/// Constants go right, others are ordered by id, so that equal computations look equal.
void Simplifier::order_operands(Value value) {
  if (!ir::info(op(value)).has(ir::kCommutes)) return;
  const Value a = operand(value, 0), b = operand(value, 1);
  const bool swap = is_constant(a) != is_constant(b) ? is_constant(a) : b < a;
  if (!swap) return;
  function_.set_operand(value, 0, b);
  function_.set_operand(value, 1, a);
  changed_ = true;
}

Value Simplifier::emit(Op op, ir::Type type, std::initializer_list<Value> operands, uint16_t flags, uint64_t imm) {
  const Value value = function_.create(op, type, std::span<const Value>(operands.begin(), operands.size()), imm, flags);
  function_.insert_before(insert_point_, value);
  replacement_.resize(function_.value_capacity());
  uses_.resize(function_.value_capacity());
  add_uses(function_.operands(value), 1);
  changed_ = true;
  if (emit_depth_ >= kMaxEmitDepth) return value;
  ++emit_depth_;
  const Value result = simplify(value);
  --emit_depth_;
  if (result != value) replace(value, result);
  return result;
}

Value Simplifier::change(Value value, Op op, std::initializer_list<Value> operands, uint16_t flags) {
  function_.inst(value).op = op;
  function_.inst(value).flags = flags;
  function_.inst(value).imm = 0;
  uses_.resize(function_.value_capacity());
  add_uses(function_.operands(value), -1);
  function_.set_operands(value, std::span<const Value>(operands.begin(), operands.size()));
  add_uses(function_.operands(value), 1);
  changed_ = true;
  return value;
}

void Simplifier::set_operand(Value value, unsigned index, Value operand) {
  uses_.resize(function_.value_capacity());
  --uses_[function_.operand(value, index).index];
  ++uses_[operand.index];
  function_.set_operand(value, index, operand);
  changed_ = true;
}

void Simplifier::count_uses() {
  uses_.assign(function_.value_capacity(), 0);
  for (BlockId block : function_.layout()) {
    for (Value value : ir::insts(function_, block)) add_uses(function_.operands(value), 1);
  }
}

void Simplifier::add_uses(std::span<const Value> operands, int count) {
  for (Value operand : operands) uses_[operand.index] += static_cast<uint32_t>(count);
}

Value Simplifier::resolve(Value value) {
  Value root = value;
  while (root.index < replacement_.size() && replacement_[root.index].valid()) root = replacement_[root.index];
  while (value != root) {
    const Value next = replacement_[value.index];
    replacement_[value.index] = root;
    value = next;
  }
  return root;
}

void Simplifier::resolve_operands(Value value) {
  for (Value& operand : function_.operands(value)) {
    const uint32_t index = operand.index;
    if (index < replacement_.size() && replacement_[index].valid()) operand = resolve(operand);
  }
}

void Simplifier::replace(Value value, Value with) {
  if (replacement_.size() <= value.index) replacement_.resize(function_.value_capacity());
  replacement_[value.index] = with;
  uses_.resize(function_.value_capacity());
  uses_[with.index] += uses_[value.index];
  add_uses(function_.operands(value), -1);
  function_.unlink(value);
  changed_ = true;
}

bool Simplifier::available(Value value) const {
  return analysis::available_in(function_, dominance_, value, function_.inst(insert_point_).block);
}

// Value numbering. One table serves all blocks: an entry counts only where its block dominates, and makes room for the
// newer one elsewhere.

Value Simplifier::number(Value value) {
  if (table_used_ * 2 >= table_.size()) grow_table();
  const BlockId block = function_.inst(value).block;
  for (size_t slot = hash(value) & (table_.size() - 1);; slot = (slot + 1) & (table_.size() - 1)) {
    const Value known = table_[slot];
    if (!known.valid()) {
      table_[slot] = value;
      ++table_used_;
      return value;
    }
    if (!equal(known, value)) continue;
    const BlockId home = function_.inst(known).block;
    if (known == value) return value;
    if (!home.valid() || !dominance_.dominates(home, block)) {
      table_[slot] = value;
      return value;
    }
    merge_flags(known, value);
    return known;
  }
}

uint64_t Simplifier::hash(Value value) const {
  const ir::Inst& inst = function_.inst(value);
  uint64_t h =
      static_cast<uint64_t>(inst.op) << 16 | static_cast<uint64_t>(inst.type.scalar) << 8 | inst.type.components;
  h = (h ^ inst.imm) * 0x9e3779b97f4a7c15ull;
  for (Value operand : function_.operands(value)) h = (h ^ (h >> 29) ^ operand.index) * 0xbf58476d1ce4e5b9ull;
  return h ^ (h >> 32);
}

bool Simplifier::equal(Value a, Value b) const {
  const ir::Inst& x = function_.inst(a);
  const ir::Inst& y = function_.inst(b);
  if (x.op != y.op || x.type != y.type || x.imm != y.imm || x.operand_count != y.operand_count) return false;
  if (bound_to_block(x.op) && x.block != y.block) return false;
  const auto left = function_.operands(a), right = function_.operands(b);
  return std::equal(left.begin(), left.end(), right.begin());
}

/// One instruction now stands for two: restrictions add up, permissions must hold for both.
void Simplifier::merge_flags(Value kept, Value dropped) {
  constexpr uint16_t kRestrictions = ir::kNoContraction | ir::kNonUniform;
  const uint16_t a = flags(kept), b = flags(dropped);
  function_.inst(kept).flags = static_cast<uint16_t>(((a | b) & kRestrictions) | (a & b & ~kRestrictions));
}

void Simplifier::grow_table() {
  Vector<Value> old(table_.size() * 2, Value(), table_.arena());
  old.swap(table_);
  table_used_ = 0;
  for (Value value : old) {
    if (!value.valid() || !function_.is_linked(value)) continue;
    size_t slot = hash(value) & (table_.size() - 1);
    while (table_[slot].valid()) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = value;
    ++table_used_;
  }
}

void Simplifier::record_facts(Value value) {
  if (!type(value).is_integer() || type(value).is_vector()) return;
  const BitFacts known = compute_facts(*this, value);
  if (facts_.size() <= value.index) facts_.resize(function_.value_capacity());
  facts_[value.index] = {known.ones, std::min(known.max, known.ones)};
}

bool simplify(ir::Function& function, analysis::AnalysisCache& analyses, CompileContext& context,
              const SimplifyConfig& config) {
  const ArenaScope scope(context.scratch);
  return Simplifier(function, analyses.dominance(), context, config).run();
}

}  // namespace spalt::passes
