// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "driver/api_support.h"
#include "driver/context_pool.h"

/// What one spalt_compiler is.
struct spalt_compiler {
  explicit spalt_compiler(const spalt::driver::Allocation& a)
      : allocation(a), contexts({allocate, release, const_cast<spalt::driver::Allocation*>(&allocation)}) {}

  const spalt::driver::Allocation allocation;
  const spalt::isa::Target* target = nullptr;
  /// Their memory comes from the callbacks. Whoever has a compiler may take one, as the pool guards itself.
  mutable spalt::driver::ContextPool contexts;

 private:
  static void* allocate(void* user, size_t bytes, size_t alignment) {
    const auto& callbacks = static_cast<spalt::driver::Allocation*>(user)->callbacks;
    return callbacks.allocate(callbacks.user, bytes, alignment);
  }
  static void release(void* user, void* memory, size_t) {
    static_cast<spalt::driver::Allocation*>(user)->release(memory);
  }
};
