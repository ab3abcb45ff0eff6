// SPDX-License-Identifier: MIT
#include "draw_shape.h"

#include <algorithm>
#include <cstdlib>

namespace spalt::random_programs {
namespace {

constexpr int32_t kPixel = 256;
constexpr uint32_t kMostLocations = 8;

// ---- geometry ----

/// Corners of triangles. Where planes must be exact, twice the area in square pixels is a power of two.
class Geometry {
 public:
  Geometry(Rng& rng, DrawShape& shape) : rng_(rng), shape_(shape) {}

  void make() {
    switch (shape_.topology) {
      case Topology::Points:
        return points();
      case Topology::Triangles:
        return triangles();
      default:
        return strips();
    }
  }

 private:
  Corner any_corner() {
    const auto coordinate = [&](uint32_t size) {
      const int32_t whole = static_cast<int32_t>(rng_.below(size + 3)) - 1;
      const int32_t part = shape_.exact_planes ? 0 : static_cast<int32_t>(rng_.below(kPixel));
      return whole * kPixel + part;
    };
    const int32_t x = coordinate(shape_.width);
    return {x, coordinate(shape_.height)};
  }

  static bool is_exact(const Corner& a, const Corner& b, const Corner& c) {
    const int32_t area = ((b.x - a.x) * (c.y - a.y) - (c.x - a.x) * (b.y - a.y)) / (kPixel * kPixel);
    const uint32_t size = static_cast<uint32_t>(std::abs(area));
    return size >= 8 && (size & (size - 1)) == 0;
  }

  /// A corner that makes a triangle with two others.
  Corner third(const Corner& a, const Corner& b) {
    for (int tries = 0; tries < 400; ++tries) {
      const Corner c = any_corner();
      if (!shape_.exact_planes || is_exact(a, b, c)) return c;
    }
    return a;  // without area
  }

  void triangle(Corner (&corners)[3]) {
    if (shape_.exact_planes && rng_.chance(25)) {
      // Half of a rectangle, which covers much.
      const int32_t right = static_cast<int32_t>(shape_.width) * kPixel,
                    bottom = static_cast<int32_t>(shape_.height) * kPixel;
      const Corner all[4] = {{0, 0}, {right, 0}, {right, bottom}, {0, bottom}};
      const uint32_t first = rng_.below(4);
      const bool turned = rng_.chance(50);
      for (uint32_t i = 0; i < 3; ++i) corners[i] = all[(first + (turned ? 3 - i : i)) % 4];
      return;
    }
    do {
      corners[0] = any_corner();
      corners[1] = any_corner();
      corners[2] = third(corners[0], corners[1]);
    } while (shape_.exact_planes && !is_exact(corners[0], corners[1], corners[2]));
  }

  void triangles() {
    const uint32_t count = rng_.between(1, 3);
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < count; ++i) {
      Corner corners[3];
      triangle(corners);
      for (uint32_t k = 0; k < 3; ++k) {
        // The vertex that names the primitive is its own; another one may be an earlier one at the same place.
        const bool names = k == (shape_.provoking_last ? 2 : 0);
        const auto same = std::find_if(shape_.corners.begin(), shape_.corners.end(), [&](const Corner& other) {
          return other.x == corners[k].x && other.y == corners[k].y;
        });
        if (shape_.indexed && !names && same != shape_.corners.end()) {
          order.push_back(static_cast<uint32_t>(same - shape_.corners.begin()));
          continue;
        }
        order.push_back(shape_.vertex_count());
        shape_.corners.push_back(corners[k]);
      }
    }
    finish(order);
  }

  void strips() {
    const uint32_t parts = shape_.restart ? 2 : 1;
    std::vector<uint32_t> order;
    for (uint32_t part = 0; part < parts; ++part) {
      if (part != 0) order.push_back(kRestart);
      const uint32_t first = shape_.vertex_count();
      Corner corners[3];
      triangle(corners);
      for (const Corner& corner : corners) shape_.corners.push_back(corner);
      for (uint32_t more = rng_.below(4); more > 0; --more) {
        const Corner& a = shape_.topology == Topology::Fan ? shape_.corners[first] : shape_.corners.end()[-2];
        shape_.corners.push_back(third(a, shape_.corners.back()));
      }
      for (uint32_t i = first; i < shape_.vertex_count(); ++i) order.push_back(i);
    }
    finish(order);
  }

