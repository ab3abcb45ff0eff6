// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>

#include "replay/parallel.h"
#include "replay/settings.h"
#include "replay/time_limit.h"

namespace spalt_tool::replay {
namespace {

TEST(Shard, IsThatOfSplitmix64) {
  // The first outputs of splitmix64 with these seeds, as published with other implementations.
  const auto shard = [](uint64_t hash, uint32_t count) {
    uint32_t found = 0;
    for (uint32_t index = 1; index <= count; ++index) {
      if (in_shard({index, count}, hash)) found = found == 0 ? index : UINT32_MAX;
    }
    return found;
  };
  EXPECT_EQ(shard(0, 1000), 0xe220a8397b1dcdafu % 1000 + 1);
  EXPECT_EQ(shard(1234567, 1000), 6457827717110365317u % 1000 + 1);
  EXPECT_EQ(shard(99, 1), 1u);
}

TEST(Shard, AreOfAboutTheSameSize) {
  unsigned sizes[8] = {};
  for (uint64_t hash = 0; hash < 8000; ++hash) {
    for (uint32_t index = 1; index <= 8; ++index) sizes[index - 1] += in_shard({index, 8}, hash * 256) ? 1 : 0;
  }
  unsigned sum = 0;
  for (const unsigned size : sizes) {
    EXPECT_NEAR(size, 1000, 150);
    sum += size;
  }
  EXPECT_EQ(sum, 8000u);
}

TEST(Parallel, DoesEachOnce) {
  for (const unsigned jobs : {1u, 2u, 5u}) {
    std::vector<std::atomic<unsigned>> done(1000);
    std::mutex mutex;
    std::set<unsigned> workers;
    run_parallel(done.size(), jobs, [&](unsigned worker, size_t index) {
      ++done[index];
      const std::lock_guard lock(mutex);
      workers.insert(worker);
    });
    for (const auto& count : done) EXPECT_EQ(count, 1u);
    EXPECT_LT(*workers.rbegin(), jobs);
  }
  run_parallel(0, 3, [](unsigned, size_t) { FAIL(); });
}

TEST(Parallel, WatchesWhileWorkIsDone) {
  std::atomic<bool> go{false};
  unsigned looks = 0;
  const auto watch = [&] {
    if (++looks == 2) go = true;
  };
  run_parallel(
      1, 1,
      [&](unsigned, size_t) {
        while (!go) std::this_thread::yield();
      },
      watch);
  EXPECT_GE(looks, 2u);
}

TEST(Parallel, ThrowsWhatWorkThrows) {
  for (const unsigned jobs : {1u, 3u}) {
    std::atomic<unsigned> done{0};
    const auto work = [&](unsigned, size_t index) {
      if (index == 10) throw std::runtime_error("ten");
      ++done;
    };
    EXPECT_THROW(run_parallel(1000000, jobs, work), std::runtime_error);
    EXPECT_LT(done, 1000000u);
  }
}

TEST(TimeLimit, EndsOnlyWhatIsLate) {
  TimeLimit limit(std::chrono::milliseconds(1000), 2);
  const uint32_t* first = limit.begin(0);
  limit.look();
  EXPECT_EQ(*first, 0u);
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));
  const uint32_t* second = limit.begin(1);
  limit.look();
  EXPECT_EQ(*first, 1u);
  EXPECT_EQ(*second, 0u);
  limit.end(0);
  EXPECT_EQ(*limit.begin(0), 0u);
  limit.look();
  EXPECT_EQ(*first, 0u);
  TimeLimit none(std::chrono::milliseconds(0), 1);
  const uint32_t* flag = none.begin(0);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  none.look();
  EXPECT_EQ(*flag, 0u);
}

}  // namespace
}  // namespace spalt_tool::replay
