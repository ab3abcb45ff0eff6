// SPDX-License-Identifier: MIT
// Each dword, or component of 16 bits, is moved as a vector of the units that its address is a multiple of. What
// remains of these is the business of lower_narrow_memory. Atomic operations are always aligned.
#include "amdgpu/lower/lower_misaligned_memory.h"

#include <algorithm>

#include "amdgpu/lower/inserter.h"
#include "base/small_vector.h"

namespace spalt::lower {

using ir::MemoryAccess;
using ir::Op;
using ir::Type;
using ir::Value;

namespace {

/// Bytes that are moved together: a component, or a half of one of 64 bits.
unsigned part_bytes(Type data) {
  return std::min(4u, data.element().bytes());
}

/// The units of one part.
Type units_of(const MemoryAccess& access, Type data) {
  const Type unit = access.align_log2 == 0 ? ir::kI8 : ir::kI16;
  return unit.vector(part_bytes(data) / unit.bytes());
}

MemoryAccess at(MemoryAccess access, unsigned bytes) {
  access.offset += bytes;
  return access;
}

bool is_misaligned(const ir::Function& function, Value value) {
  const Op op = function.inst(value).op;
  if (op != Op::load && op != Op::store) return false;
  const Type data = op == Op::load ? function.type(value) : function.type(function.operands(value).back());
  return 1u << function.access(value).align_log2 < part_bytes(data);
}

void lower_load(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  const MemoryAccess access = function.access(value);
  const SmallVector<Value, 2> address(std::span<const Value>(function.operands(value)));
  const Type element = inst.type.element(), units = units_of(access, inst.type);
  insert.before(value, inst.flags);
  const auto part = [&](Type type, unsigned byte) {
    return insert.op(Op::bitcast, type, {insert.op(Op::load, units, address, at(access, byte).pack())});
  };
  SmallVector<Value, 16> components;
  for (unsigned i = 0; i < inst.type.components; ++i) {
    const unsigned byte = i * element.bytes();
    if (element.bytes() <= 4) {
      components.push_back(part(element, byte));
      continue;
    }
    const Value low = part(ir::kI32, byte), high = part(ir::kI32, byte + 4);
    const Value whole = insert.op(Op::pack64, ir::kI64, {low, high});
    components.push_back(element == ir::kI64 ? whole : insert.op(Op::bitcast, element, {whole}));
  }
  insert.replace(value, components.size() == 1 ? components[0] : insert.op(Op::vec, inst.type, components));
}

void lower_store(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const MemoryAccess access = function.access(value);
  SmallVector<Value, 3> operands(std::span<const Value>(function.operands(value)));
  const Value data = insert.current(operands.back());
  const Type type = function.type(data), element = type.element(), units = units_of(access, type);
  insert.before(value, function.inst(value).flags);
  const auto put = [&](Value part, unsigned byte) {
    operands.back() = insert.op(Op::bitcast, units, {part});
    insert.op(Op::store, ir::kVoid, operands, at(access, byte).pack());
  };
  for (unsigned i = 0; i < type.components; ++i) {
    const unsigned byte = i * element.bytes();
    const Value component = type.is_vector() ? insert.op(Op::extract, element, {data}, i) : data;
    if (element.bytes() <= 4) {
      put(component, byte);
      continue;
    }
    const Value halves = insert.op(Op::bitcast, ir::kI32.vector(2), {component});
    for (unsigned half = 0; half < 2; ++half) {
      put(insert.op(Op::extract, ir::kI32, {halves}, half), byte + 4 * half);
    }
  }
  function.unlink(value);
}

}  // namespace

bool lower_misaligned_memory(ir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Inserter insert(function, context.scratch);
  bool changed = false;
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (!is_misaligned(function, value)) continue;
      changed = true;
      if (function.inst(value).op == Op::load) {
        lower_load(insert, value);
      } else {
        lower_store(insert, value);
      }
    }
  }
  insert.finish();
  return changed;
}

}  // namespace spalt::lower
