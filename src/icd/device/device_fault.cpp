// SPDX-License-Identifier: MIT
//
// VK_EXT_device_fault: the fault that lost the device, as addresses and as the emulator's own kind and program counter.
#include <algorithm>
#include <array>

#include "commands.h"
#include "icd/device/device.h"
#include "icd/object/chain.h"

namespace spalt::icd {
namespace {

struct Addresses {
  std::array<VkDeviceFaultAddressInfoEXT, 2> infos;
  uint32_t count = 0;
  void add(VkDeviceFaultAddressTypeEXT type, uint64_t address) { infos[count++] = {type, address, 1}; }
};

/// Whether `address` of the fault is one of the device's, not an offset into something.
bool has_device_address(const spalt_fault& fault) {
  return fault.kind == SPALT_FAULT_UNMAPPED || fault.kind == SPALT_FAULT_READ_ONLY ||
         fault.kind == SPALT_FAULT_MISALIGNED || fault.kind == SPALT_FAULT_SCRATCH_BOUNDS;
}

VkDeviceFaultAddressTypeEXT access_type(const spalt_fault& fault) {
  return fault.access == SPALT_ACCESS_LOAD ? VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT
                                           : VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT;
}

VkDeviceFaultAddressTypeEXT instruction_type(const spalt_fault& fault) {
  switch (fault.kind) {
    case SPALT_FAULT_INVALID_INSTRUCTION:
      return VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT;
    case SPALT_FAULT_NONE:
      return VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT;
    default:
      return VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT;
  }
}

/// Every address is exact: the emulator stops at the access.
Addresses addresses_of(const FaultReport& report) {
  Addresses addresses{};
  const spalt_fault& fault = report.fault;
  if (fault.access != SPALT_ACCESS_NONE && has_device_address(fault)) addresses.add(access_type(fault), fault.address);
  if (fault.code_address != 0) addresses.add(instruction_type(fault), fault.code_address);
  return addresses;
}

void write_text(char (&output)[VK_MAX_DESCRIPTION_SIZE], const std::string& text) {
  const size_t size = text.copy(output, VK_MAX_DESCRIPTION_SIZE - 1);
  output[size] = 0;
}

VkResult write_fault(const FaultReport* report, VkDeviceFaultCountsEXT& counts, VkDeviceFaultInfoEXT* info) {
  const Addresses addresses = report == nullptr ? Addresses{} : addresses_of(*report);
  const uint32_t vendor_count = report != nullptr && report->fault.kind != SPALT_FAULT_NONE ? 1 : 0;
  counts.vendorBinarySize = 0;
  if (info == nullptr) {
    counts.addressInfoCount = addresses.count;
    counts.vendorInfoCount = vendor_count;
    return VK_SUCCESS;
  }
  write_text(info->description, report == nullptr ? "no fault" : report->text);
  const VkResult first = write_array(addresses.count, &counts.addressInfoCount, info->pAddressInfos,
                                     [&](auto& address, uint32_t i) { address = addresses.infos[i]; });
  const VkResult second = write_array(vendor_count, &counts.vendorInfoCount, info->pVendorInfos,
                                      [&](VkDeviceFaultVendorInfoEXT& vendor, uint32_t) {
                                        write_text(vendor.description, report->fault.instruction);
                                        vendor.vendorFaultCode = report->fault.kind;
                                        vendor.vendorFaultData = report->fault.pc;
                                      });
  return first == VK_INCOMPLETE || second == VK_INCOMPLETE ? VK_INCOMPLETE : VK_SUCCESS;
}

}  // namespace

VKAPI_ATTR VkResult VKAPI_CALL entry::GetDeviceFaultInfoEXT(VkDevice device, VkDeviceFaultCountsEXT* pFaultCounts,
                                                            VkDeviceFaultInfoEXT* pFaultInfo) {
  auto& object = from_handle<Device>(device);
  const Monitor::Lock lock = object.monitor().lock();
  return write_fault(object.fault(), *pFaultCounts, pFaultInfo);
}

}  // namespace spalt::icd
