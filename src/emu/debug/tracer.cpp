// SPDX-License-Identifier: MIT
#include "emu/debug/tracer.h"

#include "emu/wave/wave.h"

namespace spalt::emu {

void Tracer::start(const Wave& wave) {
  waves_[&wave].start(wave);
}

/// The line is told before the step runs, so that one that faults is the last line of the trace.
bool Tracer::before(const Wave& wave, const Step&) {
  sink_(describe_position(wave) + "\n");
  return true;
}

bool Tracer::after(const Wave& wave, const Step&) {
  RegisterChanges& changes = waves_[&wave];
  changes.update(wave);
  if (!changes.changes().empty()) sink_(describe_changes(changes, wave));
  return true;
}

}  // namespace spalt::emu
