// SPDX-License-Identifier: MIT
// Memory model and barriers: the sequences of MemoryModel as instructions.
#include "amdgpu/select/selector.h"

namespace spalt::select {
namespace {

FenceStorage fence_storage(uint32_t storage_bits) {
  return {(storage_bits & (ir::kBufferBit | ir::kImageBit)) != 0, (storage_bits & ir::kSharedBit) != 0};
}

}  // namespace

Reach Selector::reach(ir::Scope scope) {
  if (scope == ir::Scope::workgroup) return Reach::workgroup;
  return scope > ir::Scope::workgroup ? Reach::device : Reach::wave;
}

void Selector::emit_fence(const Fence& fence) {
  int32_t waits = 0;
  if (fence.waits_loads) waits |= mir::kWaitVmLoad;
  if (fence.waits_stores) waits |= mir::kWaitVmStore;
  if (fence.waits_shared) waits |= mir::kWaitLgkm;
  if (waits != 0) {
    mir::Inst& wait = emit(M::p_wait, {}, {});
    wait.simm16 = waits;
    wait.memory = mir::kOrdersMemory;
  }
  for (isa::Opcode opcode : fence.invalidates) {
    if (opcode == isa::Opcode::invalid) continue;
    mir::Inst& invalidate = emit(mir::from_isa(opcode), {}, {});
    isa::Modifiers mods;
    mods.scope = fence.invalidate_scope;
    out_.set_modifiers(invalidate, mods);
    invalidate.memory = mir::kOrdersMemory;
  }
}

/// Among the lanes of a wave no code is needed, but what one lane stores another may load: accesses to this storage
/// stay on their side. A wait for nothing says so.
void Selector::emit_order(const FenceStorage& storage) {
  mir::Inst& order = emit(M::p_wait, {}, {});
  if (storage.buffers) order.memory |= mir::kReadsBuffer | mir::kWritesBuffer;
  if (storage.shared) order.memory |= mir::kReadsShared | mir::kWritesShared;
}

/// All waves of the workgroup meet. Where the barrier is split in two, the number -1 names that of the workgroup
/// (RDNA 4 ISA guide, S_BARRIER_SIGNAL).
void Selector::emit_control_barrier() {
  if (exists(M::s_barrier)) {
    emit(M::s_barrier, {}, {}).memory = mir::kOrdersMemory;
    return;
  }
  constexpr int32_t kWorkgroupBarrier = -1;
  emit(M::s_barrier_signal, {}, {Operand::immediate(static_cast<uint32_t>(kWorkgroupBarrier))}).memory =
      mir::kOrdersMemory;
  mir::Inst& wait = emit(M::s_barrier_wait, {}, {});
  wait.simm16 = kWorkgroupBarrier;
  wait.memory = mir::kOrdersMemory;
}

/// A workgroup of one wave is always together, and one wave's accesses to the same address stay in order if those of
/// the code do.
void Selector::select_barrier(Value value) {
  const ir::MemoryAccess access = function_.access(value);
  // Invocations of graphics stages have no workgroup beyond their wave, but for what lowering makes of a primitive
  // shader.
  const auto* compute = std::get_if<ir::ComputeFacts>(&module_.shader);
  const auto* vertex = std::get_if<ir::VertexFacts>(&module_.shader);
  const bool has_group = vertex != nullptr && vertex->all_lanes && inst(value).op == Op::control_barrier;
  const bool one_wave = compute != nullptr ? compute->invocations() <= config_.wave_size : !has_group;
  const bool alone = one_wave && access.scope <= ir::Scope::workgroup;
  const FenceStorage storage = fence_storage(access.offset);
  const bool orders = access.order > ir::MemoryOrder::relaxed;
  if (orders && (alone || reach(access.scope) == Reach::wave)) emit_order(storage);
  if (alone) return;
  if (inst(value).op == Op::memory_barrier) {
    if (!orders) return;
    const bool only_release = access.order == ir::MemoryOrder::release;
    const Reach how_far = reach(access.scope);
    return emit_fence(only_release ? memory_model_.release(how_far, storage) : memory_model_.acquire(how_far, storage));
  }
  if (orders) emit_fence(memory_model_.release(reach(access.scope), storage));
  if (!one_wave) emit_control_barrier();
  // The wait before the barrier was for this too; only the caches are left.
  if (orders && access.order != ir::MemoryOrder::release) {
    emit_fence(memory_model_.invalidate(reach(access.scope), storage));
  }
}

}  // namespace spalt::select
