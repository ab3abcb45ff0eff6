// SPDX-License-Identifier: MIT
// Atomics on buffers, global and workgroup memory. Those whose old value nobody reads return nothing, which is cheaper.
#include "amdgpu/select/selector.h"
#include "base/ice.h"

namespace spalt::select {
namespace {

struct AtomicOpcodes {
  M buffer, global, shared, shared_returning;
};

AtomicOpcodes word_opcodes(Op op) {
  switch (op) {
    case Op::atomic_exchange:
      // LDS has no exchange without return.
      return {M::buffer_atomic_swap, M::global_atomic_swap, M::ds_wrxchg_rtn_b32, M::ds_wrxchg_rtn_b32};
    case Op::atomic_compare_exchange:
      return {M::buffer_atomic_cmpswap, M::global_atomic_cmpswap, M::ds_cmpst_b32, M::ds_cmpst_rtn_b32};
    case Op::atomic_add:
      return {M::buffer_atomic_add, M::global_atomic_add, M::ds_add_u32, M::ds_add_rtn_u32};
    case Op::atomic_sub:
      return {M::buffer_atomic_sub, M::global_atomic_sub, M::ds_sub_u32, M::ds_sub_rtn_u32};
    case Op::atomic_smin:
      return {M::buffer_atomic_smin, M::global_atomic_smin, M::ds_min_i32, M::ds_min_rtn_i32};
    case Op::atomic_smax:
      return {M::buffer_atomic_smax, M::global_atomic_smax, M::ds_max_i32, M::ds_max_rtn_i32};
    case Op::atomic_umin:
      return {M::buffer_atomic_umin, M::global_atomic_umin, M::ds_min_u32, M::ds_min_rtn_u32};
    case Op::atomic_umax:
      return {M::buffer_atomic_umax, M::global_atomic_umax, M::ds_max_u32, M::ds_max_rtn_u32};
    case Op::atomic_and:
      return {M::buffer_atomic_and, M::global_atomic_and, M::ds_and_b32, M::ds_and_rtn_b32};
    case Op::atomic_or:
      return {M::buffer_atomic_or, M::global_atomic_or, M::ds_or_b32, M::ds_or_rtn_b32};
    case Op::atomic_xor:
      return {M::buffer_atomic_xor, M::global_atomic_xor, M::ds_xor_b32, M::ds_xor_rtn_b32};
    // lower_float_atomics has left those that the target has.
    case Op::atomic_fadd:
      return {M::buffer_atomic_add_f32, M::global_atomic_add_f32, M::ds_add_f32, M::ds_add_rtn_f32};
    case Op::atomic_fmin:
      return {M::buffer_atomic_fmin, M::global_atomic_fmin, M::ds_min_f32, M::ds_min_rtn_f32};
    case Op::atomic_fmax:
      return {M::buffer_atomic_fmax, M::global_atomic_fmax, M::ds_max_f32, M::ds_max_rtn_f32};
    default:
      SPALT_ICE("not an atomic operation");
  }
}

AtomicOpcodes wide_opcodes(Op op) {
  switch (op) {
    case Op::atomic_exchange:
      return {M::buffer_atomic_swap_x2, M::global_atomic_swap_x2, M::ds_wrxchg_rtn_b64, M::ds_wrxchg_rtn_b64};
    case Op::atomic_compare_exchange:
      return {M::buffer_atomic_cmpswap_x2, M::global_atomic_cmpswap_x2, M::ds_cmpst_b64, M::ds_cmpst_rtn_b64};
    case Op::atomic_add:
      return {M::buffer_atomic_add_x2, M::global_atomic_add_x2, M::ds_add_u64, M::ds_add_rtn_u64};
    case Op::atomic_sub:
      return {M::buffer_atomic_sub_x2, M::global_atomic_sub_x2, M::ds_sub_u64, M::ds_sub_rtn_u64};
    case Op::atomic_smin:
      return {M::buffer_atomic_smin_x2, M::global_atomic_smin_x2, M::ds_min_i64, M::ds_min_rtn_i64};
    case Op::atomic_smax:
      return {M::buffer_atomic_smax_x2, M::global_atomic_smax_x2, M::ds_max_i64, M::ds_max_rtn_i64};
    case Op::atomic_umin:
      return {M::buffer_atomic_umin_x2, M::global_atomic_umin_x2, M::ds_min_u64, M::ds_min_rtn_u64};
    case Op::atomic_umax:
      return {M::buffer_atomic_umax_x2, M::global_atomic_umax_x2, M::ds_max_u64, M::ds_max_rtn_u64};
    case Op::atomic_and:
      return {M::buffer_atomic_and_x2, M::global_atomic_and_x2, M::ds_and_b64, M::ds_and_rtn_b64};
    case Op::atomic_or:
      return {M::buffer_atomic_or_x2, M::global_atomic_or_x2, M::ds_or_b64, M::ds_or_rtn_b64};
    case Op::atomic_xor:
      return {M::buffer_atomic_xor_x2, M::global_atomic_xor_x2, M::ds_xor_b64, M::ds_xor_rtn_b64};
    // As above; no target has sums.
    case Op::atomic_fmin:
      return {M::buffer_atomic_fmin_x2, M::global_atomic_fmin_x2, M::ds_min_f64, M::ds_min_rtn_f64};
    case Op::atomic_fmax:
      return {M::buffer_atomic_fmax_x2, M::global_atomic_fmax_x2, M::ds_max_f64, M::ds_max_rtn_f64};
    default:
      SPALT_ICE("not an atomic operation");
  }
}

AtomicOpcodes atomic_opcodes(Op op, ir::Type type) {
  return type.bits() == 64 ? wide_opcodes(op) : word_opcodes(op);
}

}  // namespace

void Selector::select_atomic(Value value) {
  if (function_.access(value).storage == ir::StorageClass::shared) return select_shared_atomic(value);
  if (function_.access(value).storage == ir::StorageClass::global) {
    return select_global_atomic(value, atomic_opcodes(inst(value).op, function_.type(value)).global);
  }
  select_buffer_atomic(value);
}

/// The data of an atomic on buffers or global memory.
Operand Selector::atomic_data(Value value) {
  const Operand data = vector(input(value, 2));
  if (inst(value).op != Op::atomic_compare_exchange) return data;
  const unsigned size = dwords(value);
  const Operand comparator = size == 1 ? source(input(value, 3)) : vector(input(value, 3));
  const Operand both = temp(mir::vgpr_class(2 * size));
  emit(M::p_vec, {both}, {data, comparator});
  return both;
}

/// An access with an order stands between the fences of the memory that it orders. A sequentially consistent load waits
/// for what was before like a release, a store ends there. Workgroup memory alone needs no waits: all waves see all
/// accesses to it in one order, in which those of one wave are as issued (LLVM AMDGPU usage guide, "Memory Model").
void Selector::select_ordered(Value value, void (Selector::*access_itself)(Value)) {
  const ir::MemoryAccess access = function_.access(value);
  const bool load = inst(value).op == Op::load || inst(value).op == Op::image_load;
  const bool store = inst(value).op == Op::store || inst(value).op == Op::image_store;
  const bool buffer = access.storage != ir::StorageClass::shared;
  const bool releases = load ? access.order == ir::MemoryOrder::seq_cst : access.order >= ir::MemoryOrder::release;
  const bool acquires =
      !store && (access.order == ir::MemoryOrder::acquire || access.order >= ir::MemoryOrder::acq_rel);
  const bool all = access.order == ir::MemoryOrder::seq_cst || (access.flags & ir::kOrdersAll) != 0;
  const FenceStorage ordered{all || buffer, all};
  const bool returns = load || locations_[value.index].wanted();
  if (releases) emit_fence(memory_model_.release(reach(access.scope), ordered));
  (this->*access_itself)(value);
  if (!acquires) return;
  // Only the access itself has to be complete; what came before it may go on.
  Fence fence = memory_model_.acquire(reach(access.scope), ordered);
  fence.waits_loads = buffer && fence.waits_loads && returns;
  fence.waits_stores = buffer && fence.waits_stores && !returns;
  fence.waits_shared = !buffer && fence.waits_shared;
  emit_fence(fence);
}

/// The data register of a returning buffer atomic is also its result. Compare-and-swap takes (new value, comparator)
/// and returns the old value in the first of the two.
void Selector::select_buffer_atomic(Value value) {
  const ir::MemoryAccess access = function_.access(value);
  const bool returns = locations_[value.index].wanted();
  const bool compares = inst(value).op == Op::atomic_compare_exchange;
  const unsigned size = dwords(value);
  Operand data = atomic_data(value);
  const Operand resource = descriptor(input(value, 0));
  const BufferAddress address = buffer_address(input(value, 1), access.offset, largest_buffer_offset());
  Operand old;
  if (returns) old = compares ? temp(mir::vgpr_class(2 * size)) : define(value);
  data.tied = returns;
  const std::span<const Operand> defs(&old, returns ? 1 : 0);
  const Operand uses[] = {data, address.vaddr, resource, no_scalar_offset()};
  mir::Inst& atomic = emit(atomic_opcodes(inst(value).op, function_.type(value)).buffer, defs, uses);
  isa::Modifiers mods = buffer_modifiers(address);
  memory_model_.set_atomic_bits(mods, access_kind(access), returns);
  out_.set_modifiers(atomic, mods);
  atomic.memory = mir::kReadsBuffer | mir::kWritesBuffer;
  mark_ordered(access, atomic);
  if (returns && compares) emit(M::p_split, {define(value), temp(mir::vgpr_class(size))}, {old});
}

void Selector::select_shared_atomic(Value value) {
  const ir::MemoryAccess access = function_.access(value);
  const ir::Type type = function_.type(value);
  AtomicOpcodes opcodes = atomic_opcodes(inst(value).op, type);
  const bool returns = locations_[value.index].wanted() || opcodes.shared == opcodes.shared_returning;
  const Operand data = vector(input(value, 1));
  SmallVector<Operand, 3> uses;
  uint32_t immediate = 0;
  uses.push_back(shared_address(input(value, 0), access.offset, immediate));
  if (inst(value).op == Op::atomic_compare_exchange) {
    // Newer targets have an opcode with the two data operands in the other order.
    const Operand comparator = vector(input(value, 2));
    const bool data_first = !exists(opcodes.shared);
    if (data_first && type.bits() == 64) {
      opcodes = {opcodes.buffer, opcodes.global, M::ds_cmpstore_b64, M::ds_cmpstore_rtn_b64};
    } else if (data_first) {
      opcodes = {opcodes.buffer, opcodes.global, M::ds_cmpstore_b32, M::ds_cmpstore_rtn_b32};
    }
    uses.push_back(data_first ? data : comparator);
    uses.push_back(data_first ? comparator : data);
  } else {
    uses.push_back(data);
  }
  const Operand old = returns ? define(value) : Operand();
  const std::span<const Operand> defs(&old, returns ? 1 : 0);
  mir::Inst& atomic = emit(returns ? opcodes.shared_returning : opcodes.shared, defs, uses.span());
  out_.set_offset(atomic, static_cast<int32_t>(immediate));
  atomic.memory = mir::kReadsShared | mir::kWritesShared;
  mark_ordered(access, atomic);
}

}  // namespace spalt::select
