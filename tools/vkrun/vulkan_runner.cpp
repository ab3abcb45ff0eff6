// SPDX-License-Identifier: MIT
#include "vulkan_runner.h"

#include <algorithm>
#include <cstring>
#include <map>

#include "vulkan_device.h"

namespace spalt::vkrun {
namespace {

constexpr uint64_t kTimeoutNanoseconds = 120ull * 1000 * 1000 * 1000;

}  // namespace

/// Everything one run creates; destroyed with it, in the reverse order.
class VulkanRun {
 public:
  VulkanRun(VkDevice device, const Manifest& manifest) : device_(device), manifest_(manifest) {}
  ~VulkanRun();
  VulkanRun(const VulkanRun&) = delete;
  VulkanRun& operator=(const VulkanRun&) = delete;

  template <typename MemoryTypeOf>
  void create_buffers(MemoryTypeOf memory_type_of);
  void create_layouts();
  void create_descriptor_sets();
  void create_pipelines(const ShaderWords& shaders);
  void record(uint32_t queue_family);
  void submit(VkQueue queue);
  BufferContents read_back() const;

 private:
  struct Buffer {
    VkBuffer buffer = VK_NULL_HANDLE;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    void* mapped = nullptr;
  };

  uint32_t set_count() const;
  VkPipeline create_pipeline(const Dispatch& dispatch, const std::vector<uint32_t>& words);

