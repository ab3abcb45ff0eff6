// SPDX-License-Identifier: MIT
#include "icd/command/emulated_device.h"

#include "icd/object/result.h"

namespace spalt::icd {
namespace {

constexpr uint64_t kDeviceTableBytes = 192 * 1024;  // spalt_device_create_info::table_address

spalt_device_create_info device_info(Device& device, uint64_t table_address) {
  spalt_device_create_info info = spalt_api::Device::info(device.space().address_space(), device.settings().threads);
  info.target = device.physical().target().name;
  info.table_address = table_address;
  return info;
}

}  // namespace

DeviceTables::DeviceTables(DeviceSpace& space)
    : space_(&space), address_(space.reserve(Range::tables, kDeviceTableBytes)) {}

EmulatedDevice::EmulatedDevice(Device& device)
    : tables_(device.space()), device_(device_info(device, tables_.address())) {
  if (!device_.ok()) throw VulkanError{VK_ERROR_INITIALIZATION_FAILED};
}

}  // namespace spalt::icd
