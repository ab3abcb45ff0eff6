// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <random>

#include "amdgpu/isa/opcode.h"
#include "real.h"

namespace spalt::semantics {

/// A value for a source of this type: a corner of it or random bits, in a mixture that depends on the type. What stands
/// beyond the type's width is random.
uint64_t sample(isa::OperandType type, std::mt19937& random);
/// Zeros, denormals, infinities, both kinds of NaN, ties of roundings to integers, and numbers around one, whose sums
/// and products round.
uint64_t sample(const FloatFormat& format, std::mt19937& random);
/// As sample, for 16-bit parts of a packed or mixed source.
uint64_t sample_half(std::mt19937& random);

}  // namespace spalt::semantics