  void points() {
    for (uint32_t count = rng_.between(1, 6); count > 0; --count) {
      const int32_t half = shape_.even_points ? 0 : kPixel / 2;
      const int32_t x = static_cast<int32_t>(rng_.below(shape_.width)) * kPixel + half;
      const int32_t y = static_cast<int32_t>(rng_.below(shape_.height)) * kPixel + half;
      shape_.corners.push_back({x, y});
    }
    std::vector<uint32_t> order(shape_.corners.size());
    for (uint32_t i = 0; i < order.size(); ++i) order[i] = i;
    finish(order);
  }

  /// Vertices of an indexed draw are in memory in any order.
  void finish(const std::vector<uint32_t>& order) {
    std::vector<uint32_t> place(shape_.corners.size());
    for (uint32_t i = 0; i < place.size(); ++i) place[i] = i;
    if (shape_.indexed) {
      for (uint32_t i = static_cast<uint32_t>(place.size()); i > 1; --i) std::swap(place[i - 1], place[rng_.below(i)]);
    }
    std::vector<Corner> corners(place.size());
    for (size_t i = 0; i < place.size(); ++i) corners[place[i]] = shape_.corners[i];
    shape_.corners = std::move(corners);
    for (const uint32_t vertex : order) shape_.indices.push_back(vertex == kRestart ? kRestart : place[vertex]);
  }

