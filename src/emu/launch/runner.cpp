// SPDX-License-Identifier: MIT
#include "emu/launch/runner.h"

#include <algorithm>
#include <atomic>
#include <mutex>

#include "base/bits.h"

namespace spalt::emu {
namespace {

// COMPUTE_TMPRING_SIZE.WAVESIZE counts 256 dwords.
constexpr uint64_t kScratchUnit = 1024;

/// Hands out groups in order and collects what they came to.
class Queue {
 public:
  explicit Queue(const Launch& launch) : progress_(launch.groups) {}

  Progress& progress() { return progress_; }
  /// False when nothing is left to begin. Groups before a failed one still run: the fault that is reported does not
  /// depend on timing.
  bool next(uint64_t& group) {
    group = next_.fetch_add(1);
    return group < progress_.stop_at.load();
  }
  void failed(uint64_t group, const Fault& fault) {
    const std::lock_guard lock(mutex_);
    const bool stopped = !is_fault(fault.kind);
    if (group >= progress_.stop_at.load() && !stopped) return;
    outcome_.fault = fault;
    progress_.stop_at.store(stopped ? 0 : group);
  }
  /// Begins nothing more.
  void close() { progress_.stop_at.store(0); }
  void add(const Workgroup& workgroup) {
    const std::lock_guard lock(mutex_);
    outcome_.add(workgroup);
  }
  RunOutcome take() { return std::move(outcome_); }

 private:
  std::atomic<uint64_t> next_{0};
  Progress progress_;
  std::mutex mutex_;
  RunOutcome outcome_;
};

void work(Queue& queue, Workgroup& workgroup) {
  uint64_t group = 0;
  try {
    while (queue.next(group)) {
      if (workgroup.run(group, queue.progress())) continue;
      if (workgroup.failed()) queue.failed(group, workgroup.fault());
      break;
    }
  } catch (...) {
    queue.close();
    throw;
  }
  queue.add(workgroup);
}

}  // namespace

void RunOutcome::add(const Workgroup& workgroup) {
  statistics += workgroup.statistics();
  visited.resize(workgroup.visited().size());
  for (size_t i = 0; i < visited.size(); ++i) visited[i] |= workgroup.visited()[i];
}

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

RunOutcome run_on_threads(const Launch& launch, unsigned at_a_time, const RunOnThreads& threads, WorkgroupPool& pool) {
  pool.set_capacity(at_a_time);
  std::vector<std::unique_ptr<Workgroup>> workers;
  for (unsigned i = 0; i < at_a_time; ++i) {
    workers.push_back(pool.take(launch));
    workers.back()->begin(launch, i * launch.scratch_bytes_per_group());
  }
  Queue queue(launch);
  threads(at_a_time, [&](unsigned i) { work(queue, *workers[i]); });
  for (std::unique_ptr<Workgroup>& worker : workers) pool.give_back(std::move(worker));
  return queue.take();
}

}  // namespace spalt::emu
