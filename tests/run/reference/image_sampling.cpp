// SPDX-License-Identifier: MIT
//
// What fetches, samples, gathers and views give.
#include <algorithm>
#include <bit>
#include <cmath>

#include "images.h"
#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

/// Element `index` of an array of vec4 in a buffer.
void put(BufferContents& contents, size_t buffer, size_t index, const Vec4& value) {
  for (size_t c = 0; c < 4; ++c) f32(contents, buffer)[index * 4 + c] = static_cast<float>(value[c]);
}

Vec4 sampled(const sampling::View& view, const vkrun::SamplerDesc& sampler, const std::array<double, 3>& at,
             double lod = 0.0, double layer = 0.0) {
  Access access;
  access.coordinates = at;
  access.lod = lod;
  access.layer = layer;
  return sample(view, sampler, access);
}

void fetch_offsets(const Manifest& manifest, BufferContents& contents) {
  const Texels line(manifest, contents, "line");
  const Texels plane(manifest, contents, "plane");
  const Texels planes(manifest, contents, "planes");
  const Texels volume(manifest, contents, "volume");
  const Texels lines(manifest, contents, "lines");
  for (int i = 0; i < 256; ++i) {
    const int x = i % 16;
    const int y = i / 16;
    const int level = x / 8 & 1;
    const int u = 1 + (x & 3);
    const int v = 1 + (y & 3);
    const Vec4 values[] = {
        line.load({u + 2, 0, 0, level}),           plane.load({u - 1, v + 2, 0, level}),
        planes.load({u + 2, v - 1, y % 3, level}), volume.load({u + 1, v + 1, 0, level}),
        lines.load({u - 1, 0, x % 4, level}),      plane.load({u, v, 0, 1 - level}),
    };
    for (size_t k = 0; k < 6; ++k) put(contents, 0, static_cast<size_t>(i) * 6 + k, values[k]);
  }
}

void gathers(const Manifest& manifest, BufferContents& contents) {
  constexpr int kSpread[4][2] = {{-2, 1}, {3, -1}, {0, 2}, {-1, -3}};
  const Texels plane(manifest, contents, "plane");
  const Texels planes(manifest, contents, "planes");
  const Texels depth(manifest, contents, "depth");
  for (int i = 0; i < 256; ++i) {
    const int x = i % 16;
    const int y = i / 16;
    Access access;
    access.coordinates = {(x + 0.25) / 16, (y + 0.75) / 16, 0};
    const auto from_plane = [&](int component, int dx, int dy) {
      Access moved = access;
      moved.offset = {dx, dy, 0};
      return gather(plane.view(), sampler_at(manifest, 0, 0), moved, component);
    };
    Vec4 spread;
    for (size_t k = 0; k < 4; ++k) spread[k] = from_plane(1, kSpread[k][0], kSpread[k][1])[3];
    Access in_layer = access;
    in_layer.layer = x & 1;
    Access moved = access;
    moved.layer = 1.25;
    moved.offset = {-1, 1, 0};
    Access compared = access;
    compared.reference = 0.46875;
    const Vec4 values[] = {
        from_plane(0, 0, 0),
        from_plane(3, 0, 0),
        from_plane(1, 2, -3),
        from_plane(2, x % 5 - 2, y % 7 - 3),
        spread,
        gather(planes.view(), sampler_at(manifest, 0, 1), in_layer, 1),
        gather(planes.view(), sampler_at(manifest, 0, 1), moved, 0),
        gather(depth.view(), sampler_at(manifest, 0, 2), compared, 0),
    };
    for (size_t k = 0; k < 8; ++k) put(contents, 0, static_cast<size_t>(i) * 8 + k, values[k]);
  }
}

/// What shaders see of the images: zeros in rows that are not resident.
BufferContents with_absent_rows(const Manifest& manifest, BufferContents contents) {
  for (size_t i = 0; i < manifest.images.size(); ++i) {
    const vkrun::ImageDesc& image = manifest.images[i];
    const auto row = static_cast<ptrdiff_t>(vkrun::row_bytes(image, 0));
    const auto bytes = contents[manifest.buffers.size() + i].begin();
    for (const auto& [first, last] : image.absent_rows) std::fill(bytes + first * row, bytes + last * row, uint8_t{0});
  }
  return contents;
}

