// SPDX-License-Identifier: MIT
//
// What the fragments of a primitive are interpolated from: functions that are linear on the screen.
//
// I and J are how much of vertex 1 and 2 of the primitive is at a place, so that an attribute is P0 + I (P1 - P0) +
// J (P2 - P0), whatever clipping has made of the primitive. Linear ones are planes themselves; those with perspective
// are I/w, J/w and 1/w, from which each place divides. Lines have J = 0, points I = J = 0.
//
// Planes go through the vertices as rounded to the grid, which is where the edges are, in double precision.
#pragma once
#include <array>
#include <span>

#include "emu/raster/edges.h"
#include "emu/raster/state.h"
#include "emu/raster/viewport.h"

namespace spalt::emu {

struct ScreenPlane {
  double origin_x = 0, origin_y = 0, at_origin = 0, by_x = 0, by_y = 0;
  double at(double x, double y) const { return at_origin + by_x * (x - origin_x) + by_y * (y - origin_y); }
};

struct FragmentPlanes {
  ScreenPlane i_over_w, j_over_w, one_over_w, i_linear, j_linear, z;
  double depth_bias = 0;  ///< added to z for the depth test
  bool front_facing = true;
  bool is_point = false;
  double point_x = 0, point_y = 0, point_size = 1;  ///< pixels; of points
};

GridPoint grid_point(const ScreenVertex& vertex);

FragmentPlanes point_planes(const ScreenVertex& vertex, float size);
/// A line with some length.
FragmentPlanes line_planes(const ScreenVertex& a, const ScreenVertex& b);
/// Of a polygon with some area: the planes of the greatest triangle of its fan.
FragmentPlanes polygon_planes(std::span<const ScreenVertex> polygon);

}  // namespace spalt::emu
