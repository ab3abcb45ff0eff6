// SPDX-License-Identifier: MIT
// Questions to the solver, and how its answers read.
#pragma once
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "encoder.h"
#include "prove.h"

namespace spalt::prove {

/// Milliseconds of this process on a processor: what others do on the machine changes no verdict.
inline int64_t work_ms() {
  return static_cast<int64_t>(std::clock()) * 1000 / CLOCKS_PER_SEC;
}

/// How long the solver may look for answers.
struct Patience {
  unsigned timeout_ms = 0;  ///< for one question
  int64_t end = 0;          ///< for all, by work_ms
  bool is_limited = false;  ///< there is such an end

  /// Milliseconds for the next question; 0: there is no time left.
  unsigned next() const {
    if (!is_limited) return timeout_ms;
    return static_cast<unsigned>(std::clamp<int64_t>(end - work_ms(), 0, timeout_ms));
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
