// SPDX-License-Identifier: MIT
//
// What a pass draws into: a render pass with its framebuffer, or the structs of dynamic rendering.
#pragma once

#include <vulkan/vulkan.h>

#include <vector>

#include "scene.h"
#include "scene_device.h"
#include "scene_resources.h"

namespace spalt::scenes {

class RenderTarget {
 public:
  RenderTarget(const SceneDevice& device, const Scene& scene, const Pass& pass, SceneResources& resources,
               bool is_dynamic);
  ~RenderTarget();
  RenderTarget(const RenderTarget&) = delete;
  RenderTarget& operator=(const RenderTarget&) = delete;

  void begin(VkCommandBuffer commands) const;
  void end(VkCommandBuffer commands) const;

  /// For VkGraphicsPipelineCreateInfo; null with dynamic rendering, which has a struct for the chain.
  VkRenderPass render_pass() const { return render_pass_; }
  const VkPipelineRenderingCreateInfoKHR* pipeline_rendering() const {
    return is_dynamic_ ? &pipeline_rendering_ : nullptr;
  }

 private:
  /// An attachment with its views; of a resolve attachment `resolve_view` is not null.
  struct Slot {
    const Attachment* attachment;
    VkImageView view, resolve_view;
    VkImageLayout layout, resolve_layout;
    VkFormat format;
    bool has_stencil;
  };

  Slot make_slot(const Attachment& attachment);
  void fill_rendering();
  void create_render_pass();
  void create_framebuffer();

  const SceneDevice& device_;
  const Scene& scene_;
  const Pass& pass_;
  SceneResources& resources_;
  bool is_dynamic_;
  std::vector<std::optional<Slot>> colors_;
  std::optional<Slot> depth_;
  VkRenderPass render_pass_ = VK_NULL_HANDLE;
  VkFramebuffer framebuffer_ = VK_NULL_HANDLE;
  std::vector<VkImageView> views_;    // of the framebuffer
  std::vector<VkClearValue> clears_;  // of the render pass
  std::vector<VkRenderingAttachmentInfoKHR> color_infos_;
  VkRenderingAttachmentInfoKHR depth_info_{}, stencil_info_{};
  VkRenderingInfoKHR rendering_{};
  std::vector<VkFormat> color_formats_;
  VkPipelineRenderingCreateInfoKHR pipeline_rendering_{};
};

}  // namespace spalt::scenes
