// SPDX-License-Identifier: MIT
//
// What the application hears of a dispatch that failed.
#pragma once

#include <string>
#include <vector>

#include "icd/command/execution.h"

namespace spalt::icd {

struct FailedDispatch {
  const Dispatch& dispatch;  // without a pipeline: the failure has none
  const spalt_fault& fault;
  const std::vector<std::string>* labels;  // innermost last; nullptr: none
};

FaultReport make_report(const FailedDispatch& failed);
/// A failure that is no shader's.
FaultReport make_report(const char* text);

}  // namespace spalt::icd