  VkDevice device_;
  const Manifest& manifest_;
  std::vector<Buffer> buffers_;
  std::vector<VkDescriptorSetLayout> set_layouts_;
  VkPipelineLayout pipeline_layout_ = VK_NULL_HANDLE;
  VkDescriptorPool descriptor_pool_ = VK_NULL_HANDLE;
  std::vector<VkDescriptorSet> descriptor_sets_;
  std::vector<VkPipeline> pipelines_;  // one per dispatch
  VkCommandPool command_pool_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  VkFence fence_ = VK_NULL_HANDLE;
  uint32_t push_bytes_ = 0;
};

namespace {

VkDescriptorType descriptor_type(BufferKind kind) {
  switch (kind) {
    case BufferKind::Storage:
      return VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case BufferKind::Uniform:
      return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case BufferKind::Inline:
      return VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
  }
  return VK_DESCRIPTOR_TYPE_MAX_ENUM;
}

/// Of an inline block descriptors are bytes.
uint32_t descriptor_count(const BufferDesc& desc) {
  return desc.kind == BufferKind::Inline ? static_cast<uint32_t>(desc.initial.size()) : desc.element + 1;
}

}  // namespace

VulkanRun::~VulkanRun() {
  vkDestroyFence(device_, fence_, nullptr);
  vkDestroyCommandPool(device_, command_pool_, nullptr);
  for (VkPipeline pipeline : pipelines_) vkDestroyPipeline(device_, pipeline, nullptr);
  vkDestroyDescriptorPool(device_, descriptor_pool_, nullptr);
  vkDestroyPipelineLayout(device_, pipeline_layout_, nullptr);
  for (VkDescriptorSetLayout layout : set_layouts_) vkDestroyDescriptorSetLayout(device_, layout, nullptr);
  for (const Buffer& buffer : buffers_) {
    vkDestroyBuffer(device_, buffer.buffer, nullptr);
    vkFreeMemory(device_, buffer.memory, nullptr);
  }
}

template <typename MemoryTypeOf>
void VulkanRun::create_buffers(MemoryTypeOf memory_type_of) {
  for (const BufferDesc& desc : manifest_.buffers) {
    Buffer& buffer = buffers_.emplace_back();
    if (desc.null || desc.kind == BufferKind::Inline) continue;
    VkBufferCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
    info.size = desc.initial.size();
    info.usage =
        desc.kind == BufferKind::Uniform ? VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT : VK_BUFFER_USAGE_STORAGE_BUFFER_BIT;
    check_vulkan(vkCreateBuffer(device_, &info, nullptr, &buffer.buffer), "vkCreateBuffer");
    VkMemoryRequirements requirements{};
    vkGetBufferMemoryRequirements(device_, buffer.buffer, &requirements);
    VkMemoryAllocateInfo allocation{};
    allocation.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
    allocation.allocationSize = requirements.size;
    allocation.memoryTypeIndex = memory_type_of(requirements.memoryTypeBits);
    check_vulkan(vkAllocateMemory(device_, &allocation, nullptr, &buffer.memory), "vkAllocateMemory");
    check_vulkan(vkBindBufferMemory(device_, buffer.buffer, buffer.memory, 0), "vkBindBufferMemory");
    check_vulkan(vkMapMemory(device_, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.mapped), "vkMapMemory");
    std::memcpy(buffer.mapped, desc.initial.data(), desc.initial.size());
  }
}

uint32_t VulkanRun::set_count() const {
  uint32_t count = 0;
  for (const BufferDesc& desc : manifest_.buffers) count = std::max(count, desc.set + 1);
  return count;
}

void VulkanRun::create_layouts() {
  for (uint32_t set = 0; set < set_count(); ++set) {
    std::map<uint32_t, VkDescriptorSetLayoutBinding> bindings;
    for (const BufferDesc& desc : manifest_.buffers) {
      if (desc.set != set) continue;
      VkDescriptorSetLayoutBinding& binding = bindings[desc.binding];
      if (binding.descriptorCount != 0 && binding.descriptorType != descriptor_type(desc.kind)) {
        throw Error("the elements of a descriptor array must have the same kind");
      }
      binding.binding = desc.binding;
      binding.descriptorType = descriptor_type(desc.kind);
      binding.descriptorCount = std::max(binding.descriptorCount, descriptor_count(desc));
      binding.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    std::vector<VkDescriptorSetLayoutBinding> list;
    for (const auto& [number, binding] : bindings) list.push_back(binding);
    VkDescriptorSetLayoutCreateInfo info{};
    info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
    info.bindingCount = static_cast<uint32_t>(list.size());
    info.pBindings = list.data();
    VkDescriptorSetLayout& layout = set_layouts_.emplace_back();
    check_vulkan(vkCreateDescriptorSetLayout(device_, &info, nullptr, &layout), "vkCreateDescriptorSetLayout");
  }

  for (const Dispatch& dispatch : manifest_.dispatches) {
    push_bytes_ = std::max(push_bytes_, static_cast<uint32_t>(dispatch.push.size() * 4));
  }
  VkPushConstantRange range{};
  range.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
  range.size = push_bytes_;
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = static_cast<uint32_t>(set_layouts_.size());
  info.pSetLayouts = set_layouts_.data();
  info.pushConstantRangeCount = push_bytes_ != 0 ? 1 : 0;
  info.pPushConstantRanges = &range;
  check_vulkan(vkCreatePipelineLayout(device_, &info, nullptr, &pipeline_layout_), "vkCreatePipelineLayout");
}

void VulkanRun::create_descriptor_sets() {
  VkDescriptorPoolInlineUniformBlockCreateInfo inline_info{};
  inline_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_INLINE_UNIFORM_BLOCK_CREATE_INFO;
  std::vector<VkDescriptorPoolSize> sizes;
  for (const BufferDesc& desc : manifest_.buffers) {
    const bool is_inline = desc.kind == BufferKind::Inline;
    if (is_inline) ++inline_info.maxInlineUniformBlockBindings;
    sizes.push_back({descriptor_type(desc.kind), is_inline ? descriptor_count(desc) : 1});
  }
  VkDescriptorPoolCreateInfo pool_info{};
  pool_info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  if (inline_info.maxInlineUniformBlockBindings != 0) pool_info.pNext = &inline_info;
  pool_info.maxSets = static_cast<uint32_t>(set_layouts_.size());
  pool_info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  check_vulkan(vkCreateDescriptorPool(device_, &pool_info, nullptr, &descriptor_pool_), "vkCreateDescriptorPool");

  VkDescriptorSetAllocateInfo allocation{};
  allocation.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  allocation.descriptorPool = descriptor_pool_;
  allocation.descriptorSetCount = static_cast<uint32_t>(set_layouts_.size());
  allocation.pSetLayouts = set_layouts_.data();
  descriptor_sets_.resize(set_layouts_.size());
  check_vulkan(vkAllocateDescriptorSets(device_, &allocation, descriptor_sets_.data()), "vkAllocateDescriptorSets");

  for (size_t i = 0; i < manifest_.buffers.size(); ++i) {
    const BufferDesc& desc = manifest_.buffers[i];
    const bool is_inline = desc.kind == BufferKind::Inline;
    VkWriteDescriptorSetInlineUniformBlock block{};
    block.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET_INLINE_UNIFORM_BLOCK;
    block.dataSize = static_cast<uint32_t>(desc.initial.size());
    block.pData = desc.initial.data();
    const VkDescriptorBufferInfo buffer_info{buffers_[i].buffer, 0, desc.null ? VK_WHOLE_SIZE : desc.initial.size()};
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = descriptor_sets_[desc.set];
    write.dstBinding = desc.binding;
    write.dstArrayElement = desc.element;
    write.descriptorCount = is_inline ? descriptor_count(desc) : 1;
    write.descriptorType = descriptor_type(desc.kind);
    if (is_inline) {
      write.pNext = &block;
    } else {
      write.pBufferInfo = &buffer_info;
    }
    vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
  }
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
    entries.push_back({id, static_cast<uint32_t>(data.size() * 4), 4});
    data.push_back(value);
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

  if (!descriptor_sets_.empty()) {
    vkCmdBindDescriptorSets(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline_layout_, 0,
                            static_cast<uint32_t>(descriptor_sets_.size()), descriptor_sets_.data(), 0, nullptr);
  }
  VkMemoryBarrier barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER;
  barrier.srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT;
  barrier.dstAccessMask =
      VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_UNIFORM_READ_BIT | VK_ACCESS_HOST_READ_BIT;
  for (size_t i = 0; i < manifest_.dispatches.size(); ++i) {
    const Dispatch& dispatch = manifest_.dispatches[i];
    vkCmdBindPipeline(commands_, VK_PIPELINE_BIND_POINT_COMPUTE, pipelines_[i]);
    std::vector<uint32_t> push = dispatch.push;
    push.resize(push_bytes_ / 4, 0);
    if (push_bytes_ != 0) {
      vkCmdPushConstants(commands_, pipeline_layout_, VK_SHADER_STAGE_COMPUTE_BIT, 0, push_bytes_, push.data());
    }
    vkCmdDispatch(commands_, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
    vkCmdPipelineBarrier(commands_, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &barrier, 0, nullptr,
                         0, nullptr);
  }
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
  return contents;
}

VulkanRunner::VulkanRunner(bool robust) : device_(std::make_unique<Device>(robust)) {}

VulkanRunner::~VulkanRunner() = default;

std::string VulkanRunner::device_name() const {
  return device_->name();
}

BufferContents VulkanRunner::run(const Manifest& manifest, const ShaderWords& shaders) {
  VulkanRun run(device_->handle(), manifest);
  run.create_buffers([this](uint32_t type_bits) { return device_->host_memory_type(type_bits); });
  run.create_layouts();
  run.create_descriptor_sets();
  run.create_pipelines(shaders);
  run.record(device_->queue_family());
  run.submit(device_->queue());
  return run.read_back();
}

}  // namespace spalt::vkrun
