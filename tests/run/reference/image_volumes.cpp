// SPDX-License-Identifier: MIT
//
// Algorithms on images of three dimensions.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "images.h"
#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;
using Cell = std::array<int, 3>;

/// Calls `action(cell)` for all cells of a volume.
template <typename Action>
void for_each_cell(const Texels& volume, Action action) {
  for (int z = 0; z < volume.slices(); ++z) {
    for (int y = 0; y < volume.height(); ++y) {
      for (int x = 0; x < volume.width(); ++x) action(Cell{x, y, z});
    }
  }
}

Texels::Place place_of(const Cell& cell) {
  return {cell[0], cell[1], cell[2]};
}

/// The neighbour along an axis; walls repeat.
Texels::Place neighbour(const Texels& volume, Cell cell, size_t axis, int distance) {
  const int sizes[] = {volume.width(), volume.height(), volume.slices()};
  cell[axis] = std::clamp(cell[axis] + distance, 0, sizes[axis] - 1);
  return place_of(cell);
}

void marching_cubes(const Manifest& manifest, BufferContents& contents) {
  const Texels field(manifest, contents, "field");
  Texels cases(manifest, contents, "cases");
  Texels crossings(manifest, contents, "crossings");
  Texels histogram(manifest, contents, "histogram");
  for_each_cell(cases, [&](const Cell& cell) {
    double values[8];
    uint32_t mask = 0;
    for (int i = 0; i < 8; ++i) {
      values[i] = field.load({cell[0] + (i & 1), cell[1] + (i >> 1 & 1), cell[2] + (i >> 2)})[0];
      if (values[i] == 0.0) throw vkrun::Error("the field has a 0");
      if (values[i] > 0.0) mask |= 1u << i;
    }
    Vec4 crossing = {-1, -1, -1, double(std::popcount(mask))};
    for (size_t axis = 0; axis < 3; ++axis) {
      const double other = values[1 << axis];
      if ((values[0] > 0.0) != (other > 0.0)) crossing[axis] = values[0] / (values[0] - other);
    }
    cases.store_bits(place_of(cell), {mask, 0, 0, 1});
    crossings.store(place_of(cell), crossing);
    const Texels::Place bin = {static_cast<int>(mask)};
    histogram.store(bin, {histogram.load(bin)[0] + 1.0, 0, 0, 1});
  });
}

void fluid(const Manifest& manifest, BufferContents& contents) {
  const Texels velocity(manifest, contents, "velocity");
  Texels moved(manifest, contents, "moved");
  Texels divergence(manifest, contents, "divergence");
  Texels pressure[] = {Texels(manifest, contents, "pressure0"), Texels(manifest, contents, "pressure1")};
  const double sizes[] = {double(velocity.width()), double(velocity.height()), double(velocity.slices())};
  for_each_cell(velocity, [&](const Cell& cell) {
    const Vec4 v = velocity.load(place_of(cell));
    Access access;
    for (size_t axis = 0; axis < 3; ++axis) access.coordinates[axis] = (cell[axis] + 0.5 - v[axis]) / sizes[axis];
    moved.store(place_of(cell), sample(velocity.view(), sampler_at(manifest, 0, 0), access));
  });
  for_each_cell(velocity, [&](const Cell& cell) {
    double sum = 0.0;
    for (size_t axis = 0; axis < 3; ++axis) {
      sum += moved.load(neighbour(moved, cell, axis, 1))[axis] - moved.load(neighbour(moved, cell, axis, -1))[axis];
    }
    divergence.store(place_of(cell), {0.5 * sum, 0, 0, 1});
  });
  for (size_t round = 0; round < 3; ++round) {
    const Texels& from = pressure[round % 2];
    for_each_cell(velocity, [&](const Cell& cell) {
      double sum = -divergence.load(place_of(cell))[0];
      for (size_t axis = 0; axis < 3; ++axis) {
        sum += from.load(neighbour(from, cell, axis, 1))[0] + from.load(neighbour(from, cell, axis, -1))[0];
      }
      pressure[1 - round % 2].store(place_of(cell), {sum / 6.0, 0, 0, 1});
    });
  }
}

class PathTracer {
 public:
  PathTracer(const Texels& voxels, const Texels& materials) : voxels_(voxels), materials_(materials) {}

  /// What one path brings to a texel.
  Vec4 trace(int x, int y, uint32_t frame) {
    state_ = static_cast<uint32_t>(y * 32 + x) * 9781u + frame * 6271u;
    Cell place = {x * 8 + 4, y * 8 + 4, 0};
    Cell direction = {between(7), between(7), 5};
    Vec4 throughput = {1, 1, 1, 1};
    int bounces = 0;
    for (int step = 0; step < 96; ++step) {
      const Cell next = {place[0] + direction[0], place[1] + direction[1], place[2] + direction[2]};
      if (!is_inside(next)) return leave(throughput, direction);
      const auto voxel = static_cast<int>(voxels_.load({next[0] / 8, next[1] / 8, next[2] / 8})[0]);
      if (voxel < 200) {
        place = next;
        continue;
      }
      if (++bounces > 3) break;
      const Vec4 color = materials_.load({(voxel - 200) & 7});
      for (size_t c = 0; c < 3; ++c) throughput[c] *= color[c];
      direction[0] = between(15);
      direction[1] = between(15);
      direction[2] = between(15);
    }
    return {0, 0, 0, 1};
  }

 private:
  static bool is_inside(const Cell& at) {
    return at[0] >= 0 && at[1] >= 0 && at[2] >= 0 && at[0] < 256 && at[1] < 256 && at[2] < 128;
  }

  static Vec4 leave(const Vec4& throughput, const Cell& direction) {
    constexpr double kSky[] = {0.5, 0.75, 1.0};
    Vec4 light = {0, 0, 0, 1};
    for (size_t c = 0; c < 3; ++c) light[c] = throughput[c] * (direction[1] < 0 ? kSky[c] : 0.25);
    return light;
  }

  /// PCG; a number around 0.
  int between(uint32_t count) {
    state_ = state_ * 747796405u + 2891336453u;
    const uint32_t word = ((state_ >> ((state_ >> 28) + 4)) ^ state_) * 277803737u;
    return static_cast<int>((word >> 22 ^ word) % count) - static_cast<int>(count / 2);
  }

  const Texels& voxels_;
  const Texels& materials_;
  uint32_t state_ = 0;
};

void path_tracer(const Manifest& manifest, BufferContents& contents) {
  const Texels voxels(manifest, contents, "voxels");
  const Texels materials(manifest, contents, "materials");
  Texels accumulation(manifest, contents, "accumulation");
  PathTracer tracer(voxels, materials);
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    for (int i = 0; i < 1024; ++i) {
      const Texels::Place place = {i % 32, i / 32};
      Vec4 sum = accumulation.load(place);
      const Vec4 light = tracer.trace(place.x, place.y, dispatch.push[0]);
      for (size_t c = 0; c < 4; ++c) sum[c] += light[c];
      accumulation.store(place, sum);
    }
  }
}

constexpr Reference kReferences[] = {
    {"img_marching_cubes", marching_cubes},
    {"img_fluid", fluid},
    {"img_path_tracer", path_tracer},
};

}  // namespace

std::span<const Reference> image_volume_references() {
  return kReferences;
}

}  // namespace spalt::run
