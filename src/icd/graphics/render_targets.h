// SPDX-License-Identifier: MIT
//
// What draws render to, and the commands of a list that begin and end it: clears before, resolves after. Secondary
// command buffers do not know the targets; they find them in the Execution.
#pragma once

#include "icd/command/command_buffer.h"
#include "icd/graphics/attachment.h"

namespace spalt::icd {

struct RenderTargets {
  VkRect2D area{};
  uint32_t layers = 1;
  uint32_t view_mask = 0;
  uint32_t color_count = 0;
  Attachment colors[SPALT_MAX_COLOR_TARGETS];
  Attachment depth, stencil;

  /// Those that clears and resolves of whole targets work on.
  LayerSet all_layers() const { return {0, layers, view_mask}; }
};

/// What comes next renders to these.
void begin_targets(CommandBuffer& commands, const RenderTargets& targets);
void record_clear(CommandBuffer& commands, const AttachmentClear& clear);
/// Does nothing where one of both is not there.
void record_resolve(CommandBuffer& commands, const AttachmentResolve& resolve);
void end_targets(CommandBuffer& commands);

/// Averages are for floats: integers take sample 0, whatever the mode.
SampleMerge color_merge(const Attachment& attachment, VkResolveModeFlagBits mode);

}  // namespace spalt::icd
