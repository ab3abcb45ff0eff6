// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "emu/caches/memory_hierarchy.h"
#include "emu/device/driver_tables.h"
#include "emu/device/pal_program.h"
#include "emu/device/thread_pool.h"
#include "emu/launch/runner.h"
#include "emu/memory/address_space.h"

namespace spalt::emu {

/// A compute grid of a PAL program.
struct PalDispatch {
  std::shared_ptr<const PalProgram> program;
  std::span<const uint32_t> user_data;  ///< entries from 0 on; those beyond are 0
  std::array<uint32_t, 3> first_group{0, 0, 0};
  std::array<uint32_t, 3> group_count{1, 1, 1};
  uint64_t step_limit = Launch::kDefaultStepLimit;
  Observer* observer = nullptr;  ///< looks at every instruction; the dispatch then uses one host thread
  HierarchySettings hierarchy;   ///< likewise
};

/// Host threads, scratch memory and the tables of a driver, on an address space that it may share with others.
///
/// Runs one launch at a time: calls from several threads wait for each other. A launch sees the mappings that were
/// there when it began.
class Device {
 public:
  /// `tables` is where DriverTables lie; 0: anywhere in the default window. Starts threads - 1 threads.
  static Result<std::unique_ptr<Device>> create(const std::shared_ptr<AddressSpace>& space, unsigned threads,
                                                uint64_t tables);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Result<RunOutcome> dispatch(const PalDispatch& dispatch);

  /// Runs a launch whose waves and their registers someone else knows about. Fills in memory, scratch ring, hierarchy
  /// and cancellation; a launch that wants scratch finds its ring at scratch_address().
  Result<RunOutcome> run(Launch launch, const HierarchySettings& hierarchy);

  uint64_t scratch_address() const { return scratch_address_; }
  unsigned threads() const { return pool_.size(); }

  /// From any thread: ends what runs, and everything that comes, until it is called with false.
  void cancel(bool value) { cancelled_.store(value, std::memory_order_relaxed); }

 private:
  Device(std::shared_ptr<AddressSpace> space, unsigned threads) : space_(std::move(space)), pool_(threads) {}
  Result<RunOutcome> run_in(Memory& memory, Launch& launch, const HierarchySettings& hierarchy);

  std::shared_ptr<AddressSpace> space_;
  ThreadPool pool_;
  DriverTables tables_;
  uint64_t scratch_address_ = 0;
  std::vector<uint8_t> scratch_;
  Runner runner_;
  std::mutex running_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace spalt::emu
