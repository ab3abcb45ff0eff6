// SPDX-License-Identifier: MIT
//
// Commands that begin and end rendering, and clears in between.
#include "commands.h"
#include "icd/command/execution.h"
#include "icd/graphics/graphics_recording.h"

namespace spalt::icd {
namespace {

/// A clear of what is rendered to when it executes.
struct ClearTarget {
  VkImageAspectFlags aspect;
  uint32_t color;  // of a colour
  VkClearRect rect;
  VkClearValue value;

  bool execute(Execution& execution) const {
    const RenderTargets* targets = execution.render_targets();
    if (targets == nullptr || !execution.condition()) return true;
    const Attachment* attachment = find(*targets);
    if (attachment == nullptr || !attachment->exists()) return true;
    if (!execution.settle_memory()) return false;
    if (!execution.can_touch(attachment->texels.grid.range, SPALT_ACCESS_STORE)) return execution.goes_on();
    const LayerSet layers{rect.baseArrayLayer, rect.layerCount, targets->view_mask};
    AttachmentClear{*attachment, rect.rect, layers, clear_texel(value, aspect)}.run();
    return true;
  }

 private:
  const Attachment* find(const RenderTargets& targets) const {
    if (aspect == VK_IMAGE_ASPECT_DEPTH_BIT) return &targets.depth;
    if (aspect == VK_IMAGE_ASPECT_STENCIL_BIT) return &targets.stencil;
    return color < targets.color_count ? &targets.colors[color] : nullptr;
  }
};

void begin_pass(VkCommandBuffer handle, const VkRenderPassBeginInfo& info) {
  record(handle, [&](CommandBuffer& commands) { graphics_of(commands).pass.begin(commands, info); });
}

void next_subpass(VkCommandBuffer handle) {
  record(handle, [](CommandBuffer& commands) { graphics_of(commands).pass.next_subpass(commands); });
}

void end_pass(VkCommandBuffer handle) {
  record(handle, [](CommandBuffer& commands) { graphics_of(commands).pass.end(commands); });
}

}  // namespace

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginRenderPass(VkCommandBuffer commandBuffer,
                                                     const VkRenderPassBeginInfo* pRenderPassBegin, VkSubpassContents) {
  begin_pass(commandBuffer, *pRenderPassBegin);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginRenderPass2(VkCommandBuffer commandBuffer,
                                                      const VkRenderPassBeginInfo* pRenderPassBegin,
                                                      const VkSubpassBeginInfo*) {
  begin_pass(commandBuffer, *pRenderPassBegin);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdNextSubpass(VkCommandBuffer commandBuffer, VkSubpassContents) {
  next_subpass(commandBuffer);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdNextSubpass2(VkCommandBuffer commandBuffer, const VkSubpassBeginInfo*,
                                                  const VkSubpassEndInfo*) {
  next_subpass(commandBuffer);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndRenderPass(VkCommandBuffer commandBuffer) {
  end_pass(commandBuffer);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndRenderPass2(VkCommandBuffer commandBuffer, const VkSubpassEndInfo*) {
  end_pass(commandBuffer);
}

VKAPI_ATTR void VKAPI_CALL entry::CmdBeginRendering(VkCommandBuffer commandBuffer,
                                                    const VkRenderingInfo* pRenderingInfo) {
  record(commandBuffer,
         [&](CommandBuffer& commands) { graphics_of(commands).rendering.begin(commands, *pRenderingInfo); });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdEndRendering(VkCommandBuffer commandBuffer) {
  record(commandBuffer, [](CommandBuffer& commands) { graphics_of(commands).rendering.end(commands); });
}

VKAPI_ATTR void VKAPI_CALL entry::CmdClearAttachments(VkCommandBuffer commandBuffer, uint32_t attachmentCount,
                                                      const VkClearAttachment* pAttachments, uint32_t rectCount,
                                                      const VkClearRect* pRects) {
  record(commandBuffer, [&](CommandBuffer& commands) {
    for (uint32_t i = 0; i < attachmentCount; ++i) {
      const VkClearAttachment& one = pAttachments[i];
      for (const VkImageAspectFlags aspect :
           {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}) {
        if ((one.aspectMask & aspect) == 0) continue;
        for (uint32_t r = 0; r < rectCount; ++r) {
          commands.append(ClearTarget{aspect, one.colorAttachment, pRects[r], one.clearValue});
        }
      }
    }
  });
}

}  // namespace spalt::icd
