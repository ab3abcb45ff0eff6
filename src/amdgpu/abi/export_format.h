// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "amdgpu/abi/graphics_interface.h"
#include "amdgpu/abi/graphics_state.h"

namespace spalt::abi {

/// How a colour goes to its target.
struct ColorExport {
  ExportFormat format = ExportFormat::none;
  bool is_signed = false;  ///< integers
};

/// The narrowest export that keeps what a target needs. `needs_alpha`: alpha matters where the target has none. None
/// for formats that are no colour targets.
ColorExport choose_color_export(const ColorTarget& target, bool needs_alpha);

/// Whether the alpha of the output at this location decides about more than that of the target.
bool needs_alpha(const GraphicsState& state, unsigned location);
/// The channels of that output that have any effect, a bit each. Where the format is no colour target, all that
/// are written, so that it can be refused.
uint8_t wanted_channels(const GraphicsState& state, unsigned location);

/// Channels of an export, CB_SHADER_MASK.
uint8_t export_mask(ExportFormat format);

}  // namespace spalt::abi
