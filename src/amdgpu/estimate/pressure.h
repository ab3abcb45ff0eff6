// SPDX-License-Identifier: MIT
//
// How many registers hold something that the code still reads.
#pragma once
#include <cstdint>
#include <vector>

#include "amdgpu/estimate/loops.h"

namespace spalt::estimate {

struct Pressure {
  uint16_t vgprs = 0, sgprs = 0;  ///< live before the instruction; SGPRs without vcc and the special ones
};

/// By instruction of the program. A write of a vector register counts as one of all lanes, which it need not be: values
/// of inactive lanes are not seen. Cost: blocks times loop nesting.
std::vector<Pressure> find_pressure(const Code& code, const Loops& loops);

}  // namespace spalt::estimate
