// SPDX-License-Identifier: MIT
#include "emu/wave/fault.h"

#include <cstdio>

namespace spalt::emu {

Fault cancelled_fault() {
  Fault fault;
  fault.kind = FaultKind::cancelled;
  fault.violation = "was cancelled";
  return fault;
}

std::string Fault::instruction_message() const {
  char where[24];
  std::snprintf(where, sizeof where, "pc 0x%06x: ", pc);
  std::string text = where + assembly + ": " + violation;
  if (lane != kNoLane) text += " (lane " + std::to_string(lane) + ")";
  return text;
}

std::string Fault::message() const {
  if (stage != nullptr) {
    return "draw " + std::to_string(draw) + ", " + stage + " group " + std::to_string(workgroup[0]) + " wave " +
           std::to_string(wave) + ": " + instruction_message();
  }
  return "workgroup (" + std::to_string(workgroup[0]) + ", " + std::to_string(workgroup[1]) + ", " +
         std::to_string(workgroup[2]) + ") wave " + std::to_string(wave) + ": " + instruction_message();
}

}  // namespace spalt::emu
