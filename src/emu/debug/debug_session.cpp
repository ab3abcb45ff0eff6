// SPDX-License-Identifier: MIT
#include "emu/debug/debug_session.h"

#include "api/results.h"
#include "api/structs.h"
#include "emu/wave/wave.h"

namespace spalt::emu {

using api::bad_argument;

Result<std::shared_ptr<const DebugSettings>> DebugSettings::read(const spalt_debug_info* caller) {
  if (caller == nullptr) return std::shared_ptr<const DebugSettings>();
  if (!api::is_given(caller)) return bad_argument("the debug settings have no size");
  const spalt_debug_info info = api::read_struct(caller);
  const bool lists_ok = (info.breakpoint_count == 0 || info.breakpoints != nullptr) &&
                        (info.watchpoint_count == 0 || info.watchpoints != nullptr);
  const bool stops = info.breakpoint_count != 0 || info.watchpoint_count != 0 || info.stop_at_start != 0;
  if (!lists_ok || (stops && info.stop == nullptr)) return bad_argument("the debug settings are incomplete");
  const auto settings = std::make_shared<DebugSettings>();
  settings->trace = info.trace;
  settings->stop = info.stop;
  settings->user = info.user;
  settings->stop_at_start = info.stop_at_start != 0;
  settings->breakpoints.assign(info.breakpoints, info.breakpoints + info.breakpoint_count);
  for (size_t i = 0; i < info.watchpoint_count; ++i) {
    RegisterRef ref;
    const char* name = info.watchpoints[i] != nullptr ? info.watchpoints[i] : "";
    if (!RegisterRef::parse(name, ref)) {
      return bad_argument(std::string("\"") + name + "\" is no register such as s5, v3, vcc_lo or scc");
    }
    settings->watchpoints.push_back(ref);
  }
  return std::shared_ptr<const DebugSettings>(settings);
}

DebugSession::DebugSession(const DebugSettings& settings) : settings_(settings) {
  if (settings.trace != nullptr) {
    tracer_.emplace([this](const std::string& text) { settings_.trace(settings_.user, text.c_str()); });
  }
  if (settings.stop != nullptr) {
    debugger_.emplace([this](const Stop& stop) { return ask(stop); });
    for (const uint32_t pc : settings.breakpoints) debugger_->add_breakpoint(pc);
    for (const RegisterRef& ref : settings.watchpoints) debugger_->add_watchpoint(ref);
    if (settings.stop_at_start) debugger_->stop_at_start();
  }
  if (tracer_ && debugger_) both_.emplace(*tracer_, *debugger_);
}

Observer* DebugSession::observer() {
  if (both_) return &*both_;
  if (debugger_) return &*debugger_;
  return tracer_ ? &*tracer_ : nullptr;
}

StopAction DebugSession::ask(const Stop& stop) const {
  spalt_stop value{};
  value.struct_size = sizeof value;
  value.reason = stop.reason == StopReason::breakpoint   ? SPALT_STOP_BREAKPOINT
                 : stop.reason == StopReason::watchpoint ? SPALT_STOP_WATCHPOINT
                                                         : SPALT_STOP_STEP;
  for (size_t i = 0; i < 3; ++i) value.workgroup[i] = stop.wave.group_id()[i];
  value.wave = stop.wave.wave_id_in_group;
  value.wave_size = stop.wave.size();
  value.pc = stop.wave.current_step().pc;
  value.text = stop.text.c_str();
  value.state = reinterpret_cast<const spalt_stopped_wave*>(&stop.wave);
  switch (settings_.stop(settings_.user, &value)) {
    case SPALT_STOP_ACTION_CONTINUE:
      return StopAction::resume;
    case SPALT_STOP_ACTION_STEP:
      return StopAction::step;
    default:
      return StopAction::end;
  }
}

}  // namespace spalt::emu

extern "C" spalt_result spalt_stopped_wave_read(const spalt_stopped_wave* wave, const char* name, uint32_t lane,
                                                uint32_t* value) {
  using namespace spalt::emu;
  if (wave == nullptr || name == nullptr || value == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const Wave& state = *reinterpret_cast<const Wave*>(wave);
  RegisterRef ref;
  if (!RegisterRef::parse(name, ref) || !ref.exists(state) || lane >= state.size()) return SPALT_ERROR_INVALID_ARGUMENT;
  *value = ref.read(state, lane);
  return SPALT_SUCCESS;
}
