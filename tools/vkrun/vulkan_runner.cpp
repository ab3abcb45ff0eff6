// SPDX-License-Identifier: MIT
#include "vulkan_runner.h"

#include <algorithm>
#include <cstring>

#include "addresses.h"
#include "vulkan_descriptors.h"
#include "vulkan_device.h"
#include "vulkan_features.h"
#include "vulkan_images.h"

namespace spalt::vkrun {
namespace {

constexpr uint64_t kTimeoutNanoseconds = 120ull * 1000 * 1000 * 1000;

}  // namespace

/// Everything one run creates; destroyed with it, in the reverse order.
class VulkanRun {
 public:
  VulkanRun(const VulkanHandles& handles, const Manifest& manifest)
      : handles_(handles),
        device_(handles.device),
        manifest_(manifest),
        images_(handles, manifest),
        descriptors_(handles, manifest) {}
  ~VulkanRun();
  VulkanRun(const VulkanRun&) = delete;
  VulkanRun& operator=(const VulkanRun&) = delete;

  void create_resources();
  void create_layout();
  void create_pipelines(const ShaderWords& shaders);
  void record(uint32_t queue_family);
  void submit(VkQueue queue);
  BufferContents read_back() const;

 private:
  VkPipeline create_pipeline(const Dispatch& dispatch, const std::vector<uint32_t>& words);

  VulkanHandles handles_;
  VkDevice device_;
  const Manifest& manifest_;
  std::vector<HostBuffer> buffers_;
  std::vector<VkDeviceAddress> addresses_;  // of buffers_
  VulkanImages images_;
  VulkanDescriptors descriptors_;
  VkPipelineLayout pipeline_layout_ = VK_NULL_HANDLE;
  std::vector<VkPipeline> pipelines_;  // one per dispatch
  VkCommandPool command_pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  uint32_t push_bytes_ = 0;
};

VulkanRun::~VulkanRun() {
  vkDestroyFence(device_, fence_, nullptr);
  vkDestroyCommandPool(device_, command_pool_, nullptr);
  for (VkPipeline pipeline : pipelines_) vkDestroyPipeline(device_, pipeline, nullptr);
  vkDestroyPipelineLayout(device_, pipeline_layout_, nullptr);
  for (const HostBuffer& buffer : buffers_) buffer.destroy(device_);
}

namespace {

VkBufferUsageFlags usage_of(BufferKind kind) {
  switch (kind) {
    case BufferKind::Uniform:
      return VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT;
    case BufferKind::UniformTexel:
      return VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT;
    case BufferKind::StorageTexel:
      return VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT;
    default:
      return VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
  }
}

}  // namespace

void VulkanRun::create_resources() {
  for (const BufferDesc& desc : manifest_.buffers) {
    HostBuffer& buffer = buffers_.emplace_back();
    if (desc.null || desc.kind == BufferKind::Inline) continue;
    const VkBufferUsageFlags address = manifest_.has_addresses() ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0;
    buffer.create(handles_, desc.initial.size(), usage_of(desc.kind) | address);
    std::memcpy(buffer.mapped, desc.initial.data(), desc.initial.size());
  }
  for (const HostBuffer& buffer : buffers_) addresses_.push_back(buffer.address);
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const BufferDesc& desc = manifest_.buffers[i];
    put_addresses(desc.addresses, addresses_, {static_cast<uint8_t*>(buffers_[i].mapped), desc.initial.size()});
  }
  images_.create();
  descriptors_.create(buffers_, images_);
}

void VulkanRun::create_layout() {
  for (const Dispatch& dispatch : manifest_.dispatches) {
    push_bytes_ = std::max(push_bytes_, static_cast<uint32_t>(dispatch.push.size() * 4));
  }
  VkPushConstantRange range{};
  range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  range.size = push_bytes_;
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = static_cast<uint32_t>(descriptors_.layouts().size());
  info.pSetLayouts = descriptors_.layouts().data();
  info.pushConstantRangeCount = push_bytes_ != 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  check_vulkan(vkCreatePipelineLayout(device_, &info, nullptr, &pipeline_layout_), "vkCreatePipelineLayout");
}

VkPipeline VulkanRun::create_pipeline(const Dispatch& dispatch, const std::vector<uint32_t>& words) {
  VkShaderModuleCreateInfo module_info{};
  module_info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  module_info.codeSize = words.size() * 4;
  module_info.pCode = words.data();
  VkShaderModule module = VK_NULL_HANDLE;
  check_vulkan(vkCreateShaderModule(device_, &module_info, nullptr, &module), "vkCreateShaderModule");

  std::vector<VkSpecializationMapEntry> entries;
  std::vector<uint32_t> data;
  for (const auto& [id, value] : dispatch.spec) {
    entries.push_back({id, static_cast<uint32_t>(data.size() * 4), value.size() * 4});
    data.insert(data.end(), value.begin(), value.end());
  }
  const VkSpecializationInfo specialization{static_cast<uint32_t>(entries.size()), entries.data(), data.size() * 4,
                                            data.data()};
  VkComputePipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = module;
  info.stage.pName = "main";
  info.stage.pSpecializationInfo = &specialization;
  info.layout = pipeline_layout_;
  VkPipeline pipeline = VK_NULL_HANDLE;
  const VkResult result = vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
  vkDestroyShaderModule(device_, module, nullptr);
  check_vulkan(result, "vkCreateComputePipelines");
  return pipeline;
}

