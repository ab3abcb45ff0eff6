// SPDX-License-Identifier: MIT
#pragma once
#include <spalt/emulator.h>

#include <optional>
#include <string>
#include <vector>

#include "emu/debug/debugger.h"
#include "emu/debug/tracer.h"

namespace spalt::emu {

/// What spalt_emulator_set_debug asked for.
struct DebugSettings {
  spalt_emulator_trace_callback trace = nullptr;
  spalt_emulator_stop_callback stop = nullptr;
  void* user = nullptr;
  bool stop_at_start = false;
  std::vector<uint32_t> breakpoints;
  std::vector<RegisterRef> watchpoints;

  /// Takes the caller's settings; on failure says why.
  static bool read(const spalt_emulator_debug_info& info, DebugSettings& settings, std::string& error);
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
