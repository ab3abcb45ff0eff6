// SPDX-License-Identifier: MIT
//
// A global operator new that fails when it is told to. For test programs of their own: it replaces that of the whole
// program, with the library in it.
#pragma once

#include <atomic>

namespace spalt::test {

/// Allocations until one fails, once; negative: none does. Counts those of all threads.
extern std::atomic<long> left_to_failure;

}  // namespace spalt::test
