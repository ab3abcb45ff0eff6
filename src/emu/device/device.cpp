// SPDX-License-Identifier: MIT
#include "emu/device/device.h"

#include <algorithm>
#include <deque>

#include "base/float_environment.h"

namespace spalt::emu {
namespace {

// What is not written yet holds this, so that no run depends on zeros that hardware does not give.
constexpr uint8_t kJunk = 0xcd;

/// A dispatch as part of a run: its tables are its own, everything else is shared.
struct Prepared {
  Prepared(const PalDispatch& info, const TableAddresses& tables, uint64_t scratch_address,
           std::shared_ptr<const Memory> shared)
      : dispatch(info, tables, scratch_address), launch(dispatch.launch()), memory(std::move(shared)) {}
  PreparedDispatch dispatch;
  Launch launch;
  Memory memory;
};

}  // namespace

/// The caches during a run, and what becomes of them after it.
class Device::HierarchyRun {
 public:
  HierarchyRun(Device& device, const Memory& memory, const isa::Target& target, const HierarchySettings& settings)
      : device_(device), keep_(settings.keep) {
    const bool goes_on = settings.enabled && keep_ && device.caches_ && device.caches_->fits(target);
    if (!goes_on) device.forget_kept(memory);
    if (!settings.enabled) return;
    if (!goes_on) device.caches_.emplace(target);
    device.caches_->begin(memory, settings);
  }
  ~HierarchyRun() {
    if (!device_.caches_) return;
    device_.caches_->end();
    if (!keep_) device_.caches_.reset();
  }
  HierarchyRun(const HierarchyRun&) = delete;
  HierarchyRun& operator=(const HierarchyRun&) = delete;

  MemoryHierarchy* caches() const { return device_.caches_ ? &*device_.caches_ : nullptr; }

