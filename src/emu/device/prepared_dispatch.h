// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <span>

#include "emu/caches/memory_hierarchy.h"
#include "emu/device/driver_tables.h"
#include "emu/device/pal_program.h"

namespace spalt::emu {

/// A compute grid of a PAL program.
struct PalDispatch {
  std::shared_ptr<const PalProgram> program;
  std::span<const uint32_t> user_data;  ///< entries from 0 on; those beyond are 0
  std::array<uint32_t, 3> first_group{0, 0, 0};
  std::array<uint32_t, 3> group_count{1, 1, 1};
  uint64_t step_limit = Launch::kDefaultStepLimit;
  uint64_t group_step_limit = UINT64_MAX;
  uint64_t border_colors = 0;
  Observer* observer = nullptr;  ///< looks at every instruction; the dispatch then uses one host thread
  HierarchySettings hierarchy;   ///< likewise
};

/// A dispatch that was checked, with everything that its waves start with. What it was made from must outlive it.
class PreparedDispatch {
 public:
  /// Fails when a device with these tables cannot run it.
  static Result<void> check(const PalDispatch& dispatch, const AddressSpace& space, const TableAddresses& tables);
  /// Of a dispatch that can be run.
  PreparedDispatch(const PalDispatch& dispatch, const TableAddresses& tables, uint64_t scratch_address);
  PreparedDispatch(const PreparedDispatch&) = delete;
  PreparedDispatch& operator=(const PreparedDispatch&) = delete;

  /// Without memory, scratch ring, hierarchy and cancellation.
  const Launch& launch() const { return launch_; }
  Result<void> add_tables_to(Memory& memory) { return tables_.add_to(memory, addresses_); }

 private:
  static ComputeState state_of(const PalDispatch& dispatch, const TableAddresses& tables, uint64_t scratch_address);

  const TableAddresses& addresses_;
  ComputeState state_;
  ComputeInitializer initializer_;
  DriverTables tables_;
  Launch launch_;
};

}  // namespace spalt::emu
