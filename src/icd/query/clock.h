// SPDX-License-Identifier: MIT
#pragma once

#include "icd/device/device.h"

namespace spalt::icd {

/// The time of timestamps: nanoseconds of the host's monotonic clock, or with SPALT_ICD_CLOCK=instructions how many
/// instructions the queues of the device have executed.
uint64_t read_clock(const Device& device);

}  // namespace spalt::icd
