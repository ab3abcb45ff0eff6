// SPDX-License-Identifier: MIT
#pragma once

#include "icd/device/device.h"

namespace spalt::icd {

class DeviceMemory : public Object {
 public:
  using Handle = VkDeviceMemory;
  DeviceMemory(Device& device, const VkMemoryAllocateInfo& info);
  ~DeviceMemory();

  const Block& block() const { return block_; }

 private:
  Device* device_;
  Block block_;
};

}  // namespace spalt::icd
