// SPDX-License-Identifier: MIT
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "emu/debug/observer.h"
#include "emu/debug/register_changes.h"

namespace spalt::emu {

enum class StopReason : uint8_t {
  step,        ///< asked for with StopAction::step
  breakpoint,  ///< before the instruction at a pc
  watchpoint   ///< after an instruction that changed a register
};
enum class StopAction : uint8_t {
  resume,
  step,  ///< stop again before the next instruction, of whatever wave
  end    ///< end the dispatch
};

/// A wave that stands still.
struct Stop {
  StopReason reason = StopReason::step;
  const Wave& wave;
  std::string text;  ///< where the wave is, and for a watchpoint what changed
};

/// Stops waves at a pc or when a register changes, and asks what to do.
class Debugger final : public Observer {
 public:
  using Ask = std::function<StopAction(const Stop& stop)>;

  explicit Debugger(Ask ask) : ask_(std::move(ask)) {}
  /// Byte offset in the code.
  void add_breakpoint(uint32_t pc) { breakpoints_.push_back(pc); }
  void add_watchpoint(const RegisterRef& ref) { watchpoints_.push_back(ref); }
  /// Stops before the first instruction.
  void stop_at_start() { stepping_ = true; }
  /// Whether an answer ended the dispatch.
  bool ended() const { return ended_; }

  void start(const Wave& wave) override;
  bool before(const Wave& wave, const Step& step) override;
  bool after(const Wave& wave, const Step& step) override;

 private:
  bool stop(const Stop& stop);

  Ask ask_;
  std::vector<uint32_t> breakpoints_;
  std::vector<RegisterRef> watchpoints_;
  /// Waves of several workgroups and programs may take turns. Only kept when there are watchpoints.
  std::map<const Wave*, RegisterChanges> waves_;
  bool stepping_ = false, ended_ = false;
};

/// Two observers as one.
class ObserverPair final : public Observer {
 public:
  ObserverPair(Observer& first, Observer& second) : first_(first), second_(second) {}
  void start(const Wave& wave) override {
    first_.start(wave);
    second_.start(wave);
  }
  bool before(const Wave& wave, const Step& step) override {
    return first_.before(wave, step) && second_.before(wave, step);
  }
  bool after(const Wave& wave, const Step& step) override {
    return first_.after(wave, step) && second_.after(wave, step);
  }

 private:
  Observer &first_, &second_;
};

}  // namespace spalt::emu
