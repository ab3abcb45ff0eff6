// SPDX-License-Identifier: MIT
//
// Checks many seeds in a few processes. A process goes from seed to seed, so that what is slow to open is opened once;
// one that crashes or hangs costs its seed a failure and is replaced.
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <optional>
#include <string>

namespace spalt::random_programs {

/// Nothing when the seed passes, else the failure.
using Check = std::function<std::optional<std::string>(uint64_t seed)>;

class WorkerPool {
 public:
  /// `make_check` runs once in every worker process.
  WorkerPool(std::function<Check()> make_check, double timeout_seconds)
      : make_check_(std::move(make_check)), timeout_seconds_(timeout_seconds) {}

  using Report = std::function<void(uint64_t seed, const std::string& failure)>;
  /// Every seed of first .. first + count - 1; `report` is called for each, with an empty failure when it passed.
  void run(uint64_t first, uint64_t count, size_t jobs, const Report& report);

 private:
  struct Worker {
    uint64_t next = 0;  ///< the seed at work
    int pid = 0;
    int pipe = -1;
    double since = 0.0;
    std::string buffered;
    bool timed_out = false;
  };

  bool start(Worker& worker);
  void take_lines(Worker& worker, const Report& report);
  /// The process has ended; true when a new one has taken over.
  bool ended(Worker& worker, const Report& report);
  [[noreturn]] void work(uint64_t from, int pipe) const;

  std::function<Check()> make_check_;
  double timeout_seconds_;
  uint64_t end_ = 0;
  uint64_t step_ = 1;
  std::list<Worker> workers_;
};

}  // namespace spalt::random_programs