 private:
  Device& device_;
  bool keep_;
};

Result<std::unique_ptr<Device>> Device::create(const std::shared_ptr<AddressSpace>& space, unsigned threads,
                                               uint64_t tables) {
  std::unique_ptr<Device> device(new Device(space, std::clamp(threads, 1u, kMaxHostThreads)));
  if (Result<void> done = device->tables_.reserve(space, tables); !done) return done.error();
  const Result<uint64_t> scratch = space->reserve_anywhere(Area::scratch, kMaxScratchBytes, "the scratch of a device");
  if (!scratch) return scratch.error();
  device->scratch_address_ = *scratch;
  const Result<uint64_t> ring = space->reserve_anywhere(Area::scratch, kMaxRingBytes, "the rings of a device");
  if (!ring) return ring.error();
  device->ring_address_ = *ring;
  return device;
}

Device::~Device() {
  if (scratch_address_ != 0) space_->release(scratch_address_);
  if (ring_address_ != 0) space_->release(ring_address_);
}

Result<RunOutcome> Device::dispatch(const PalDispatch& dispatch) {
  if (Result<void> done = PreparedDispatch::check(dispatch, *space_, tables_); !done) return done.error();
  const std::lock_guard lock(running_);
  return run_dispatch(dispatch);
}

Result<RunOutcome> Device::run_dispatch(const PalDispatch& dispatch) {
  PreparedDispatch prepared(dispatch, tables_, scratch_address_);
  Memory memory(space_->snapshot());
  if (Result<void> done = prepared.add_tables_to(memory); !done) return done.error();
  Launch launch = prepared.launch();
  return run_launch(memory, launch, dispatch.hierarchy);
}

Result<RunOutcome> Device::run(Launch launch, const HierarchySettings& hierarchy) {
  const std::lock_guard lock(running_);
  Memory memory(space_->snapshot());
  return run_launch(memory, launch, hierarchy);
}

Result<void> Device::add_scratch(Memory& memory, uint64_t bytes) {
  if (bytes == 0) return {};
  return memory.add({scratch_address_, bytes, scratch_.data(), true, "scratch", {}});
}

Result<RunOutcome> Device::run_launch(Memory& memory, Launch& launch, const HierarchySettings& hierarchy) {
  const unsigned at_a_time = groups_at_a_time(threads(), launch.groups, launch.observer, hierarchy);
  const uint64_t scratch = launch.scratch_bytes_per_group() * at_a_time;
  if (scratch > kMaxScratchBytes) {
    return Error{Status::limit_exceeded, "the scratch memory of all waves is too large"};
  }
  scratch_.assign(scratch, kJunk);
  if (Result<void> done = add_scratch(memory, scratch); !done) return done.error();
  launch.scratch_ring = scratch_address_;
  launch.scratch_ring_bytes = scratch;
  launch.memory = &memory;
  launch.cancel = &cancelled_;
  launch.alone = at_a_time == 1;
  const HierarchyRun hierarchy_run(*this, memory, launch.program->target(), hierarchy);
  launch.hierarchy = hierarchy_run.caches();
  const DefaultFloatEnvironment environment;
  if (launch.hierarchy == nullptr) {
    return run_on_threads(
        launch, at_a_time,
        [this](unsigned count, const std::function<void(unsigned)>& work) { pool_.run(count, work); }, workgroups_);
  }
  SideTask task{&launch};
  run_side_by_side({&task, 1}, SideOrder::even(1), launch.hierarchy->random(), launch.hierarchy,
                   launch.scratch_bytes_per_group());
  return std::move(task.outcome);
}

std::optional<size_t> Device::run_side_by_side(std::span<SideTask> tasks, const SideOrder& order, Random& random,
                                               MemoryHierarchy* caches, uint64_t scratch_bytes) {
  return SideBySide(tasks, order, random, caches, scratch_bytes, workgroups_, cancelled_).run();
}

void Device::forget_kept(const Memory& memory) {
  if (!caches_) return;
  caches_->look_at(memory);
  caches_->complete_stores();
  caches_.reset();
}

void Device::operate_on_caches(const CacheOperations& operations) {
  const std::lock_guard lock(running_);
  if (!caches_) return;
  caches_->look_at(Memory(space_->snapshot()));
  if (operations.complete_stores) caches_->complete_stores();
  if (operations.empty_vector) caches_->empty_vector_caches();
  if (operations.empty_scalar) caches_->empty_scalar_caches();
}

Result<DeviceRunOutcome> Device::run(const DeviceRun& run, size_t& at) {
  if (Result<void> done = check(run, at); !done) return done.error();
  const std::lock_guard lock(running_);
  return run.interleave ? run_interleaved(run) : run_in_order(run, at);
}

Result<void> Device::check(const DeviceRun& run, size_t& at) const {
  const isa::Target* first = nullptr;
  for (at = 0; at < run.tasks.size(); ++at) {
    const DeviceTask& task = run.tasks[at];
    if (task.host != nullptr) continue;
    if (Result<void> done = PreparedDispatch::check(task.dispatch, *space_, tables_); !done) return done;
    const isa::Target& target = task.dispatch.program->target();
    if (first == nullptr) first = &target;
    if (run.hierarchy.enabled && &cache_facts(target) != &cache_facts(*first)) {
      return Error{Status::invalid_argument, "the programs of a run are for processors with different caches"};
    }
  }
  at = 0;
  return {};
}

Result<DeviceRunOutcome> Device::run_in_order(const DeviceRun& run, size_t& at) {
  DeviceRunOutcome outcome;
  outcome.tasks.resize(run.tasks.size());
  for (at = 0; at < run.tasks.size() && !outcome.failed; ++at) {
    const DeviceTask& task = run.tasks[at];
    if (task.host != nullptr) {
      if (cancelled_.load(std::memory_order_relaxed)) {
        outcome.tasks[at].fault = cancelled_fault();
      } else {
        task.host(task.user);
      }
    } else {
      PalDispatch dispatch = task.dispatch;
      dispatch.hierarchy = run.hierarchy;
      dispatch.observer = run.observer;
      Result<RunOutcome> done = run_dispatch(dispatch);
      if (!done) return done.error();
      outcome.tasks[at] = std::move(*done);
    }
    if (outcome.tasks[at].fault.kind != FaultKind::none) outcome.failed = at;
  }
  return outcome;
}

Result<DeviceRunOutcome> Device::run_interleaved(const DeviceRun& run) {
  const std::shared_ptr<const Memory> shared = space_->snapshot();
  std::deque<Prepared> prepared;  // they do not move
  uint64_t scratch_per_group = 0;
  for (const DeviceTask& task : run.tasks) {
    if (task.host != nullptr) continue;
    const Launch& launch = prepared.emplace_back(task.dispatch, tables_, scratch_address_, shared).launch;
    scratch_per_group = std::max(scratch_per_group, launch.scratch_bytes_per_group());
  }
  Random order_random(run.seed);
  const SideOrder order = SideOrder::any(run.tasks.size(), order_random);
  const uint64_t scratch = scratch_per_group * order.max_resident;
  if (scratch > kMaxScratchBytes) {
    return Error{Status::limit_exceeded, "the scratch memory of all waves is too large"};
  }
  scratch_.assign(scratch, kJunk);
  Memory common(shared);
  if (Result<void> done = add_scratch(common, scratch); !done) return done.error();
  std::optional<HierarchyRun> hierarchy_run;
  if (!prepared.empty()) {
    hierarchy_run.emplace(*this, common, prepared.front().launch.program->target(), run.hierarchy);
  }
  MemoryHierarchy* caches = hierarchy_run ? hierarchy_run->caches() : nullptr;

  std::vector<SideTask> tasks;
  auto next = prepared.begin();
  for (const DeviceTask& task : run.tasks) {
    if (task.host != nullptr) {
      tasks.push_back({nullptr, task.host, task.user});
      continue;
    }
    if (Result<void> done = next->dispatch.add_tables_to(next->memory); !done) return done.error();
    if (Result<void> done = add_scratch(next->memory, scratch); !done) return done.error();
    Launch& launch = (next++)->launch;
    launch.scratch_ring = scratch_address_;
    launch.scratch_ring_bytes = scratch;
    launch.memory = &std::prev(next)->memory;
    launch.cancel = &cancelled_;
    launch.observer = run.observer;
    launch.hierarchy = caches;
    tasks.push_back({&launch});
  }
  const DefaultFloatEnvironment environment;
  DeviceRunOutcome outcome;
  outcome.failed =
      run_side_by_side(tasks, order, caches != nullptr ? caches->random() : order_random, caches, scratch_per_group);
  for (SideTask& task : tasks) outcome.tasks.push_back(std::move(task.outcome));
  return outcome;
}

}  // namespace spalt::emu
