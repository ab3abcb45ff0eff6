// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>
#include <utility>

#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using analysis::MemoryPlace;
using ir::MemoryAccess;
using ir::MemoryOrder;
using ir::Op;
using ir::Value;

namespace {

/// Each execution counts: neither merged with others nor forwarded.
bool must_execute(const MemoryAccess& access) {
  return (access.flags & (ir::kVolatile | ir::kCoherent)) != 0 || access.order != MemoryOrder::none;
}

/// If `offset` is x + c without carry out of 32 bits: x and c. Hardware checks the range of the sum of all offsets
/// without wrapping (RDNA 2 ISA, section 8.1.5), so only then is the constant the same as an immediate offset.
bool split_offset(const Simplifier& s, Value offset, Value& variable, uint64_t& constant) {
  if (!s.has_constant_rhs(offset, Op::iadd) && !s.has_constant_rhs(offset, Op::ior)) return false;
  variable = s.operand(offset, 0);
  constant = s.bits(s.operand(offset, 1));
  const BitFacts known = s.facts(variable);
  if ((known.ones & constant) == 0) return true;
  if (s.op(offset) != Op::iadd) return false;
  if ((s.flags(offset) & ir::kNoUnsignedWrap) != 0) return true;
  return known.max + constant <= type_mask(s.type(offset));
}

/// Whether the unsigned sum, product or shift `value` with a constant on the right certainly keeps all its bits.
bool keeps_all_bits(const Simplifier& s, Value value) {
  if ((s.flags(value) & ir::kNoUnsignedWrap) != 0) return true;
  const uint64_t c = s.bits(s.operand(value, 1)), max = s.facts(s.operand(value, 0)).max,
                 mask = type_mask(s.type(value));
  switch (s.op(value)) {
    case Op::iadd:
      return max <= mask && c <= mask - max;
    case Op::imul:
      return c == 0 || max <= mask / c;
    default:  // ishl
      return c < s.type(value).scalar_bits() && max <= mask >> c;
  }
}

/// (x + c) * n or (x + c) << n without carry out of 32 bits becomes x * n or x << n, and `constant` is c * n. Done for
/// addresses even where x + c has other uses, because there the constant is free.
Value scaled_variable(Simplifier& s, Value scaled, uint64_t& constant) {
  const Op op = s.op(scaled);
  if ((op != Op::ishl && op != Op::imul) || !s.is_constant(s.operand(scaled, 1))) return Value();
  const Value sum = s.operand(scaled, 0), factor = s.operand(scaled, 1);
  if (!s.has_constant_rhs(sum, Op::iadd) || !keeps_all_bits(s, sum) || !keeps_all_bits(s, scaled)) return Value();
  const uint64_t c = s.bits(s.operand(sum, 1)), n = s.bits(factor);
  constant = op == Op::ishl ? c << n : c * n;
  return s.emit(op, s.type(scaled), {s.operand(sum, 0), factor}, ir::kNoUnsignedWrap);
}

/// If `offset` is n * (x + c), alone or as one side of a sum, all without carry: what is left without the constant.
Value split_scaled(Simplifier& s, Value offset, uint64_t& constant) {
  if (s.type(offset) != ir::kI32) return Value();
  if (s.op(offset) != Op::iadd) return scaled_variable(s, offset, constant);
  const Value left = s.operand(offset, 0), right = s.operand(offset, 1);
  const bool wraps =
      (s.flags(offset) & ir::kNoUnsignedWrap) == 0 && s.facts(left).max + s.facts(right).max > 0xffffffff;
  if (wraps) return Value();
  for (unsigned side = 0; side < 2; ++side) {
    const Value rest = scaled_variable(s, s.operand(offset, side), constant);
    if (!rest.valid()) continue;
    return s.emit(Op::iadd, s.type(offset), {rest, s.operand(offset, 1 - side)}, ir::kNoUnsignedWrap);
  }
  return Value();
}

MemoryOrder merged(MemoryOrder a, MemoryOrder b) {
  if (a == b) return a;
  if (a == MemoryOrder::seq_cst || b == MemoryOrder::seq_cst) return MemoryOrder::seq_cst;
  if (a > MemoryOrder::relaxed && b > MemoryOrder::relaxed) return MemoryOrder::acq_rel;
  return std::max(a, b);
}

/// Whether one barrier that orders what both do orders nothing else at greater cost.
bool may_merge(const MemoryAccess& a, const MemoryAccess& b) {
  return a.order == b.order || (a.offset == b.offset && a.scope == b.scope);
}

/// The access of a barrier that orders all that two of them do.
MemoryAccess merged(const MemoryAccess& a, const MemoryAccess& b) {
  MemoryAccess both = a;
  both.offset |= b.offset;  // kinds of memory
  both.flags |= b.flags;
  both.scope = std::max(a.scope, b.scope);
  both.order = merged(a.order, b.order);
  return both;
}

}  // namespace

Value simplify_address(Simplifier& s, Value value) {
  MemoryAccess access = s.function().access(value);
  const unsigned index = analysis::offset_index(access);
  Value offset = s.operand(value, index), variable;
  uint64_t constant = 0;
  if (s.is_constant(offset)) {
    constant = s.bits(offset);
    if (constant == 0) return Value();
    variable = s.constant(s.type(offset), 0);
  } else if (!split_offset(s, offset, variable, constant)) {
    variable = split_scaled(s, offset, constant);
    if (!variable.valid()) return Value();
  }
  if (access.offset + constant > 0xffffffff) return Value();
  access.offset += static_cast<uint32_t>(constant);
  s.function().inst(value).imm = access.pack();
  s.set_operand(value, index, variable);
  return value;
}