bool is_absent(const vkrun::ImageDesc& image, int row) {
  return std::any_of(image.absent_rows.begin(), image.absent_rows.end(), [row](const std::array<uint32_t, 2>& rows) {
    return row >= static_cast<int>(rows[0]) && row < static_cast<int>(rows[1]);
  });
}

/// A sample three quarters into each texel, its fetch, a gather, a comparison and a read; then a write and an addition.
void residency(const Manifest& manifest, BufferContents& contents) {
  BufferContents seen = with_absent_rows(manifest, contents);
  const Texels plane(manifest, seen, "plane");
  const Texels depth(manifest, seen, "depth");
  const Texels cells(manifest, seen, "cells");
  Texels written(manifest, contents, "cells");
  const vkrun::ImageDesc& image = manifest.images[0];
  for (int i = 0; i < 32 * 32; ++i) {
    const int x = i % 32;
    const int y = i / 32;
    Access access;
    access.coordinates = {(x + 0.75) / 32, (y + 0.75) / 32, 0};
    const Vec4 sampled = sample(plane.view(), sampler_at(manifest, 0, 0), access);
    const Vec4 gathered = gather(plane.view(), sampler_at(manifest, 0, 0), access, 0);
    access.reference = 0.25;
    const double compared = sample(depth.view(), sampler_at(manifest, 0, 1), access)[0];
    const double fetched = plane.load({x, y})[0];
    const double cell = cells.load({x, y})[0];
    // The row below counts, too; the last one clamps to the edge.
    const bool here = !is_absent(image, y);
    const bool both = here && !is_absent(image, std::min(y + 1, 31));
    const auto at = static_cast<size_t>(i) * 3;
    put(contents, 0, at, {sampled[0], compared, fetched, cell});
    put(contents, 0, at + 1, gathered);
    put(contents, 0, at + 2, {both ? 1.0 : 0.0, both ? 1.0 : 0.0, both ? 1.0 : 0.0, here ? 3.0 : 0.0});
    if (here) written.store({x, y}, {cell + 1000 + x, 0, 0, 1});
  }
}

void shadow_pcf(const Manifest& manifest, BufferContents& contents) {
  const Texels map(manifest, contents, "map");
  Texels target(manifest, contents, "target");
  for (int y = 0; y < target.height(); ++y) {
    for (int x = 0; x < target.width(); ++x) {
      Access access;
      access.layer = x & 1;
      access.reference = 0.25 + y / 128.0;
      const double u = (x + 0.3125) / target.width();
      const double v = (y + 0.3125) / target.height();
      double sum = 0.0;
      for (int i = 0; i < 9; ++i) {
        access.coordinates = {u + (i % 3 - 1) / 32.0, v + (i / 3 - 1) / 24.0, 0};
        sum += sample(map.view(), sampler_at(manifest, 0, 1), access)[0];
      }
      access.coordinates = {u, v, 0};
      target.store({x, y}, {sum / 9.0, sample(map.view(), sampler_at(manifest, 0, 2), access)[0], 0, 1});
    }
  }
}

void gradients(const Manifest& manifest, BufferContents& contents) {
  const Texels plane(manifest, contents, "plane");
  const Texels volume(manifest, contents, "volume");
  const Texels cube(manifest, contents, "cube");
  const Texels line(manifest, contents, "line");
  using Derivatives = std::array<std::array<double, 3>, 2>;
  const auto level_of = [&](const sampling::View& view, uint32_t binding, const std::array<double, 3>& at,
                            const Derivatives& derivatives) {
    Access access;
    access.coordinates = at;
    access.gradients = derivatives;
    return sample(view, sampler_at(manifest, 0, binding), access)[0];
  };
  for (int i = 0; i < 512; ++i) {
    const double scale = std::exp2(0.25 * (i % 32) - 6.0);
    const double turn = 0.375 * (i / 32);
    const double x = std::cos(turn) * scale;
    const double y = std::sin(turn) * scale;
    put(contents, 0, static_cast<size_t>(i),
        {level_of(plane.view(), 0, {0.3, 0.6, 0}, {{{x, y, 0}, {-y, x, 0}}}),
         level_of(volume.view(), 1, {0.3, 0.6, 0.2}, {{{x, y, 0}, {0, 0, scale * 0.5}}}),
         level_of(cube.view(true), 2, {0.25, 1.0, -0.5}, {{{x, 0, y}, {0, 0, 0}}}),
         level_of(line.view(), 3, {0.5, 0, 0}, {{{x, 0, 0}, {0, 0, 0}}})});
  }
}

