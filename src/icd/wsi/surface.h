// SPDX-License-Identifier: MIT
//
// Surfaces. There are headless ones only: a window that nobody sees, of any size.
#pragma once

#include "icd/object/handle.h"

namespace spalt::icd {

class Surface : public Object {
 public:
  using Handle = VkSurfaceKHR;
};

inline constexpr uint32_t kMinImageCount = 1;
inline constexpr uint32_t kMaxImageCount = 64;
inline constexpr uint32_t kMaxSurfaceExtent = 16384;

}  // namespace spalt::icd