  Rng& rng_;
  DrawShape& shape_;
};

// ---- what vertices read ----

using Data = Attribute::Data;

struct AttributeFormat {
  const char* name;
  uint8_t components, bytes;
  bool is_float;
  Base base;
  Data data;
  int high, low;
};

constexpr AttributeFormat kAttributeFormats[] = {
    {"R32_UINT", 1, 4, false, Base::Uint, Data::Integers, 0, 0},
    {"R32G32_SINT", 2, 8, false, Base::Int, Data::Integers, 0, 0},
    {"R32G32B32_UINT", 3, 12, false, Base::Uint, Data::Integers, 0, 0},
    {"R32G32B32A32_SINT", 4, 16, false, Base::Int, Data::Integers, 0, 0},
    {"R16_SINT", 1, 2, false, Base::Int, Data::Integers, 0, 0},
    {"R16G16_UINT", 2, 4, false, Base::Uint, Data::Integers, 0, 0},
    {"R16G16B16A16_SINT", 4, 8, false, Base::Int, Data::Integers, 0, 0},
    {"R8_UINT", 1, 1, false, Base::Uint, Data::Integers, 0, 0},
    {"R8G8_SINT", 2, 2, false, Base::Int, Data::Integers, 0, 0},
    {"R8G8B8A8_UINT", 4, 4, false, Base::Uint, Data::Integers, 0, 0},
    {"R8G8B8A8_SINT", 4, 4, false, Base::Int, Data::Integers, 0, 0},
    {"A2B10G10R10_UINT_PACK32", 4, 4, false, Base::Uint, Data::Integers, 0, 0},
    {"R32_SFLOAT", 1, 4, true, Base::Int, Data::Floats, 8, 2},
    {"R32G32_SFLOAT", 2, 8, true, Base::Int, Data::Floats, 8, 2},
    {"R32G32B32_SFLOAT", 3, 12, true, Base::Int, Data::Floats, 8, 2},
    {"R32G32B32A32_SFLOAT", 4, 16, true, Base::Int, Data::Floats, 8, 2},
    {"R16G16_SFLOAT", 2, 4, true, Base::Int, Data::Halves, 4, 2},
    {"R16G16B16A16_SFLOAT", 4, 8, true, Base::Int, Data::Halves, 4, 2},
    {"R8G8B8A8_USCALED", 4, 4, true, Base::Int, Data::Integers, 8, 0},
    {"R8G8_SSCALED", 2, 2, true, Base::Int, Data::Integers, 8, 0},
    {"R16_USCALED", 1, 2, true, Base::Int, Data::Integers, 16, 0},
};

void draw_attributes(Rng& rng, DrawShape& shape) {
  uint32_t location = 1;
  for (uint32_t count = rng.below(5); count > 0; --count, ++location) {
    const AttributeFormat& format = rng.pick(kAttributeFormats);
    Attribute attribute;
    attribute.location = location;
    attribute.format = format.name;
    attribute.bytes = format.bytes;
    attribute.is_float = format.is_float;
    attribute.data = format.data;
    attribute.high = std::max(format.high, 1);  // what a format lacks is 0 or 1
    attribute.low = format.low;
    attribute.per_instance = rng.chance(25);
    uint32_t& stride = attribute.per_instance ? shape.instance_stride : shape.vertex_stride;
    attribute.offset = stride;
    stride += (format.bytes + 3u) / 4 * 4;
    // More or fewer components than the format has.
    const bool split = format.components == 4 && rng.chance(20);
    attribute.type = {format.base, static_cast<uint8_t>(split            ? 2
                                                        : rng.chance(60) ? format.components
                                                                         : rng.between(1, 4))};
    shape.attributes.push_back(attribute);
    if (!split) continue;
    attribute.component = 2;
    attribute.type.size = static_cast<uint8_t>(rng.between(1, 2));
    attribute.shares_location = true;
    shape.attributes.push_back(attribute);
  }
}

// ---- what fragments read ----

void draw_varyings(Rng& rng, DrawShape& shape) {
  const uint32_t last = rng.between(1, kMostLocations - 1);
  for (uint32_t location = 1; location <= last; ++location) {
    if (rng.chance(10)) continue;
    constexpr Interpolation kKinds[] = {Interpolation::Flat,   Interpolation::Flat,          Interpolation::Flat,
                                        Interpolation::Smooth, Interpolation::NoPerspective, Interpolation::Centroid,
                                        Interpolation::Sample};
    Interpolation kind = rng.pick(kKinds);
    if (kind == Interpolation::Sample && !shape.sample_shading) kind = Interpolation::Smooth;
    const bool is_float = kind != Interpolation::Flat || rng.chance(25);
    const auto draw_base = [&] { return rng.chance(50) ? Base::Int : Base::Uint; };
    if (!is_float && location < last && rng.chance(15)) {
      Varying varying{location,      0, kind, false, {draw_base(), static_cast<uint8_t>(rng.between(1, 4))}, 2,
                      rng.chance(85)};
      shape.varyings.push_back(varying);
      ++location;
      continue;
    }
    for (uint32_t component = rng.chance(15) ? rng.between(1, 3) : 0; component < 4;) {
      const uint32_t size = rng.between(1, 4 - component);
      shape.varyings.push_back(
          {location, component, kind, is_float, {draw_base(), static_cast<uint8_t>(size)}, 0, rng.chance(85)});
      component += size;
      if (rng.chance(30)) break;
    }
  }
}

// ---- what fragments write ----

struct TargetFormat {
  const char* name;
  uint8_t components;
  Base base;
  bool is_float;
  std::array<uint8_t, 4> bits;
  float scale;
  bool is_signed, rounds;
};

constexpr TargetFormat kTargetFormats[] = {
    {"R32_UINT", 1, Base::Uint, false, {32, 32, 32, 32}, 0, false, false},
    {"R32_SINT", 1, Base::Int, false, {32, 32, 32, 32}, 0, true, false},
    {"R32G32_UINT", 2, Base::Uint, false, {32, 32, 32, 32}, 0, false, false},
    {"R32G32B32A32_UINT", 4, Base::Uint, false, {32, 32, 32, 32}, 0, false, false},
    {"R32G32B32A32_SINT", 4, Base::Int, false, {32, 32, 32, 32}, 0, true, false},
    {"R16_UINT", 1, Base::Uint, false, {16, 16, 16, 16}, 0, false, false},
    {"R16G16_SINT", 2, Base::Int, false, {16, 16, 16, 16}, 0, true, false},
    {"R16G16B16A16_UINT", 4, Base::Uint, false, {16, 16, 16, 16}, 0, false, false},
    {"R8_UINT", 1, Base::Uint, false, {8, 8, 8, 8}, 0, false, false},
    {"R8G8_SINT", 2, Base::Int, false, {8, 8, 8, 8}, 0, true, false},
    {"R8G8B8A8_UINT", 4, Base::Uint, false, {8, 8, 8, 8}, 0, false, false},
    {"R8G8B8A8_SINT", 4, Base::Int, false, {8, 8, 8, 8}, 0, true, false},
    {"A2B10G10R10_UINT_PACK32", 4, Base::Uint, false, {10, 10, 10, 2}, 0, false, false},
    {"R32_SFLOAT", 1, Base::Int, true, {16, 16, 16, 16}, 0.25f, true, false},
    {"R32G32_SFLOAT", 2, Base::Int, true, {16, 16, 16, 16}, 0.25f, true, false},
    {"R32G32B32A32_SFLOAT", 4, Base::Int, true, {16, 16, 16, 16}, 0.25f, true, false},
    {"R16_SFLOAT", 1, Base::Int, true, {7, 7, 7, 7}, 0.5f, true, false},
    {"R16G16_SFLOAT", 2, Base::Int, true, {7, 7, 7, 7}, 0.5f, true, false},
    {"R16G16B16A16_SFLOAT", 4, Base::Int, true, {7, 7, 7, 7}, 0.5f, true, false},
    {"R8_UNORM", 1, Base::Int, true, {8, 8, 8, 8}, 1.0f / 255, false, true},
    {"R8G8B8A8_UNORM", 4, Base::Int, true, {8, 8, 8, 8}, 1.0f / 255, false, true},
    {"B8G8R8A8_UNORM", 4, Base::Int, true, {8, 8, 8, 8}, 1.0f / 255, false, true},
    {"R8G8B8A8_SNORM", 4, Base::Int, true, {7, 7, 7, 7}, 1.0f / 127, false, true},
};

void draw_targets(Rng& rng, DrawShape& shape) {
  for (uint32_t count = rng.between(1, 4); count > 0; --count) {
    const TargetFormat& format = rng.pick(kTargetFormats);
    Target target;
    target.format = format.name;
    const uint32_t size = rng.chance(75) ? format.components : rng.between(format.components, 4);
    target.type = {format.base, static_cast<uint8_t>(size)};
    target.is_float = format.is_float;
    target.bits = format.bits;
    target.scale = format.scale;
    target.is_signed = format.is_signed;
    target.rounds = format.rounds;
    target.is_written = rng.chance(90);
    if (rng.chance(15)) target.write_mask = rng.below(16);
    if (!target.is_written) target.write_mask = 0;  // it would be undefined
    target.adds = format.is_float && std::string(format.name).find("SNORM") == std::string::npos && rng.chance(15);
    shape.targets.push_back(target);
  }
}

void draw_state(Rng& rng, DrawShape& shape) {
  constexpr const char* kCompare[] = {"less",   "less_or_equal", "greater_or_equal",
                                      "always", "not_equal",     "less_or_equal"};
  constexpr const char* kCull[] = {"none", "none", "none", "back", "front"};
  if (rng.chance(40)) {
    shape.depth_format = rng.chance(70) ? "D32_SFLOAT" : "D16_UNORM";
    shape.depth_compare = rng.pick(kCompare);
    shape.depth_write = rng.chance(80);
    shape.exports_depth = rng.chance(40);
  }
  shape.early_tests = !shape.exports_depth && rng.chance(15);
  shape.exports_mask = shape.samples > 1 && !shape.early_tests && rng.chance(30);
  shape.cull = rng.pick(kCull);
  if (rng.chance(50)) shape.front_face = "clockwise";
  shape.scissor = {0, 0, shape.width, shape.height};
  // llvmpipe draws outside of scissors where there are several samples: docs/isa-errata.md, "llvmpipe: draws".
  if (shape.samples == 1 && rng.chance(20)) {
    const uint32_t x = rng.below(shape.width - 1), y = rng.below(shape.height - 1);
    shape.scissor = {x, y, rng.between(1, shape.width - x), rng.between(1, shape.height - y)};
  }
  if (shape.samples > 1 && rng.chance(15)) shape.sample_mask = rng.between(1, 15);
  shape.render_pass = rng.chance(30);
  if (shape.depth_format != nullptr && rng.chance(40)) {
    constexpr const char* kOps[] = {"keep",   "zero", "replace",           "increment_and_clamp", "decrement_and_clamp",
                                    "invert", "keep", "increment_and_wrap"};
    constexpr const char* kTests[] = {"always", "less", "greater_or_equal", "not_equal", "always"};
    shape.depth_format = "D32_SFLOAT_S8_UINT";
    shape.stencil = {rng.pick(kOps), rng.pick(kOps), rng.pick(kOps), rng.pick(kTests)};
    shape.stencil_reference = rng.below(256);
  }
  shape.dynamic_viewport = rng.chance(20);
  shape.dynamic_scissor = rng.chance(20);
  shape.divisor = rng.chance(20) ? rng.below(3) : 1;
  if (shape.divisor == 0) shape.first_instance = 0;
  shape.reads_primitive = rng.chance(20);
  shape.reads_helper = rng.chance(20);
  // The sample alone, or all that are covered: implementations differ.
  shape.reads_mask = shape.samples > 1 && !shape.sample_shading && rng.chance(40);
  shape.reads_clip_distances = shape.clip_distances != 0 && rng.chance(50);
}

}  // namespace

