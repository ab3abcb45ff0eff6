// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "icd/device/debug_messenger.h"
#include "icd/device/settings.h"
#include "icd/object/handle.h"
#include "icd/object/host_memory.h"
#include "icd/object/registry.h"

namespace spalt::icd {

class PhysicalDevice;

class Instance : public Dispatchable {
 public:
  using Handle = VkInstance;

  Instance(const VkInstanceCreateInfo& info, const HostMemory& memory);
  ~Instance();

  const Settings& settings() const { return settings_; }
  const HostMemory& host_memory() const { return memory_; }
  const ExtensionSet& extensions() const { return extensions_; }
  const std::vector<std::unique_ptr<PhysicalDevice>>& physical_devices() const { return physical_devices_; }
  DebugMessengers& messengers() { return messengers_; }

 private:
  void enable_extensions(const VkInstanceCreateInfo& info);
  void find_physical_devices();
  void report_problems(const VkInstanceCreateInfo& info);

  HostMemory memory_;
  Settings settings_;
  ExtensionSet extensions_;
  DebugMessengers messengers_;
  std::vector<std::unique_ptr<PhysicalDevice>> physical_devices_;
};

}  // namespace spalt::icd
