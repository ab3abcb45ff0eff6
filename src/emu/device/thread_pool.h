// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace spalt::emu {

/// Threads that run one piece of work at a time together with the thread that asks for it. They start when they are
/// wanted for the first time, and stay.
///
/// Waking a thread takes longer than a small piece of work. So the caller begins at once, wakes one thread, and each
/// one that begins wakes two more; whoever comes when the caller has finished its part is too late and goes back to
/// sleep.
class ThreadPool {
 public:
  /// Up to `threads` - 1 threads; 0 counts as 1. With one, everything runs on the caller's thread.
  explicit ThreadPool(unsigned threads) : size_(std::max(threads, 1u)) {}
  ~ThreadPool() { stop(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return size_; }

  /// Calls work(0) on this thread and, until that returns, work(1) to work(count - 1) on a thread each, as they are
  /// ready; returns when all that were called have returned. `count` is at most size(). When some throw, one of their
  /// exceptions is thrown here. Not to be called by two threads at once.
  void run(unsigned count, const std::function<void(unsigned)>& work);

 private:
  void start(unsigned count);
  void serve();
  void call(unsigned index);
  void stop();

  unsigned size_;
  std::mutex mutex_;
  std::condition_variable begin_, done_;
  const std::function<void(unsigned)>* work_ = nullptr;
  unsigned next_ = 0, end_ = 0;  ///< parts that no thread has begun
  unsigned running_ = 0;         ///< threads of the pool that work
  bool stopping_ = false;        ///< the pool is destroyed
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace spalt::emu
