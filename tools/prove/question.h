// SPDX-License-Identifier: MIT
// Questions to the solver, and how its answers read.
#pragma once
#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "encoder.h"
#include "prove.h"

namespace spalt::prove {

using Clock = std::chrono::steady_clock;

/// How long the solver may look for answers.
struct Patience {
  unsigned timeout_ms = 0;  ///< for one question
  Clock::time_point end;    ///< for all
  bool is_limited = false;  ///< there is such an end

  /// Milliseconds for the next question; 0: there is no time left.
  unsigned next() const {
    if (!is_limited) return timeout_ms;
    const auto rest = std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count();
    return static_cast<unsigned>(std::clamp<int64_t>(rest, 0, timeout_ms));
  }
};

/// What of the two behaviours differs, as a list of conditions with names.
struct Difference {
  std::string name;
  z3::expr differs, before, after;
};

/// Whether there is an input for which the question is true: `equal` if there is none. The text of a difference names
/// the inputs and those of the list that differ.
Proof ask(z3::context& context, const z3::expr& question, const Inputs& inputs, const std::vector<Difference>& list,
          const Patience& patience);

}  // namespace spalt::prove
