// SPDX-License-Identifier: MIT
//
// What a pass draws into: a render pass with its framebuffer, or the structs of dynamic rendering.
#pragma once

#include <vulkan/vulkan.h>

#include <span>
#include <vector>

#include "render_pass_maker.h"
#include "scene.h"
#include "scene_device.h"
#include "scene_resources.h"

namespace spalt::scenes {

class RenderTarget {
 public:
  /// `passes`: one, or the subpasses of a render pass.
  RenderTarget(const SceneDevice& device, const Scene& scene, std::span<const Pass> passes, SceneResources& resources,
               bool is_dynamic);
  ~RenderTarget();
  RenderTarget(const RenderTarget&) = delete;
  RenderTarget& operator=(const RenderTarget&) = delete;

  void begin(VkCommandBuffer commands) const;
  void end(VkCommandBuffer commands) const;
  /// Within a subpass: later draws see what earlier ones wrote, as input attachments.
  static void wait(VkCommandBuffer commands);

  /// For VkGraphicsPipelineCreateInfo; null with dynamic rendering, which has a struct for the chain.
  VkRenderPass render_pass() const { return render_pass_; }
  uint32_t subpass_of(const Pass& pass) const { return static_cast<uint32_t>(&pass - passes_.data()); }
  const VkPipelineRenderingCreateInfoKHR* pipeline_rendering() const {
    return is_dynamic_ ? &pipeline_rendering_ : nullptr;
  }

 private:
  void fill_rendering();
  void create_framebuffer();

  const SceneDevice& device_;
  const Scene& scene_;
  std::span<const Pass> passes_;
  const Pass& pass_;  // the first one
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