/// A key that is known needs no choice.
Value simplify_buffer(Simplifier& s, Value value) {
  const Value key = s.operand(value, 0);
  if (s.op(key) != Op::buffer_key) return Value();
  const Value element = s.operand(key, 0);
  const uint16_t flags = s.is_constant(element) ? uint16_t{0} : uint16_t{ir::kNonUniform};
  return s.emit(Op::resource, ir::kResource, {element}, flags, s.bits(key));
}

Value Simplifier::visit_load(Value value) {
  while (simplify_address(*this, value).valid()) changed_ = true;
  const MemoryAccess access = function_.access(value);
  if (analysis::reads_constant_memory(access)) return number(value);
  barrier_ = {};
  memory_.forget_writes_of(value);
  if (must_execute(access)) return value;
  const MemoryPlace place = analysis::memory_place(function_, value);
  const Value known = value_in_memory(value, place);
  if (known.valid()) return known;
  memory_.remember(place, value);
  return value;
}

/// What the load will find, made of what is known.
Value Simplifier::value_in_memory(Value load, const MemoryPlace& place) {
  const ir::Type wanted = type(load);
  if (const Value whole = memory_.find_whole(place); whole.valid()) {
    return type(whole) == wanted ? whole : emit(Op::bitcast, wanted, {whole});
  }
  std::array<KnownMemory::Part, ir::kMaxComponents> parts;
  for (unsigned i = 0; i < wanted.components; ++i) {
    if (!memory_.find(place, wanted, i, parts[i])) return {};
  }
  std::array<Value, ir::kMaxComponents> components;
  for (unsigned i = 0; i < wanted.components; ++i) components[i] = scalar_in_memory(parts[i], wanted.element());
  return wanted.is_vector() ? emit(Op::vec, wanted, std::span(components).first(wanted.components)) : components[0];
}

Value Simplifier::scalar_in_memory(const KnownMemory::Part& part, ir::Type wanted) {
  const ir::Type whole = type(part.data);
  Value scalar = part.data;
  if (whole.is_vector()) scalar = emit(Op::extract, whole.element(), {scalar}, 0, part.index);
  if (whole.element() == wanted) return scalar;
  if (whole.scalar_bits() == wanted.bits()) return emit(Op::bitcast, wanted, {scalar});
  const ir::Type pieces = wanted.vector(static_cast<uint8_t>(whole.scalar_bits() / wanted.bits()));
  const Value apart = emit(Op::bitcast, pieces, {scalar});
  return emit(Op::extract, wanted, {apart}, 0, part.first_bit / wanted.bits());
}

/// Where component `index` of a value comes from, if it was put into a vector or taken out of one.
KnownMemory::Part Simplifier::component(Value data, unsigned index) const {
  if (op(data) == Op::vec && type(operand(data, 0)).components == 1) {
    data = operand(data, index);
    index = 0;
  }
  if (op(data) == Op::extract) return {operand(data, 0), static_cast<uint32_t>(bits(data))};
  return {data, index};
}

/// Whether each component of the data is there already.
bool Simplifier::is_in_memory(const MemoryPlace& place, Value data) const {
  const ir::Type wanted = type(data);
  for (unsigned i = 0; i < wanted.components; ++i) {
    KnownMemory::Part part;
    if (!memory_.find(place, wanted, i, part) || type(part.data).scalar_bits() != wanted.scalar_bits()) return false;
    if (component(part.data, part.index) != component(data, i)) return false;
  }
  return true;
}

void Simplifier::visit_store(Value value) {
  barrier_ = {};
  while (simplify_address(*this, value).valid()) changed_ = true;
  const MemoryPlace place = analysis::memory_place(function_, value);
  const Value data = analysis::stored_data(function_, value);
  if (!must_execute(place.access) && is_in_memory(place, data)) {
    function_.unlink(value);
    changed_ = true;
    return;
  }
  memory_.forget_written(place);
  if (!must_execute(place.access)) memory_.remember(place, data);
}

void Simplifier::visit_atomic(Value value) {
  barrier_ = {};
  while (simplify_address(*this, value).valid()) changed_ = true;
  memory_.forget_writes_of(value);
}

Value Simplifier::visit_image(Value value) {
  if (analysis::reads_constant_memory(function_.access(value))) return number(value);
  barrier_ = {};
  memory_.forget_writes_of(value);
  return value;
}

/// Two barriers without an access between them are one that orders what either does: where the invocations wait, or the
/// later one.
void Simplifier::visit_barrier(Value value) {
  memory_.forget_writes_of(value);
  const Value before = std::exchange(barrier_, value);
  if (!before.valid() || !may_merge(function_.access(before), function_.access(value))) return;
  const uint64_t both = merged(function_.access(before), function_.access(value)).pack();
  const bool waits_first = op(before) == Op::control_barrier && op(value) == Op::memory_barrier;
  const Value kept = waits_first ? before : value, dropped = waits_first ? value : before;
  function_.inst(kept).imm = both;
  function_.unlink(dropped);
  barrier_ = kept;
  changed_ = true;
}

}  // namespace spalt::passes
