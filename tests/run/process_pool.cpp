// SPDX-License-Identifier: MIT
#include "process_pool.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <vector>

namespace spalt::run {
namespace {

constexpr char kReturned = 'r';
constexpr char kThrew = 't';
constexpr int kPollMilliseconds = 200;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void write_all(int file, const std::string& text) {
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t count = write(file, text.data() + written, text.size() - written);
    if (count <= 0) return;
    written += static_cast<size_t>(count);
  }
}

/// Body of a child process: the answer is one tag byte and the text.
[[noreturn]] void run_child(const Task& task, int pipe) {
  std::string answer;
  try {
    answer = kReturned + task();
  } catch (const std::exception& error) {
    answer = kThrew + std::string(error.what());
  }
  write_all(pipe, answer);
  std::fflush(nullptr);
  _exit(0);  // no destructors: they belong to the parent
}

}  // namespace

void ProcessPool::submit(Task task, TaskDone done) {
  pending_.push_front({std::move(task), std::move(done)});
}

void ProcessPool::start_children() {
  while (children_.size() < jobs_ && !pending_.empty()) {
    Pending next = std::move(pending_.front());
    pending_.pop_front();
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("cannot make a pipe");
    std::fflush(nullptr);
    const pid_t pid = fork();
    if (pid < 0) throw std::runtime_error("cannot start a process");
    if (pid == 0) {
      close(ends[0]);
      run_child(next.task, ends[1]);
    }
    close(ends[1]);
    Child& child = children_.emplace_back();
    child.pid = pid;
    child.pipe = ends[0];
    child.start = now();
    child.done = std::move(next.done);
  }
}

void ProcessPool::finish(Child& child) {
  close(child.pipe);
  int status = 0;
  waitpid(child.pid, &status, 0);
  TaskOutcome outcome;
  outcome.seconds = now() - child.start;
  if (child.timed_out) {
    outcome.failure = "timed out";
  } else if (WIFSIGNALED(status)) {
    outcome.failure = std::string("killed by signal: ") + strsignal(WTERMSIG(status));
  } else if (child.data.empty()) {
    outcome.failure = "ended without an answer, exit code " + std::to_string(WEXITSTATUS(status));
  } else if (child.data[0] == kThrew) {
    outcome.failure = child.data.substr(1);
  } else {
    outcome.data = child.data.substr(1);
  }
  child.done(outcome);
}

void ProcessPool::wait_for_output() {
  std::vector<pollfd> files;
  for (const Child& child : children_) files.push_back({child.pipe, POLLIN, 0});
  poll(files.data(), files.size(), kPollMilliseconds);

  size_t index = 0;
  for (auto child = children_.begin(); child != children_.end(); ++index) {
    if (!child->timed_out && now() - child->start > timeout_seconds_) {
      child->timed_out = true;
      kill(child->pid, SIGKILL);
    }
    if (files[index].revents == 0) {
      ++child;
      continue;
    }
    char bytes[65536];
    const ssize_t count = read(child->pipe, bytes, sizeof(bytes));
    if (count > 0) {
      child->data.append(bytes, static_cast<size_t>(count));
      ++child;
      continue;
    }
    Child ended = std::move(*child);
    child = children_.erase(child);
    finish(ended);
  }
}

void ProcessPool::run() {
  while (!pending_.empty() || !children_.empty()) {
    start_children();
    wait_for_output();
  }
}

}  // namespace spalt::run
