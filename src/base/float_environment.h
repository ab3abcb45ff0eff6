// SPDX-License-Identifier: MIT
#pragma once

#include <cfenv>

namespace spalt {

/// Gives a scope the default floating-point environment (round to nearest, subnormals kept, traps off) and returns the
/// caller's at its end. Constant folding and the emulator compute with the host's floats, and applications do change
/// these modes; without this the same words would give other bytes.
class DefaultFloatEnvironment {
 public:
  DefaultFloatEnvironment() {
    std::fegetenv(&callers_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&callers_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment&) = delete;
  DefaultFloatEnvironment& operator=(const DefaultFloatEnvironment&) = delete;

 private:
  std::fenv_t callers_;
};

}  // namespace spalt
