// SPDX-License-Identifier: MIT
//
// What the application hears of a dispatch that failed.
#pragma once

#include "icd/command/execution.h"

namespace spalt::icd {

struct FailedDispatch {
  const Dispatch& dispatch;  // without a pipeline: the failure has none
  const spalt_fault& fault;
  const Origin& origin;
};

FaultReport make_report(const Execution& execution, const FailedDispatch& failed);
/// A failure that is no shader's.
FaultReport make_report(const char* text);

}  // namespace spalt::icd
