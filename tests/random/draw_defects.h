// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>

namespace spalt::random_programs {

/// Draws that llvmpipe of Mesa 22.3.6 gets wrong; each one was reduced to a case that docs/isa-errata.md describes. A
/// run of many leaves them out, since nobody else judges them.
inline bool driver_is_wrong_about_draw([[maybe_unused]] uint64_t seed) {
  return false;
}

}  // namespace spalt::random_programs
