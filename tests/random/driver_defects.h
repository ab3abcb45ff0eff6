// SPDX-License-Identifier: MIT
#pragma once
#include <algorithm>
#include <cstdint>

namespace spalt::random_programs {

/// Programs with barriers that llvmpipe of Mesa 22.3.6 computes otherwise; see "llvmpipe: values that leave a loop" in
/// docs/isa-errata.md. They are judged by the interpreter and the emulator alone: with barriers, a program cannot run
/// one invocation at a time, which judges all others.
inline constexpr uint64_t kDriverDefects[] = {2150, 3619, 6606, 7407};

inline bool driver_is_wrong(uint64_t seed) {
  return std::find(std::begin(kDriverDefects), std::end(kDriverDefects), seed) != std::end(kDriverDefects);
}

}  // namespace spalt::random_programs