/// Each square of invocations has one derivative along x and one along y, those of its first place, and one level; fine
/// ones are of the invocation's own row and column.
void neighbours(const Manifest& manifest, BufferContents& contents) {
  const Texels plane(manifest, contents, "plane");
  const auto slope = [](int x, int y) { return 0.5 * x * x + x * y + y * y; };
  for (int i = 0; i < 512; ++i) {
    const int x = i % 32, y = i / 32, left = x & ~1, top = y & ~1;
    const double du = (2.0 * left + 1) / 256.0, dv = (2.0 * top + 1) / 128.0;
    // Footprint in texels of the base level.
    const double level = std::log2(std::max(du * 64, dv * 32));
    Access access;
    access.coordinates = {x * x / 256.0, y * y / 128.0, 0};
    access.gradients = std::array<std::array<double, 3>, 2>{{{du, 0, 0}, {0, dv, 0}}};
    vkrun::SamplerDesc sampler = sampler_at(manifest, 0, 0);
    const double plain = sample(plane.view(), sampler, access)[0];
    sampler.lod_bias += 0.75F;
    const double biased = sample(plane.view(), sampler, access)[0];
    put(contents, 0, 2 * static_cast<size_t>(i), {plain, biased, std::clamp(level, 0.0, 6.0), level});
    const double dx = slope(left + 1, top) - slope(left, top), dy = slope(left, top + 1) - slope(left, top);
    put(contents, 0, 2 * static_cast<size_t>(i) + 1,
        {dx, slope(left + 1, y) - slope(left, y), slope(x, top + 1) - slope(x, top), std::abs(dx) + std::abs(dy)});
  }
}

void arrays_of_images(const Manifest& manifest, BufferContents& contents) {
  for (int i = 0; i < 1024; ++i) {
    const int x = i % 32;
    const int y = i / 32;
    const int group_x = x / 8;
    const int group_y = y / 8;
    Texels target(manifest, contents, "target" + std::to_string((group_x * 3 + group_y) % 3));
    double sum = target.load({x, y})[0];
    for (int k = 0; k <= group_x; ++k) {
      const Texels source(manifest, contents, "source" + std::to_string((group_x + group_y + k) & 3));
      sum += source.load({x, y})[0] * (k + 1);
    }
    target.store({x, y}, {sum, 0, 0, 1});
  }
}

void non_uniform(const Manifest& manifest, BufferContents& contents) {
  for (size_t i = 0; i < 256; ++i) {
    const uint32_t choice = u32(contents, 0)[i];
    const Texels image(manifest, contents, "image" + std::to_string(choice & 3));
    const vkrun::SamplerDesc& sampler = sampler_at(manifest, 0, 1, (choice >> 2) % 3);
    Vec4 texel =
        sampled(image.view(), sampler, {(double(i & 15) + 0.5) / 8.0 - 0.5, (double(i >> 4) + 0.5) / 8.0 - 0.5, 0});
    texel[0] += image.width();
    texel[1] += image.height();
    put(contents, 1, i, texel);
    Texels counter(manifest, contents, "counter" + std::to_string(choice >> 4 & 1));
    const Texels::Place place = {static_cast<int>(choice % 8), static_cast<int>(choice / 8 % 8)};
    Vec4 count = counter.load(place);
    count[0] += 1.0;
    counter.store(place, count);
  }
}

