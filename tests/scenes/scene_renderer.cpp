// SPDX-License-Identifier: MIT
#include "scene_renderer.h"

#include <algorithm>
#include <list>
#include <map>
#include <tuple>

#include "render_target.h"
#include "run/support.h"
#include "scene_descriptors.h"
#include "scene_device.h"
#include "scene_pipelines.h"
#include "scene_resources.h"

namespace spalt::scenes {
namespace {

using vkrun::check_vulkan;

constexpr uint64_t kTimeoutNanoseconds = 600ull * 1000 * 1000 * 1000;

/// Everything of one run; destroyed with it, in the reverse order.
class SceneRun {
 public:
  SceneRun(const Scene& scene, const ShaderWords& shaders, Rendering rendering)
      : scene_(scene),
        rendering_(rendering),
        device_(scene.needs),
        resources_(device_.handles(), scene),
        descriptors_(device_.device(), scene, resources_),
        pipelines_(device_, shaders) {}
  ~SceneRun();
  SceneRun(const SceneRun&) = delete;
  SceneRun& operator=(const SceneRun&) = delete;

  void record();
  void submit();
  Pictures pictures() const { return resources_.pictures(); }

 private:
  bool is_dynamic(const Pass& pass) const;
  void begin_commands();
  void record_pass(const Pass& pass);
  void record_draw(const Pass& pass, const Draw& draw, VkPipeline pipeline, const std::vector<VkDescriptorSet>& sets);
  void record_vertex_buffers(const Draw& draw);
  VkPipeline pipeline_of(const Pass& pass, const Draw& draw, const RenderTarget& target);

