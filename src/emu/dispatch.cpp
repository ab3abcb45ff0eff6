// SPDX-License-Identifier: MIT
#include "emu/dispatch.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "emu/address_space.h"
#include "emu/workgroup.h"

namespace spalt::emu {
namespace {

constexpr unsigned kMaxThreadsPerGroup = 1024, kMaxHostThreads = 256;
constexpr uint64_t kMaxScratchBytes = uint64_t{1} << 31;

Error bad(Status status, std::string message) {
  return {status, std::move(message)};
}

/// Everything that the rest relies on; metadata is not trusted.
Result<const isa::Target*> check(const object::ShaderObject& shader, const DispatchInfo& info) {
  const isa::Target* target = isa::find_target(shader.target_name);
  if (target == nullptr) return bad(Status::unsupported, "the target \"" + shader.target_name + "\" is not executed");
  if (shader.wave_size != 32 && shader.wave_size != 64) {
    return bad(Status::invalid_input, "the wave size is neither 32 nor 64");
  }
  uint64_t threads = 1;
  for (const uint32_t dim : shader.threadgroup_dims) {
    if (dim == 0 || dim > kMaxThreadsPerGroup)
      return bad(Status::invalid_input, "a workgroup dimension is out of range");
    threads *= dim;
  }
  if (threads > kMaxThreadsPerGroup) return bad(Status::invalid_input, "the workgroup has more than 1024 threads");
  if (shader.vgpr_count > target->vgpr_limit) return bad(Status::invalid_input, "too many vector registers");
  if (shader.lds_bytes > target->lds_bytes_per_workgroup) return bad(Status::invalid_input, "too much LDS");
  if (shader.user_sgprs > abi::kMaxComputeUserSgprs) return bad(Status::invalid_input, "too many user SGPRs");
  if (shader.tidig_comp_cnt > 2) return bad(Status::invalid_input, "too many local id components");
  if (shader.entry_offset >= shader.code.size()) return bad(Status::invalid_input, "the entry point leaves the code");
  if (info.user_data.size() > object::kUserDataEntryLimit) {
    return bad(Status::invalid_argument, "more user data than there are entries");
  }
  return target;
}

constexpr uint64_t kMaxGroups = uint64_t{1} << 40;

bool count_groups(const std::array<uint32_t, 3>& grid, uint64_t& groups) {
  groups = uint64_t{grid[0]} * grid[1];
  if (groups > kMaxGroups) return false;
  groups *= grid[2];
  return groups <= kMaxGroups;
}

/// Hands out workgroups in order, so that one that waits for an earlier one always finds it started.
struct Queue {
  std::atomic<uint64_t> next{0};
  std::atomic<uint64_t> stop_at;  ///< index of the first workgroup that failed
  std::mutex mutex;
  std::string error;
  Statistics statistics;
};

void work(Queue& queue, Workgroup& workgroup, const std::array<uint32_t, 3>& grid) {
  for (;;) {
    const uint64_t index = queue.next.fetch_add(1);
    // Workgroups before a failed one still run: the error that is reported does not depend on timing.
    if (index >= queue.stop_at.load()) break;
    const std::array<uint32_t, 3> id = {static_cast<uint32_t>(index % grid[0]),
                                        static_cast<uint32_t>(index / grid[0] % grid[1]),
                                        static_cast<uint32_t>(index / grid[0] / grid[1])};
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
}

}  // namespace

Result<DispatchOutcome> run_dispatch(const object::ShaderObject& shader, const DispatchInfo& info) {
  const Result<const isa::Target*> target = check(shader, info);
  if (!target) return target.error();
  uint64_t groups = 0;
  if (!count_groups(info.grid, groups)) return bad(Status::limit_exceeded, "the grid has too many workgroups");
  const auto threads =
      static_cast<unsigned>(std::clamp<uint64_t>(std::min<uint64_t>(info.threads, groups), 1, kMaxHostThreads));
  const unsigned waves = waves_per_workgroup(shader);
  const uint64_t scratch = scratch_bytes_per_wave(shader) * waves * threads;
  if (scratch > kMaxScratchBytes) return bad(Status::limit_exceeded, "the scratch memory of all waves is too large");

  const Result<AddressSpace> space = AddressSpace::build(shader, info, scratch);
  if (!space) return space.error();
  const unsigned vgprs = std::max(shader.vgpr_count, shader.tidig_comp_cnt + 1);
  const Program program(shader.code, space->code(), **target, shader.wave_size, vgprs);
  if (program.step_at(shader.entry_offset) == Program::kNoStep) {
    return bad(Status::invalid_input, "no instruction starts at the entry point");
  }

  Queue queue;
  queue.stop_at.store(groups);
  std::vector<std::unique_ptr<Workgroup>> workers;
  for (unsigned i = 0; i < threads; ++i) {
    workers.push_back(std::make_unique<Workgroup>(shader, program, *space, i * waves, info.step_limit));
  }
  std::vector<std::thread> pool;
  for (unsigned i = 1; i < threads; ++i) pool.emplace_back([&, i] { work(queue, *workers[i], info.grid); });
  work(queue, *workers[0], info.grid);
  for (std::thread& thread : pool) thread.join();
  return DispatchOutcome{queue.statistics, queue.error};
}

}  // namespace spalt::emu
