// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/device.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "emu/debug/debugger.h"
#include "emu/debug/tracer.h"

namespace spalt::emu {

/// What spalt_device_set_debug asked for.
struct DebugSettings {
  spalt_trace_callback trace = nullptr;
  spalt_stop_callback stop = nullptr;
  void* user = nullptr;
  bool stop_at_start = false;
  std::vector<uint32_t> breakpoints;
  std::vector<RegisterRef> watchpoints;

  /// Takes the caller's settings. NULL, like settings that ask for nothing, gives nullptr.
  static Result<std::shared_ptr<const DebugSettings>> read(const spalt_debug_info* info);
};

/// The observers of one dispatch. The settings must outlive it.
class DebugSession {
 public:
  explicit DebugSession(const DebugSettings& settings);
  DebugSession(const DebugSession&) = delete;
  DebugSession& operator=(const DebugSession&) = delete;

  /// nullptr when nothing is to be observed.
  Observer* observer();
  /// Whether the caller ended the dispatch at a stop.
  bool ended() const { return debugger_ && debugger_->ended(); }

 private:
  StopAction ask(const Stop& stop) const;

  const DebugSettings& settings_;
  std::optional<Tracer> tracer_;
  std::optional<Debugger> debugger_;
  std::optional<ObserverPair> both_;
};

}  // namespace spalt::emu
