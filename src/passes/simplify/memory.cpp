// SPDX-License-Identifier: MIT
#include "passes/simplify/simplifier.h"

namespace spalt::passes {

using analysis::MemoryPlace;
using analysis::Overlap;
using ir::MemoryAccess;
using ir::MemoryOrder;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

/// Old entries make room for new ones, so that each memory operation costs a bounded search.
constexpr size_t kMaxKnownMemory = 16;

bool acquires(const MemoryAccess& access) {
  return access.order == MemoryOrder::acquire || access.order == MemoryOrder::acq_rel ||
         access.order == MemoryOrder::seq_cst;
}

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

/// Index of the 32-bit component of `known` that `place` is, or -1.
int component_at(const MemoryPlace& known, const MemoryPlace& place) {
  if (known.access.storage != place.access.storage || known.base != place.base || known.offset != place.offset)
    return -1;
  if (place.bytes != 4 || place.first < known.first || place.first + 4 > known.first + known.bytes) return -1;
  const uint64_t distance = place.first - known.first;
  return distance % 4 == 0 ? static_cast<int>(distance / 4) : -1;
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
  if (acquires(access)) forget_shared_memory();
  if (must_execute(access)) return value;
  const MemoryPlace place = analysis::memory_place(function_, value);
  for (const KnownMemory& known : memory_) {
    if (analysis::overlap(function_, known.place, place) == Overlap::always) {
      if (type(known.data) == type(value)) return known.data;
      return emit(Op::bitcast, type(value), {known.data});
    }
    const ir::Type whole = type(known.data);
    if (!whole.is_vector() || whole.scalar_bits() != 32 || type(value).is_vector()) continue;
    const int index = component_at(known.place, place);
    if (index < 0) continue;
    const Value part = emit(Op::extract, whole.element(), {known.data}, 0, static_cast<uint64_t>(index));
    return whole.element() == type(value) ? part : emit(Op::bitcast, type(value), {part});
  }
  remember(place, value);
  return value;
}

void Simplifier::visit_store(Value value) {
  while (simplify_address(*this, value).valid()) changed_ = true;
  const MemoryPlace place = analysis::memory_place(function_, value);
  forget_overlapping(place);
  if (!must_execute(place.access)) remember(place, analysis::stored_data(function_, value));
}

void Simplifier::visit_atomic(Value value) {
  while (simplify_address(*this, value).valid()) changed_ = true;
  forget_overlapping(analysis::memory_place(function_, value));
  if (acquires(function_.access(value))) forget_shared_memory();
}

/// Texels may be in the memory of buffers.
Value Simplifier::visit_image(Value value) {
  const MemoryAccess access = function_.access(value);
  if (analysis::reads_constant_memory(access)) return number(value);
  if (acquires(access) || ir::info(op(value)).has(ir::kWrites)) forget_shared_memory();
  return value;
}

void Simplifier::visit_barrier(Value) {
  forget_shared_memory();
}

void Simplifier::remember(const MemoryPlace& place, Value data) {
  if (memory_.size() < kMaxKnownMemory) {
    memory_.push_back({place, data});
  } else {
    memory_[memory_next_++ % kMaxKnownMemory] = {place, data};
  }
}

void Simplifier::forget_overlapping(const MemoryPlace& place) {
  erase_if(memory_, [&](const KnownMemory& known) {
    return analysis::overlap(function_, known.place, place) != Overlap::never;
  });
}

/// What other invocations may have written becomes visible; scratch belongs to this one.
void Simplifier::forget_shared_memory() {
  erase_if(memory_, [](const KnownMemory& known) { return known.place.access.storage != StorageClass::scratch; });
}

}  // namespace spalt::passes
