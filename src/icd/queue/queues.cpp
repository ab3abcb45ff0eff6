// SPDX-License-Identifier: MIT
#include "icd/queue/queues.h"

#include <algorithm>

#include "icd/device/queue_families.h"
#include "icd/object/chain.h"
#include "icd/object/result.h"

namespace spalt::icd {

Queues::Queues(Device& device, const VkDeviceCreateInfo& info) : device_(&device) {
  try {
    for (uint32_t i = 0; i < info.queueCreateInfoCount; ++i) add(info.pQueueCreateInfos[i]);
  } catch (...) {
    destroy();
    throw;
  }
}

Queues::~Queues() {
  destroy();
}

namespace {

/// All queues of all processes are equal here: nothing is refused that does not ask to be more than others.
void check_priority(const VkDeviceQueueCreateInfo& info) {
  const auto* priority = find_in_chain<VkDeviceQueueGlobalPriorityCreateInfoKHR>(
      info.pNext, VK_STRUCTURE_TYPE_DEVICE_QUEUE_GLOBAL_PRIORITY_CREATE_INFO_KHR);
  const bool higher = priority != nullptr && priority->globalPriority > VK_QUEUE_GLOBAL_PRIORITY_MEDIUM_KHR;
  if (higher) throw VulkanError{VK_ERROR_NOT_PERMITTED_KHR};
}

}  // namespace

void Queues::add(const VkDeviceQueueCreateInfo& info) {
  check_priority(info);
  const bool there =
      info.queueFamilyIndex < kQueueFamilyCount && info.queueCount <= kQueueFamilies[info.queueFamilyIndex].queues;
  if (!there) throw VulkanError{VK_ERROR_INITIALIZATION_FAILED};
  for (uint32_t i = 0; i < info.queueCount; ++i) {
    entries_.push_back({info.queueFamilyIndex, info.flags, i, nullptr});
    entries_.back().queue = create_object<Queue>(device_->host_memory(), VK_SYSTEM_ALLOCATION_SCOPE_DEVICE, *device_);
  }
}

void Queues::destroy() noexcept {
  device_->monitor().close();
  cancel();
  for (const Entry& entry : entries_) destroy_object(device_->host_memory(), entry.queue);
}

Queue* Queues::find(uint32_t family, VkDeviceQueueCreateFlags flags, uint32_t index) const {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.family == family && entry.flags == flags && entry.index == index;
  });
  return found == entries_.end() ? nullptr : found->queue;
}

VkResult Queues::wait_idle() const {
  Monitor& monitor = device_->monitor();
  Monitor::Lock lock = monitor.lock();
  std::vector<uint64_t> targets;
  for (const Entry& entry : entries_) targets.push_back(entry.queue->submitted());
  monitor.wait(lock, Deadline::never(), [&] {
    return std::equal(entries_.begin(), entries_.end(), targets.begin(),
                      [](const Entry& entry, uint64_t target) { return entry.queue->completed() >= target; });
  });
  return monitor.lost() ? VK_ERROR_DEVICE_LOST : VK_SUCCESS;
}

void Queues::cancel() noexcept {
  for (const Entry& entry : entries_) {
    if (entry.queue != nullptr) entry.queue->cancel();
  }
}

}  // namespace spalt::icd