void cube_convolution(const Manifest& manifest, BufferContents& contents) {
  const Texels environment(manifest, contents, "environment");
  Texels irradiance(manifest, contents, "irradiance");
  const vkrun::SamplerDesc& sampler = sampler_at(manifest, 0, 0);
  for (int texel = 0; texel < 384; ++texel) {
    const int x = texel % 8;
    const int y = texel / 8 % 8;
    const int face = texel / 64;
    std::array<double, 3> normal = sampling::direction_of({face, (x + 0.5) / 8.0, (y + 0.5) / 8.0});
    const double length = std::hypot(normal[0], normal[1], normal[2]);
    Vec4 sum = {};
    for (int i = 0; i < 64; ++i) {
      const double height = 1.0 - (i + 0.5) / 32.0;
      const double angle = double{2.3999632f} * i;
      const double radius = std::sqrt(1.0 - height * height);
      const std::array<double, 3> direction = {radius * std::cos(angle), height, radius * std::sin(angle)};
      double weight = 0.0;
      for (size_t axis = 0; axis < 3; ++axis) weight += direction[axis] * normal[axis] / length;
      if (weight <= 0.0) continue;
      const Vec4 light = sampled(environment.view(true), sampler, direction, 1.0);
      for (size_t c = 0; c < 3; ++c) sum[c] += weight * light[c];
      sum[3] += weight;
    }
    irradiance.store({x, y, face}, {sum[0] / sum[3], sum[1] / sum[3], sum[2] / sum[3], sum[3]});
  }
}

void cube_array(const Manifest& manifest, BufferContents& contents) {
  const Texels cubes(manifest, contents, "cubes");
  Texels target(manifest, contents, "target");
  for (int texel = 0; texel < 768; ++texel) {
    const int x = texel % 8;
    const int y = texel / 8 % 8;
    const int z = texel / 64;
    // The view begins at the second cube. Directions go through the middles of the texels that have their names.
    target.store({x, y, z}, {cubes.load({x, y, z + 6})[0] * 3 + cubes.load({x, y, z})[0], 0, 0, 1});
  }
}

void one_dimension(const Manifest& manifest, BufferContents& contents) {
  const Texels palette(manifest, contents, "palette");
  const Texels curves(manifest, contents, "curves");
  Texels row(manifest, contents, "row");
  Texels rows(manifest, contents, "rows");
  for (int i = 0; i < 64; ++i) {
    Vec4 color = sampled(palette.view(), sampler_at(manifest, 0, 0), {(i + 0.5) / 64.0, 0, 0});
    for (size_t c = 0; c < 3; ++c) {
      color[c] = sampled(curves.view(), sampler_at(manifest, 0, 1), {color[c], 0, 0}, 0.0, double(c))[0];
    }
    const double more = palette.load({i & 15, 0, 0, 1})[0];
    row.store({i}, {color[0] + more, color[1] + more, color[2] + more, color[3] + more});
    const double old = rows.load({i, 0, 1})[0];
    rows.store({i, 0, 1}, {old * 2.0, 0, 0, 1});
    rows.store({63 - i, 0, 2}, {old, 0, 0, 1});
  }
}

void address_modes(const Manifest& manifest, BufferContents& contents) {
  const Texels image(manifest, contents, "image");
  const Texels volume(manifest, contents, "volume");
  for (int i = 0; i < 64 * 28; ++i) {
    const double u = (i % 64 - 30 + 0.5) / 16.0;
    const double v = (i / 64 - 12 + 0.5) / 8.0;
    const size_t base = static_cast<size_t>(i) * 7;
    for (uint32_t k = 0; k < 6; ++k) {
      put(contents, 0, base + k, sampled(image.view(), sampler_at(manifest, 0, 0, k), {u, v, 0}));
    }
    put(contents, 0, base + 6, sampled(volume.view(), sampler_at(manifest, 0, 0, 1), {u, v, 1.0 - u}));
  }
}

/// Weights of a cubic B-spline.
std::array<double, 4> spline(double f) {
  return {(1 - f) * (1 - f) * (1 - f) / 6.0, 2.0 / 3.0 - f * f * (2.0 - f) / 2.0,
          2.0 / 3.0 - (1 - f) * (1 - f) * (1.0 + f) / 2.0, f * f * f / 6.0};
}

