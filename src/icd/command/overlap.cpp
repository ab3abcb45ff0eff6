// SPDX-License-Identifier: MIT
//
// The part of execution that gives barriers a meaning: work that is held back and then runs interleaved
// (SPALT_ICD_OVERLAP), and caches that barriers empty (SPALT_ICD_CACHES).
#include "icd/command/execution.h"
#include "icd/command/fault.h"

namespace spalt::icd {
namespace {

constexpr size_t kMaxPending = 256;  // bounds what runs side by side

/// Spreads every bit of the input over the output (the finalizer of SplitMix64).
uint64_t spread(uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111eb;
  return bits ^ bits >> 31;
}

}  // namespace

bool Execution::hold_back(PendingWork work) {
  if (pending_.size() == kMaxPending && !flush()) return false;
  if (!reach(work.stage)) return false;
  pending_.push_back(std::move(work));
  return true;
}

void Execution::depend(const Dependency& dependency) {
  for (PendingWork& work : pending_) {
    // The second condition is a chain of barriers.
    if (((work.stage | work.ordered_before) & dependency.sources) == 0) continue;
    work.ordered_before |= dependency.destinations;
    work.cache_operations |= dependency.cache_operations;
  }
  operate_caches(dependency.cache_operations);
}

void Execution::operate_caches(uint32_t operations) {
  if (cache_seed_ && operations != 0) emulated_.get().cache_operation(operations);
}

bool Execution::reach(uint32_t stages) {
  bool any = false;
  for (PendingWork& work : pending_) {
    work.chosen = !work.ran && (work.ordered_before & stages) != 0;
    any |= work.chosen;
  }
  if (!any) return true;
  choose_others();
  return run_chosen() && retire();
}

void Execution::choose_others() {
  const uint64_t seed = next_seed(*overlap_seed_);
  for (size_t i = 0; i < pending_.size(); ++i) {
    PendingWork& work = pending_[i];
    if (work.stage != 0 && !work.ran && (spread(seed + i) & 1) != 0) work.chosen = true;
  }
}

bool Execution::flush() {
  for (PendingWork& work : pending_) work.chosen = work.stage != 0 && !work.ran;
  const bool goes_on = run_chosen() && retire();
  pending_.clear();
  return goes_on;
}

bool Execution::settle_memory() {
  if (!flush()) return false;
  operate_caches(SPALT_CACHE_ALL);
  return true;
}

bool Execution::run_chosen() {
  std::vector<spalt_dispatch_info> dispatches;
  std::vector<spalt_device_task> tasks;
  std::vector<const PendingWork*> works;  // of the tasks
  dispatches.reserve(pending_.size());
  uint32_t operations = 0;
  for (PendingWork& work : pending_) {
    if (!work.chosen) continue;
    work.ran = true;
    operations |= work.cache_operations;
    works.push_back(&work);
    if (work.transfer != nullptr) {
      tasks.push_back({nullptr, work.transfer, const_cast<void*>(work.command), nullptr});
    } else {
      dispatches.push_back(dispatch_info(work.dispatch));
      work.counters.struct_size = sizeof work.counters;
      tasks.push_back({&dispatches.back(), nullptr, nullptr, &work.counters});
    }
  }
  if (tasks.empty()) return true;
  spalt_run_info info = spalt_api::Device::run_info(tasks);
  info.interleave = 1;
  info.memory_hierarchy = info.keep_caches = cache_seed_ ? 1 : 0;
  info.seed = next_seed(*overlap_seed_ ^ cache_seed_.value_or(0) << 32);
  const spalt_api::Device::Report report = emulated_.get().run(info);
  operate_caches(operations);
  if (report.ok()) return true;
  const PendingWork& failed = *works[report.fault.task];
  spalt_dispatch_info dispatch =
      failed.dispatch.pipeline == nullptr ? spalt_api::sized<spalt_dispatch_info>() : dispatch_info(failed.dispatch);
  dispatch.memory_hierarchy = info.memory_hierarchy;
  dispatch.hierarchy_seed = info.seed;
  return settle({failed.dispatch, dispatch, report.fault, failed.origin, nullptr, true}, report.result);
}

bool Execution::retire() {
  size_t retired = 0;
  for (; retired < pending_.size(); ++retired) {
    const PendingWork& work = pending_[retired];
    if (work.stage != 0 && !work.ran) break;
    if (work.dispatch.pipeline != nullptr) count(work.counters);
    if (work.complete != nullptr && !work.complete(work.command, *this)) return false;
  }
  pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(retired));
  return true;
}

}  // namespace spalt::icd
