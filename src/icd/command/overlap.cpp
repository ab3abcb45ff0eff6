// SPDX-License-Identifier: MIT
//
// The part of execution that gives barriers a meaning: work that is held back and then runs interleaved
// (SPALT_ICD_OVERLAP), and caches that barriers empty (SPALT_ICD_CACHES).
#include "icd/command/execution.h"
#include "icd/command/fault.h"

namespace spalt::icd {
namespace {

constexpr size_t kMaxPending = 256;  // bounds what runs side by side

}  // namespace

bool Execution::hold_back(PendingWork work) {
  if (pending_.size() == kMaxPending && !flush()) return false;
  if (work.dispatch.pipeline != nullptr) pending_kinds_ |= kDispatchWork;
  if (work.transfer != nullptr) pending_kinds_ |= kTransferWork;
  pending_.push_back(std::move(work));
  return true;
}

bool Execution::depend(const Dependency& dependency) {
  if ((dependency.waits_for & pending_kinds_) != 0 && !flush()) return false;
  operate_caches(dependency.cache_operations);
  return true;
}

void Execution::operate_caches(uint32_t operations) {
  if (cache_seed_ && operations != 0) emulated_.get().cache_operation(operations);
}

bool Execution::flush() {
  const bool goes_on = run_pending() && complete_pending();
  pending_.clear();
  pending_kinds_ = 0;
  return goes_on;
}

bool Execution::run_pending() {
  if (pending_kinds_ == 0) return true;
  std::vector<spalt_dispatch_info> dispatches;
  std::vector<spalt_device_task> tasks;
  std::vector<const PendingWork*> works;  // of the tasks
  dispatches.reserve(pending_.size());
  for (PendingWork& work : pending_) {
    if (work.complete != nullptr) continue;
    works.push_back(&work);
    if (work.transfer != nullptr) {
      tasks.push_back({nullptr, work.transfer, const_cast<void*>(work.command), nullptr});
    } else {
      dispatches.push_back(dispatch_info(work.dispatch));
      work.counters.struct_size = sizeof work.counters;
      tasks.push_back({&dispatches.back(), nullptr, nullptr, &work.counters});
    }
  }
  spalt_run_info info = spalt_api::Device::run_info(tasks);
  info.interleave = 1;
  info.memory_hierarchy = info.keep_caches = cache_seed_ ? 1 : 0;
  info.seed = next_seed(*overlap_seed_ ^ cache_seed_.value_or(0) << 32);
  const spalt_api::Device::Report report = emulated_.get().run(info);
  if (report.ok()) return true;
  const PendingWork& failed = *works[report.fault.task];
  spalt_dispatch_info dispatch =
      failed.dispatch.pipeline == nullptr ? spalt_api::sized<spalt_dispatch_info>() : dispatch_info(failed.dispatch);
  dispatch.memory_hierarchy = info.memory_hierarchy;
  dispatch.hierarchy_seed = info.seed;
  return settle({failed.dispatch, dispatch, report.fault, failed.origin, nullptr, true}, report.result);
}

bool Execution::complete_pending() {
  for (const PendingWork& work : pending_) {
    if (work.dispatch.pipeline != nullptr) count(work.counters);
    if (work.complete != nullptr && !work.complete(work.command, *this)) return false;
  }
  return true;
}

}  // namespace spalt::icd
