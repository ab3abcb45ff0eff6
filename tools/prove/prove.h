// SPDX-License-Identifier: MIT
// Proves that a pass kept the meaning of a function: Z3 looks for an input on which the functions before and after it
// differ. docs/testing.md says what is proved and what is not.
#pragma once
#include <array>
#include <string>

#include "ir/module.h"

namespace spalt::prove {

enum class Verdict : uint8_t {
  equal,      ///< there is no such input
  different,  ///< there is one
  undecided,  ///< none was found in the time given
  refused     ///< a function has something that is not made a formula
};

struct Proof {
  Verdict verdict = Verdict::refused;
  std::string text;  ///< the input and what differs, or the reason
};

struct ProveOptions {
  unsigned timeout_ms = 60000;                                         ///< for each question to the solver
  unsigned total_ms = 0;                                               ///< for all of them; 0: no limit
  std::array<uint32_t, 3> max_workgroups{0xffffffff, 0xffff, 0xffff};  ///< of a dispatch
};

/// Whether the function with this number does after a pass what it did before. `after` may do less than `before`
/// leaves open: an undef of `before` may have become any value.
Proof prove_function(const ir::Module& before, const ir::Module& after, size_t function,
                     const ProveOptions& options = {});

}  // namespace spalt::prove
