// SPDX-License-Identifier: MIT
#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "amdgpu/isa/codec/encoder.h"
#include "base/compile_context.h"

namespace spalt::driver {

/// A compile context with what a compiler for one target learns and keeps from one compilation to the next.
class KeptContext {
 public:
  explicit KeptContext(MemoryFunctions memory) : context(memory), kept_(memory) {}

  CompileContext context;

  /// For the target that it was first asked for.
  isa::EncodeTemplates& templates(const isa::Target& target) {
    if (!templates_) templates_.emplace(target, kept_);
    return *templates_;
  }

 private:
  Arena kept_;  ///< never reset
  std::optional<isa::EncodeTemplates> templates_;
};

/// The contexts of a compiler: one for each compilation that runs at the same time. They stay with their memory, so
/// that from its second shader on a compiler asks for little. May be used from any thread.
class ContextPool {
 public:
  /// A context for the time of one compilation.
  class Lease {
   public:
    explicit Lease(ContextPool& pool) : pool_(pool), context_(pool.take()) {}
    ~Lease() { pool_.give_back(std::move(context_)); }
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    CompileContext& operator*() const { return context_->context; }
    CompileContext* operator->() const { return &context_->context; }
    isa::EncodeTemplates& templates(const isa::Target& target) const { return context_->templates(target); }

   private:
    ContextPool& pool_;
    std::unique_ptr<KeptContext> context_;
  };

  explicit ContextPool(MemoryFunctions memory) : memory_(memory) {}

 private:
  std::unique_ptr<KeptContext> take();
  void give_back(std::unique_ptr<KeptContext> context) noexcept;

  const MemoryFunctions memory_;
  std::mutex mutex_;
  size_t made_ = 0;  ///< contexts that exist; `idle_` has room for all
  std::vector<std::unique_ptr<KeptContext>> idle_;
};

}  // namespace spalt::driver
