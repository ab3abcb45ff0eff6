// SPDX-License-Identifier: MIT
#include "formats/blitter.h"

#include <cstring>
#include <stdexcept>

namespace spalt::formats {
namespace {

void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) throw std::runtime_error(std::string(call) + " failed with " + std::to_string(result));
}

template <class T>
T made(VkStructureType type) {
  T info{};
  info.sType = type;
  return info;
}

/// Everything before is finished and seen by everything after.
void barrier(VkCommandBuffer commands, VkImage image, VkImageLayout from) {
  auto whole = made<VkImageMemoryBarrier>(VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER);
  whole.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT;
  whole.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT;
  whole.oldLayout = from;
  whole.newLayout = VK_IMAGE_LAYOUT_GENERAL;
  whole.srcQueueFamilyIndex = whole.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
  whole.image = image;
  whole.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, nullptr,
                       0, nullptr, 1, &whole);
}

}  // namespace

struct Blitter::Image {
  Image(const Blitter& owner, VkFormat format, VkExtent2D size) : device(owner.device_) {
    auto info = made<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
    info.imageType = VK_IMAGE_TYPE_2D;
    info.format = format;
    info.extent = {size.width, size.height, 1};
    info.mipLevels = info.arrayLayers = 1;
    info.samples = VK_SAMPLE_COUNT_1_BIT;
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    check(vkCreateImage(device, &info, nullptr, &handle), "vkCreateImage");
    VkMemoryRequirements requirements;
    vkGetImageMemoryRequirements(device, handle, &requirements);
    memory = owner.allocate(requirements, false);
    check(vkBindImageMemory(device, handle, memory, 0), "vkBindImageMemory");
  }
  ~Image() {
    vkDestroyImage(device, handle, nullptr);
    vkFreeMemory(device, memory, nullptr);
  }
  Image(const Image&) = delete;
  Image& operator=(const Image&) = delete;

  VkDevice device;
  VkImage handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
};

