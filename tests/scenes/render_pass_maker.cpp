// SPDX-License-Identifier: MIT
#include "render_pass_maker.h"

#include <algorithm>
#include <bit>

namespace spalt::scenes {
namespace {

constexpr VkPipelineStageFlags kWriting = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT |
                                          VK_PIPELINE_STAGE_EARLY_FRAGMENT_TESTS_BIT |
                                          VK_PIPELINE_STAGE_LATE_FRAGMENT_TESTS_BIT;
constexpr VkAccessFlags kWrites = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;

VkAttachmentReference2 reference(uint32_t index, VkImageLayout layout, VkImageAspectFlags aspects) {
  VkAttachmentReference2 result{};
  result.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2;
  result.attachment = index;
  result.layout = layout;
  result.aspectMask = aspects;
  return result;
}

VkAttachmentDescription2 description(VkFormat format, uint32_t samples, VkImageLayout layout) {
  VkAttachmentDescription2 result{};
  result.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2;
  result.format = format;
  result.samples = static_cast<VkSampleCountFlagBits>(samples);
  result.loadOp = result.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  result.storeOp = result.stencilStoreOp = VK_ATTACHMENT_STORE_OP_STORE;
  result.initialLayout = result.finalLayout = layout;
  return result;
}

bool waits_within(const Pass& pass) {
  return std::any_of(pass.draws.begin(), pass.draws.end(), [](const Draw& draw) { return draw.waits; });
}

VkSubpassDependency2 dependency(uint32_t from, uint32_t to, const Pass& pass) {
  VkSubpassDependency2 result{};
  result.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2;
  result.srcSubpass = from;
  result.dstSubpass = to;
  result.srcStageMask = kWriting;
  result.dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT;
  result.srcAccessMask = kWrites;
  result.dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT;
  if (from != to) {
    result.dstStageMask |= kWriting;
    result.dstAccessMask |= kWrites | VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
  }
  result.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  if (pass.view_mask != 0) result.dependencyFlags |= VK_DEPENDENCY_VIEW_LOCAL_BIT;
  return result;
}

}  // namespace

uint32_t layers_of(const Pass& pass) {
  return std::max(pass.layers, static_cast<uint32_t>(std::bit_width(pass.view_mask)));
}

Slot make_slot(const Scene& scene, const Pass& pass, SceneResources& resources, const Attachment& attachment) {
  const uint32_t layers = layers_of(pass);
  const Image& image = scene.images[attachment.image];
  Slot slot{};
  slot.attachment = &attachment;
  slot.view = resources.make_attachment_view(attachment, attachment.image, layers);
  slot.layout = layout_in_pass(pass, image, attachment.image);
  slot.format = image.view_format;
  slot.has_stencil = (image.desc.format->aspects & texel::kStencil) != 0;
  if (attachment.resolve) {
    slot.resolve_view = resources.make_attachment_view(attachment, *attachment.resolve, layers);
    slot.resolve_layout = layout_in_pass(pass, scene.images[*attachment.resolve], *attachment.resolve);
  }
  return slot;
}

RenderPassMaker::RenderPassMaker(const Scene& scene, std::span<const Pass> passes, SceneResources& resources)
    : scene_(scene), passes_(passes), resources_(resources), parts_(passes.size()), subpasses_(passes.size()) {
  for (size_t i = 0; i < passes.size(); ++i) add_subpass(passes[i], parts_[i], subpasses_[i]);
  // Between its uses an attachment has to be preserved by name.
  for (size_t i = 0; i < passes.size(); ++i) {
    for (uint32_t attachment = 0; attachment < attachments_.size(); ++attachment) {
      if (!parts_[i].refer_to(attachment)) parts_[i].preserved.push_back(attachment);
    }
    subpasses_[i].preserveAttachmentCount = static_cast<uint32_t>(parts_[i].preserved.size());
    subpasses_[i].pPreserveAttachments = parts_[i].preserved.data();
  }
  add_dependencies();
}

bool RenderPassMaker::Parts::refer_to(uint32_t attachment) const {
  const auto is_it = [attachment](const VkAttachmentReference2& one) { return one.attachment == attachment; };
  const auto any = [&](const auto& list) { return std::any_of(list.begin(), list.end(), is_it); };
  return any(colors) || any(resolved) || any(inputs) || is_it(depth) || is_it(depth_resolved);
}

void RenderPassMaker::add_subpass(const Pass& pass, Parts& parts, VkSubpassDescription2& subpass) {
  for (const std::optional<Attachment>& color : pass.colors) {
    parts.colors.push_back(color ? use(pass, *color, VK_IMAGE_ASPECT_COLOR_BIT) : kUnused);
    parts.resolved.push_back(color ? use_resolved(pass, *color, VK_IMAGE_ASPECT_COLOR_BIT) : kUnused);
  }
  subpass.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2;
  subpass.viewMask = pass.view_mask;
  subpass.colorAttachmentCount = static_cast<uint32_t>(parts.colors.size());
  subpass.pColorAttachments = parts.colors.data();
  subpass.pResolveAttachments = parts.resolved.data();
  if (pass.depth) {
    const VkImageAspectFlags aspects = scene_.images[pass.depth->image].desc.format->aspects;
    parts.depth = use(pass, *pass.depth, aspects);
    subpass.pDepthStencilAttachment = &parts.depth;
    if (pass.depth->resolve) {
      parts.depth_resolved = use_resolved(pass, *pass.depth, aspects);
      parts.depth_resolve.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE;
      parts.depth_resolve.depthResolveMode = parts.depth_resolve.stencilResolveMode = pass.depth->resolve_mode;
      parts.depth_resolve.pDepthStencilResolveAttachment = &parts.depth_resolved;
      subpass.pNext = &parts.depth_resolve;
    }
  }
  add_inputs(pass, parts);
  subpass.inputAttachmentCount = static_cast<uint32_t>(parts.inputs.size());
  subpass.pInputAttachments = parts.inputs.data();
}

/// What the descriptors of the draws say. An attachment may come from before the render pass.
void RenderPassMaker::add_inputs(const Pass& pass, Parts& parts) {
  for (const Draw& draw : pass.draws) {
    for (const Binding& binding : draw.bindings) {
      if (binding.type != VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT) continue;
      Attachment attachment;
      attachment.image = binding.resource;
      attachment.level = binding.levels[0];
      attachment.layer = binding.layers[0];
      attachment.load = attachment.stencil_load = VK_ATTACHMENT_LOAD_OP_LOAD;
      const VkAttachmentReference2 used = use(pass, attachment, binding.aspects);
      if (parts.inputs.size() <= binding.input_index) parts.inputs.resize(binding.input_index + 1, kUnused);
      VkAttachmentReference2& input = parts.inputs[binding.input_index];
      if (input.attachment != VK_ATTACHMENT_UNUSED && input.attachment != used.attachment) {
        throw Error("the draws of a pass have different input attachments at one index");
      }
      const VkImageAspectFlags known = input.aspectMask;
      input = used;
      input.aspectMask |= known;
    }
  }
}

uint32_t RenderPassMaker::find(const Place& place) const {
  return static_cast<uint32_t>(std::find(places_.begin(), places_.end(), place) - places_.begin());
}

VkAttachmentReference2 RenderPassMaker::use(const Pass& pass, const Attachment& attachment,
                                            VkImageAspectFlags aspects) {
  const Place place{attachment.image, attachment.level, attachment.layer};
  const uint32_t index = find(place);
  if (index < places_.size()) {
    const VkImageLayout layout = layout_in_pass(pass, scene_.images[attachment.image], attachment.image);
    attachments_[index].finalLayout = layout;
    return reference(index, layout, aspects);
  }
  const Slot slot = make_slot(scene_, pass, resources_, attachment);
  VkAttachmentDescription2& main =
      attachments_.emplace_back(description(slot.format, scene_.images[attachment.image].desc.samples, slot.layout));
  main.loadOp = attachment.load;
  main.storeOp = attachment.store;
  main.stencilLoadOp = slot.has_stencil ? attachment.stencil_load : VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  main.stencilStoreOp = attachment.store;
  places_.push_back(place);
  views_.push_back(slot.view);
  clears_.push_back(attachment.clear);
  return reference(index, slot.layout, aspects);
}

VkAttachmentReference2 RenderPassMaker::use_resolved(const Pass& pass, const Attachment& attachment,
                                                     VkImageAspectFlags aspects) {
  if (!attachment.resolve) return kUnused;
  Attachment resolved = attachment;
  resolved.image = *attachment.resolve;
  resolved.level = resolved.layer = 0;
  resolved.load = resolved.stencil_load = VK_ATTACHMENT_LOAD_OP_DONT_CARE;
  resolved.store = VK_ATTACHMENT_STORE_OP_STORE;
  resolved.resolve.reset();
  return use(pass, resolved, aspects);
}

void RenderPassMaker::add_dependencies() {
  for (uint32_t i = 0; i < passes_.size(); ++i) {
    if (i > 0) dependencies_.push_back(dependency(i - 1, i, passes_[i]));
    if (waits_within(passes_[i])) dependencies_.push_back(dependency(i, i, passes_[i]));
  }
}

VkRenderPass RenderPassMaker::create(VkDevice device) const {
  VkRenderPassCreateInfo2 info{};
  info.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2;
  info.attachmentCount = static_cast<uint32_t>(attachments_.size());
  info.pAttachments = attachments_.data();
  info.subpassCount = static_cast<uint32_t>(subpasses_.size());
  info.pSubpasses = subpasses_.data();
  info.dependencyCount = static_cast<uint32_t>(dependencies_.size());
  info.pDependencies = dependencies_.data();
  VkRenderPass pass = VK_NULL_HANDLE;
  vkrun::check_vulkan(vkCreateRenderPass2(device, &info, nullptr, &pass), "vkCreateRenderPass2");
  return pass;
}

}  // namespace spalt::scenes
