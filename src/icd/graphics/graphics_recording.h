// SPDX-License-Identifier: MIT
//
// What graphics commands keep while a command buffer is recorded.
#pragma once

#include "icd/graphics/draw_recording.h"
#include "icd/graphics/dynamic_rendering.h"
#include "icd/graphics/pass_recording.h"

namespace spalt::icd {

class GraphicsRecording : public RecordingState {
 public:
  void clear() noexcept override {
    pass.clear();
    rendering.clear();
    draws.clear();
  }

  PassRecording pass;
  DynamicRendering rendering;
  DrawRecording draws;
};

inline GraphicsRecording& graphics_of(CommandBuffer& commands) {
  if (commands.graphics == nullptr) commands.graphics = std::make_unique<GraphicsRecording>();
  return static_cast<GraphicsRecording&>(*commands.graphics);
}

}  // namespace spalt::icd
