// SPDX-License-Identifier: MIT
#pragma once
#include "base/compile_context.h"
#include "ir/module.h"

namespace spalt::lower {

/// Gives samples, gathers and queries of levels the coordinates that the texture unit takes (docs/ir.md, "Images"):
///
///   cubes           ImageDim::face: the face, the place on it, and gradients of that place
///   arrays          the layer rounded to a whole number, ties to even
///
/// Before make_descriptors_uniform, so that the arithmetic stays outside of its loops. Linear. True if anything
/// changed.
bool lower_samples(ir::Function& function, CompileContext& context);

}  // namespace spalt::lower
