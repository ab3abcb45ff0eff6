// SPDX-License-Identifier: MIT
#include "icd/graphics/pass_recording.h"

#include <algorithm>

#include "icd/command/image_checks.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

/// Those of the framebuffer, or of the begin info for an imageless one.
std::vector<const ImageView*> find_views(const VkRenderPassBeginInfo& info) {
  const auto* own =
      find_in_chain<VkRenderPassAttachmentBeginInfo>(info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_ATTACHMENT_BEGIN_INFO);
  if (own == nullptr || own->attachmentCount == 0) return from_handle<Framebuffer>(info.framebuffer).views;
  std::vector<const ImageView*> views;
  for (uint32_t i = 0; i < own->attachmentCount; ++i) views.push_back(from_nullable<ImageView>(own->pAttachments[i]));
  return views;
}

}  // namespace

void PassRecording::begin(CommandBuffer& commands, const VkRenderPassBeginInfo& info) {
  clear();
  pass_ = from_handle<RenderPass>(info.renderPass).contents;
  area_ = info.renderArea;
  layers_ = from_handle<Framebuffer>(info.framebuffer).layers;
  attachments_.resize(pass_->attachments.size());
  const std::vector<const ImageView*> views = find_views(info);
  for (size_t i = 0; i < attachments_.size(); ++i) {
    State& state = attachments_[i];
    if (i < views.size()) state.view = views[i];
    if (i < info.clearValueCount) state.clear = info.pClearValues[i];
    state.layout = pass_->attachments[i].initial_layout;
  }
  enter(commands);
}

void PassRecording::next_subpass(CommandBuffer& commands) {
  if (pass_ == nullptr) return;
  leave(commands);
  ++subpass_;
  enter(commands);
}

void PassRecording::end(CommandBuffer& commands) {
  if (pass_ == nullptr) return;
  leave(commands);
  for (size_t i = 0; i < attachments_.size(); ++i) {
    const State& state = attachments_[i];
    if (state.view == nullptr) continue;
    record_transition(commands, state.view->image(), state.view->range(), state.layout,
                      pass_->attachments[i].final_layout);
  }
  clear();
}

const Subpass* PassRecording::subpass() const {
  return subpass_ < pass_->subpasses.size() ? &pass_->subpasses[subpass_] : nullptr;
}

void PassRecording::enter(CommandBuffer& commands) {
  if (subpass() == nullptr) return;
  subpass()->for_each_use([&](const AttachmentUse& one) { use(commands, one); });
  begin_targets(commands, targets());
}

void PassRecording::leave(CommandBuffer& commands) {
  const Subpass* now = subpass();
  if (now == nullptr) return;
  end_targets(commands);
  for (size_t i = 0; i < std::min(now->colors.size(), now->resolves.size()); ++i) {
    resolve(commands, now->colors[i], now->resolves[i], VK_IMAGE_ASPECT_COLOR_BIT, VK_RESOLVE_MODE_AVERAGE_BIT);
  }
  resolve(commands, now->depth_stencil, now->depth_stencil_resolve, VK_IMAGE_ASPECT_DEPTH_BIT, now->depth_mode);
  resolve(commands, now->depth_stencil, now->depth_stencil_resolve, VK_IMAGE_ASPECT_STENCIL_BIT, now->stencil_mode);
}

/// The first use of an attachment, or of a view of it, loads it.
void PassRecording::use(CommandBuffer& commands, const AttachmentUse& use) {
  State& state = attachments_[use.attachment];
  if (state.view == nullptr) return;
  record_transition(commands, state.view->image(), state.view->range(), state.layout, use.layout);
  state.layout = use.layout;
  load(commands, use.attachment);
  record_written(commands, state.view->image(), state.view->range());
}

void PassRecording::load(CommandBuffer& commands, uint32_t attachment) {
  State& state = attachments_[attachment];
  LayerSet fresh = layers();
  const uint32_t views = fresh.views != 0 ? fresh.views : UINT32_MAX;
  const uint32_t left = views & ~state.loaded_views;
  state.loaded_views |= views;
  if (left == 0) return;
  if (fresh.views != 0) fresh.views = left;
  const PassAttachment& description = pass_->attachments[attachment];
  for (const VkImageAspectFlags aspect :
       {VK_IMAGE_ASPECT_COLOR_BIT, VK_IMAGE_ASPECT_DEPTH_BIT, VK_IMAGE_ASPECT_STENCIL_BIT}) {
    const VkAttachmentLoadOp load_op =
        aspect == VK_IMAGE_ASPECT_STENCIL_BIT ? description.stencil_load_op : description.load_op;
    if (load_op != VK_ATTACHMENT_LOAD_OP_CLEAR) continue;
    record_clear(commands, {make_attachment(state.view, aspect), area_, fresh, clear_texel(state.clear, aspect)});
  }
}

void PassRecording::resolve(CommandBuffer& commands, const AttachmentUse& from, const AttachmentUse& to,
                            VkImageAspectFlags aspect, VkResolveModeFlagBits mode) {
  if (!from.is_used() || !to.is_used() || mode == VK_RESOLVE_MODE_NONE) return;
  const Attachment source = attachment(from, aspect);
  const SampleMerge merge = aspect == VK_IMAGE_ASPECT_COLOR_BIT ? color_merge(source, mode) : merge_of(mode);
  record_resolve(commands, {source, attachment(to, aspect), area_, layers(), merge});
}

Attachment PassRecording::attachment(const AttachmentUse& use, VkImageAspectFlags aspect) const {
  return use.is_used() ? make_attachment(attachments_[use.attachment].view, aspect) : Attachment();
}

RenderTargets PassRecording::targets() const {
  const Subpass& now = *subpass();
  RenderTargets targets;
  targets.area = area_;
  targets.layers = layers_;
  targets.view_mask = now.view_mask;
  targets.color_count = static_cast<uint32_t>(now.colors.size());
  for (size_t i = 0; i < now.colors.size(); ++i) {
    targets.colors[i] = attachment(now.colors[i], VK_IMAGE_ASPECT_COLOR_BIT);
  }
  targets.depth = attachment(now.depth_stencil, VK_IMAGE_ASPECT_DEPTH_BIT);
  targets.stencil = attachment(now.depth_stencil, VK_IMAGE_ASPECT_STENCIL_BIT);
  return targets;
}

LayerSet PassRecording::layers() const {
  return {0, layers_, subpass()->view_mask};
}

}  // namespace spalt::icd
