// SPDX-License-Identifier: MIT
#include "icd/graphics/render_pass.h"

#include <algorithm>

#include "commands.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {
namespace {

/// VkAttachmentDescription and VkAttachmentDescription2 have these members; so with references.
template <typename Description>
PassAttachment make_attachment(const Description& description) {
  return {description.format,        description.samples,       description.loadOp,
          description.stencilLoadOp, description.initialLayout, description.finalLayout};
}

template <typename Reference>
AttachmentUse make_use(const Reference* reference) {
  return reference == nullptr ? AttachmentUse{} : AttachmentUse{reference->attachment, reference->layout};
}

template <typename Reference>
std::vector<AttachmentUse> make_uses(uint32_t count, const Reference* references) {
  std::vector<AttachmentUse> uses;
  for (uint32_t i = 0; references != nullptr && i < count; ++i) uses.push_back(make_use(references + i));
  return uses;
}

template <typename Description>
Subpass make_subpass(const Description& description) {
  Subpass subpass;
  subpass.inputs = make_uses(description.inputAttachmentCount, description.pInputAttachments);
  subpass.colors = make_uses(description.colorAttachmentCount, description.pColorAttachments);
  subpass.resolves = make_uses(description.colorAttachmentCount, description.pResolveAttachments);
  subpass.depth_stencil = make_use(description.pDepthStencilAttachment);
  return subpass;
}

void add_depth_resolve(const VkSubpassDescription2& description, Subpass& subpass) {
  const auto* resolve = find_in_chain<VkSubpassDescriptionDepthStencilResolve>(
      description.pNext, VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_DEPTH_STENCIL_RESOLVE);
  if (resolve == nullptr) return;
  subpass.depth_stencil_resolve = make_use(resolve->pDepthStencilResolveAttachment);
  subpass.depth_mode = resolve->depthResolveMode;
  subpass.stencil_mode = resolve->stencilResolveMode;
}

void check(const RenderPassContents& contents) {
  for (const Subpass& subpass : contents.subpasses) {
    if (subpass.colors.size() > SPALT_MAX_COLOR_TARGETS) throw VulkanError{VK_ERROR_UNKNOWN};
    subpass.for_each_use([&](const AttachmentUse& use) {
      if (use.attachment >= contents.attachments.size()) throw VulkanError{VK_ERROR_UNKNOWN};
    });
  }
}

template <typename CreateInfo>
VkResult create_render_pass(VkDevice device, const CreateInfo& info, const VkAllocationCallbacks* callbacks,
                            VkRenderPass* pass) {
  return guarded([&] {
    *pass = to_handle(create_child<RenderPass>(from_handle<Device>(device), callbacks, make_render_pass(info)));
    return VK_SUCCESS;
  });
}

}  // namespace

RenderPassContents make_render_pass(const VkRenderPassCreateInfo& info) {
  RenderPassContents contents;
  for (uint32_t i = 0; i < info.attachmentCount; ++i) {
    contents.attachments.push_back(make_attachment(info.pAttachments[i]));
  }
  for (uint32_t i = 0; i < info.subpassCount; ++i) contents.subpasses.push_back(make_subpass(info.pSubpasses[i]));
  if (const auto* multiview = find_in_chain<VkRenderPassMultiviewCreateInfo>(
          info.pNext, VK_STRUCTURE_TYPE_RENDER_PASS_MULTIVIEW_CREATE_INFO)) {
    const uint32_t masks = std::min(multiview->subpassCount, info.subpassCount);
    for (uint32_t i = 0; i < masks; ++i) contents.subpasses[i].view_mask = multiview->pViewMasks[i];
  }
  check(contents);
  return contents;
}

RenderPassContents make_render_pass(const VkRenderPassCreateInfo2& info) {
  RenderPassContents contents;
  for (uint32_t i = 0; i < info.attachmentCount; ++i) {
    contents.attachments.push_back(make_attachment(info.pAttachments[i]));
  }
  for (uint32_t i = 0; i < info.subpassCount; ++i) {
    Subpass& subpass = contents.subpasses.emplace_back(make_subpass(info.pSubpasses[i]));
    subpass.view_mask = info.pSubpasses[i].viewMask;
    add_depth_resolve(info.pSubpasses[i], subpass);
  }
  check(contents);
  return contents;
}

Framebuffer::Framebuffer(const VkFramebufferCreateInfo& info) : layers(info.layers) {
  if ((info.flags & VK_FRAMEBUFFER_CREATE_IMAGELESS_BIT) != 0) return;
  for (uint32_t i = 0; i < info.attachmentCount; ++i) views.push_back(from_nullable<ImageView>(info.pAttachments[i]));
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateRenderPass(VkDevice device, const VkRenderPassCreateInfo* pCreateInfo,
                                                       const VkAllocationCallbacks* pAllocator,
                                                       VkRenderPass* pRenderPass) {
  return create_render_pass(device, *pCreateInfo, pAllocator, pRenderPass);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateRenderPass2(VkDevice device, const VkRenderPassCreateInfo2* pCreateInfo,
                                                        const VkAllocationCallbacks* pAllocator,
                                                        VkRenderPass* pRenderPass) {
  return create_render_pass(device, *pCreateInfo, pAllocator, pRenderPass);
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyRenderPass(VkDevice device, VkRenderPass renderPass,
                                                    const VkAllocationCallbacks* pAllocator) {
  destroy_child<RenderPass>(from_handle<Device>(device), pAllocator, renderPass);
}

VKAPI_ATTR VkResult VKAPI_CALL entry::CreateFramebuffer(VkDevice device, const VkFramebufferCreateInfo* pCreateInfo,
                                                        const VkAllocationCallbacks* pAllocator,
                                                        VkFramebuffer* pFramebuffer) {
  return guarded([&] {
    *pFramebuffer = to_handle(create_child<Framebuffer>(from_handle<Device>(device), pAllocator, *pCreateInfo));
    return VK_SUCCESS;
  });
}

VKAPI_ATTR void VKAPI_CALL entry::DestroyFramebuffer(VkDevice device, VkFramebuffer framebuffer,
                                                     const VkAllocationCallbacks* pAllocator) {
  destroy_child<Framebuffer>(from_handle<Device>(device), pAllocator, framebuffer);
}

VKAPI_ATTR void VKAPI_CALL entry::GetRenderAreaGranularity(VkDevice, VkRenderPass, VkExtent2D* pGranularity) {
  *pGranularity = {1, 1};
}

}  // namespace spalt::icd
