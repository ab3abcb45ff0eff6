// SPDX-License-Identifier: MIT
#include "emu/device/thread_pool.h"

#include "base/float_environment.h"

namespace spalt::emu {

ThreadPool::ThreadPool(unsigned threads) {
  try {
    for (unsigned i = 1; i < threads; ++i) threads_.emplace_back([this, i] { serve(i); });
  } catch (...) {
    stop();
    throw;
  }
}

void ThreadPool::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  begin_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::serve(unsigned index) {
  const DefaultFloatEnvironment environment;
  uint64_t seen = 0;
  std::unique_lock lock(mutex_);
  for (;;) {
    begin_.wait(lock, [&] { return stopping_ || round_ != seen; });
    if (stopping_) return;
    seen = round_;
    if (index >= count_) continue;
    lock.unlock();
    call(index);
    lock.lock();
    if (--running_ == 0) done_.notify_one();
  }
}

void ThreadPool::call(unsigned index) {
  try {
    (*work_)(index);
  } catch (...) {
    const std::lock_guard lock(mutex_);
    error_ = std::current_exception();
  }
}

void ThreadPool::run(unsigned count, const std::function<void(unsigned)>& work) {
  if (count <= 1) {
    if (count == 1) work(0);
    return;
  }
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    count_ = count;
    running_ = count - 1;
    error_ = nullptr;
    ++round_;
  }
  begin_.notify_all();
  call(0);
  std::unique_lock lock(mutex_);
  done_.wait(lock, [this] { return running_ == 0; });
  if (error_ != nullptr) std::rethrow_exception(error_);
}

}  // namespace spalt::emu
