// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "emu/memory/lane_access.h"
#include "emu/wave/wave.h"

namespace spalt::emu {

/// What an instruction wants from memory, as a fault describes it.
struct Access {
  AccessKind kind = AccessKind::none;
  uint64_t address = 0;
  uint64_t bytes = 0;
  int lane = Fault::kNoLane;
};

constexpr AccessKind access_kind(TransferKind kind) {
  switch (kind) {
    case TransferKind::load:
      return AccessKind::load;
    case TransferKind::store:
      return AccessKind::store;
    case TransferKind::atomic:
      break;
  }
  return AccessKind::atomic;
}

/// A fault for an access that `at`, the mapping it lies in, does not allow; nullptr: it lies in none.
void fault_on_refusal(Wave& wave, const Access& access, const Mapping* at);
/// The resident mapping that the wave may make the access to, or nullptr after a fault. Does not look at alignment.
inline const Mapping* find_mapping(Wave& wave, const Access& access) {
  const Mapping* at = wave.group().memory->find(access.address, access.bytes, wave.mapping_hint);
  if (at != nullptr && at->is_resident() && (at->writable || access.kind == AccessKind::load)) return at;
  fault_on_refusal(wave, access, at);
  return nullptr;
}
/// A fault that is about a place in memory.
void fault_on_access(Wave& wave, FaultKind kind, const Access& access, const char* violation);
/// An access to LDS bytes from `access.address` on that the workgroup does not have.
void fault_outside_lds(Wave& wave, const Access& access);

}  // namespace spalt::emu
