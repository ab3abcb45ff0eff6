// SPDX-License-Identifier: MIT
//
// Host memory of Vulkan objects: through the application's callbacks where it gives some. Containers inside of objects
// use the C++ heap.
#pragma once

#include <vulkan/vulkan.h>

#include <cstddef>
#include <new>
#include <optional>
#include <utility>

namespace spalt::icd {

class HostMemory {
 public:
  HostMemory() = default;
  /// `callbacks` may be nullptr: then the parent's are used.
  HostMemory(const VkAllocationCallbacks* callbacks, const HostMemory& parent)
      : callbacks_(callbacks != nullptr ? std::optional(*callbacks) : parent.callbacks_) {}

  /// Throws std::bad_alloc.
  void* allocate(size_t size, size_t alignment, VkSystemAllocationScope scope) const;
  void release(void* memory, size_t alignment) const;

 private:
  std::optional<VkAllocationCallbacks> callbacks_;
};

/// Makes an object; throws std::bad_alloc, and what its constructor throws.
template <typename T, typename... Arguments>
T* create_object(const HostMemory& memory, VkSystemAllocationScope scope, Arguments&&... arguments) {
  void* place = memory.allocate(sizeof(T), alignof(T), scope);
  try {
    return new (place) T(std::forward<Arguments>(arguments)...);
  } catch (...) {
    memory.release(place, alignof(T));
    throw;
  }
}

/// `object` may be nullptr.
template <typename T>
void destroy_object(const HostMemory& memory, T* object) {
  if (object == nullptr) return;
  object->~T();
  memory.release(object, alignof(T));
}

}  // namespace spalt::icd
