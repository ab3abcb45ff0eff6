// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Brings image operations into the form that the target's instructions have. Requires and keeps Stage::lowered.
/// Returns true if anything changed.
///
/// - Where there are no 1D images, they are 2D ones of height 1: coordinate 0, in samples the middle 0.5, no gradient.
/// - Of loads and samples only the components stay that something reads, of texel buffers all up to the last of them; a
///   vector of fewer components takes the result's place.
///
/// O(instructions).
bool lower_images(ir::Function& function, CompileContext& context, const isa::Target& target);

}  // namespace spalt::lower
