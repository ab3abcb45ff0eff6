// SPDX-License-Identifier: MIT
#pragma once

namespace spalt::vkrun {

/// What programs want of a Vulkan device.
struct DeviceOptions {
  bool robust = false;  // robustBufferAccess2 and nullDescriptor, for robust manifests, and only for them
  bool recent = false;  // extensions that a validation layer may be too old for, where the driver has them
};

}  // namespace spalt::vkrun
