// SPDX-License-Identifier: MIT
#include "worker_pool.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace spalt::random_programs {
namespace {

constexpr int kPollMilliseconds = 500;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void write_all(int file, const std::string& text) {
  for (size_t written = 0; written < text.size();) {
    const ssize_t count = write(file, text.data() + written, text.size() - written);
    if (count <= 0) _exit(1);
    written += static_cast<size_t>(count);
  }
}

}  // namespace

void WorkerPool::work(uint64_t from, int pipe) const {
  try {
    const Check check = make_check_();
    for (uint64_t seed = from; seed < end_; seed += step_) {
      // One line for each seed: the failure, or nothing.
      std::string line = check(seed).value_or("");
      std::replace(line.begin(), line.end(), '\n', ' ');
      write_all(pipe, line + "\n");
    }
  } catch (const std::exception& error) {
    write_all(pipe, std::string(error.what()) + "\n");
    _exit(1);
  }
  std::fflush(nullptr);
  _exit(0);  // no destructors: they belong to the parent
}

bool WorkerPool::start(Worker& worker) {
  if (worker.next >= end_) return false;
  int ends[2];
  if (::pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
  std::fflush(nullptr);
  worker.pid = fork();
  if (worker.pid < 0) throw std::runtime_error("cannot start a process");
  if (worker.pid == 0) {
    close(ends[0]);
    work(worker.next, ends[1]);
  }
  close(ends[1]);
  worker.pipe = ends[0];
  worker.since = now();
  worker.timed_out = false;
  worker.buffered.clear();
  return true;
}

void WorkerPool::take_lines(Worker& worker, const Report& report) {
  size_t from = 0;
  for (size_t end; (end = worker.buffered.find('\n', from)) != std::string::npos; from = end + 1) {
    report(worker.next, worker.buffered.substr(from, end - from));
    worker.next += step_;
    worker.since = now();
  }
  worker.buffered.erase(0, from);
}

bool WorkerPool::ended(Worker& worker, const Report& report) {
  close(worker.pipe);
  int status = 0;
  waitpid(worker.pid, &status, 0);
  if (WIFSIGNALED(status)) {
    report(worker.next, worker.timed_out ? std::string("timed out")
                                         : std::string("killed by signal: ") + strsignal(WTERMSIG(status)));
    worker.next += step_;
  }
  return start(worker);
}

void WorkerPool::run(uint64_t first, uint64_t count, size_t jobs, const Report& report) {
  end_ = first + count;
  step_ = std::max<uint64_t>(1, std::min<uint64_t>(jobs, count));
  for (uint64_t i = 0; i < step_; ++i) {
    Worker worker;
    worker.next = first + i;
    if (start(worker)) workers_.push_back(std::move(worker));
  }
  while (!workers_.empty()) {
    std::vector<pollfd> files;
    for (const Worker& worker : workers_) files.push_back({worker.pipe, POLLIN, 0});
    poll(files.data(), files.size(), kPollMilliseconds);
    size_t index = 0;
    for (auto worker = workers_.begin(); worker != workers_.end(); ++index) {
      if (!worker->timed_out && now() - worker->since > timeout_seconds_) {
        worker->timed_out = true;
        kill(worker->pid, SIGKILL);
      }
      if (files[index].revents == 0) {
        ++worker;
        continue;
      }
      char bytes[4096];
      const ssize_t size = read(worker->pipe, bytes, sizeof(bytes));
      if (size > 0) {
        worker->buffered.append(bytes, static_cast<size_t>(size));
        take_lines(*worker, report);
        ++worker;
      } else {
        worker = ended(*worker, report) ? std::next(worker) : workers_.erase(worker);
      }
    }
  }
}

}  // namespace spalt::random_programs
