// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "litmus_test.h"

namespace spalt::litmus {

/// Words from one variable to the next: more than a cache line.
constexpr uint32_t kVariableStride = 128;
/// Words before the first one, so that byte offsets of variables are never those of results.
constexpr uint32_t kFirstVariable = 128;
constexpr uint32_t kMemoryWords = kFirstVariable + kBufferVariables * kVariableStride;

/// A compute shader of the test. Set 0 has the variables in binding 0 and the results in binding 1. With waves, the
/// workgroup is one wave per thread, else there is one workgroup of one invocation per thread. The first lane acts.
std::vector<uint32_t> make_module(const Program& program, const Variant& variant, uint32_t wave_size);

}  // namespace spalt::litmus