  const Scene& scene_;
  Rendering rendering_;
  SceneDevice device_;
  SceneResources resources_;
  SceneDescriptors descriptors_;
  ScenePipelines pipelines_;
  std::list<RenderTarget> targets_;
  /// By target, variant and layout.
  std::map<std::tuple<const RenderTarget*, std::string, std::string>, VkPipeline> known_pipelines_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
};

SceneRun::~SceneRun() {
  vkDestroyFence(device_.device(), fence_, nullptr);
  vkDestroyCommandPool(device_.device(), pool_, nullptr);
}

bool SceneRun::is_dynamic(const Pass& pass) const {
  const Rendering wanted = pass.rendering == Rendering::Any ? rendering_ : pass.rendering;
  if (wanted == Rendering::Any) return device_.has_dynamic_rendering();
  if (wanted == Rendering::Dynamic && !device_.has_dynamic_rendering()) {
    throw run::NotThere("the driver has no dynamic rendering");
  }
  return wanted == Rendering::Dynamic;
}

void SceneRun::begin_commands() {
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.queueFamilyIndex = device_.queue_family();
  check_vulkan(vkCreateCommandPool(device_.device(), &pool_info, nullptr, &pool_), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocation.commandPool = pool_;
  allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocation.commandBufferCount = 1;
  check_vulkan(vkAllocateCommandBuffers(device_.device(), &allocation, &commands_), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check_vulkan(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
}

VkPipeline SceneRun::pipeline_of(const Pass& pass, const Draw& draw, const RenderTarget& target) {
  VkPipeline& pipeline = known_pipelines_[{&target, draw.variant, SceneDescriptors::layout_key(draw)}];
  if (pipeline == VK_NULL_HANDLE) {
    pipeline = pipelines_.make(pass, draw, target, descriptors_.layout(draw).pipeline);
  }
  return pipeline;
}

/// Waits for the passes before, and gives images of this one their layouts.
void SceneRun::record_pass(const Pass& pass) {
  resources_.record_barrier(commands_);
  for (size_t i = 0; i < scene_.images.size(); ++i) {
    const VkImageLayout layout = layout_in_pass(pass, scene_.images[i], i);
    if (is_used_in_pass(pass, i)) resources_.record_transition(commands_, i, layout);
  }
  const RenderTarget& target = targets_.emplace_back(device_, scene_, pass, resources_, is_dynamic(pass));
  std::vector<std::vector<VkDescriptorSet>> sets;
  for (const Draw& draw : pass.draws) sets.push_back(descriptors_.make_sets(pass, draw));
  target.begin(commands_);
  for (size_t i = 0; i < pass.draws.size(); ++i) {
    record_draw(pass, pass.draws[i], pipeline_of(pass, pass.draws[i], target), sets[i]);
  }
  target.end(commands_);
}

void SceneRun::record_vertex_buffers(const Draw& draw) {
  const std::vector<VkDynamicState>& dynamic = draw.pipeline.dynamic;
  const bool sets_stride =
      std::find(dynamic.begin(), dynamic.end(), VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE) != dynamic.end();
  for (const VertexBuffer& vertices : draw.vertex_buffers) {
    const VkBuffer buffer = resources_.buffer(vertices.buffer);
    if (!sets_stride) {
      vkCmdBindVertexBuffers(commands_, vertices.binding, 1, &buffer, &vertices.offset);
      continue;
    }
    VkDeviceSize stride = 0;
    for (const VkVertexInputBindingDescription& binding : draw.pipeline.bindings) {
      if (binding.binding == vertices.binding) stride = binding.stride;
    }
    device_.command<PFN_vkCmdBindVertexBuffers2EXT>("vkCmdBindVertexBuffers2EXT")(
        commands_, vertices.binding, 1, &buffer, &vertices.offset, nullptr, &stride);
  }
}

void SceneRun::record_draw(const Pass& pass, const Draw& draw, VkPipeline pipeline,
                           const std::vector<VkDescriptorSet>& sets) {
  const VkPipelineLayout layout = descriptors_.layout(draw).pipeline;
  vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  record_dynamic_state(device_, commands_, pass, draw);
  if (!sets.empty()) {
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, static_cast<uint32_t>(sets.size()),
                            sets.data(), 0, nullptr);
  }
  if (!draw.push.empty()) {
    vkCmdPushConstants(commands_, layout, kStages, 0, static_cast<uint32_t>(draw.push.size() * 4), draw.push.data());
  }
  record_vertex_buffers(draw);
  if (draw.indices) {
    vkCmdBindIndexBuffer(commands_, resources_.buffer(draw.indices->buffer), draw.indices->offset, draw.indices->type);
  }
  if (draw.indirect) {
    const VkBuffer buffer = resources_.buffer(draw.indirect->buffer);
    const auto command = draw.indices ? vkCmdDrawIndexedIndirect : vkCmdDrawIndirect;
    command(commands_, buffer, draw.indirect->offset, draw.indirect->count, draw.indirect->stride);
  } else if (draw.indices) {
    vkCmdDrawIndexed(commands_, draw.count, draw.instances, draw.first, draw.vertex_offset, draw.first_instance);
  } else {
    vkCmdDraw(commands_, draw.count, draw.instances, draw.first, draw.first_instance);
  }
}

void SceneRun::record() {
  begin_commands();
  resources_.record_upload(commands_);
  for (const Pass& pass : scene_.passes) record_pass(pass);
  resources_.record_download(commands_);
  check_vulkan(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
}

void SceneRun::submit() {
  VkFenceCreateInfo fence_info{};
  fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  check_vulkan(vkCreateFence(device_.device(), &fence_info, nullptr, &fence_), "vkCreateFence");
  VkSubmitInfo submit_info{};
  submit_info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit_info.commandBufferCount = 1;
  submit_info.pCommandBuffers = &commands_;
  check_vulkan(vkQueueSubmit(device_.queue(), 1, &submit_info, fence_), "vkQueueSubmit");
  check_vulkan(vkWaitForFences(device_.device(), 1, &fence_, VK_TRUE, kTimeoutNanoseconds), "vkWaitForFences");
}

}  // namespace

Pictures render(const Scene& scene, const ShaderWords& shaders, Rendering rendering) {
  SceneRun run(scene, shaders, rendering);
  run.record();
  run.submit();
  return run.pictures();
}

}  // namespace spalt::scenes
