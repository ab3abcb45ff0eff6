// SPDX-License-Identifier: MIT
//
// What the application hears of a dispatch that failed.
#pragma once

#include <optional>

#include "icd/command/execution.h"
#include "icd/device/fault_dump.h"

namespace spalt::icd {

struct FailedDispatch {
  const Dispatch& dispatch;  // without a pipeline: the failure has none
  const spalt_dispatch_info& info;
  const spalt_fault& fault;
  const Origin& origin;
  const MemoryImage* before;  // the memory when it began; nullptr: nobody has kept it
  bool interleaved;           // with other work
};

/// What a dump of the next dispatch wants; none: nothing is dumped, or there is too much memory.
std::optional<MemoryImage> image_before_dispatch(Device& device);

/// Also writes the dump that SPALT_ICD_DUMP asks for.
FaultReport make_report(const Execution& execution, const FailedDispatch& failed);
/// The parts of a message about what executes. "in "frame": in "blur": ", from the outermost label on.
std::string describe_labels(const Origin& origin);
std::vector<std::string> innermost_first(const LabelStack::Snapshot& labels);
/// Command buffer and queue.
void add_objects(const Execution& execution, const Origin& origin, std::vector<MessageObject>& objects);

/// A failure that is no shader's.
FaultReport make_report(const char* text);

}  // namespace spalt::icd
