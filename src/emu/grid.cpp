// SPDX-License-Identifier: MIT
#include "emu/grid.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "emu/workgroup.h"

namespace spalt::emu {
namespace {

constexpr unsigned kMaxItemsPerGroup = 1024, kMaxHostThreads = 256;
constexpr uint64_t kMaxScratchBytes = uint64_t{1} << 31;
constexpr uint64_t kMaxGroups = uint64_t{1} << 40;

/// Hands out workgroups in order, so that one that waits for an earlier one always finds it started.
struct Queue {
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> stop_at;  ///< index of the first workgroup that failed
  std::mutex mutex;
  std::string error;
  Statistics statistics;
  std::vector<uint8_t> visited;  ///< per step
};

void work(Queue& queue, Workgroup& workgroup, const std::array<uint32_t, 3>& groups) {
  for (;;) {
    const uint64_t index = queue.next.fetch_add(1);
    // Workgroups before a failed one still run: the error that is reported does not depend on timing.
    if (index >= queue.stop_at.load()) break;
    const std::array<uint32_t, 3> id = {static_cast<uint32_t>(index % groups[0]),
                                        static_cast<uint32_t>(index / groups[0] % groups[1]),
                                        static_cast<uint32_t>(index / groups[0] / groups[1])};
    if (workgroup.run(id)) continue;
    const std::lock_guard lock(queue.mutex);
    if (index < queue.stop_at.load()) {
      queue.stop_at.store(index);
      queue.error = workgroup.error();
    }
    break;
  }
  const std::lock_guard lock(queue.mutex);
  for (size_t i = 0; i < kStepClassCount; ++i) {
    queue.statistics.executed[i] += workgroup.statistics().executed[i];
  }
  queue.statistics.lane_operations += workgroup.statistics().lane_operations;
  for (size_t i = 0; i < queue.visited.size(); ++i) queue.visited[i] |= workgroup.visited()[i];
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

unsigned host_threads(unsigned wanted, uint64_t groups) {
  return static_cast<unsigned>(std::clamp<uint64_t>(std::min<uint64_t>(wanted, groups), 1, kMaxHostThreads));
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
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i) {
    pool.emplace_back([&, i] { work(queue, *workers[i], launch.group_count); });
  }
  work(queue, *workers[0], launch.group_count);
  for (std::thread& thread : pool) thread.join();
  return {queue.statistics, queue.error, executed_of(*launch.program, queue.visited)};
}

}  // namespace spalt::emu
