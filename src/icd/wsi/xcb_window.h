// SPDX-License-Identifier: MIT
//
// Windows of an X server. Requests go over the application's connection, with checks of their own, so that the
// application never sees a reply or an error of them.
#pragma once

#include <memory>

#include "icd/wsi/window.h"

struct xcb_connection_t;

namespace spalt::icd {

std::unique_ptr<Window> make_xcb_window(xcb_connection_t* connection, uint32_t window);

/// Whether windows of that visual can be presented to.
bool can_present_to_visual(xcb_connection_t* connection, uint32_t visual);

}  // namespace spalt::icd
