// SPDX-License-Identifier: MIT
#include "emu/device/thread_pool.h"

#include <system_error>

#include "base/float_environment.h"

namespace spalt::emu {

void ThreadPool::start(unsigned count) {
  try {
    while (threads_.size() < count) threads_.emplace_back([this] { serve(); });
  } catch (const std::system_error&) {
    // Those that there are do the work.
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

void ThreadPool::serve() {
  const DefaultFloatEnvironment environment;
  std::unique_lock lock(mutex_);
  for (;;) {
    begin_.wait(lock, [&] { return stopping_ || next_ != end_; });
    if (stopping_) return;
    const unsigned index = next_++;
    ++running_;
    const unsigned others = std::min(end_ - next_, 2u);
    lock.unlock();
    for (unsigned i = 0; i < others; ++i) begin_.notify_one();
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
  start(count - 1);
  {
    const std::lock_guard lock(mutex_);
    work_ = &work;
    next_ = 1;
    end_ = count;
    error_ = nullptr;
  }
  begin_.notify_one();
  call(0);
  std::unique_lock lock(mutex_);
  next_ = end_ = 0;
  done_.wait(lock, [this] { return running_ == 0; });
  if (error_ != nullptr) std::rethrow_exception(error_);
}

}  // namespace spalt::emu
