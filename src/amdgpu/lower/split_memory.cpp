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
    const unsigned size = piece_dwords(access.storage, align_of(access, at), count - at);
    const ir::Type type = inst.type.vector(size);
    const Value piece = insert.op(Op::load, type, operands, piece_access(access, at).pack());
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
    const unsigned size = piece_dwords(access.storage, align_of(access, at), type.components - at);
    SmallVector<Value, 4> components;
    for (unsigned i = 0; i < size; ++i) {
      components.push_back(insert.op(Op::extract, type.element(), {data}, at + i));
    }
    operands.back() = size == 1 ? components[0] : insert.op(Op::vec, type.vector(size), components);
    insert.op(Op::store, ir::kVoid, operands, piece_access(access, at).pack());
    at += size;
  }
  function.unlink(value);
}

bool needs_split(const ir::Function& function, Value value) {
  const ir::Inst& inst = function.inst(value);
  if (inst.op != Op::load && inst.op != Op::store) return false;
  const ir::Type type = inst.op == Op::load ? inst.type : function.type(function.operands(value).back());
  const MemoryAccess access = function.access(value);
  return type.is_vector() && piece_dwords(access.storage, access.align_log2, type.components) < type.components;
}

}  // namespace

bool split_memory(ir::Function& function, CompileContext& context) {
  const ArenaScope scope(context.scratch);
  Inserter insert(function, context.scratch);
  bool changed = false;
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (!needs_split(function, value)) continue;
      changed = true;
      if (function.inst(value).op == Op::load) {
        split_load(insert, value);
      } else {
        split_store(insert, value);
      }
    }
  }
  insert.finish();
  return changed;
}

}  // namespace spalt::lower
