// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

#include "ir/module.h"

namespace spalt::test {

struct RandomFunctionOptions {
  unsigned statements = 24;      ///< roughly, nested ones included
  bool dynamic_scratch = false;  ///< variables in an array that is also accessed with variable index
  bool lane_values = false;      ///< inputs are built-ins instead of parameters
  bool multiple_returns = true;
};

/// A module with one valid function that ends for all inputs. Same seed, same module. The function takes three i32 and
/// returns a hash of all its variables. Control flow is structured: nested ifs, counted and other loops with break and
/// continue over several levels, switches with fall-through, early returns; variables are in scratch memory, which
/// promote_scratch turns into phis.
ir::Module random_module(uint64_t seed, const RandomFunctionOptions& options);

}  // namespace spalt::test
