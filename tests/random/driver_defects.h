// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>

namespace spalt::random_programs {

/// Programs that llvmpipe of Mesa 22.3.6 computes wrongly; see "llvmpipe: values that leave a loop" in
/// docs/isa-errata.md. They are judged by the interpreter and the emulator alone. All but those of the second line were
/// also executed one invocation at a time (one lane, hence no divergence): there the driver agrees with us.
inline constexpr uint64_t kDriverDefects[] = {300,  1158, 1669, 2873, 2968, 3575, 4083, 4310, 4545, 4629,
                                              4713, 5661, 5724, 5761, 6759, 8040, 2150, 3619, 6606, 7407};

inline bool driver_is_wrong(uint64_t seed) {
  return std::find(std::begin(kDriverDefects), std::end(kDriverDefects), seed) != std::end(kDriverDefects);
}

}  // namespace spalt::random_programs
