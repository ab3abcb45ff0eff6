// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/isa/inst.h"
#include "amdgpu/isa/target.h"

namespace spalt::select {

/// How far an ordering or an access reaches, by the caches that lie between: the lanes of one wave share all, those of
/// a workgroup all but the first level when it may spread over two compute units.
enum class Reach : uint8_t { wave, workgroup, device };

/// An access to buffers or images as the memory model sees it.
struct AccessKind {
  Reach reach = Reach::wave;  ///< beyond `wave` for atomics and for what must be visible to, or available from, others
  bool is_volatile = false;
  bool non_temporal = false;
};

/// What a fence does, in this order: wait for what was issued before, then drop the caches that the others do not
/// share.
struct Fence {
  bool waits_loads = false;   ///< vector loads and atomics that return
  bool waits_stores = false;  ///< vector stores and atomics that do not
  bool waits_shared = false;  ///< LDS
  std::array<isa::Opcode, 2> invalidates{isa::Opcode::invalid, isa::Opcode::invalid};
  uint8_t invalidate_scope = 0;  ///< Modifiers::scope of these
};

/// Which storage a fence orders.
struct FenceStorage {
  bool buffers = false;  ///< and images
  bool shared = false;
};

/// The memory model of a processor: the code sequences of docs/abi/amdgpu.md (LLVM AMDGPU usage guide, "Memory
/// Model") as data. One row per memory system; see memory_model.cpp.
class MemoryModel {
 public:
  /// `wgp_mode`: the workgroup may run on both compute units of a work-group processor.
  MemoryModel(const isa::Target& target, bool wgp_mode);

  void set_load_bits(isa::Modifiers& mods, const AccessKind& access) const;
  void set_store_bits(isa::Modifiers& mods, const AccessKind& access) const;
  /// Also says how the instruction returns the old value.
  void set_atomic_bits(isa::Modifiers& mods, const AccessKind& access, bool returns) const;

  /// Everything before has happened for the others within reach.
  Fence release(Reach reach, FenceStorage storage) const;
  /// What follows sees what the others within reach released. The caller adds the waits for what was before.
  Fence invalidate(Reach reach, FenceStorage storage) const;
  /// The whole acquire fence.
  Fence acquire(Reach reach, FenceStorage storage) const;

 private:
  bool crosses_caches(Reach reach) const;

  const struct MemoryModelRow& row_;
  bool wgp_mode_;
};

}  // namespace spalt::select
