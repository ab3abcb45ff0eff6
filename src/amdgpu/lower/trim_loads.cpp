// SPDX-License-Identifier: MIT
#include "amdgpu/lower/trim_loads.h"

#include <algorithm>
#include <bit>

#include "amdgpu/lower/inserter.h"

namespace spalt::lower {

using ir::MemoryAccess;
using ir::Op;
using ir::StorageClass;
using ir::Value;

namespace {

bool may_trim(const ir::Function& function, Value value) {
  const ir::Inst& inst = function.inst(value);
  if (inst.op != Op::load || !inst.type.is_vector()) return false;
  const MemoryAccess access = function.access(value);
  const bool fits = access.storage == StorageClass::storage || access.storage == StorageClass::shared;
  return fits && (access.flags & ir::kVolatile) == 0 && access.order == ir::MemoryOrder::none;
}

Vector<Value> find_loads(const ir::Function& function, Arena& scratch) {
  Vector<Value> loads(scratch);
  for (ir::BlockId block : function.layout()) {
    for (Value value : ir::insts(function, block)) {
      if (may_trim(function, value)) loads.push_back(value);
    }
  }
  return loads;
}

class Trimmer {
 public:
  Trimmer(ir::Function& function, Arena& scratch)
      : function_(function), insert_(function, scratch), read_(scratch, function.value_capacity(), 0u) {}

  bool run(const Vector<Value>& loads) {
    find_components();
    bool changed = false;
    for (Value load : loads) changed |= trim(load);
    insert_.finish();
    return changed;
  }

 private:
  /// Which are read, by value: bits.
  void find_components() {
    for (ir::BlockId block : function_.layout()) {
      for (Value value : ir::insts(function_, block)) {
        const ir::Inst& inst = function_.inst(value);
        const uint32_t bits = inst.op == Op::extract ? 1u << inst.imm : ~0u;
        for (Value operand : function_.operands(value)) read_[operand.index] |= bits;
      }
    }
  }

  bool trim(Value load) {
    const ir::Inst inst = function_.inst(load);
    MemoryAccess access = function_.access(load);
    const uint32_t all = (1u << inst.type.components) - 1, read = read_[load.index] & all;
    // Workgroup memory is read in wide pieces where it is aligned.
    const auto first = access.storage == StorageClass::shared ? 0u : static_cast<unsigned>(std::countr_zero(read));
    const auto end = static_cast<unsigned>(std::bit_width(read));
    if (read == 0 || (first == 0 && end == inst.type.components)) return false;
    const unsigned skipped = first * inst.type.scalar_bits() / 8;
    if (skipped != 0) {
      access.align_log2 = std::min<uint8_t>(access.align_log2, static_cast<uint8_t>(std::countr_zero(skipped)));
    }
    access.offset += skipped;
    insert_.before(load, inst.flags);
    const SmallVector<Value, 2> operands(std::span<const Value>(function_.operands(load)));
    const ir::Type type = end - first == 1 ? inst.type.element() : inst.type.vector(end - first);
    const Value trimmed = insert_.op(Op::load, type, operands, access.pack());
    SmallVector<Value, 16> components;
    for (unsigned i = 0; i < inst.type.components; ++i) {
      if (i < first || i >= end) {
        components.push_back(function_.constant(inst.type.element(), 0));
      } else {
        const bool whole = !type.is_vector();
        components.push_back(whole ? trimmed : insert_.op(Op::extract, inst.type.element(), {trimmed}, i - first));
      }
    }
    insert_.replace(load, insert_.op(Op::vec, inst.type, components));
    return true;
  }

  ir::Function& function_;
  Inserter insert_;
  Vector<uint32_t> read_;
};

}  // namespace

bool trim_loads(ir::Function& function, CompileContext& context) {
  // Components are read by extracting them.
  if (!function.operations().has(Op::load) || !function.operations().has(Op::extract)) return false;
  const ArenaScope scope(context.scratch);
  const Vector<Value> loads = find_loads(function, context.scratch);
  return !loads.empty() && Trimmer(function, context.scratch).run(loads);
}

}  // namespace spalt::lower
