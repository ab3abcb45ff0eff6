// SPDX-License-Identifier: MIT
//
// Judges the final buffer contents of a run.
#pragma once

#include <optional>
#include <string>

#include "manifest.h"

namespace spalt::vkrun {

/// Compares every checked range and image of `actual` with `expected`; returns a sentence about the first difference,
/// or nothing. Integers must be equal; floats must satisfy |a - e| <= abs + rel * |e|; a NaN never passes.
std::optional<std::string> compare_runs(const Manifest& manifest, const BufferContents& expected,
                                        const BufferContents& actual);

/// Compares `actual` with the literal expectations of the manifest.
std::optional<std::string> compare_expectations(const Manifest& manifest, const BufferContents& actual);

}  // namespace spalt::vkrun
