// SPDX-License-Identifier: MIT
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "emu/caches/memory_hierarchy.h"
#include "emu/device/driver_tables.h"
#include "emu/device/pal_program.h"
#include "emu/device/prepared_dispatch.h"
#include "emu/device/thread_pool.h"
#include "emu/draw/draw.h"
#include "emu/launch/runner.h"
#include "emu/launch/side_by_side.h"
#include "emu/memory/address_space.h"

namespace spalt::emu {

/// A dispatch, or a function of the host.
struct DeviceTask {
  PalDispatch dispatch{};
  void (*host)(void*) = nullptr;  ///< in place of the dispatch
  void* user = nullptr;
};

/// Work that no barrier separates.
struct DeviceRun {
  std::span<const DeviceTask> tasks;
  bool interleave = false;  ///< in any order, on this thread
  uint64_t seed = 0;        ///< of the order
  HierarchySettings hierarchy;
  Observer* observer = nullptr;
};

struct DeviceRunOutcome {
  std::vector<RunOutcome> tasks;
  std::optional<size_t> failed;  ///< the task with the fault
};

/// What a driver may ask the caches for that runs leave behind.
struct CacheOperations {
  bool complete_stores = false, empty_vector = false, empty_scalar = false;
};

/// Host threads, scratch memory and the tables of a driver, on an address space that it may share with others.
///
/// Runs one launch or one run of several at a time: calls from several threads wait for each other. Each sees the
/// mappings that were there when it began.
class Device {
 public:
  /// `tables` is where TableAddresses lie; 0: anywhere in the default window. Starts threads - 1 threads.
  static Result<std::unique_ptr<Device>> create(const std::shared_ptr<AddressSpace>& space, unsigned threads,
                                                uint64_t tables);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  Result<RunOutcome> dispatch(const PalDispatch& dispatch);
  /// On an error, `at` is the task that it is about.
  Result<DeviceRunOutcome> run(const DeviceRun& run, size_t& at);

  Result<DrawOutcome> draw(const GraphicsDraw& draw);

  /// Runs a launch whose waves and their registers someone else knows about. Fills in memory, scratch ring, hierarchy
  /// and cancellation; a launch that wants scratch finds its ring at scratch_address().
  Result<RunOutcome> run(Launch launch, const HierarchySettings& hierarchy);

  /// In the order of the members, on what runs have left in the caches.
  void operate_on_caches(const CacheOperations& operations);

  uint64_t scratch_address() const { return scratch_address_; }
  unsigned threads() const { return pool_.size(); }

  /// From any thread: ends what runs, and everything that comes, until it is called with false.
  void cancel(bool value) { cancelled_.store(value, std::memory_order_relaxed); }

 private:
  class HierarchyRun;
  Device(std::shared_ptr<AddressSpace> space, unsigned threads) : space_(std::move(space)), pool_(threads) {}
  Result<void> check(const DeviceRun& run, size_t& at) const;
  Result<RunOutcome> run_dispatch(const PalDispatch& dispatch);
  Result<RunOutcome> run_launch(Memory& memory, Launch& launch, const HierarchySettings& hierarchy);
  Result<DeviceRunOutcome> run_in_order(const DeviceRun& run, size_t& at);
  Result<DeviceRunOutcome> run_interleaved(const DeviceRun& run);
  std::optional<size_t> run_side_by_side(std::span<SideTask> tasks, const SideOrder& order, Random& random,
                                         MemoryHierarchy* caches, uint64_t scratch_bytes);
  Result<void> check(const GraphicsDraw& draw) const;
  Result<void> add_scratch(Memory& memory, uint64_t bytes);
  void forget_kept(const Memory& memory);

  std::shared_ptr<AddressSpace> space_;
  ThreadPool pool_;
  TableAddresses tables_;
  uint64_t scratch_address_ = 0;
  std::vector<uint8_t> scratch_;
  uint64_t ring_address_ = 0;
  std::vector<uint8_t> ring_;  ///< attributes of primitive shaders; as large as a draw has wanted
  WorkgroupPool workgroups_;
  std::optional<MemoryHierarchy> caches_;  ///< of the run, and between runs that keep them
  std::mutex running_;
  std::atomic<bool> cancelled_{false};
};

}  // namespace spalt::emu
