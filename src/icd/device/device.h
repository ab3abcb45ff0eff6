// SPDX-License-Identifier: MIT
//
// A logical device: the compiler, the memory and the monitor that its objects share. Its queues are made and joined in
// src/icd/queue.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>

#include "icd/device/fault_report.h"
#include "icd/device/instance.h"
#include "icd/device/physical_device.h"
#include "icd/device/printf_log.h"
#include "icd/memory/address_owners.h"
#include "icd/memory/border_palette.h"
#include "icd/memory/device_space.h"
#include "icd/object/handle.h"
#include "icd/object/host_memory.h"
#include "icd/sync/monitor.h"
#include "spalt/spalt.hpp"
#include "spalt/texel.h"

namespace spalt::icd {

class PrivateDataSlot : public Object {
 public:
  using Handle = VkPrivateDataSlot;
  explicit PrivateDataSlot(uint64_t number) : id(number) {}
  const uint64_t id;  // of no other slot of the device, also after this one is gone
};

/// What a device owns without knowing it: its queues.
class DeviceQueues {
 public:
  virtual ~DeviceQueues() = default;
  /// Ends what runs on all of them soon. From any thread, without the monitor's lock.
  virtual void cancel() noexcept = 0;
};

/// Code that pipelines of the device share (icd/shader/piece_cache.h).
class DevicePieces {
 public:
  virtual ~DevicePieces() = default;
};

class Device : public Dispatchable {
 public:
  using Handle = VkDevice;

  /// Throws VulkanError for features and extensions that are not there.
  Device(PhysicalDevice& physical, const VkDeviceCreateInfo& info, const HostMemory& memory);
  ~Device();

  PhysicalDevice& physical() const { return *physical_; }
  Instance& instance() const { return physical_->instance(); }
  const Settings& settings() const { return instance().settings(); }
  const HostMemory& host_memory() const { return memory_; }
  const FeatureSet& features() const { return features_; }
  const ExtensionSet& extensions() const { return extensions_; }
  bool has(Feature feature) const { return features_.has(feature); }
  bool has(Extension extension) const { return extensions_.has(extension); }
  Monitor& monitor() { return monitor_; }
  DeviceSpace& space() { return space_; }
  AddressOwners& address_owners() { return address_owners_; }
  BorderPalette& border_palette() { return border_palette_; }
  const spalt_api::Compiler& compiler() const { return compiler_; }
  /// nullptr: shaders do not print.
  PrintfLog* printf_log() const { return printf_log_.get(); }

  /// Sends a message to the application's messengers, and to stderr when the settings say so.
  void send(const DebugMessage& message);

  /// Sends one message about `report` and does what SPALT_ICD_ON_FAULT says. True: the device is lost, and work on all
  /// queues ends; vkGetDeviceFaultInfoEXT tells the first such report. False: the queue goes on. Without the monitor's
  /// lock.
  bool lose(const FaultReport& report);
  /// With the monitor's lock: what ended the device, if something did.
  const FaultReport* fault() const { return fault_.get(); }

  /// Guards private data and debug names of the device's objects.
  std::mutex names_mutex;
  std::atomic<uint64_t> next_private_data_id = 1;
  /// By all queues; the clock of SPALT_ICD_CLOCK=instructions.
  std::atomic<uint64_t> executed_instructions = 0;
  std::atomic<uint64_t> next_swapchain = 0;
  std::unique_ptr<DevicePieces> pieces;
  std::unique_ptr<DeviceQueues> queues;

 private:
  /// False: the device was lost already.
  bool record_loss(const FaultReport& report);

  PhysicalDevice* physical_;
  HostMemory memory_;
  FeatureSet features_;
  ExtensionSet extensions_;
  Monitor monitor_;
  DeviceSpace space_;
  BorderPalette border_palette_;
  AddressOwners address_owners_;
  spalt_api::Compiler compiler_;
  std::unique_ptr<PrintfLog> printf_log_;
  std::unique_ptr<const FaultReport> fault_;
};

/// An object of a device, made through the callbacks of the call or of the device.
template <typename T, typename... Arguments>
T* create_child(Device& device, const VkAllocationCallbacks* callbacks, Arguments&&... arguments) {
  return create_object<T>(HostMemory(callbacks, device.host_memory()), VK_SYSTEM_ALLOCATION_SCOPE_OBJECT,
                          std::forward<Arguments>(arguments)...);
}

/// Destroys the object of a handle that may be null.
template <typename T>
void destroy_child(Device& device, const VkAllocationCallbacks* callbacks, typename T::Handle handle) {
  destroy_object(HostMemory(callbacks, device.host_memory()), from_nullable<T>(handle));
}

}  // namespace spalt::icd
