// SPDX-License-Identifier: MIT
//
// What becomes of a dispatch that failed.
#pragma once

#include <string>
#include <vector>

#include "icd/command/execution.h"

namespace spalt::icd {

struct FailedDispatch {
  const Dispatch& dispatch;
  const spalt_fault& fault;
  std::vector<std::string> labels;  // open ones, innermost first
};

enum class AfterFault : uint8_t { end, go_on };

/// Tells the application, and loses the device unless the settings say otherwise.
AfterFault report_fault(Device& device, const FailedDispatch& failed);

}  // namespace spalt::icd
