// SPDX-License-Identifier: MIT
#pragma once
#include "amdgpu/isa/target.h"
#include "base/compile_context.h"
#include "ir/function.h"

namespace spalt::lower {

/// Lets image operations take addresses, gradients and texels of 16 bits where their values come from such, instead of
/// extending each:
///
/// - a16: coordinates and level, two in a dword, where all are extended from i16 (loads, stores, atomics) or f16
///   (samples), or constants that fit, and one at least is no constant. Not together with bias or 32-bit gradients.
/// - g16: gradients, likewise, where the target has such samples.
/// - d16: data of stores that are extended from f16; results of loads and samples of which every use is a conversion to
///   f16 and either side has relaxed precision, since the texture unit may round in another way.
///
/// Equal pairs are one value, so that accesses to the same place share them. After lower_images, before lower_narrow.
/// O(instructions). Returns true if anything changed.
bool lower_image_halves(ir::Function& function, CompileContext& context, const isa::Target& target);

}  // namespace spalt::lower
