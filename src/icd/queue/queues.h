// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "icd/queue/queue.h"

namespace spalt::icd {

/// The queues that vkCreateDevice asked for, maybe none.
class Queues : public DeviceQueues {
 public:
  Queues(Device& device, const VkDeviceCreateInfo& info);
  ~Queues() override;

  /// nullptr: it was not asked for.
  Queue* find(uint32_t family, VkDeviceQueueCreateFlags flags, uint32_t index) const;
  /// Waits until everything submitted before is done.
  VkResult wait_idle() const;
  void cancel() noexcept override;

 private:
  struct Entry {
    uint32_t family;
    VkDeviceQueueCreateFlags flags;
    uint32_t index;
    Queue* queue;
  };
  void add(const VkDeviceQueueCreateInfo& info);
  void destroy() noexcept;

  Device* device_;
  std::vector<Entry> entries_;
};

}  // namespace spalt::icd
