// SPDX-License-Identifier: MIT
#include "render_target.h"

#include <algorithm>
#include <bit>

namespace spalt::scenes {
namespace {

using vkrun::check_vulkan;

uint32_t layers_of(const Pass& pass) {
  return std::max(pass.layers, static_cast<uint32_t>(std::bit_width(pass.view_mask)));
}

}  // namespace

RenderTarget::RenderTarget(const SceneDevice& device, const Scene& scene, const Pass& pass, SceneResources& resources,
                           bool is_dynamic)
    : device_(device), scene_(scene), pass_(pass), resources_(resources), is_dynamic_(is_dynamic) {
  for (const std::optional<Attachment>& color : pass.colors) {
    colors_.push_back(color ? std::optional(make_slot(*color)) : std::nullopt);
  }
  if (pass.depth) depth_ = make_slot(*pass.depth);
  if (is_dynamic) {
    fill_rendering();
  } else {
    create_render_pass();
    create_framebuffer();
  }
}

RenderTarget::~RenderTarget() {
  vkDestroyFramebuffer(device_.device(), framebuffer_, nullptr);
  vkDestroyRenderPass(device_.device(), render_pass_, nullptr);
}

RenderTarget::Slot RenderTarget::make_slot(const Attachment& attachment) {
  const uint32_t layers = layers_of(pass_);
  const Image& image = scene_.images[attachment.image];
  Slot slot{};
  slot.attachment = &attachment;
  slot.view = resources_.make_attachment_view(attachment, attachment.image, layers);
  slot.layout = layout_in_pass(pass_, image, attachment.image);
  slot.format = image.view_format;
  slot.has_stencil = (image.desc.format->aspects & texel::kStencil) != 0;
  if (attachment.resolve) {
    slot.resolve_view = resources_.make_attachment_view(attachment, *attachment.resolve, layers);
    slot.resolve_layout = layout_in_pass(pass_, scene_.images[*attachment.resolve], *attachment.resolve);
  }
  return slot;
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

namespace {

VkAttachmentReference2 reference(uint32_t index, VkImageLayout layout, VkImageAspectFlags aspects) {
  VkAttachmentReference2 result{};
  result.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2;
  result.attachment = index;
  result.layout = layout;
  result.aspectMask = aspects;
  return result;
}

VkAttachmentDescription2 description(VkFormat format, VkSampleCountFlagBits samples, VkImageLayout layout) {
  VkAttachmentDescription2 result{};
  result.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2;
  result.format = format;
  result.samples = samples;
  result.loadOp = result.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  result.storeOp = result.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
  result.initialLayout = result.finalLayout = layout;
  return result;
}

}  // namespace

void RenderTarget::create_render_pass() {
  std::vector<VkAttachmentDescription2> attachments;
  const VkAttachmentReference2 unused = reference(VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED, 0);
  /// The attachment of a slot, and that of its resolved form.
  const auto add = [&](const Slot& slot, VkImageAspectFlags aspects) {
    const Attachment& attachment = *slot.attachment;
    VkAttachmentDescription2& main = attachments.emplace_back(description(slot.format, pass_.samples, slot.layout));
    main.loadOp = attachment.load;
    main.storeOp = attachment.store;
    main.stencilLoadOp = slot.has_stencil ? attachment.stencil_load : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
    main.stencilStoreOp = attachment.store;
    views_.push_back(slot.view);
    clears_.push_back(attachment.clear);
    return reference(static_cast<uint32_t>(attachments.size()) - 1, slot.layout, aspects);
  };
  const auto add_resolved = [&](const Slot& slot, VkImageAspectFlags aspects) {
    if (slot.resolve_view == VK_NULL_HANDLE) return unused;
    attachments.push_back(description(slot.format, VK_SAMPLE_COUNT_1_BIT, slot.resolve_layout));
    views_.push_back(slot.resolve_view);
    clears_.emplace_back();
    return reference(static_cast<uint32_t>(attachments.size()) - 1, slot.resolve_layout, aspects);
  };
  std::vector<VkAttachmentReference2> colors, resolved;
  for (const std::optional<Slot>& color : colors_) {
    colors.push_back(color ? add(*color, VK_IMAGE_ASPECT_COLOR_BIT) : unused);
    resolved.push_back(color ? add_resolved(*color, VK_IMAGE_ASPECT_COLOR_BIT) : unused);
  }
  VkSubpassDescription2 subpass{};
  subpass.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2;
  subpass.viewMask = pass_.view_mask;
  subpass.colorAttachmentCount = static_cast<uint32_t>(colors.size());
  subpass.pColorAttachments = colors.data();
  subpass.pResolveAttachments = resolved.data();
  VkAttachmentReference2 depth{}, depth_resolved{};
  VkSubpassDescriptionDepthStencilResolve depth_resolve{};
  depth_resolve.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE;
  if (depth_) {
    const VkImageAspectFlags aspects = scene_.images[pass_.depth->image].desc.format->aspects;
    depth = add(*depth_, aspects);
    subpass.pDepthStencilAttachment = &depth;
    if (pass_.depth->resolve) {
      depth_resolved = add_resolved(*depth_, aspects);
      depth_resolve.depthResolveMode = depth_resolve.stencilResolveMode = pass_.depth->resolve_mode;
      depth_resolve.pDepthStencilResolveAttachment = &depth_resolved;
      subpass.pNext = &depth_resolve;
    }
  }
  VkRenderPassCreateInfo2 info{};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2;
  info.attachmentCount = static_cast<uint32_t>(attachments.size());
  info.pAttachments = attachments.data();
  info.subpassCount = 1;
  info.pSubpasses = &subpass;
  check_vulkan(vkCreateRenderPass2(device_.device(), &info, nullptr, &render_pass_), "vkCreateRenderPass2");
}

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

}  // namespace spalt::scenes
