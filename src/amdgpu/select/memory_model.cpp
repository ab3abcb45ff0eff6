// SPDX-License-Identifier: MIT
#include "amdgpu/select/memory_model.h"

#include <algorithm>

namespace spalt::select {

using isa::Opcode;

namespace {

/// Cache-policy bits of an instruction; a generation has some of them.
struct CacheBits {
  bool glc = false, slc = false, dlc = false;
  uint8_t th = 0, scope = 0;
};

// Values of the GFX12 fields (docs/abi/amdgpu.md#memory-model-of-gfx12; LLVM AMDGPU usage guide, "Memory Model GFX12").
constexpr uint8_t kScopeShaderEngine = 1, kScopeDevice = 2, kScopeSystem = 3;
constexpr uint8_t kHintNonTemporal = 1, kHintReturn = 1;

constexpr CacheBits kPlain{};
constexpr CacheBits scoped(uint8_t scope) {
  return {false, false, false, 0, scope};
}

}  // namespace

/// One memory system. Bits of several columns add up.
struct MemoryModelRow {
  CacheBits load_workgroup, load_device, load_volatile, load_non_temporal;
  CacheBits store_workgroup, store_device, store_volatile, store_non_temporal;
  CacheBits atomic_workgroup, atomic_device;
  std::array<Opcode, 2> invalidate_workgroup, invalidate_device;
  uint8_t invalidate_workgroup_scope, invalidate_device_scope;
  CacheBits returns;  ///< what makes an atomic return the old value
};

namespace {

constexpr CacheBits kGlc{true, false, false, 0, 0}, kGlcSlc{true, true, false, 0, 0}, kGlcDlc{true, false, true, 0, 0},
    kSlc{false, true, false, 0, 0}, kSlcDlc{false, true, true, 0, 0}, kDlc{false, false, true, 0, 0},
    kAll{true, true, true, 0, 0}, kStreaming{false, false, false, kHintNonTemporal, 0},
    kHintReturns{false, false, false, kHintReturn, 0};
constexpr std::array<Opcode, 2> kNothing{Opcode::invalid, Opcode::invalid};

/// By isa::MemorySystem. The L1 of GFX9 serves a whole compute unit, and with it a workgroup. On GFX10 dlc goes with
/// loads that pass the GL0; on GFX11 it keeps data out of the memory-side cache.
constexpr MemoryModelRow kRows[] = {
    // one L1 per compute unit: GFX9 (docs/abi/amdgpu.md#memory-model-of-gfx9)
    {kPlain,
     kGlc,
     kGlc,
     kGlcSlc,
     kPlain,
     kPlain,
     kPlain,
     kGlcSlc,
     kPlain,
     kPlain,
     kNothing,
     {Opcode::buffer_wbinvl1_vol, Opcode::invalid},
     0,
     0,
     kGlc},
    // GL0 and GL1: GFX10 (8.4)
    {kGlc,
     kGlcDlc,
     kGlcDlc,
     kSlc,
     kPlain,
     kPlain,
     kPlain,
     kGlcSlc,
     kPlain,
     kPlain,
     {Opcode::buffer_gl0_inv, Opcode::invalid},
     {Opcode::buffer_gl1_inv, Opcode::buffer_gl0_inv},
     0,
     0,
     kGlc},
    // GL0 and GL1: GFX11 (8.4)
    {kGlc,
     kGlc,
     kGlcDlc,
     kSlcDlc,
     kPlain,
     kPlain,
     kDlc,
     kAll,
     kPlain,
     kPlain,
     {Opcode::buffer_gl0_inv, Opcode::invalid},
     {Opcode::buffer_gl1_inv, Opcode::buffer_gl0_inv},
     0,
     0,
     kGlc},
    // scopes in the instruction: GFX12 (8.5)
    {scoped(kScopeShaderEngine),
     scoped(kScopeDevice),
     scoped(kScopeSystem),
     kStreaming,
     scoped(kScopeShaderEngine),
     scoped(kScopeDevice),
     scoped(kScopeSystem),
     kStreaming,
     scoped(kScopeShaderEngine),
     scoped(kScopeDevice),
     {Opcode::global_inv, Opcode::invalid},
     {Opcode::global_inv, Opcode::invalid},
     kScopeShaderEngine,
     kScopeDevice,
     kHintReturns},
};

void add(isa::Modifiers& mods, const CacheBits& bits) {
  mods.glc |= bits.glc;
  mods.slc |= bits.slc;
  mods.dlc |= bits.dlc;
  mods.th |= bits.th;
  mods.scope = std::max(mods.scope, bits.scope);
}

}  // namespace

MemoryModel::MemoryModel(const isa::Target& target, bool wgp_mode)
    : row_(kRows[static_cast<unsigned>(target.memory_system)]), wgp_mode_(wgp_mode) {}

/// In CU mode the waves of a workgroup share every cache.
bool MemoryModel::crosses_caches(Reach reach) const {
  return reach == Reach::device || (reach == Reach::workgroup && wgp_mode_);
}

void MemoryModel::set_load_bits(isa::Modifiers& mods, const AccessKind& access) const {
  if (crosses_caches(access.reach)) add(mods, access.reach == Reach::device ? row_.load_device : row_.load_workgroup);
  if (access.is_volatile) add(mods, row_.load_volatile);
  if (access.non_temporal) add(mods, row_.load_non_temporal);
}

void MemoryModel::set_store_bits(isa::Modifiers& mods, const AccessKind& access) const {
  if (crosses_caches(access.reach)) add(mods, access.reach == Reach::device ? row_.store_device : row_.store_workgroup);
  if (access.is_volatile) add(mods, row_.store_volatile);
  if (access.non_temporal) add(mods, row_.store_non_temporal);
}

void MemoryModel::set_atomic_bits(isa::Modifiers& mods, const AccessKind& access, bool returns) const {
  if (crosses_caches(access.reach)) {
    add(mods, access.reach == Reach::device ? row_.atomic_device : row_.atomic_workgroup);
  }
  if (returns) add(mods, row_.returns);
}

/// At workgroup reach in CU mode the tables ask for no wait on buffers, since all waves take the same caches in the
/// same order. The waits are kept, so that others can pass on what this wave stored (docs/isa-errata.md,
/// "cu-mode-waits").
Fence MemoryModel::release(Reach reach, FenceStorage storage) const {
  Fence fence;
  if (reach == Reach::wave) return fence;
  fence.waits_loads = fence.waits_stores = storage.buffers;
  fence.waits_shared = storage.shared;
  return fence;
}

Fence MemoryModel::invalidate(Reach reach, FenceStorage storage) const {
  Fence fence;
  if (!storage.buffers || !crosses_caches(reach)) return fence;
  const bool device = reach == Reach::device;
  fence.invalidates = device ? row_.invalidate_device : row_.invalidate_workgroup;
  fence.invalidate_scope = device ? row_.invalidate_device_scope : row_.invalidate_workgroup_scope;
  return fence;
}

Fence MemoryModel::acquire(Reach reach, FenceStorage storage) const {
  Fence fence = invalidate(reach, storage);
  const Fence waits = release(reach, storage);
  fence.waits_loads = waits.waits_loads;
  fence.waits_stores = waits.waits_stores;
  fence.waits_shared = waits.waits_shared;
  return fence;
}

}  // namespace spalt::select
