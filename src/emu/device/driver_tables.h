// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "amdgpu/object/stage_object.h"
#include "emu/memory/address_space.h"
#include "emu/memory/descriptor.h"

namespace spalt::emu {

/// Where what a PAL driver keeps in memory for compute programs lies (docs/abi/pal.md, "User-data codes"): at fixed
/// addresses for the whole life of a device.
class TableAddresses {
 public:
  TableAddresses() = default;
  TableAddresses(const TableAddresses&) = delete;
  TableAddresses& operator=(const TableAddresses&) = delete;
  ~TableAddresses();

  /// Keeps the addresses from other uses. `address` 0: anywhere in the default window.
  Result<void> reserve(std::shared_ptr<AddressSpace> space, uint64_t address);

  uint64_t global_table() const { return base_; }
  uint64_t spill_table() const { return base_ + kDistance; }
  uint64_t grid_dimensions() const { return base_ + 2 * kDistance; }

 private:
  static constexpr uint64_t kDistance = 0x10000;

  std::shared_ptr<AddressSpace> space_;
  uint64_t base_ = 0;
};

/// Slots of the global table (PAL pipeline ABI, 3.8).
constexpr unsigned kGraphicsScratchSlot = 0, kComputeScratchSlot = 1, kAttributeRingSlot = 11;
/// Scratch memory as the driver describes it: for wave64; wave32 code clears a bit of the index stride
/// (docs/abi/pal.md, "Scratch").
BufferDescriptor scratch_descriptor(uint64_t base, uint64_t bytes);

/// What lies there for one dispatch: the global table with the scratch descriptor, the spill table with all user-data
/// entries, and the grid dimensions. Dispatches that run at the same time each see their own.
class DriverTables {
 public:
  /// A slot of the global table; no descriptor: what is not there.
  void set_slot(unsigned slot, const BufferDescriptor* descriptor, const isa::Target& target);
  /// At least `least` entries; those that are not given are 0.
  void set_user_data(std::span<const uint32_t> entries, size_t least);
  void set_grid(const std::array<uint32_t, 3>& group_count) { grid_ = group_count; }
  /// Adds read-only mappings of what was set last, which must outlive the memory.
  Result<void> add_to(Memory& memory, const TableAddresses& addresses);

 private:
  static constexpr unsigned kSlots = 17;
  static constexpr size_t kGlobalTableDwords = kSlots * 4;

  std::array<uint32_t, kGlobalTableDwords> global_{};
  std::array<uint32_t, object::kUserDataEntryLimit> spill_{};
  size_t spill_entries_ = 0;
  std::array<uint32_t, 3> grid_{};
};

}  // namespace spalt::emu
