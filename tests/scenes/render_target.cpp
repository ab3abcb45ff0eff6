// SPDX-License-Identifier: MIT
#include "render_target.h"

namespace spalt::scenes {

using vkrun::check_vulkan;

RenderTarget::RenderTarget(const SceneDevice& device, const Scene& scene, std::span<const Pass> passes,
                           SceneResources& resources, bool is_dynamic)
    : device_(device), scene_(scene), passes_(passes), pass_(passes.front()), is_dynamic_(is_dynamic) {
  if (is_dynamic) {
    for (const std::optional<Attachment>& color : pass_.colors) {
      colors_.push_back(color ? std::optional(make_slot(scene, pass_, resources, *color)) : std::nullopt);
    }
    if (pass_.depth) depth_ = make_slot(scene, pass_, resources, *pass_.depth);
    fill_rendering();
  } else {
    const RenderPassMaker maker(scene, passes, resources);
    render_pass_ = maker.create(device.device());
    views_ = maker.views();
    clears_ = maker.clears();
    create_framebuffer();
  }
}

RenderTarget::~RenderTarget() {
  vkDestroyFramebuffer(device_.device(), framebuffer_, nullptr);
  vkDestroyRenderPass(device_.device(), render_pass_, nullptr);
}

// ---- dynamic rendering ----

void RenderTarget::fill_rendering() {
  const auto fill = [](const std::optional<Slot>& slot) {
    VkRenderingAttachmentInfoKHR info{};
    info.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO_KHR;
    if (!slot) return info;
    info.imageView = slot->view;
    info.imageLayout = slot->layout;
    if (slot->resolve_view != VK_NULL_HANDLE) {
      info.resolveMode = slot->attachment->resolve_mode;
      info.resolveImageView = slot->resolve_view;
      info.resolveImageLayout = slot->resolve_layout;
    }
    info.loadOp = slot->attachment->load;
    info.storeOp = slot->attachment->store;
    info.clearValue = slot->attachment->clear;
    return info;
  };
  for (const std::optional<Slot>& color : colors_) {
    color_infos_.push_back(fill(color));
    color_formats_.push_back(color ? color->format : VK_FORMAT_UNDEFINED);
  }
  const VkImageAspectFlags aspects = depth_ ? scene_.images[pass_.depth->image].desc.format->aspects : 0;
  rendering_.sType = VK_STRUCTURE_TYPE_RENDERING_INFO_KHR;
  rendering_.renderArea = pass_.area;
  rendering_.layerCount = pass_.layers;
  rendering_.viewMask = pass_.view_mask;
  rendering_.colorAttachmentCount = static_cast<uint32_t>(color_infos_.size());
  rendering_.pColorAttachments = color_infos_.data();
  pipeline_rendering_.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO_KHR;
  pipeline_rendering_.viewMask = pass_.view_mask;
  pipeline_rendering_.colorAttachmentCount = rendering_.colorAttachmentCount;
  pipeline_rendering_.pColorAttachmentFormats = color_formats_.data();
  if ((aspects & VK_IMAGE_ASPECT_DEPTH_BIT) != 0) {
    depth_info_ = fill(depth_);
    rendering_.pDepthAttachment = &depth_info_;
    pipeline_rendering_.depthAttachmentFormat = depth_->format;
  }
  if ((aspects & VK_IMAGE_ASPECT_STENCIL_BIT) != 0) {
    stencil_info_ = fill(depth_);
    stencil_info_.loadOp = pass_.depth->stencil_load;
    rendering_.pStencilAttachment = &stencil_info_;
    pipeline_rendering_.stencilAttachmentFormat = depth_->format;
  }
}

// ---- render passes ----

void RenderTarget::create_framebuffer() {
  VkFramebufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO;
  info.renderPass = render_pass_;
  info.attachmentCount = static_cast<uint32_t>(views_.size());
  info.pAttachments = views_.data();
  info.width = static_cast<uint32_t>(pass_.area.offset.x) + pass_.area.extent.width;
  info.height = static_cast<uint32_t>(pass_.area.offset.y) + pass_.area.extent.height;
  info.layers = pass_.view_mask != 0 ? 1 : pass_.layers;
  check_vulkan(vkCreateFramebuffer(device_.device(), &info, nullptr, &framebuffer_), "vkCreateFramebuffer");
}

// ---- both ----

void RenderTarget::begin(VkCommandBuffer commands) const {
  if (is_dynamic_) {
    device_.command<PFN_vkCmdBeginRenderingKHR>("vkCmdBeginRenderingKHR")(commands, &rendering_);
    return;
  }
  VkRenderPassBeginInfo info{};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO;
  info.renderPass = render_pass_;
  info.framebuffer = framebuffer_;
  info.renderArea = pass_.area;
  info.clearValueCount = static_cast<uint32_t>(clears_.size());
  info.pClearValues = clears_.data();
  vkCmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
}

void RenderTarget::end(VkCommandBuffer commands) const {
  if (is_dynamic_) {
    device_.command<PFN_vkCmdEndRenderingKHR>("vkCmdEndRenderingKHR")(commands);
  } else {
    vkCmdEndRenderPass(commands);
  }
}

void RenderTarget::wait(VkCommandBuffer commands) {
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                       VK_DEPENDENCY_BY_REGION_BIT, 1, &barrier, 0, nullptr, 0, nullptr);
}

}  // namespace spalt::scenes
