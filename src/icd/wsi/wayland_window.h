// SPDX-License-Identifier: MIT
//
// Surfaces of a Wayland compositor. The driver uses event queues of its own on the application's display, so that it
// neither takes the application's events nor needs it to dispatch.
#pragma once

#include <memory>

#include "icd/wsi/window.h"

struct wl_display;
struct wl_surface;

namespace spalt::icd {

/// Throws VulkanError when the compositor does not answer.
std::unique_ptr<Window> make_wayland_window(wl_display* display, wl_surface* surface);

}  // namespace spalt::icd
