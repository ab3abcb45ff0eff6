// SPDX-License-Identifier: MIT
#include "emu/raster/rasterizer.h"

#include <algorithm>
#include <cmath>

#include "emu/raster/bresenham.h"
#include "emu/raster/depth_bias.h"
#include "emu/raster/line_shapes.h"

namespace spalt::emu {
namespace {

/// Which of the three vertices of a primitive this is; 3: a cut.
size_t original_vertex(const ClippedVertex& vertex) {
  return static_cast<size_t>(std::find(vertex.weights.begin(), vertex.weights.end(), 1.0) - vertex.weights.begin());
}

int64_t area_of(std::span<const ScreenVertex> polygon) {
  std::array<GridPoint, kMaxClippedVertices> corners;
  std::transform(polygon.begin(), polygon.end(), corners.begin(), grid_point);
  return twice_area({corners.data(), polygon.size()});
}

/// Vulkan's area has the opposite sign: y goes down.
bool is_front(int64_t area, FrontFace front_face) {
  return front_face == FrontFace::counter_clockwise ? area < 0 : area > 0;
}

double greatest_depth(std::span<const ScreenVertex> polygon) {
  double greatest = 0;
  for (const ScreenVertex& vertex : polygon) greatest = std::max(greatest, std::abs(vertex.z));
  return greatest;
}

}  // namespace

Rasterizer::Rasterizer(const RasterizationState& state, const Viewport& viewport, const PixelRect& reach)
    : state_(state),
      viewport_(viewport_transform(viewport, state.negative_one_to_one)),
      reach_(reach),
      samples_{std::clamp<unsigned>(state.samples, 1, kMaxSamples), state.sample_positions} {}

bool Rasterizer::draw(std::span<const ShadedVertex> vertices, bool continues_strip, FragmentSink& sink) {
  if (!continues_strip) stipple_ = 0;
  if (reach_.is_empty()) return true;
  const ClippedPrimitive clipped = clip(vertices, state_, viewport_);
  if (clipped.count == 0) return false;
  std::array<ScreenVertex, kMaxClippedVertices> screen;
  for (uint32_t i = 0; i < clipped.count; ++i) screen[i] = on_screen(vertices, clipped.vertices[i]);
  switch (clipped.count) {
    case 1:
      draw_point(screen[0], vertices[0].point_size, {}, sink);
      break;
    case 2:
      draw_line(screen[0], screen[1], {}, sink);
      break;
    default:
      draw_polygon(vertices, clipped, {screen.data(), clipped.count}, sink);
      break;
  }
  return true;
}

ScreenVertex Rasterizer::on_screen(std::span<const ShadedVertex> vertices, const ClippedVertex& vertex) const {
  std::array<double, 4> position{};
  for (size_t i = 0; i < vertices.size(); ++i) {
    for (size_t c = 0; c < 4; ++c) position[c] += vertex.weights[i] * vertices[i].position[c];
  }
  // A cut between a small and a great w may come out at 0 or below, by rounding.
  position[3] = std::max(position[3], least_w(vertices));
  ScreenVertex result = to_screen(position, viewport_);
  for (size_t i = 1; i < vertices.size(); ++i) {
    result.weights[i - 1] = vertex.weights[i];
    result.screen_weights[i - 1] = vertex.weights[i] * vertices[i].position[3] * result.inverse_w;
  }
  const size_t original = original_vertex(vertex);
  if (original != 0 && original < 3) result.screen_weights[original - 1] = 1;
  return result;
}

void Rasterizer::draw_point(const ScreenVertex& vertex, float size, const FragmentPlanes& of_polygon,
                            FragmentSink& sink) {
  const float usable = usable_point_size(size);
  RasterShape shape;
  shape.push_back(point_square(grid_point(vertex), usable));
  if (shape[0].edge_count == 0) return;
  FragmentPlanes planes = point_planes(vertex, usable);
  planes.depth_bias = of_polygon.depth_bias;
  planes.front_facing = of_polygon.front_facing;
  sink.begin(planes);
  cover(shape, samples_, reach_, sink);
}

void Rasterizer::draw_line(const ScreenVertex& a, const ScreenVertex& b, const FragmentPlanes& of_polygon,
                           FragmentSink& sink) {
  const GridPoint from = grid_point(a), to = grid_point(b);
  if (from == to) return;
  FragmentPlanes planes = line_planes(a, b);
  planes.depth_bias = of_polygon.depth_bias;
  planes.front_facing = of_polygon.front_facing;
  sink.begin(planes);
  if (state_.line.mode == LineMode::bresenham) {
    stipple_ += draw_bresenham(from, to, state_.line, stipple_, samples_.all(), reach_, sink);
    return;
  }
  RasterShape shape;
  shape.push_back(line_rectangle(from, to, usable_line_width(state_.line.width)));
  if (!state_.line.stippled) return cover(shape, samples_, reach_, sink);
  StippledQuads stippled(from, to, state_.line, stipple_, samples_, sink);
  cover(shape, samples_, reach_, stippled);
  stipple_ += line_length(from, to);
}

void Rasterizer::draw_polygon(std::span<const ShadedVertex> vertices, const ClippedPrimitive& clipped,
                              std::span<const ScreenVertex> polygon, FragmentSink& sink) {
  const int64_t area = area_of(polygon);
  if (area == 0) return;
  const bool front = is_front(area, state_.front_face);
  if ((state_.cull & (front ? kCullFront : kCullBack)) != 0) return;
  FragmentPlanes planes = polygon_planes(polygon);
  planes.front_facing = front;
  planes.depth_bias = depth_bias(state_.depth_bias, planes.z, greatest_depth(polygon), state_.depth_format);
  if (state_.polygon_mode == PolygonMode::fill) return fill(polygon, planes, sink);
  for (size_t i = 0; i < polygon.size(); ++i) {
    if (state_.polygon_mode == PolygonMode::line) {
      if (clipped.vertices[i].edge_is_original) draw_line(polygon[i], polygon[(i + 1) % polygon.size()], planes, sink);
    } else if (const size_t original = original_vertex(clipped.vertices[i]); original < 3) {
      draw_point(polygon[i], vertices[original].point_size, planes, sink);
    }
  }
}

void Rasterizer::fill(std::span<const ScreenVertex> polygon, const FragmentPlanes& planes, FragmentSink& sink) {
  sink.begin(planes);
  RasterShape shape;
  for (size_t i = 1; i + 1 < polygon.size(); ++i) {
    const std::array<GridPoint, 3> corners = {grid_point(polygon[0]), grid_point(polygon[i]),
                                              grid_point(polygon[i + 1])};
    shape.push_back(make_part(corners));
  }
  cover(shape, samples_, reach_, sink);
}

}  // namespace spalt::emu
