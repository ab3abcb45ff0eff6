// SPDX-License-Identifier: MIT
//
// What ended a dispatch, in terms of Vulkan.
#pragma once

#include <string>
#include <vector>

#include "icd/device/debug_messenger.h"
#include "spalt/device.h"

namespace spalt::icd {

struct FaultReport {
  std::string text;                         // one sentence: pipeline, workgroup, wave, lane, pc, assembly
  spalt_fault fault{};                      // as the emulator told it; kind 0: no fault of a program
  std::vector<MessageObject> objects;       // pipeline, command buffer, queue
  std::vector<std::string> queue_labels;    // open labels, innermost first
  std::vector<std::string> command_labels;  // the same of the command buffer
};

}  // namespace spalt::icd
