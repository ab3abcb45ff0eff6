// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <mutex>
#include <vector>

#include "base/compile_context.h"

namespace spalt::driver {

/// The compile contexts of a compiler: one for each compilation that runs at the same time. They stay with their
/// memory, so that from its second shader on a compiler asks for little. May be used from any thread.
class ContextPool {
 public:
  /// A context for the time of one compilation.
  class Lease {
   public:
    explicit Lease(ContextPool& pool) : pool_(pool), context_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(context_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    CompileContext& operator*() const { return *context_; }
    CompileContext* operator->() const { return context_.get(); }

   private:
    ContextPool& pool_;
    std::unique_ptr<CompileContext> context_;
  };

  explicit ContextPool(MemoryFunctions memory) : memory_(memory) {}

 private:
  std::unique_ptr<CompileContext> take();
  void give_back(std::unique_ptr<CompileContext> context) noexcept;

  const MemoryFunctions memory_;
  std::mutex mutex_;
  size_t made_ = 0;  ///< contexts that exist; `idle_` has room for all
  std::vector<std::unique_ptr<CompileContext>> idle_;
};

}  // namespace spalt::driver
