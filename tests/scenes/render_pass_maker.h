// SPDX-License-Identifier: MIT
//
// Attachments with their views, and the render pass object of one pass or of several subpasses. An image that several
// subpasses use, at the same level and layer, is one attachment.
#pragma once

#include <vulkan/vulkan.h>

#include <span>
#include <vector>

#include "scene.h"
#include "scene_resources.h"

namespace spalt::scenes {

/// An attachment with its views; of a resolve attachment `resolve_view` is not null.
struct Slot {
  const Attachment* attachment;
  VkImageView view, resolve_view;
  VkImageLayout layout, resolve_layout;
  VkFormat format;
  bool has_stencil;
};

/// Layers that a pass draws into, views counted.
uint32_t layers_of(const Pass& pass);
Slot make_slot(const Scene& scene, const Pass& pass, SceneResources& resources, const Attachment& attachment);

inline constexpr VkAttachmentReference2 kUnused = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr,
                                                   VK_ATTACHMENT_UNUSED, VK_IMAGE_LAYOUT_UNDEFINED, 0};

class RenderPassMaker {
 public:
  RenderPassMaker(const Scene& scene, std::span<const Pass> passes, SceneResources& resources);
  RenderPassMaker(const RenderPassMaker&) = delete;
  RenderPassMaker& operator=(const RenderPassMaker&) = delete;

  VkRenderPass create(VkDevice device) const;
  /// Of the framebuffer.
  const std::vector<VkImageView>& views() const { return views_; }
  const std::vector<VkClearValue>& clears() const { return clears_; }

 private:
  /// Of an attachment, to find it again.
  struct Place {
    size_t image;
    uint32_t level, layer;
    bool operator==(const Place&) const = default;
  };
  /// What the structs of a subpass point to.
  struct Parts {
    std::vector<VkAttachmentReference2> colors, resolved, inputs;
    VkAttachmentReference2 depth = kUnused, depth_resolved = kUnused;
    VkSubpassDescriptionDepthStencilResolve depth_resolve{};
    std::vector<uint32_t> preserved;
    bool refer_to(uint32_t attachment) const;
  };

  void add_subpass(const Pass& pass, Parts& parts, VkSubpassDescription2& subpass);
  void add_inputs(const Pass& pass, Parts& parts);
  VkAttachmentReference2 use(const Pass& pass, const Attachment& attachment, VkImageAspectFlags aspects);
  VkAttachmentReference2 use_resolved(const Pass& pass, const Attachment& attachment, VkImageAspectFlags aspects);
  uint32_t find(const Place& place) const;
  void add_dependencies();

  const Scene& scene_;
  std::span<const Pass> passes_;
  SceneResources& resources_;
  std::vector<Place> places_;
  std::vector<VkAttachmentDescription2> attachments_;
  std::vector<VkImageView> views_;
  std::vector<VkClearValue> clears_;
  std::vector<Parts> parts_;
  std::vector<VkSubpassDescription2> subpasses_;
  std::vector<VkSubpassDependency2> dependencies_;
};

}  // namespace spalt::scenes
