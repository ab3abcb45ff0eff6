// SPDX-License-Identifier: MIT
//
// Memory that the host touches for a command: it may have been freed after the command was recorded.
#include <cstdio>

#include "icd/command/execution.h"
#include "icd/command/fault.h"

namespace spalt::icd {

bool Execution::can_touch(const MemoryRange& range, spalt_access access) {
  // Without an address, it is memory of a command buffer.
  if (range.size == 0 || range.address == 0) return true;
  if (device_->space().shows(range.address, range.size, range.host)) return true;
  auto fault = spalt_api::sized<spalt_fault>();
  fault.kind = SPALT_FAULT_UNMAPPED;
  fault.access = access;
  fault.address = range.address;
  fault.access_size = range.size;
  fault.lane = SPALT_FAULT_NO_LANE;
  std::snprintf(fault.message, sizeof fault.message,
                "a command of the host %s %llu bytes at 0x%llx, which are not mapped any more",
                access == SPALT_ACCESS_LOAD ? "loads" : "stores", static_cast<unsigned long long>(range.size),
                static_cast<unsigned long long>(range.address));
  const Dispatch no_dispatch;
  const auto no_info = spalt_api::sized<spalt_dispatch_info>();
  settle({no_dispatch, no_info, fault, origin(), nullptr, false}, SPALT_ERROR_EXECUTION);
  return false;
}

}  // namespace spalt::icd