void bicubic(const Manifest& manifest, BufferContents& contents) {
  const Texels source(manifest, contents, "source");
  Texels target(manifest, contents, "target");
  const vkrun::SamplerDesc& sampler = sampler_at(manifest, 0, 0);
  for (int y = 0; y < target.height(); ++y) {
    for (int x = 0; x < target.width(); ++x) {
      const double at_x = (x + 0.5) * 0.5 - 0.5;
      const double at_y = (y + 0.5) * 0.5 - 0.5;
      const std::array<double, 4> weights_x = spline(at_x - std::floor(at_x));
      const std::array<double, 4> weights_y = spline(at_y - std::floor(at_y));
      Vec4 sum = {};
      for (int i = 0; i < 16; ++i) {
        const std::array<double, 3> center = {(std::floor(at_x) + i % 4 - 0.5) / source.width(),
                                              (std::floor(at_y) + i / 4 - 0.5) / source.height(), 0};
        const Vec4 texel = sampled(source.view(), sampler, center);
        const double weight = weights_x[static_cast<size_t>(i % 4)] * weights_y[static_cast<size_t>(i / 4)];
        for (size_t c = 0; c < 4; ++c) sum[c] += weight * texel[c];
      }
      target.store({x, y}, sum);
    }
  }
}

double linear_of_srgb(double value) {
  return value <= 0.04045 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

void views(const Manifest& manifest, BufferContents& contents) {
  const Texels image(manifest, contents, "image");
  Texels target(manifest, contents, "target");
  for (int i = 0; i < 256; ++i) {
    const int x = i % 16;
    const int y = i / 16;
    const size_t base = static_cast<size_t>(i) * 4;
    const Vec4 first = image.load({x, y, 1});
    put(contents, 0, base, {first[3], 1.0, first[2], first[1]});
    const Vec4 srgb = image.load({x, y, 2});
    put(contents, 0, base + 1, {linear_of_srgb(srgb[0]), linear_of_srgb(srgb[1]), linear_of_srgb(srgb[2]), srgb[3]});
    put(contents, 0, base + 2, image.load({x / 2, y / 2, 2 + (x & 1), 1}));
    put(contents, 0, base + 3, image.load({x / 4, y / 4, 3, 2}));
    const Vec4 bytes = image.load({x, y, 0});
    uint32_t word = 0;
    for (size_t c = 0; c < 4; ++c) word |= static_cast<uint32_t>(std::lround(bytes[c] * 255.0)) << (8 * c);
    word *= 2654435761u;
    target.store_bits({x, y}, {word & 255, word >> 8 & 255, word >> 16 & 255, word >> 24});
  }
}

void normal_map(const Manifest& manifest, BufferContents& contents) {
  const Texels heights(manifest, contents, "heights");
  Texels normals(manifest, contents, "normals");
  for (int y = 0; y < normals.height(); ++y) {
    for (int x = 0; x < normals.width(); ++x) {
      const double here = heights.load({x, y})[0];
      const double dx = (here - heights.load({(x + 1) % heights.width(), y})[0]) * 4.0;
      const double dy = (here - heights.load({x, (y + 1) % heights.height()})[0]) * 4.0;
      const double length = std::sqrt(dx * dx + dy * dy + 1.0);
      normals.store({x, y}, {dx / length, dy / length, 1.0 / length, 1.0});
    }
  }
}

constexpr Reference kReferences[] = {
    {"img_fetch_offsets", fetch_offsets},
    {"img_gather", gathers},
    {"img_shadow_pcf", shadow_pcf},
    {"img_gradients", gradients},
    {"img_residency", residency},
    {"img_neighbours", neighbours},
    {"img_arrays_of_images", arrays_of_images},
    {"img_non_uniform", non_uniform},
    {"img_cube_convolution", cube_convolution},
    {"img_cube_array", cube_array},
    {"img_one_dimension", one_dimension},
    {"img_address_modes", address_modes},
    {"img_bicubic", bicubic},
    {"img_views", views},
    {"img_normal_map", normal_map},
};

}  // namespace

std::span<const Reference> image_sampling_references() {
  return kReferences;
}

}  // namespace spalt::run
