// SPDX-License-Identifier: MIT
//
// Surfaces: a window of the window system, or a headless one, which nobody sees and which has any size.
#pragma once

#include <memory>

#include "icd/object/handle.h"
#include "icd/object/host_memory.h"
#include "icd/wsi/window.h"

namespace spalt::icd {

class Surface : public Object {
 public:
  using Handle = VkSurfaceKHR;

  Surface() = default;
  explicit Surface(std::unique_ptr<Window> window) : window_(std::move(window)) {}

  /// nullptr: the surface is headless.
  const Window* window() const { return window_.get(); }
  VkResult query(WindowFacts& facts) const;

 private:
  std::unique_ptr<Window> window_;
};

/// What the commands that create surfaces do; nullptr: a headless one.
VkResult create_surface(VkInstance instance, std::unique_ptr<Window> window, const VkAllocationCallbacks* callbacks,
                        VkSurfaceKHR* surface);

inline constexpr uint32_t kMinImageCount = 1;
inline constexpr uint32_t kMaxImageCount = 64;
inline constexpr uint32_t kMaxSurfaceExtent = 16384;

}  // namespace spalt::icd
