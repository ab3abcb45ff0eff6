// SPDX-License-Identifier: MIT
#include "scene_renderer.h"

#include <algorithm>
#include <list>
#include <map>
#include <span>
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

std::vector<std::string> needs_of(const Scene& scene, const Ways& ways) {
  std::vector<std::string> needs = scene.needs;
  if (ways.libraries != Libraries::None) {
    needs.insert(needs.end(), {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, "graphicsPipelineLibrary"});
  }
  return needs;
}

/// Everything of one run; destroyed with it, in the reverse order.
class SceneRun {
 public:
  SceneRun(const Scene& scene, const ShaderWords& shaders, const Ways& ways)
      : scene_(scene),
        rendering_(ways.rendering),
        device_(needs_of(scene, ways)),
        resources_(device_.handles(), scene),
        descriptors_(device_.device(), scene, resources_, ways.libraries),
        pipelines_(device_, shaders, ways.libraries) {}
  ~SceneRun();
  SceneRun(const SceneRun&) = delete;
  SceneRun& operator=(const SceneRun&) = delete;

  void record();
  void submit();
  Pictures pictures() const { return resources_.pictures(); }

 private:
  bool is_dynamic(std::span<const Pass> passes) const;
  void begin_commands();
  void record_passes(std::span<const Pass> passes);
  void record_subpass(const Pass& pass, const RenderTarget& target,
                      const std::vector<std::vector<VkDescriptorSet>>& sets);
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
  /// By pass, variant and layout.
  std::map<std::tuple<const Pass*, std::string, std::string>, VkPipeline> known_pipelines_;
  VkCommandPool pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
};

SceneRun::~SceneRun() {
  vkDestroyFence(device_.device(), fence_, nullptr);
  vkDestroyCommandPool(device_.device(), pool_, nullptr);
}

bool SceneRun::is_dynamic(std::span<const Pass> passes) const {
  const Pass& pass = passes.front();
  if (passes.size() > 1 || has_input_attachments(pass)) return false;
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
  VkPipeline& pipeline = known_pipelines_[{&pass, draw.variant, SceneDescriptors::layout_key(draw)}];
  if (pipeline == VK_NULL_HANDLE) {
    pipeline = pipelines_.make(pass, draw, target, descriptors_.layout(draw).pipeline);
  }
  return pipeline;
}

/// The subpasses of one render pass, or one pass. Waits for the passes before, and gives images the layouts of their
/// first use; from subpass to subpass the render pass changes them.
void SceneRun::record_passes(std::span<const Pass> passes) {
  resources_.record_barrier(commands_);
  for (size_t i = 0; i < scene_.images.size(); ++i) {
    const auto used = [i](const Pass& pass) { return is_used_in_pass(pass, i); };
    const auto first = std::find_if(passes.begin(), passes.end(), used);
    if (first == passes.end()) continue;
    resources_.record_transition(commands_, i, layout_in_pass(*first, scene_.images[i], i));
    const auto last = std::find_if(passes.rbegin(), passes.rend(), used);
    resources_.set_layout(i, layout_in_pass(*last, scene_.images[i], i));
  }
  const RenderTarget& target = targets_.emplace_back(device_, scene_, passes, resources_, is_dynamic(passes));
  std::vector<std::vector<std::vector<VkDescriptorSet>>> sets(passes.size());
  for (size_t i = 0; i < passes.size(); ++i) {
    for (const Draw& draw : passes[i].draws) sets[i].push_back(descriptors_.make_sets(passes[i], draw));
  }
  target.begin(commands_);
  for (size_t i = 0; i < passes.size(); ++i) {
    if (i > 0) vkCmdNextSubpass(commands_, VK_SUBPASS_CONTENTS_INLINE);
    record_subpass(passes[i], target, sets[i]);
  }
  target.end(commands_);
}

void SceneRun::record_subpass(const Pass& pass, const RenderTarget& target,
                              const std::vector<std::vector<VkDescriptorSet>>& sets) {
  for (size_t i = 0; i < pass.draws.size(); ++i) {
    const Draw& draw = pass.draws[i];
    if (draw.waits) target.wait(commands_);
    record_draw(pass, draw, pipeline_of(pass, draw, target), sets[i]);
  }
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
  const std::span<const Pass> all = scene_.passes;
  for (size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    for (end = begin + 1; end < all.size() && all[end].is_next_subpass;) ++end;
    record_passes(all.subspan(begin, end - begin));
  }
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

Pictures render(const Scene& scene, const ShaderWords& shaders, const Ways& ways) {
  SceneRun run(scene, shaders, ways);
  run.record();
  run.submit();
  return run.pictures();
}

}  // namespace spalt::scenes
