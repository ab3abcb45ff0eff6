// SPDX-License-Identifier: MIT
// Memory model and barriers: the fence sequences of amdgpu_abi.md 8.4.
#include "amdgpu/select/selector.h"

namespace spalt::select {
namespace {

bool reaches_other_waves(ir::Scope scope) {
  return scope >= ir::Scope::workgroup;
}

}  // namespace

/// Everything before is visible at the scope. In CU mode the waves of a workgroup share all caches, so that the table
/// asks for no wait on buffers at workgroup scope; the waits are kept, since they only cost where such accesses are
/// outstanding and then make the order independent of the mode.
void Selector::release(const ir::MemoryAccess& access, uint32_t storage_bits) {
  if (!reaches_other_waves(access.scope)) return;
  int32_t waits = 0;
  if ((storage_bits & (ir::kBufferBit | ir::kImageBit)) != 0) waits |= mir::kWaitVmLoad | mir::kWaitVmStore;
  if ((storage_bits & ir::kSharedBit) != 0) waits |= mir::kWaitLgkm;
  if (waits == 0) return;
  mir::Inst& wait = emit(M::p_wait, {}, {});
  wait.simm16 = waits;
  wait.memory = mir::kOrdersMemory;
}

/// Nothing behind reads stale data: waits for what came before, then drops the caches below the scope.
void Selector::acquire(const ir::MemoryAccess& access, uint32_t storage_bits) {
  if (!reaches_other_waves(access.scope)) return;
  release(access, storage_bits);
  if ((storage_bits & (ir::kBufferBit | ir::kImageBit)) == 0) return;
  const bool beyond_workgroup = access.scope > ir::Scope::workgroup;
  if (beyond_workgroup) emit(M::buffer_gl1_inv, {}, {}).memory = mir::kOrdersMemory;
  if (beyond_workgroup || config_.wgp_mode) emit(M::buffer_gl0_inv, {}, {}).memory = mir::kOrdersMemory;
}

/// A workgroup of one wave is always together, and one wave's accesses to the same address stay in order.
void Selector::select_barrier(Value value) {
  const ir::MemoryAccess access = function_.access(value);
  const std::array<uint32_t, 3>& size = module_.workgroup_size;
  const bool one_wave = static_cast<uint64_t>(size[0]) * size[1] * size[2] <= config_.wave_size;
  if (one_wave && access.scope <= ir::Scope::workgroup) return;
  const uint32_t storage_bits = access.offset;
  const bool orders = access.order > ir::MemoryOrder::relaxed;
  if (inst(value).op == Op::memory_barrier) {
    if (!orders) return;
    const bool only_release = access.order == ir::MemoryOrder::release;
    return only_release ? release(access, storage_bits) : acquire(access, storage_bits);
  }
  if (orders) release(access, storage_bits);
  if (!one_wave) emit(M::s_barrier, {}, {}).memory = mir::kOrdersMemory;
  if (!orders || access.order == ir::MemoryOrder::release) return;
  // The wait in front of the barrier was for this too; only the caches are left.
  if ((storage_bits & (ir::kBufferBit | ir::kImageBit)) == 0) return;
  if (access.scope > ir::Scope::workgroup) emit(M::buffer_gl1_inv, {}, {}).memory = mir::kOrdersMemory;
  if (access.scope > ir::Scope::workgroup || config_.wgp_mode) {
    emit(M::buffer_gl0_inv, {}, {}).memory = mir::kOrdersMemory;
  }
}

}  // namespace spalt::select
