// SPDX-License-Identifier: MIT
#include "amdgpu/lower/split_memory.h"

#include <algorithm>
#include <bit>

#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

/// Dwords that one instruction may move at the start of an access of `count` dwords whose address has this alignment.
unsigned piece_dwords(StorageClass storage, unsigned align_log2, unsigned count) {
  switch (storage) {
    case StorageClass::scratch:
      return 1;
    case StorageClass::shared: {
      // DS instructions of 8 bytes need 8-byte alignment, of 12 and 16 bytes 16 (RDNA 2 ISA guide, "LDS alignment").
      const unsigned limit = align_log2 >= 4 ? 4 : align_log2 == 3 ? 2 : 1;
      return std::min(count, limit);
    }
    case StorageClass::constant:
      return count;
    default:
      return std::min(count, 4u);
  }
}

unsigned align_of(const MemoryAccess& access, unsigned dword) {
  if (dword == 0) return access.align_log2;
  return std::min<unsigned>(access.align_log2, static_cast<unsigned>(std::countr_zero(dword * 4)));
}

/// Dwords of a component; what is narrower does not get here as a vector.
unsigned dwords_of_component(ir::Type type) {
  return type.scalar_bits() == 64 ? 2 : 1;
}

/// A type of 64-bit components where one instruction does not move a whole one: its components go in dwords.
bool is_moved_in_halves(StorageClass storage, unsigned align_log2, ir::Type type) {
  return type.scalar_bits() == 64 && piece_dwords(storage, align_log2, 2) < 2;
}

/// Components that one instruction may move, beginning with the component `at` of the type.
unsigned piece_components(const MemoryAccess& access, ir::Type type, unsigned at) {
  const unsigned each = dwords_of_component(type);
  const unsigned count = (type.components - at) * each;
  return std::max(piece_dwords(access.storage, align_of(access, at * each), count) / each, 1u);
}

MemoryAccess piece_access(MemoryAccess access, unsigned dword) {
  access.align_log2 = static_cast<uint8_t>(align_of(access, dword));
  access.offset += dword * 4;
  return access;
}

void split_load(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  const MemoryAccess access = function.access(value);
  const unsigned count = inst.type.components;
  const SmallVector<Value, 2> operands(std::span<const Value>(function.operands(value)));
  SmallVector<Value, 16> components;
  insert.before(value, inst.flags);
  for (unsigned at = 0; at < count;) {
    const unsigned size = piece_components(access, inst.type, at), dword = at * dwords_of_component(inst.type);
    const ir::Type type = inst.type.vector(size);
    const Value piece = insert.op(Op::load, type, operands, piece_access(access, dword).pack());
    for (unsigned i = 0; i < size; ++i) {
      components.push_back(size == 1 ? piece : insert.op(Op::extract, inst.type.element(), {piece}, i));
    }
    at += size;
  }
  insert.replace(value, insert.op(Op::vec, inst.type, components));
}

void split_store(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  const MemoryAccess access = function.access(value);
  SmallVector<Value, 3> operands(std::span<const Value>(function.operands(value)));
  const Value data = operands.back();
  const ir::Type type = function.type(data);
  insert.before(value, inst.flags);
  for (unsigned at = 0; at < type.components;) {
    const unsigned size = piece_components(access, type, at), dword = at * dwords_of_component(type);
    SmallVector<Value, 4> components;
    for (unsigned i = 0; i < size; ++i) {
      components.push_back(insert.op(Op::extract, type.element(), {data}, at + i));
    }
    operands.back() = size == 1 ? components[0] : insert.op(Op::vec, type.vector(size), components);
    insert.op(Op::store, ir::kVoid, operands, piece_access(access, dword).pack());
    at += size;
  }
  function.unlink(value);
}

/// 64-bit components as twice as many dwords, which are split on.
void split_load_in_halves(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  const MemoryAccess access = function.access(value);
  const SmallVector<Value, 2> operands(std::span<const Value>(function.operands(value)));
  SmallVector<Value, 8> components;
  insert.before(value, inst.flags);
  for (unsigned i = 0; i < inst.type.components; ++i) {
    const Value low = insert.op(Op::load, ir::kI32, operands, piece_access(access, 2 * i).pack());
    const Value high = insert.op(Op::load, ir::kI32, operands, piece_access(access, 2 * i + 1).pack());
    const Value whole = insert.op(Op::pack64, ir::kI64, {low, high});
    components.push_back(inst.type.scalar == ir::Scalar::i64 ? whole
                                                             : insert.op(Op::bitcast, inst.type.element(), {whole}));
  }
  insert.replace(value, components.size() == 1 ? components[0] : insert.op(Op::vec, inst.type, components));
}

void split_store_in_halves(Inserter& insert, Value value) {
  ir::Function& function = insert.function();
  const ir::Inst inst = function.inst(value);
  const MemoryAccess access = function.access(value);
  SmallVector<Value, 3> operands(std::span<const Value>(function.operands(value)));
  const Value data = operands.back();
  const ir::Type type = function.type(data);
  insert.before(value, inst.flags);
  for (unsigned i = 0; i < type.components; ++i) {
    const Value component = type.is_vector() ? insert.op(Op::extract, type.element(), {data}, i) : data;
    const Value pair = insert.op(Op::bitcast, ir::kI32.vector(2), {component});
    for (unsigned half = 0; half < 2; ++half) {
      operands.back() = insert.op(Op::extract, ir::kI32, {pair}, half);
      insert.op(Op::store, ir::kVoid, operands, piece_access(access, 2 * i + half).pack());
    }
  }
  function.unlink(value);
}

using Split = void (*)(Inserter&, Value);

/// How the access is split, or null.
Split split_of(const ir::Function& function, Value value) {
  const ir::Inst& inst = function.inst(value);
  if (inst.op != Op::load && inst.op != Op::store) return nullptr;
  const bool load = inst.op == Op::load;
  const ir::Type type = load ? inst.type : function.type(function.operands(value).back());
  const MemoryAccess access = function.access(value);
  if (is_moved_in_halves(access.storage, access.align_log2, type)) {
    return load ? split_load_in_halves : split_store_in_halves;
  }
  if (!type.is_vector() || piece_components(access, type, 0) >= type.components) return nullptr;
  return load ? split_load : split_store;
}

}  // namespace

bool split_memory(ir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Inserter insert(function, context.scratch);
  bool changed = false;
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      const Split split = split_of(function, value);
      if (split == nullptr) continue;
      changed = true;
      split(insert, value);
    }
  }
  insert.finish();
  return changed;
}

}  // namespace spalt::lower
