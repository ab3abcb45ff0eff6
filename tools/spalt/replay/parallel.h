// SPDX-License-Identifier: MIT
#pragma once
#include <cstddef>
#include <functional>

namespace spalt_tool::replay {

/// Calls work(worker, index) once for each index below `count`, in ascending order of starting, on `jobs` threads;
/// `worker` is below `jobs`. Meanwhile the calling thread calls `watch` ten times a second. Returns when all is done;
/// the first exception of `work` is thrown here, after the other threads have ended what they were at. One job that
/// nobody watches is done by the calling thread.
void run_parallel(size_t count, unsigned jobs, const std::function<void(unsigned worker, size_t index)>& work,
                  const std::function<void()>& watch = nullptr);

}  // namespace spalt_tool::replay
