// SPDX-License-Identifier: MIT
// Value numbering. One table serves all blocks: an entry counts only where its block dominates, and makes room for the
// newer one elsewhere.
//
// Products, sums and differences of floats are numbered without their signs: -a * b is found where a * b is known, and
// b - a or -a - b where a - b or a + b is, and becomes its negation, which is a modifier of whoever reads it. So the
// dot product of a reflection shares its products and sums with that of the light. A product has the same bits for that
// but for the sign of NaN; a sum that is zero has the other sign, which both operations must allow.
#include <algorithm>

#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using ir::BlockId;
using ir::Op;
using ir::Value;

namespace {

/// The result depends on which lanes run, or on the way into the block, so that equal ones in other blocks differ.
bool bound_to_block(Op op) {
  return op == Op::phi || ir::depends_on_lanes(op);
}

bool is_sum(Op op) {
  return op == Op::fadd || op == Op::fsub;
}

/// Numbered without signs.
bool has_sign(const ir::Inst& inst) {
  return (inst.op == Op::fmul || is_sum(inst.op)) && !inst.type.is_vector();
}

uint64_t mixed(uint64_t hash, Value operand) {
  return (hash ^ (hash >> 29) ^ operand.index) * 0xbf58476d1ce4e5b9ull;
}

/// `pair` is that of the instruction, whose operands count where it has none.
inline uint64_t hash(const ir::Inst& inst, std::span<const Value> operands, const SignedPair& pair) {
  uint64_t h = 0;
  if (pair.valid()) {
    h = mixed(mixed(is_sum(inst.op) + (pair.opposite ? 2 : 0), pair.a), pair.b);
  } else {
    h = static_cast<uint64_t>(inst.op) << 16 | static_cast<uint64_t>(inst.type.scalar) << 8 | inst.type.components;
    h = (h ^ inst.imm) * 0x9e3779b97f4a7c15ull;
    for (Value operand : operands) h = mixed(h, operand);
  }
  return h ^ (h >> 32);
}

}  // namespace

Value Simplifier::number(Value value) {
  if (table_used_ * 2 >= table_.size()) grow_table();
  const ir::Inst& inst = function_.inst(value);
  const SignedPair pair = has_sign(inst) ? signed_pair(value) : SignedPair();
  const size_t mask = table_.size() - 1;
  for (size_t slot = hash(inst, function_.operands(value), pair) & mask;; slot = (slot + 1) & mask) {
    const Value known = table_[slot];
    if (!known.valid()) {
      table_[slot] = value;
      ++table_used_;
      return value;
    }
    if (known == value) return value;
    const Relation relation = compare(known, value, pair);
    if (relation == Relation::different) continue;
    const BlockId home = function_.inst(known).block;
    if (!home.valid() || !dominance_.dominates(home, inst.block)) {
      table_[slot] = value;
      return value;
    }
    merge_flags(known, value);
    return relation == Relation::equal ? known : emit(Op::fneg, type(value), {known}, flags(value));
  }
}

Simplifier::Relation Simplifier::compare(Value known, Value value, const SignedPair& pair) const {
  if (pair.valid() && has_sign(function_.inst(known))) return compare_signs(known, value, pair);
  return equal(known, value) ? Relation::equal : Relation::different;
}

Simplifier::Relation Simplifier::compare_signs(Value known, Value value, const SignedPair& pair) const {
  const ir::Inst& x = function_.inst(known);
  const ir::Inst& y = function_.inst(value);
  if (is_sum(x.op) != is_sum(y.op) || x.type != y.type) return Relation::different;
  const SignedPair other = signed_pair(known);
  if (other.a != pair.a || other.b != pair.b || other.opposite != pair.opposite) return Relation::different;
  if (other.negative == pair.negative) return Relation::equal;
  return !is_sum(x.op) || (ignores_zeros(x) && ignores_zeros(y)) ? Relation::negated : Relation::different;
}

SignedPair Simplifier::signed_pair(Value value) const {
  const ir::Inst& inst = function_.inst(value);
  bool negative[2] = {false, inst.op == Op::fsub};
  Value operands[2];
  for (unsigned i = 0; i < 2; ++i) {
    operands[i] = operand(value, i);
    if (op(operands[i]) != Op::fneg) continue;
    operands[i] = operand(operands[i], 0);
    negative[i] = !negative[i];
  }
  const unsigned first = operands[1] < operands[0] ? 1 : 0;
  const bool opposite = negative[0] != negative[1], sum = is_sum(inst.op);
  return {operands[first], operands[1 - first], sum && opposite, sum ? negative[first] : opposite};
}

bool Simplifier::ignores_zeros(const ir::Inst& inst) const {
  return (ir::fast_math(config_.float_controls, inst.type, inst.flags) & ir::kNoSignedZeros) != 0;
}

bool Simplifier::equal(Value a, Value b) const {
  const ir::Inst& x = function_.inst(a);
  const ir::Inst& y = function_.inst(b);
  if (x.op != y.op || x.type != y.type || x.imm != y.imm || x.operand_count != y.operand_count) return false;
  if (bound_to_block(x.op) && x.block != y.block) return false;
  const auto left = function_.operands(a), right = function_.operands(b);
  return std::equal(left.begin(), left.end(), right.begin());
}

/// One instruction now stands for two.
void Simplifier::merge_flags(Value kept, Value dropped) {
  function_.inst(kept).flags = merged_flags(flags(kept), flags(dropped));
}

void Simplifier::grow_table() {
  Vector<Value> old(table_.size() * 2, Value(), table_.arena());
  old.swap(table_);
  table_used_ = 0;
  for (Value value : old) {
    if (!value.valid() || !function_.is_linked(value)) continue;
    const ir::Inst& inst = function_.inst(value);
    const SignedPair pair = has_sign(inst) ? signed_pair(value) : SignedPair();
    size_t slot = hash(inst, function_.operands(value), pair) & (table_.size() - 1);
    while (table_[slot].valid()) slot = (slot + 1) & (table_.size() - 1);
    table_[slot] = value;
    ++table_used_;
  }
}

}  // namespace spalt::passes
