// SPDX-License-Identifier: MIT
#include "icd/wsi/swapchain.h"

#include <algorithm>
#include <cstdio>

#include "icd/wsi/png_file.h"
#include "icd/wsi/surface.h"

namespace spalt::icd {

Swapchain::Swapchain(Device& device, const VkSwapchainCreateInfoKHR& info, uint64_t number)
    : device_(&device), number_(number) {
  const uint32_t count = std::clamp(info.minImageCount, kMinImageCount, kMaxImageCount);
  for (uint32_t i = 0; i < count; ++i) {
    images_.push_back(std::make_unique<Image>(device, info.imageFormat, info.imageExtent));
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
  const auto ready = [&] { return retired_ || find_free() < image_count(); };
  const bool in_time = monitor.wait(lock, Deadline::after(timeout), ready);
  if (monitor.lost()) return VK_ERROR_DEVICE_LOST;
  if (retired_) return VK_ERROR_OUT_OF_DATE_KHR;
  if (!in_time) return timeout == 0 ? VK_NOT_READY : VK_TIMEOUT;
  *index = find_free();
  states_[*index] = State::taken;
  next_ = (*index + 1) % image_count();
  if (semaphore != nullptr) semaphore->signal(0);
  if (fence != nullptr) fence->signaled = true;
  monitor.notify();
  return VK_SUCCESS;
}

VkResult Swapchain::begin_present(uint64_t* frame) {
  const Monitor::Lock lock = device_->monitor().lock();
  *frame = frames_++;
  return retired_ ? VK_ERROR_OUT_OF_DATE_KHR : VK_SUCCESS;
}

void Swapchain::present(uint32_t index, uint64_t frame) noexcept {
  try {
    if (!device_->settings().present_folder.empty() && !write_png(*images_[index], file_name(frame))) {
      DebugMessage message;
      message.severity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
      message.id = "spalt-present";
      message.text = "the presented image cannot be written to " + file_name(frame);
      device_->send(message);
    }
  } catch (...) {
    // The host has no memory for the file or the message; the image is presented all the same.
  }
  Monitor& monitor = device_->monitor();
  const Monitor::Lock lock = monitor.lock();
  states_[index] = State::free;
  monitor.notify();
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
