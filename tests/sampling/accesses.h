// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "operation.h"
#include "spec_sampler.h"

namespace spalt::sampling {

/// A grid of accesses. Along the first axis every place is taken in turn: centers, edges and quarters of texels and
/// what is one rounding step beside them, from before the image to after it, and places far outside; other axes take
/// random ones of them. Levels of detail are whole, ties between levels, and outside. `first_level` is that of the
/// view. `anisotropic`: short derivatives of different lengths, on cubes in the middle of faces.
std::vector<Access> make_accesses(const Kind& kind, Operation operation, bool anisotropic, uint32_t first_level,
                                  size_t count, uint64_t seed);

/// As sample.comp reads them.
std::vector<float> packed(const std::vector<Access>& accesses, uint64_t seed);

}  // namespace spalt::sampling
