// SPDX-License-Identifier: MIT
//
// How errors leave the driver: as result codes. Inside, a constructor that fails throws.
#pragma once

#include <vulkan/vulkan.h>

#include <new>

namespace spalt::icd {

/// Thrown where a function cannot return a code; guarded() turns it into one.
struct VulkanError {
  VkResult code;
};

/// Runs `body`, which returns a VkResult, and keeps exceptions in.
template <typename Body>
VkResult guarded(Body&& body) noexcept {
  try {
    return body();
  } catch (const VulkanError& error) {
    return error.code;
  } catch (const std::bad_alloc&) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  } catch (...) {
    return VK_ERROR_UNKNOWN;
  }
}

}  // namespace spalt::icd
