// SPDX-License-Identifier: MIT
#include "analysis/alias.h"

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

bool same_space(StorageClass a, StorageClass b) {
  if (a == b) return true;
  const auto buffer = [](StorageClass s) {
    return s == StorageClass::uniform || s == StorageClass::storage || s == StorageClass::global;
  };
  return buffer(a) && buffer(b);
}

}  // namespace

Overlap overlap(const ir::Function&, const MemoryPlace& a, const MemoryPlace& b) {
  if (!same_space(a.access.storage, b.access.storage)) return Overlap::never;
  if (a.base != b.base) return Overlap::maybe;
  if (a.offset != b.offset) return Overlap::maybe;
  if (a.first == b.first && a.bytes == b.bytes) return Overlap::always;
  // Ranges with the same variable part: apart if neither reaches into the other. Offsets of shared and scratch memory
  // wrap at 32 bits, but ranges shifted by the same amount stay apart.
  if (a.first + a.bytes <= b.first || b.first + b.bytes <= a.first) return Overlap::never;
  return Overlap::maybe;
}

bool reads_constant_memory(const MemoryAccess& access) {
  if ((access.flags & ir::kVolatile) != 0 || access.order != ir::MemoryOrder::none) return false;
  return (access.flags & ir::kReadOnly) != 0 || access.storage == StorageClass::uniform ||
         access.storage == StorageClass::push || access.storage == StorageClass::constant ||
         access.storage == StorageClass::table;
}

}  // namespace spalt::analysis
