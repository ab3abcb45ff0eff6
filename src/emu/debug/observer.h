// SPDX-License-Identifier: MIT
#pragma once

namespace spalt::emu {

class Wave;
struct Step;

/// Looks at every instruction that is executed. A launch without one runs a loop that does not ask. With one, a single
/// host thread runs the waves, so calls never overlap and come in the same order in every run.
class Observer {
 public:
  virtual ~Observer() = default;
  /// The wave has its initial registers and has executed nothing.
  virtual void start(const Wave& wave) = 0;
  /// Before a step. False ends the dispatch.
  virtual bool before(const Wave& wave, const Step& step) = 0;
  /// After a step that did not fault. False ends the dispatch. Registers that loads write change at the instruction
  /// that waits for them.
  virtual bool after(const Wave& wave, const Step& step) = 0;
};

}  // namespace spalt::emu
