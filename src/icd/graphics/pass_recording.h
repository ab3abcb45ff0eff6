// SPDX-License-Identifier: MIT
//
// A render pass while it is recorded: from subpass to subpass, with the clears of what is used for the first time, the
// resolves at the end of each, and the transitions of layouts.
#pragma once

#include <vector>

#include "icd/command/command_buffer.h"
#include "icd/graphics/render_pass.h"
#include "icd/graphics/render_targets.h"

namespace spalt::icd {

class PassRecording {
 public:
  /// Enters the first subpass.
  void begin(CommandBuffer& commands, const VkRenderPassBeginInfo& info);
  void next_subpass(CommandBuffer& commands);
  void end(CommandBuffer& commands);

  void clear() { *this = PassRecording(); }

 private:
  struct State {
    const ImageView* view = nullptr;
    VkClearValue clear{};
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    uint32_t loaded_views = 0;  // bits; without views all of them
  };

  const Subpass* subpass() const;
  void enter(CommandBuffer& commands);
  void leave(CommandBuffer& commands);
  void use(CommandBuffer& commands, const AttachmentUse& use);
  void load(CommandBuffer& commands, uint32_t attachment);
  void resolve(CommandBuffer& commands, const AttachmentUse& from, const AttachmentUse& to, VkImageAspectFlags aspect,
               VkResolveModeFlagBits mode);
  Attachment attachment(const AttachmentUse& use, VkImageAspectFlags aspect) const;
  RenderTargets targets() const;
  LayerSet layers() const;

  RenderPassRef pass_;  // nullptr: none is recorded
  size_t subpass_ = 0;
  VkRect2D area_{};
  uint32_t layers_ = 1;  // of the framebuffer
  std::vector<State> attachments_;
};

}  // namespace spalt::icd
