// SPDX-License-Identifier: MIT
//
// Vulkan handles. A non-dispatchable handle is the address of an Object; a dispatchable one is the address of the word
// that the loader owns, which comes first in a Dispatchable.
#pragma once

#include <vulkan/vk_icd.h>
#include <vulkan/vulkan.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace spalt::icd {

static_assert(sizeof(void*) == 8, "handles are pointers, and Vulkan's are 64 bits");

/// What every object has, whatever it is. A class of objects derives from it once and names its handle type `Handle`.
class Object {
 public:
  Object() = default;
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;

  std::string debug_name;  // VK_EXT_debug_utils; empty: none. Guarded by its device, as the next
  std::vector<std::pair<uint64_t, uint64_t>> private_data;  // (id of the slot, data)
};

/// Instance, physical device, device, queue, command buffer. No virtual function: the loader's word is the first.
class Dispatchable {
  VK_LOADER_DATA loader_;

 public:
  Dispatchable() { set_loader_magic_value(&loader_); }
  Dispatchable(const Dispatchable&) = delete;
  Dispatchable& operator=(const Dispatchable&) = delete;

  Object object;
};

/// The object of a handle that is not null.
template <typename T>
T& from_handle(typename T::Handle handle) {
  return *reinterpret_cast<T*>(handle);
}

/// The object of a handle, or nullptr.
template <typename T>
T* from_nullable(typename T::Handle handle) {
  return reinterpret_cast<T*>(handle);
}

template <typename T>
typename T::Handle to_handle(T* object) {
  return reinterpret_cast<typename T::Handle>(object);
}

/// The object of a handle that Vulkan tells as a number.
template <typename T>
T* from_handle_value(uint64_t handle) {
  return reinterpret_cast<T*>(handle);  // NOLINT(performance-no-int-to-ptr)
}

/// A handle as messages and debug utilities show it.
template <typename Handle>
uint64_t handle_value(Handle handle) {
  return reinterpret_cast<uint64_t>(handle);
}

}  // namespace spalt::icd