void VulkanRun::create_pipelines(const ShaderWords& shaders) {
  for (const Dispatch& dispatch : manifest_.dispatches) {
    const auto words = shaders.find(dispatch.shader);
    if (words == shaders.end()) throw Error("no SPIR-V for shader " + dispatch.shader);
    pipelines_.push_back(create_pipeline(dispatch, words->second));
  }
}

void VulkanRun::record(uint32_t queue_family) {
  VkCommandPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  pool_info.queueFamilyIndex = queue_family;
  check_vulkan(vkCreateCommandPool(device_, &pool_info, nullptr, &command_pool_), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocation.commandPool = command_pool_;
  allocation.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  allocation.commandBufferCount = 1;
  check_vulkan(vkAllocateCommandBuffers(device_, &allocation, &commands_), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check_vulkan(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");

  images_.record_upload(commands_);
  const std::vector<VkDescriptorSet>& sets = descriptors_.sets();
  if (!sets.empty()) {
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout_, 0,
                            static_cast<uint32_t>(sets.size()), sets.data(), 0, nullptr);
  }
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask =
      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_HOST_READ_BIT;
  for (size_t i = 0; i < manifest_.dispatches.size(); ++i) {
    const Dispatch& dispatch = manifest_.dispatches[i];
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_[i]);
    std::vector<uint32_t> push = push_words(dispatch, addresses_);
    push.resize(push_bytes_ / 4, 0);
    if (push_bytes_ != 0) {
      vkCmdPushConstants(commands_, pipeline_layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes_, push.data());
    }
    vkCmdDispatch(commands_, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
    vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr,
                         0, nullptr);
  }
  images_.record_download(commands_);
  check_vulkan(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
}

void VulkanRun::submit(VkQueue queue) {
  VkFenceCreateInfo fence_info{};
  fence_info.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
  check_vulkan(vkCreateFence(device_, &fence_info, nullptr, &fence_), "vkCreateFence");
  VkSubmitInfo submit_info{};
  submit_info.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit_info.commandBufferCount = 1;
  submit_info.pCommandBuffers = &commands_;
  check_vulkan(vkQueueSubmit(queue, 1, &submit_info, fence_), "vkQueueSubmit");
  check_vulkan(vkWaitForFences(device_, 1, &fence_, VK_TRUE, kTimeoutNanoseconds), "vkWaitForFences");
}

BufferContents VulkanRun::read_back() const {
  BufferContents contents;
  for (size_t i = 0; i < buffers_.size(); ++i) {
    const auto* bytes = static_cast<const uint8_t*>(buffers_[i].mapped);
    if (manifest_.buffers[i].kind == BufferKind::Inline) bytes = manifest_.buffers[i].initial.data();
    contents.emplace_back(bytes, bytes + manifest_.buffers[i].initial.size());
  }
  for (size_t i = 0; i < manifest_.images.size(); ++i) contents.push_back(images_.contents(i));
  return contents;
}

VulkanRunner::VulkanRunner(const DeviceOptions& options) : device_(std::make_unique<VulkanDevice>("spalt-vkrun")) {
  if (!device_->find_queue(VK_QUEUE_COMPUTE_BIT)) throw Error("the Vulkan device has no compute queue");
  const VulkanFeatures features(device_->physical_device(), options);
  device_->open(features.chain(), features.extensions());
}

VulkanRunner::~VulkanRunner() = default;

std::string VulkanRunner::device_name() const {
  return device_->name();
}

bool VulkanRunner::has_multisampled_images() const {
  VkImageFormatProperties properties{};
  vkGetPhysicalDeviceImageFormatProperties(device_->physical_device(), VK_FORMAT_R8G8B8A8_UNORM, VK_IMAGE_TYPE_2D,
                                           VK_IMAGE_TILING_OPTIMAL, VK_IMAGE_USAGE_SAMPLED_BIT, 0, &properties);
  return (properties.sampleCounts & ~VK_SAMPLE_COUNT_1_BIT) != 0;
}

BufferContents VulkanRunner::run(const Manifest& manifest, const ShaderWords& shaders) {
  VulkanRun run(device_->handles(), manifest);
  run.create_resources();
  run.create_layout();
  run.create_pipelines(shaders);
  run.record(device_->queue_family());
  run.submit(device_->queue());
  return run.read_back();
}

}  // namespace spalt::vkrun
