// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

namespace spalt::spirv {

/// Whether an entry point of the module says how floats are rounded, what denormals are, or what NaN, infinities and
/// signed zeros may be taken for. Words that are no valid module say nothing. Linear in the words before functions.
bool declares_float_modes(std::span<const uint32_t> words);

}  // namespace spalt::spirv
