// SPDX-License-Identifier: MIT
#include "emu/launch/runner.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/bits.h"
#include "emu/launch/wave_initializer.h"

namespace spalt::emu {
namespace {

/// Groups on the device at the same time in the memory hierarchy mode.
constexpr unsigned kMaxResidentGroups = 8;
// COMPUTE_TMPRING_SIZE.WAVESIZE counts 256 dwords.
constexpr uint64_t kScratchUnit = 1024;

/// Hands out groups in order and collects what they came to.
class Queue {
 public:
  explicit Queue(const Launch& launch) : stop_at_(launch.groups) {
    outcome_.visited.assign(launch.program->step_count(), 0);
  }

  /// False when nothing is left to begin. Groups before a failed one still run: the fault that is reported does not
  /// depend on timing.
  bool next(uint64_t& group) {
    group = next_.fetch_add(1);
    return group < stop_at_.load();
  }
  void failed(uint64_t group, const Fault& fault) {
    const std::lock_guard lock(mutex_);
    const bool stopped = !is_fault(fault.kind);
    if (group >= stop_at_.load() && !stopped) return;
    outcome_.fault = fault;
    stop_at_.store(stopped ? 0 : group);
  }
  /// Begins nothing more.
  void close() { stop_at_.store(0); }
  void add(const Workgroup& workgroup) {
    const std::lock_guard lock(mutex_);
    outcome_.statistics += workgroup.statistics();
    for (size_t i = 0; i < outcome_.visited.size(); ++i) outcome_.visited[i] |= workgroup.visited()[i];
  }
  RunOutcome take() { return std::move(outcome_); }

 private:
  std::atomic<uint64_t> next_{0};
  std::atomic<uint64_t> stop_at_;  ///< the first group that failed
  std::mutex mutex_;
  RunOutcome outcome_;
};

void work(Queue& queue, Workgroup& workgroup) {
  uint64_t group = 0;
  try {
    while (queue.next(group)) {
      if (workgroup.run(group)) continue;
      queue.failed(group, workgroup.fault());
      break;
    }
  } catch (...) {
    queue.close();
    throw;
  }
  queue.add(workgroup);
}

/// In the memory hierarchy mode: the groups of all workers take turns on this thread, a few instructions each.
void work_in_turns(Queue& queue, std::span<const std::unique_ptr<Workgroup>> workers, MemoryHierarchy& hierarchy) {
  std::vector<Workgroup*> resident;
  uint64_t group = 0;
  for (const std::unique_ptr<Workgroup>& worker : workers) {
    if (!queue.next(group)) break;
    worker->start(group);
    resident.push_back(worker.get());
  }
  while (!resident.empty()) {
    hierarchy.advance();
    const unsigned at = hierarchy.random().below(static_cast<unsigned>(resident.size()));
    Workgroup& workgroup = *resident[at];
    if (workgroup.advance(hierarchy.random())) continue;
    if (workgroup.failed()) {
      queue.failed(0, workgroup.fault());
      break;
    }
    if (queue.next(group)) {
      workgroup.start(group);
    } else {
      resident.erase(resident.begin() + at);
    }
  }
  for (const std::unique_ptr<Workgroup>& worker : workers) queue.add(*worker);
}

}  // namespace

uint64_t scratch_bytes_per_wave(uint64_t bytes_per_lane, unsigned wave_size) {
  return align_up(bytes_per_lane * wave_size, kScratchUnit);
}

unsigned groups_at_a_time(unsigned threads, uint64_t groups, const Observer* observer,
                          const HierarchySettings& hierarchy) {
  uint64_t most = std::min(threads, kMaxHostThreads);
  if (hierarchy.enabled) {
    most = kMaxResidentGroups;
  } else if (observer != nullptr) {
    most = 1;
  }
  return static_cast<unsigned>(std::clamp<uint64_t>(groups, 1, std::max<uint64_t>(most, 1)));
}

RunOutcome Runner::run(const Launch& launch, unsigned at_a_time, const RunOnThreads& threads) {
  if (!workers_.empty() && !workers_.front()->fits(launch)) workers_.clear();
  while (workers_.size() < at_a_time) workers_.push_back(std::make_unique<Workgroup>(launch));
  const std::span workers(workers_.data(), at_a_time);
  for (unsigned i = 0; i < at_a_time; ++i) workers[i]->begin(launch, i * launch.waves_per_group);
  Queue queue(launch);
  if (launch.hierarchy != nullptr) {
    work_in_turns(queue, workers, *launch.hierarchy);
  } else {
    threads(at_a_time, [&](unsigned i) { work(queue, *workers[i]); });
  }
  return queue.take();
}

}  // namespace spalt::emu
