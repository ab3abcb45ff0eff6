// SPDX-License-Identifier: MIT
//
// What the application hears about device addresses: in reports of faults, and as they come and go
// (VK_EXT_device_address_binding_report).
#pragma once

#include "icd/device/device.h"

namespace spalt::icd {

/// Adds to a report about an access the object whose addresses it hit or just missed: its name to the text, itself to
/// the objects.
void name_resource(Device& device, FaultReport& report);

/// Tells messengers, when the device has the feature, that `owner` got its addresses or loses them. Owners without
/// addresses are ignored. No message is sent when there is no memory for it.
void report_binding(Device& device, const AddressOwner& owner, VkDeviceAddressBindingTypeEXT type) noexcept;

}  // namespace spalt::icd
