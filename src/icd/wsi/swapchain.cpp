// SPDX-License-Identifier: MIT
#include "icd/wsi/swapchain.h"

#include <algorithm>
#include <cstdio>

#include "icd/wsi/png_file.h"
#include "icd/wsi/present_format.h"
#include "icd/wsi/surface.h"

namespace spalt::icd {
namespace {

VkImageCreateInfo image_info(const VkSwapchainCreateInfoKHR& info) {
  VkImageCreateInfo image{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
  image.imageType = VK_IMAGE_TYPE_2D;
  image.format = info.imageFormat;
  image.extent = {info.imageExtent.width, info.imageExtent.height, 1};
  image.mipLevels = 1;
  image.arrayLayers = info.imageArrayLayers;
  image.samples = VK_SAMPLE_COUNT_1_BIT;
  image.usage = info.imageUsage;
  return image;
}

std::unique_ptr<const DeviceMemory> memory_for(Device& device, const Image& image) {
  VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
  info.allocationSize = image.bytes();
  info.memoryTypeIndex = device.physical().memory_type_count() - 1;
  return std::make_unique<DeviceMemory>(device, info);
}

PresenterInfo presenter_info(const VkSwapchainCreateInfoKHR& info) {
  return {info.imageExtent, info.presentMode, info.compositeAlpha, is_blue_first(info.imageFormat)};
}

}  // namespace

Swapchain::Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info, uint64_t number)
    : device_(&device), number_(number), window_(from_handle<Surface>(info.surface).window()) {
  if (window_ != nullptr) presenter_ = window_->make_presenter(presenter_info(info));
  const uint32_t count = std::clamp(info.minImageCount, kMinImageCount, kMaxImageCount);
  for (uint32_t i = 0; i < count; ++i) {
    images_.push_back(std::make_unique<Image>(device, image_info(info)));
    memories_.push_back(memory_for(device, *images_[i]));
    images_[i]->bind(device, *memories_[i], 0);
  }
  states_.assign(count, State::free);
}

uint32_t Swapchain::find_free() const {
  for (uint32_t i = 0; i < image_count(); ++i) {
    const uint32_t index = (next_ + i) % image_count();
    if (states_[index] == State::free) return index;
  }
  return image_count();
}

VkResult Swapchain::acquire(uint64_t timeout, Semaphore* semaphore, Fence* fence, uint32_t* index) {
  Monitor& monitor = device_->monitor();
  Monitor::Lock lock = monitor.lock();
  const auto ready = [&] { return retired_ || window_state_ < 0 || find_free() < image_count(); };
  const bool in_time = monitor.wait(lock, Deadline::after(timeout), ready);
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  if (retired_) return VK_ERROR_OUT_OF_DATE_KHR;
  if (window_state_ < 0) return window_state_;
  if (!in_time) return timeout == 0 ? VK_NOT_READY : VK_TIMEOUT;
  *index = find_free();
  states_[*index] = State::taken;
  next_ = (*index + 1) % image_count();
  if (semaphore != nullptr) semaphore->signal(0);
  if (fence != nullptr) fence->signaled = true;
  monitor.notify();
  return window_state_;
}

VkResult Swapchain::compare_with_window() const {
  if (window_ == nullptr) return VK_SUCCESS;
  WindowFacts facts;
  const VkResult found = window_->query(facts);
  if (found != VK_SUCCESS || !facts.has_own_extent()) return found;
  const VkExtent3D extent = images_[0]->level_extent(0);
  const bool fits = facts.extent.width == extent.width && facts.extent.height == extent.height;
  return fits ? VK_SUCCESS : VK_SUBOPTIMAL_KHR;
}

VkResult Swapchain::begin_present(uint64_t* frame) {
  const VkResult compared = compare_with_window();  // asks the window system, so without the lock
  const Monitor::Lock lock = device_->monitor().lock();
  *frame = frames_++;
  if (window_state_ >= 0) window_state_ = compared;
  return retired_ ? VK_ERROR_OUT_OF_DATE_KHR : window_state_;
}

void Swapchain::present(uint32_t index, uint64_t frame) noexcept {
  VkResult shown = VK_SUCCESS;
  try {
    shown = show(index);
    write_file(index, frame);
  } catch (...) {
    // The host has no memory for the window, the file or the message; the image is presented all the same.
  }
  Monitor& monitor = device_->monitor();
  const Monitor::Lock lock = monitor.lock();
  states_[index] = State::free;
  if (shown < 0) window_state_ = shown;
  monitor.notify();
}

VkResult Swapchain::show(uint32_t index) {
  if (presenter_ == nullptr) return VK_SUCCESS;
  const std::scoped_lock lock(presenting_);
  const Image& image = *images_[index];
  const spalt_image_level& level = image.planes()[0].layout.levels[0];
  return presenter_->show(image.binding().host() + level.offset, level.row_bytes);
}

void Swapchain::write_file(uint32_t index, uint64_t frame) {
  if (device_->settings().present_folder.empty() || write_png(*images_[index], file_name(frame))) return;
  DebugMessage message;
  message.severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  message.id = "spalt-present";
  message.text = "the presented image cannot be written to " + file_name(frame);
  device_->send(message);
}

void Swapchain::retire() {
  Monitor& monitor = device_->monitor();
  const Monitor::Lock lock = monitor.lock();
  retired_ = true;
  monitor.notify();
}

std::string Swapchain::file_name(uint64_t frame) const {
  char name[64];
  std::snprintf(name, sizeof name, "/swapchain%llu_%06llu.png", static_cast<unsigned long long>(number_),
                static_cast<unsigned long long>(frame));
  return device_->settings().present_folder + name;
}

}  // namespace spalt::icd
