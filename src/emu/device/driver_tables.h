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

/// What a PAL driver keeps in memory for compute programs (docs/abi/pal.md, "User-data codes"): the global table with
/// the scratch descriptor, the spill table with all user-data entries, and the grid dimensions. They lie at fixed
/// addresses for the whole life of a device; each dispatch fills them and adds them to its own memory.
class DriverTables {
 public:
  DriverTables() = default;
  DriverTables(const DriverTables&) = delete;
  DriverTables& operator=(const DriverTables&) = delete;
  ~DriverTables();

  /// Keeps the addresses from other uses. `address` 0: anywhere in the default window.
  Result<void> reserve(std::shared_ptr<AddressSpace> space, uint64_t address);

  uint64_t global_table() const { return base_; }
  uint64_t spill_table() const { return base_ + kDistance; }
  uint64_t grid_dimensions() const { return base_ + 2 * kDistance; }

  /// No descriptor: a program without scratch, or one that finds it without.
  void set_scratch(const BufferDescriptor* descriptor, const isa::Target& target);
  /// At least `least` entries; those that are not given are 0.
  void set_user_data(std::span<const uint32_t> entries, size_t least);
  void set_grid(const std::array<uint32_t, 3>& group_count) { grid_ = group_count; }
  /// Adds read-only mappings of what was set last, which must outlive the memory.
  Result<void> add_to(Memory& memory);

 private:
  static constexpr uint64_t kDistance = 0x10000;
  static constexpr size_t kGlobalTableDwords = 17 * 4;

  std::shared_ptr<AddressSpace> space_;
  uint64_t base_ = 0;
  std::array<uint32_t, kGlobalTableDwords> global_{};
  std::array<uint32_t, object::kUserDataEntryLimit> spill_{};
  size_t spill_entries_ = 0;
  std::array<uint32_t, 3> grid_{};
};

}  // namespace spalt::emu