DrawShape draw_shape(uint64_t seed) {
  Rng rng(seed ^ 0x5eed0001);
  DrawShape shape;
  shape.seed = seed;
  shape.width = rng.chance(70) ? 8 : 16;
  shape.height = rng.chance(70) ? 8 : 16;
  if (rng.chance(25)) {
    shape.width = shape.height = 8;  // fewer bits of weights
    shape.samples = 4;
    shape.sample_shading = rng.chance(50);
    shape.sample_shading_set = shape.sample_shading && rng.chance(60);
  }
  constexpr Topology kTopologies[] = {Topology::Triangles, Topology::Triangles, Topology::Triangles,
                                      Topology::Strip,     Topology::Fan,       Topology::Points};
  shape.topology = rng.pick(kTopologies);
  shape.exact_planes = rng.chance(75);
  shape.even_points = rng.chance(50);
  shape.provoking_last = rng.chance(20);
  shape.indexed = rng.chance(40);
  shape.restart =
      shape.indexed && (shape.topology == Topology::Strip || shape.topology == Topology::Fan) && rng.chance(40);
  shape.short_indices = rng.chance(50);
  shape.base = rng.chance(40) ? rng.below(4) : 0;
  shape.index_bias = shape.indexed && rng.chance(40) ? rng.below(6) : 0;
  shape.instances = rng.chance(30) ? 2 : 1;
  shape.first_instance = rng.chance(30) ? rng.below(4) : 0;
  constexpr float kW[] = {1.0f, 1.0f, 1.0f, 2.0f, 0.5f, 4.0f};
  shape.w = rng.pick(kW);
  // Implementations differ about points whose centre is outside of the picture.
  shape.instance_shift = shape.topology == Topology::Points ? 0 : static_cast<int32_t>(rng.below(3));
  shape.has_derivatives = rng.chance(75);
  if (rng.chance(20)) shape.clip_distances = rng.between(1, 4);
  Geometry(rng, shape).make();
  draw_attributes(rng, shape);
  draw_varyings(rng, shape);
  draw_targets(rng, shape);
  draw_state(rng, shape);
  return shape;
}

}  // namespace spalt::random_programs
