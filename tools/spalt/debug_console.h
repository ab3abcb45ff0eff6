// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/device.h>

#include <string>
#include <vector>

#include "commands.h"

namespace spalt_tool {

/// Options of `run` that look at the execution, and the console that answers at stops.
class DebugConsole {
 public:
  void add_options(Command& command);
  /// Sets the emulator up; false when an option is malformed, which `error` then explains.
  bool attach(spalt_device* device, std::string& error);

 private:
  /// What the options ask for, in terms of the emulator. Points into this.
  struct Wishes;
  bool fill(Wishes& wishes, std::string& error);
  uint32_t stopped(const spalt_stop& stop);
  void print_register(const spalt_stop& stop, const std::string& name) const;

  bool trace_ = false, step_ = false;
  std::vector<std::string> breaks_, watches_;
  std::string last_command_ = "s";
};

}  // namespace spalt_tool
