// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::ir {

/// Immediate of Op::ballot: the number of the dword, and whether helper invocations count, too.
constexpr uint64_t kBallotDword = 7, kBallotOfHelpers = 8;

}  // namespace spalt::ir
