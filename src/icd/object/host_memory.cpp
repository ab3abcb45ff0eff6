// SPDX-License-Identifier: MIT
#include "icd/object/host_memory.h"

namespace spalt::icd {

void* HostMemory::allocate(size_t size, size_t alignment, VkSystemAllocationScope scope) const {
  if (!callbacks_) return ::operator new(size, std::align_val_t(alignment));
  void* memory = callbacks_->pfnAllocation(callbacks_->pUserData, size, alignment, scope);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void HostMemory::release(void* memory, size_t alignment) const {
  if (callbacks_) {
    callbacks_->pfnFree(callbacks_->pUserData, memory);
  } else {
    ::operator delete(memory, std::align_val_t(alignment));
  }
}

}  // namespace spalt::icd
