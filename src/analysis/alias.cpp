// SPDX-License-Identifier: MIT
#include "analysis/alias.h"

#include <algorithm>
#include <bit>

namespace spalt::analysis {

using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Value;

Value stored_data(const ir::Function& function, Value value) {
  const auto operands = function.operands(value);
  switch (function.inst(value).op) {
    case Op::store:
      return operands.back();
    case Op::atomic_compare_exchange:
      return operands[operands.size() - 2];
    default:
      return ir::is_atomic(function.inst(value).op) ? operands.back() : Value();
  }
}

MemoryPlace memory_place(const ir::Function& function, Value value) {
  MemoryPlace place;
  place.access = function.access(value);
  const unsigned offset = offset_index(place.access);
  if (offset == 1) place.base = function.operand(value, 0);
  place.offset = function.operand(value, offset);
  place.first = place.access.offset;
  if (function.is_constant(place.offset)) {
    place.first += function.inst(place.offset).imm;
    place.offset = Value();
  }
  const Value data = stored_data(function, value);
  place.bytes = function.type(data.valid() ? data : value).bytes();
  return place;
}

namespace {

/// How deep sums are looked into.
constexpr unsigned kMaxDepth = 3;
constexpr unsigned kOffsetBits = 32;

bool same_space(StorageClass a, StorageClass b) {
  if (a == b) return true;
  const auto buffer = [](StorageClass s) {
    return s == StorageClass::uniform || s == StorageClass::storage || s == StorageClass::global;
  };
  return buffer(a) && buffer(b);
}

/// Whether both are descriptors, and taken not to be the same memory: those of two bindings, and elements of one array,
/// each of which is a reference of its own.
bool are_apart(const ir::Function& function, std::span<const ir::Binding> bindings, Value a, Value b) {
  if (!a.valid() || !b.valid() || function.inst(a).op != Op::resource || function.inst(b).op != Op::resource) {
    return false;
  }
  const uint64_t first = function.inst(a).imm, second = function.inst(b).imm;
  if (first >= bindings.size() || second >= bindings.size()) return false;
  if (first == second) {
    const Value i = function.operand(a, 0), j = function.operand(b, 0);
    return !bindings[first].may_be_shared() && i != j && function.is_constant(i) && function.is_constant(j);
  }
  return !bindings[first].may_be_shared() || !bindings[second].may_be_shared();
}

/// Of which power of two the value is a multiple.
unsigned multiple_log2(const ir::Function& function, Value value, unsigned depth = 0) {
  if (!value.valid()) return kOffsetBits;
  if (function.is_constant(value)) {
    return std::min<unsigned>(kOffsetBits, static_cast<unsigned>(std::countr_zero(function.inst(value).imm)));
  }
  const auto of_operand = [&](unsigned index) {
    return multiple_log2(function, function.operand(value, index), depth + 1);
  };
  if (depth == kMaxDepth) return 0;
  switch (function.inst(value).op) {
    case Op::ishl: {
      const Value amount = function.operand(value, 1);
      const bool is_known = function.is_constant(amount) && function.inst(amount).imm < kOffsetBits;
      return is_known ? static_cast<unsigned>(function.inst(amount).imm) : 0;
    }
    case Op::imul:
    case Op::iand:
      return std::max(of_operand(0), of_operand(1));
    case Op::iadd:
    case Op::ior:
      return std::min(of_operand(0), of_operand(1));
    default:
      return 0;
  }
}

/// Whether offsets that differ in their variable part have no byte in common all the same.
bool offsets_apart(const ir::Function& function, const MemoryPlace& a, const MemoryPlace& b) {
  if (a.access.storage == StorageClass::global || b.access.storage == StorageClass::global) return false;
  if (!a.offset.valid() && a.first + a.bytes <= b.first) return true;
  if (!b.offset.valid() && b.first + b.bytes <= a.first) return true;
  const unsigned log2 = std::min(multiple_log2(function, a.offset), multiple_log2(function, b.offset));
  const uint64_t unit = uint64_t{1} << log2, begin_a = a.first % unit, begin_b = b.first % unit;
  if (begin_a + a.bytes > unit || begin_b + b.bytes > unit) return false;
  return begin_a + a.bytes <= begin_b || begin_b + b.bytes <= begin_a;
}

}  // namespace

Overlap overlap_elsewhere(const ir::Function& function, std::span<const ir::Binding> bindings, const MemoryPlace& a,
                          const MemoryPlace& b) {
  if (!same_space(a.access.storage, b.access.storage)) return Overlap::never;
  if (a.base != b.base) return are_apart(function, bindings, a.base, b.base) ? Overlap::never : Overlap::maybe;
  if (a.offset != b.offset) return offsets_apart(function, a, b) ? Overlap::never : Overlap::maybe;
  return overlap_of_ranges(a, b);
}

bool image_may_overlap(const ir::Function& function, std::span<const ir::Binding> bindings, Value image,
                       const MemoryPlace& place) {
  return same_space(place.access.storage, StorageClass::storage) && !are_apart(function, bindings, image, place.base);
}

bool reads_constant_memory(const MemoryAccess& access) {
  if ((access.flags & ir::kVolatile) != 0 || access.order != ir::MemoryOrder::none) return false;
  return (access.flags & ir::kReadOnly) != 0 || access.storage == StorageClass::uniform ||
         access.storage == StorageClass::push || access.storage == StorageClass::constant ||
         access.storage == StorageClass::table;
}

}  // namespace spalt::analysis
