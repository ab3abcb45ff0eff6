// SPDX-License-Identifier: MIT
#include "icd/graphics/dynamic_rendering.h"

#include <algorithm>

#include "icd/command/image_checks.h"

namespace spalt::icd {
namespace {

LayerSet layers_of(const VkRenderingInfo& info) {
  return {0, info.layerCount, info.viewMask};
}

Attachment make_target(const VkRenderingAttachmentInfo* info, VkImageAspectFlags aspect) {
  return info == nullptr ? Attachment() : make_attachment(from_nullable<ImageView>(info->imageView), aspect);
}

/// Of SPALT_ICD_LAYOUTS; depth and stencil are apart.
void check_layout(CommandBuffer& commands, const VkRenderingAttachmentInfo& info, VkImageAspectFlags aspect) {
  const auto* view = from_nullable<ImageView>(info.imageView);
  if (view == nullptr) return;
  VkImageSubresourceRange range = view->range();
  range.aspectMask &= aspect;
  record_access(commands, view->image(), range, {"vkCmdBeginRendering", info.imageLayout, TransferAccess::write});
}

RenderTargets make_targets(const VkRenderingInfo& info) {
  RenderTargets targets;
  targets.area = info.renderArea;
  targets.layers = info.layerCount;
  targets.view_mask = info.viewMask;
  targets.color_count = std::min<uint32_t>(info.colorAttachmentCount, SPALT_MAX_COLOR_TARGETS);
  for (uint32_t i = 0; i < targets.color_count; ++i) {
    targets.colors[i] = make_target(info.pColorAttachments + i, VK_IMAGE_ASPECT_COLOR_BIT);
  }
  targets.depth = make_target(info.pDepthAttachment, VK_IMAGE_ASPECT_DEPTH_BIT);
  targets.stencil = make_target(info.pStencilAttachment, VK_IMAGE_ASPECT_STENCIL_BIT);
  return targets;
}

/// Calls `visit(attachment, info)` for each that is there.
template <typename Visit>
void for_each_target(const RenderTargets& targets, const VkRenderingInfo& info, Visit&& visit) {
  for (uint32_t i = 0; i < targets.color_count; ++i) {
    if (targets.colors[i].exists()) visit(targets.colors[i], info.pColorAttachments[i]);
  }
  if (targets.depth.exists()) visit(targets.depth, *info.pDepthAttachment);
  if (targets.stencil.exists()) visit(targets.stencil, *info.pStencilAttachment);
}

}  // namespace

void DynamicRendering::begin(CommandBuffer& commands, const VkRenderingInfo& info) {
  clear();
  const RenderTargets targets = make_targets(info);
  const bool loads = (info.flags & VK_RENDERING_RESUMING_BIT) == 0;
  const bool stores = (info.flags & VK_RENDERING_SUSPENDING_BIT) == 0;
  for_each_target(targets, info, [&](const Attachment& attachment, const VkRenderingAttachmentInfo& one) {
    check_layout(commands, one, attachment.aspect);
    if (loads && one.loadOp == VK_ATTACHMENT_LOAD_OP_CLEAR) {
      record_clear(commands,
                   {attachment, info.renderArea, layers_of(info), clear_texel(one.clearValue, attachment.aspect)});
    }
    if (stores) keep_resolve(attachment, one, info);
  });
  begin_targets(commands, targets);
}

void DynamicRendering::keep_resolve(const Attachment& from, const VkRenderingAttachmentInfo& info,
                                    const VkRenderingInfo& rendering) {
  if (info.resolveMode == VK_RESOLVE_MODE_NONE) return;
  const auto* view = from_nullable<ImageView>(info.resolveImageView);
  const SampleMerge merge =
      from.aspect == VK_IMAGE_ASPECT_COLOR_BIT ? color_merge(from, info.resolveMode) : merge_of(info.resolveMode);
  resolves_.push_back({from, make_attachment(view, from.aspect), rendering.renderArea, layers_of(rendering), merge});
}

void DynamicRendering::end(CommandBuffer& commands) {
  end_targets(commands);
  for (const AttachmentResolve& resolve : resolves_) record_resolve(commands, resolve);
  clear();
}

}  // namespace spalt::icd
