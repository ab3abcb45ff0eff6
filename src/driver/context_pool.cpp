// SPDX-License-Identifier: MIT
#include "driver/context_pool.h"

namespace spalt::driver {

/// The list has room for one more afterwards, so that giving back takes no memory.
std::unique_ptr<KeptContext> ContextPool::take() {
  const std::lock_guard lock(mutex_);
  if (idle_.empty()) {
    idle_.reserve(made_ + 1);
    auto context = std::make_unique<KeptContext>(memory_);
    ++made_;
    return context;
  }
  std::unique_ptr<KeptContext> context = std::move(idle_.back());
  idle_.pop_back();
  return context;
}

void ContextPool::give_back(std::unique_ptr<KeptContext> context) noexcept {
  context->context.reset();
  const std::lock_guard lock(mutex_);
  idle_.push_back(std::move(context));
}

}  // namespace spalt::driver
