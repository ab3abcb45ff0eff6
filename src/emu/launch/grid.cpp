// SPDX-License-Identifier: MIT
#include "emu/launch/grid.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "emu/caches/memory_hierarchy.h"
#include "emu/launch/workgroup.h"

namespace spalt::emu {
namespace {

constexpr unsigned kMaxItemsPerGroup = 1024, kMaxHostThreads = 256;
/// Workgroups on the device at the same time in the memory hierarchy mode.
constexpr unsigned kMaxResidentGroups = 8;
constexpr uint64_t kMaxScratchBytes = uint64_t{1} << 31;
constexpr uint64_t kMaxGroups = uint64_t{1} << 40;

std::array<uint32_t, 3> group_id(uint64_t index, const std::array<uint32_t, 3>& groups) {
  return {static_cast<uint32_t>(index % groups[0]), static_cast<uint32_t>(index / groups[0] % groups[1]),
          static_cast<uint32_t>(index / groups[0] / groups[1])};
}

/// Hands out workgroups in order, so that one that waits for an earlier one always finds it started.
struct Queue {
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> stop_at;  ///< index of the first workgroup that failed
  std::mutex mutex;
  std::string error;
  Statistics statistics;
  std::vector<uint8_t> visited;  ///< per step
};

void add_results(Queue& queue, const Workgroup& workgroup) {
  const std::lock_guard lock(queue.mutex);
  for (size_t i = 0; i < kStepClassCount; ++i) {
    queue.statistics.executed[i] += workgroup.statistics().executed[i];
  }
  queue.statistics.lane_operations += workgroup.statistics().lane_operations;
  for (size_t i = 0; i < queue.visited.size(); ++i) queue.visited[i] |= workgroup.visited()[i];
}

void work(Queue& queue, Workgroup& workgroup, const std::array<uint32_t, 3>& groups) {
  for (;;) {
    const uint64_t index = queue.next.fetch_add(1);
    // Workgroups before a failed one still run: the error that is reported does not depend on timing.
    if (index >= queue.stop_at.load()) break;
    if (workgroup.run(group_id(index, groups))) continue;
    const std::lock_guard lock(queue.mutex);
    if (index < queue.stop_at.load()) {
      queue.stop_at.store(index);
      queue.error = workgroup.error();
    }
    break;
  }
  add_results(queue, workgroup);
}

/// In the memory hierarchy mode: the workgroups of all workers take turns on this thread, a few instructions each.
void work_in_turns(Queue& queue, std::vector<std::unique_ptr<Workgroup>>& workers, MemoryHierarchy& hierarchy,
                   const std::array<uint32_t, 3>& groups) {
  const uint64_t count = queue.stop_at.load();
  std::vector<Workgroup*> resident;
  for (const std::unique_ptr<Workgroup>& worker : workers) {
    if (queue.next.load() >= count) break;
    worker->start(group_id(queue.next.fetch_add(1), groups));
    resident.push_back(worker.get());
  }
  while (!resident.empty()) {
    hierarchy.advance();
    const unsigned at = hierarchy.random().below(static_cast<unsigned>(resident.size()));
    Workgroup& workgroup = *resident[at];
    if (workgroup.advance(hierarchy.random())) continue;
    if (workgroup.failed()) {
      queue.error = workgroup.error();
      break;
    }
    if (queue.next.load() < count) {
      workgroup.start(group_id(queue.next.fetch_add(1), groups));
    } else {
      resident.erase(resident.begin() + at);
    }
  }
  for (const std::unique_ptr<Workgroup>& worker : workers) add_results(queue, *worker);
}

std::vector<std::pair<isa::Opcode, isa::Format>> executed_of(const Program& program,
                                                             const std::vector<uint8_t>& visited) {
  std::vector<std::pair<isa::Opcode, isa::Format>> executed;
  for (uint32_t i = 0; i < visited.size(); ++i) {
    const isa::Inst& inst = program[i].inst;
    if (visited[i] == 0) continue;
    for (const isa::Opcode opcode : {inst.opcode, inst.opcode_y}) {
      if (opcode != isa::Opcode::invalid) executed.emplace_back(opcode, inst.format);
    }
  }
  std::sort(executed.begin(), executed.end());
  executed.erase(std::unique(executed.begin(), executed.end()), executed.end());
  return executed;
}

}  // namespace

Result<uint64_t> count_groups(const std::array<uint32_t, 3>& groups) {
  uint64_t count = uint64_t{groups[0]} * groups[1];
  if (count <= kMaxGroups) count *= groups[2];
  if (count > kMaxGroups) return Error{Status::limit_exceeded, "the grid has too many workgroups"};
  return count;
}

unsigned groups_at_a_time(unsigned wanted, uint64_t groups, const Observer* observer,
                          const HierarchySettings& hierarchy) {
  uint64_t most = std::min(wanted, kMaxHostThreads);
  if (hierarchy.enabled) {
    most = kMaxResidentGroups;
  } else if (observer != nullptr) {
    most = 1;
  }
  return static_cast<unsigned>(std::clamp<uint64_t>(groups, 1, std::max<uint64_t>(most, 1)));
}

Result<void> check_group_size(const std::array<uint32_t, 3>& size) {
  uint64_t items = 1;
  for (const uint32_t dim : size) {
    if (dim == 0 || dim > kMaxItemsPerGroup) {
      return Error{Status::invalid_input, "a workgroup dimension is out of range"};
    }
    items *= dim;
  }
  if (items > kMaxItemsPerGroup) return Error{Status::invalid_input, "the workgroup has more than 1024 threads"};
  return {};
}

Result<uint64_t> scratch_ring_bytes(const Launch& launch, unsigned threads) {
  const uint64_t bytes = launch.scratch_bytes_per_wave * launch.waves_per_group() * threads;
  if (bytes > kMaxScratchBytes) {
    return Error{Status::limit_exceeded, "the scratch memory of all waves is too large"};
  }
  return bytes;
}

DispatchOutcome run_grid(const Launch& launch, unsigned threads, uint64_t step_limit) {
  const unsigned waves = launch.waves_per_group();
  Queue queue;
  queue.stop_at.store(uint64_t{launch.group_count[0]} * launch.group_count[1] * launch.group_count[2]);
  queue.visited.assign(launch.program->step_count(), 0);
  std::vector<std::unique_ptr<Workgroup>> workers;
  for (unsigned i = 0; i < threads; ++i) {
    workers.push_back(std::make_unique<Workgroup>(launch, i * waves, step_limit));
  }
  if (launch.hierarchy != nullptr) {
    work_in_turns(queue, workers, *launch.hierarchy, launch.group_count);
    return {queue.statistics, queue.error, executed_of(*launch.program, queue.visited)};
  }
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i) {
    pool.emplace_back([&, i] { work(queue, *workers[i], launch.group_count); });
  }
  work(queue, *workers[0], launch.group_count);
  for (std::thread& thread : pool) thread.join();
  return {queue.statistics, queue.error, executed_of(*launch.program, queue.visited)};
}

}  // namespace spalt::emu
