// SPDX-License-Identifier: MIT
//
// What both shaders of a random draw declare, and what is true of the values between them.
#pragma once

#include "draw_shape.h"
#include "generator.h"

namespace spalt::random_programs {

// Values that are interpolated are integers of so many bits with a sign; flat ones have a fraction.
constexpr int kSmoothBits = 5;
constexpr int kFlatBits = 8, kFlatFraction = 2;

bool is_flat(const DrawShape& shape, const Varying& varying);
/// Whether w makes the interpolation round.
bool is_perspective(const DrawShape& shape, const Varying& varying);
/// Whether all vertices must have the same value: a place that implementations choose, or planes that round.
bool is_constant(const DrawShape& shape, const Varying& varying);

void decorate_place(ModuleBuilder& m, Id id, uint32_t location, uint32_t component);
void declare_vertex(Shared& s);
void declare_fragment(Shared& s);

}  // namespace spalt::random_programs
