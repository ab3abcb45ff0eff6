// SPDX-License-Identifier: MIT
//
// Render passes and framebuffers. Both kinds of create info become one form. Recorded commands share the contents.
#pragma once

#include <memory>
#include <vector>

#include "icd/resource/image_view.h"
#include "spalt/graphics.h"

namespace spalt::icd {

/// An attachment of a render pass, as VkAttachmentDescription2 has it.
struct PassAttachment {
  VkFormat format = VK_FORMAT_UNDEFINED;
  VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT;
  VkAttachmentLoadOp load_op = VK_ATTACHMENT_LOAD_OP_LOAD, stencil_load_op = VK_ATTACHMENT_LOAD_OP_LOAD;
  VkImageLayout initial_layout = VK_IMAGE_LAYOUT_UNDEFINED, final_layout = VK_IMAGE_LAYOUT_UNDEFINED;
};

struct AttachmentUse {
  uint32_t attachment = VK_ATTACHMENT_UNUSED;
  VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
  bool is_used() const { return attachment != VK_ATTACHMENT_UNUSED; }
};

struct Subpass {
  uint32_t view_mask = 0;
  std::vector<AttachmentUse> inputs, colors, resolves;  // resolves: none, or one for each colour
  AttachmentUse depth_stencil, depth_stencil_resolve;
  VkResolveModeFlagBits depth_mode = VK_RESOLVE_MODE_NONE, stencil_mode = VK_RESOLVE_MODE_NONE;

  /// Calls `visit(use)` for each attachment that is used, in whatever way.
  template <typename Visit>
  void for_each_use(Visit&& visit) const {
    for (const auto* uses : {&inputs, &colors, &resolves}) {
      for (const AttachmentUse& use : *uses) {
        if (use.is_used()) visit(use);
      }
    }
    for (const AttachmentUse& use : {depth_stencil, depth_stencil_resolve}) {
      if (use.is_used()) visit(use);
    }
  }
};

struct RenderPassContents {
  std::vector<PassAttachment> attachments;
  std::vector<Subpass> subpasses;
};
using RenderPassRef = std::shared_ptr<const RenderPassContents>;

/// Throws VulkanError{VK_ERROR_UNKNOWN} for subpasses that name attachments which are not there.
RenderPassContents make_render_pass(const VkRenderPassCreateInfo& info);
RenderPassContents make_render_pass(const VkRenderPassCreateInfo2& info);

class RenderPass : public Object {
 public:
  using Handle = VkRenderPass;
  explicit RenderPass(RenderPassContents made) : contents(std::make_shared<RenderPassContents>(std::move(made))) {}
  const RenderPassRef contents;
};

class Framebuffer : public Object {
 public:
  using Handle = VkFramebuffer;
  explicit Framebuffer(const VkFramebufferCreateInfo& info);

  std::vector<const ImageView*> views;  // none of an imageless one
  const uint32_t layers;
};

}  // namespace spalt::icd
