// SPDX-License-Identifier: MIT
#pragma once
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace spalt::emu {

/// Threads that stay and run one piece of work at a time together with the thread that asks for it.
class ThreadPool {
 public:
  /// Starts `threads` - 1 threads; 0 counts as 1. With one, everything runs on the caller's thread.
  explicit ThreadPool(unsigned threads);
  ~ThreadPool() { stop(); }
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  unsigned size() const { return static_cast<unsigned>(threads_.size()) + 1; }

  /// Calls work(0) to work(count - 1), each on a thread of its own, the first on this one, and returns when all have
  /// returned. `count` is at most size(). When some throw, one of their exceptions is thrown here. Not to be called by
  /// two threads at once.
  void run(unsigned count, const std::function<void(unsigned)>& work);

 private:
  void serve(unsigned index);
  void call(unsigned index);
  void stop();

  std::mutex mutex_;
  std::condition_variable begin_, done_;
  const std::function<void(unsigned)>* work_ = nullptr;
  uint64_t round_ = 0;     ///< counts the calls of run that need other threads
  unsigned count_ = 0;     ///< threads wanted in this round
  unsigned running_ = 0;   ///< of them, threads of the pool that have not finished
  bool stopping_ = false;  ///< the pool is destroyed
  std::exception_ptr error_;
  std::vector<std::thread> threads_;
};

}  // namespace spalt::emu
