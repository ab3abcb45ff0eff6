// SPDX-License-Identifier: MIT
//
// Runs tasks in child processes, several at a time, so that a crash or an endless loop in one is a failed test and no
// more.
#pragma once

#include <cstddef>
#include <functional>
#include <list>
#include <string>

namespace spalt::run {

struct TaskOutcome {
  std::string data;     // what the task returned
  std::string failure;  // one sentence when it did not return: exception, signal, timeout
  double seconds = 0.0;
};

using Task = std::function<std::string()>;
using TaskDone = std::function<void(const TaskOutcome&)>;

class ProcessPool {
 public:
  ProcessPool(size_t jobs, double timeout_seconds) : jobs_(jobs), timeout_seconds_(timeout_seconds) {}

  /// Queues a task. `done` runs in this process and may submit further tasks, which are started before older ones, so
  /// that a program is finished before the next begins.
  void submit(Task task, TaskDone done);

  /// Returns when nothing is queued or running.
  void run();

 private:
  struct Pending {
    Task task;
    TaskDone done;
  };
  struct Child {
    int pid = 0;
    int pipe = -1;
    double start = 0.0;
    TaskDone done;
    std::string data;
    bool timed_out = false;
  };

  void start_children();
  void wait_for_output();
  void finish(Child& child);

  size_t jobs_;
  double timeout_seconds_;
  std::list<Pending> pending_;
  std::list<Child> children_;
};

}  // namespace spalt::run
