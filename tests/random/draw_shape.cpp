// SPDX-License-Identifier: MIT
#include "draw_shape.h"

#include <algorithm>
#include <bit>
#include <string>

namespace spalt::random_programs {
namespace {

constexpr uint32_t kMostLocations = 8;

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
    // llvmpipe: docs/isa-errata.md, "llvmpipe: draws".
    const bool is_wrong_centroid = shape.samples > 1 && shape.varied_w;
    if (kind == Interpolation::Centroid && is_wrong_centroid) kind = Interpolation::Smooth;
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

// ---- images ----

struct TextureFormat {
  const char* name;
  Base base;
  bool is_float;
  int high, low;
  float scale;
};

constexpr TextureFormat kTextureFormats[] = {
    {"R32_UINT", Base::Uint, false, 0, 0, 0},       {"R32G32B32A32_SINT", Base::Int, false, 0, 0, 0},
    {"R16G16_SINT", Base::Int, false, 0, 0, 0},     {"R8G8B8A8_UINT", Base::Uint, false, 0, 0, 0},
    {"R8G8_SINT", Base::Int, false, 0, 0, 0},       {"A2B10G10R10_UINT_PACK32", Base::Uint, false, 0, 0, 0},
    {"R32G32_SFLOAT", Base::Int, true, 6, 2, 0},    {"R16G16B16A16_SFLOAT", Base::Int, true, 6, 2, 0},
    {"R8G8B8A8_UNORM", Base::Int, true, 8, 0, 255}, {"B8G8R8A8_UNORM", Base::Int, true, 8, 0, 255},
};

struct TexelFormat {
  const char* name;
  Base base;
  uint32_t bytes;
};

constexpr TexelFormat kTexelFormats[] = {{"R32_UINT", Base::Uint, 4},   {"R8G8B8A8_UINT", Base::Uint, 4},
                                         {"R16G16_SINT", Base::Int, 4}, {"R32G32B32A32_SINT", Base::Int, 16},
                                         {"R16_UINT", Base::Uint, 2},   {"R8_SINT", Base::Int, 1}};

Texture draw_texel_buffer(Rng& rng) {
  const TexelFormat& format = rng.pick(kTexelFormats);
  Texture texture;
  texture.kind = Texture::Kind::Buffer;
  texture.format = format.name;
  texture.base = format.base;
  texture.width_bits = static_cast<uint32_t>(std::countr_zero(kTexelBufferBytes / format.bytes));
  texture.height_bits = 0;
  return texture;
}

Texture draw_texture(Rng& rng, Texture::Kind kind) {
  constexpr const char* kAddresses[] = {"repeat", "repeat", "mirrored_repeat", "clamp_to_edge"};
  const TextureFormat& format = rng.pick(kTextureFormats);
  Texture texture;
  texture.kind = kind;
  texture.format = format.name;
  texture.base = format.base;
  texture.is_float = format.is_float;
  texture.high = format.high;
  texture.low = format.low;
  texture.scale = format.scale;
  texture.width_bits = rng.between(2, 4);
  texture.height_bits = rng.between(2, 4);
  texture.levels = rng.chance(50) ? 1 : rng.between(2, 3);
  texture.layers = rng.chance(70) ? 1 : rng.between(2, 3);
  texture.address = rng.pick(kAddresses);
  return texture;
}

void draw_images(Rng& rng, DrawShape& shape) {
  for (uint32_t count = rng.chance(60) ? rng.between(1, kMostTextures) : 0; count > 0; --count) {
    shape.textures.push_back(rng.chance(20) ? draw_texel_buffer(rng) : draw_texture(rng, Texture::Kind::Image));
  }
  // llvmpipe reads the first layer, and an attachment of several samples would
  // need a pass of one sample for itself.
  if (shape.samples == 1 && shape.layers == 1 && shape.views == 1 && rng.chance(15)) {
    shape.textures.push_back(draw_texture(rng, Texture::Kind::Input));
  }
  if (rng.chance(30)) shape.store_format = rng.pick(kStoreFormats);
}

void draw_views(Rng& rng, DrawShape& shape) {
  if (rng.chance(15)) {
    shape.layers = 2;
  } else if (rng.chance(10)) {
    shape.views = 2;
  }
  if (rng.chance(15)) {
    shape.viewports = 2;
    // Implementations differ about points whose centre is outside of the picture.
    if (shape.topology != Topology::Points) {
      shape.viewport_shift = {static_cast<int32_t>(rng.below(5)) - 2, static_cast<int32_t>(rng.below(5)) - 2};
    }
  }
  shape.first_layer = rng.below(2);
  shape.first_viewport = rng.below(2);
  shape.reads_views = rng.chance(60);
}

void draw_state(Rng& rng, DrawShape& shape) {
  constexpr const char* kCompare[] = {"less",   "less_or_equal", "greater_or_equal",
                                      "always", "not_equal",     "less_or_equal"};
  constexpr const char* kCull[] = {"none", "none", "none", "back", "front"};
  if (rng.chance(40)) {
    shape.depth_format = shape.varied_depth || rng.chance(70) ? "D32_SFLOAT" : "D16_UNORM";
    shape.depth_compare = rng.pick(kCompare);
    shape.depth_write = rng.chance(80);
    shape.exports_depth = rng.chance(40);
  }
  shape.early_tests = !shape.exports_depth && rng.chance(15);
  shape.exports_mask = shape.samples > 1 && !shape.early_tests && rng.chance(30);
  shape.cull = rng.pick(kCull);
  if (rng.chance(50)) shape.front_face = "clockwise";
  for (auto& scissor : shape.scissors) {
    scissor = {0, 0, shape.width, shape.height};
    // llvmpipe draws outside of scissors where there are several samples: docs/isa-errata.md, "llvmpipe: draws".
    if (shape.samples != 1 || !rng.chance(20)) continue;
    const uint32_t x = rng.below(shape.width - 1), y = rng.below(shape.height - 1);
    scissor = {x, y, rng.between(1, shape.width - x), rng.between(1, shape.height - y)};
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
                                      Topology::Triangles, Topology::Strip,     Topology::Strip,
                                      Topology::Fan,       Topology::Points};
  shape.topology = rng.pick(kTopologies);
  // Bresenham lines cover all samples of a pixel or none, which Vulkan leaves open.
  if (shape.samples == 1 && rng.chance(10)) shape.topology = rng.chance(50) ? Topology::Lines : Topology::LineStrip;
  shape.exact_planes = shape.is_of_lines() || rng.chance(75);
  shape.even_points = rng.chance(50);
  shape.provoking_last = rng.chance(20);
  shape.indexed = rng.chance(40);
  shape.restart = shape.indexed && shape.topology != Topology::Triangles && shape.topology != Topology::Lines &&
                  shape.topology != Topology::Points && rng.chance(40);
  shape.short_indices = rng.chance(50);
  shape.base = rng.chance(40) ? rng.below(4) : 0;
  shape.index_bias = shape.indexed && rng.chance(40) ? rng.below(6) : 0;
  shape.instances = rng.chance(30) ? 2 : 1;
  shape.first_instance = rng.chance(30) ? rng.below(4) : 0;
  constexpr float kW[] = {1.0f, 1.0f, 1.0f, 2.0f, 0.5f, 4.0f};
  shape.w = rng.pick(kW);
  shape.varied_w = rng.chance(20);
  shape.varied_depth = shape.exact_planes && rng.chance(40);
  // Implementations differ about points whose centre is outside of the picture.
  shape.instance_shift = shape.topology == Topology::Points ? 0 : static_cast<int32_t>(rng.below(3));
  shape.has_derivatives = rng.chance(75);
  if (rng.chance(20)) shape.clip_distances = rng.between(1, 4);
  draw_geometry(rng, shape);
  draw_attributes(rng, shape);
  draw_varyings(rng, shape);
  draw_targets(rng, shape);
  draw_views(rng, shape);
  draw_images(rng, shape);
  draw_state(rng, shape);
  return shape;
}

}  // namespace spalt::random_programs
