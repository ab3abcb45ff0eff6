// SPDX-License-Identifier: MIT
#pragma once

#include "icd/device/device.h"
#include "spalt/device.hpp"

namespace spalt::icd {

/// Addresses for the tables of an emulated device.
class DeviceTables {
 public:
  explicit DeviceTables(DeviceSpace& space);
  ~DeviceTables() { space_->unreserve(Range::tables, address_); }
  DeviceTables(const DeviceTables&) = delete;
  DeviceTables& operator=(const DeviceTables&) = delete;
  uint64_t address() const { return address_; }

 private:
  DeviceSpace* space_;
  uint64_t address_;
};

/// The emulated device of a queue, with its host threads.
class EmulatedDevice {
 public:
  /// Throws VulkanError, std::bad_alloc.
  explicit EmulatedDevice(Device& device);
  const spalt_api::Device& get() const { return device_; }
  uint64_t table_address() const { return tables_.address(); }

 private:
  DeviceTables tables_;
  spalt_api::Device device_;
};

}  // namespace spalt::icd
