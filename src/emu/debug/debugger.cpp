// SPDX-License-Identifier: MIT
#include "emu/debug/debugger.h"

#include <algorithm>

#include "emu/wave/wave.h"

namespace spalt::emu {

void Debugger::start(const Wave& wave) {
  if (!watchpoints_.empty()) waves_[&wave].start(wave);
}

bool Debugger::stop(const Stop& stop) {
  const StopAction action = ask_(stop);
  stepping_ = action == StopAction::step;
  ended_ = action == StopAction::end;
  return !ended_;
}

bool Debugger::before(const Wave& wave, const Step& step) {
  const bool breaks = std::find(breakpoints_.begin(), breakpoints_.end(), step.pc) != breakpoints_.end();
  if (!breaks && !stepping_) return true;
  return stop({breaks ? StopReason::breakpoint : StopReason::step, wave, describe_position(wave) + "\n"});
}

bool Debugger::after(const Wave& wave, const Step&) {
  if (watchpoints_.empty()) return true;
  RegisterChanges& changes = waves_[&wave];
  changes.update(wave);
  const auto watched = [this](const RegisterChanges::Change& change) {
    return std::find(watchpoints_.begin(), watchpoints_.end(), change.ref) != watchpoints_.end();
  };
  if (std::none_of(changes.changes().begin(), changes.changes().end(), watched)) return true;
  return stop({StopReason::watchpoint, wave, describe_position(wave) + "\n" + describe_changes(changes, wave)});
}

}  // namespace spalt::emu
