// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <vector>

#include "litmus_test.h"

namespace spalt::litmus {

/// Of a result: as wide as the widest variable.
constexpr uint32_t result_bytes(const Variant& variant) {
  return variant.data.bits == 64 || variant.flags.bits == 64 ? 8 : 4;
}

/// A compute shader of the test, with the bindings of variables.h in set 0. With waves, the workgroup is one wave per
/// thread, else there is one workgroup of one invocation per thread. The first lane acts.
std::vector<uint32_t> make_module(const Program& program, const Variant& variant, uint32_t wave_size);

}  // namespace spalt::litmus