struct Blitter::Buffer {
  Buffer(const Blitter& owner, size_t size) : device(owner.device_) {
    auto info = made<VkBufferCreateInfo>(VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO);
    info.size = size;
    info.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    check(vkCreateBuffer(device, &info, nullptr, &handle), "vkCreateBuffer");
    VkMemoryRequirements requirements;
    vkGetBufferMemoryRequirements(device, handle, &requirements);
    memory = owner.allocate(requirements, true);
    check(vkBindBufferMemory(device, handle, memory, 0), "vkBindBufferMemory");
    void* address = nullptr;
    check(vkMapMemory(device, memory, 0, VK_WHOLE_SIZE, 0, &address), "vkMapMemory");
    bytes = static_cast<uint8_t*>(address);
  }
  ~Buffer() {
    vkDestroyBuffer(device, handle, nullptr);
    vkFreeMemory(device, memory, nullptr);
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  VkDevice device;
  VkBuffer handle = VK_NULL_HANDLE;
  VkDeviceMemory memory = VK_NULL_HANDLE;
  uint8_t* bytes = nullptr;
};

Blitter::Blitter() {
  create_instance();
  create_device();
}

Blitter::~Blitter() {
  if (device_ != VK_NULL_HANDLE) {
    vkDestroyCommandPool(device_, pool_, nullptr);
    vkDestroyDevice(device_, nullptr);
  }
  vkDestroyInstance(instance_, nullptr);
}

void Blitter::create_instance() {
  auto application = made<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
  application.apiVersion = VK_API_VERSION_1_3;
  auto info = made<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
  info.pApplicationInfo = &application;
  check(vkCreateInstance(&info, nullptr, &instance_), "vkCreateInstance");
  uint32_t count = 1;
  const VkResult result = vkEnumeratePhysicalDevices(instance_, &count, &physical_device_);
  if (count == 0) throw std::runtime_error("there is no Vulkan device");
  if (result != VK_INCOMPLETE) check(result, "vkEnumeratePhysicalDevices");
}

void Blitter::create_device() {
  const float priority = 1;
  auto queue = made<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
  queue.queueCount = 1;
  queue.pQueuePriorities = &priority;
  VkPhysicalDeviceFeatures features{}, supported{};
  vkGetPhysicalDeviceFeatures(physical_device_, &supported);
  features.textureCompressionBC = supported.textureCompressionBC;
  auto info = made<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
  info.queueCreateInfoCount = 1;
  info.pQueueCreateInfos = &queue;
  info.pEnabledFeatures = &features;
  check(vkCreateDevice(physical_device_, &info, nullptr, &device_), "vkCreateDevice");
  vkGetDeviceQueue(device_, 0, 0, &queue_);
  auto pool = made<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  check(vkCreateCommandPool(device_, &pool, nullptr, &pool_), "vkCreateCommandPool");
  auto commands = made<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
  commands.commandPool = pool_;
  commands.commandBufferCount = 1;
  check(vkAllocateCommandBuffers(device_, &commands, &commands_), "vkAllocateCommandBuffers");
}

std::string Blitter::device_name() const {
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(physical_device_, &properties);
  return properties.deviceName;
}

bool Blitter::has_feature(VkFormat format, VkFormatFeatureFlags feature) const {
  VkFormatProperties properties;
  vkGetPhysicalDeviceFormatProperties(physical_device_, format, &properties);
  return (properties.optimalTilingFeatures & feature) != 0;
}

VkDeviceMemory Blitter::allocate(const VkMemoryRequirements& requirements, bool mapped) const {
  VkPhysicalDeviceMemoryProperties properties;
  vkGetPhysicalDeviceMemoryProperties(physical_device_, &properties);
  const VkMemoryPropertyFlags wanted =
      mapped ? VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT : 0;
  auto info = made<VkMemoryAllocateInfo>(VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO);
  info.allocationSize = requirements.size;
  for (uint32_t i = 0; i < properties.memoryTypeCount; ++i) {
    const bool allowed = (requirements.memoryTypeBits >> i & 1) != 0;
    if (!allowed || (properties.memoryTypes[i].propertyFlags & wanted) != wanted) continue;
    info.memoryTypeIndex = i;
    VkDeviceMemory memory = VK_NULL_HANDLE;
    check(vkAllocateMemory(device_, &info, nullptr, &memory), "vkAllocateMemory");
    return memory;
  }
  throw std::runtime_error("no memory type will do");
}

void Blitter::submit_and_wait() {
  auto info = made<VkSubmitInfo>(VK_STRUCTURE_TYPE_SUBMIT_INFO);
  info.commandBufferCount = 1;
  info.pCommandBuffers = &commands_;
  check(vkQueueSubmit(queue_, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(queue_), "vkQueueWaitIdle");
}

std::vector<uint8_t> Blitter::blit(VkFormat source, const std::vector<uint8_t>& bytes, VkFormat target,
                                   size_t target_bytes, VkExtent2D size) {
  const Image from(*this, source, size), to(*this, target, size);
  const Buffer input(*this, bytes.size()), output(*this, target_bytes);
  std::memcpy(input.bytes, bytes.data(), bytes.size());

  auto begin = made<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(vkBeginCommandBuffer(commands_, &begin), "vkBeginCommandBuffer");
  const VkImageSubresourceLayers color = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  VkBufferImageCopy copy{};
  copy.imageSubresource = color;
  copy.imageExtent = {size.width, size.height, 1};
  barrier(commands_, from.handle, VK_IMAGE_LAYOUT_UNDEFINED);
  barrier(commands_, to.handle, VK_IMAGE_LAYOUT_UNDEFINED);
  vkCmdCopyBufferToImage(commands_, input.handle, from.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
  barrier(commands_, from.handle, VK_IMAGE_LAYOUT_GENERAL);
  VkImageBlit region{};
  region.srcSubresource = region.dstSubresource = color;
  region.srcOffsets[1] =
      region.dstOffsets[1] = {static_cast<int32_t>(size.width), static_cast<int32_t>(size.height), 1};
  vkCmdBlitImage(commands_, from.handle, VK_IMAGE_LAYOUT_GENERAL, to.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &region,
                 VK_FILTER_NEAREST);
  barrier(commands_, to.handle, VK_IMAGE_LAYOUT_GENERAL);
  vkCmdCopyImageToBuffer(commands_, to.handle, VK_IMAGE_LAYOUT_GENERAL, output.handle, 1, &copy);
  check(vkEndCommandBuffer(commands_), "vkEndCommandBuffer");
  submit_and_wait();
  return {output.bytes, output.bytes + target_bytes};
}

}  // namespace spalt::formats
