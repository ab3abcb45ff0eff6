// SPDX-License-Identifier: MIT
#include "amdgpu/abi/descriptor_fields.h"

namespace spalt::abi {
namespace {

/// Bits high..low of a word, and of the next one where a field crosses over: at(1, 31, 30).then(12) has 12 more.
constexpr DescriptorField at(unsigned word, unsigned high, unsigned low, unsigned more = 0) {
  return {static_cast<uint16_t>(word * 32 + low), static_cast<uint8_t>(high - low + 1 + more)};
}

constexpr DescriptorField kNone{};

// What all generations have in common.
constexpr ImageFields kCommonImage = {
    .base = at(0, 31, 0, 8),
    .format = kNone,
    .width = kNone,
    .height = kNone,
    .resource_level = kNone,
    .dst_sel = {at(3, 2, 0), at(3, 5, 3), at(3, 8, 6), at(3, 11, 9)},
    .base_level = at(3, 15, 12),
    .last_level = at(3, 19, 16),
    .swizzle_mode = at(3, 24, 20),
    .type = at(3, 31, 28),
    .depth = at(4, 12, 0),
    .pitch = kNone,
    .base_array = at(4, 28, 16),
    .bc_swizzle = at(3, 27, 25),
    .uav_3d = at(5, 0, 0),
    .max_mip = at(5, 7, 4),
    .min_lod = at(1, 19, 8),
};

constexpr ImageFields image_gfx9() {
  ImageFields f = kCommonImage;
  f.format = at(1, 29, 20);
  f.width = at(2, 13, 0);
  f.height = at(2, 27, 14);
  f.pitch = at(4, 28, 13);
  f.base_array = at(5, 12, 0);
  f.bc_swizzle = at(4, 31, 29);
  f.uav_3d = kNone;
  f.own_pitch = true;
  f.has_1d = false;
  f.max_mip = at(5, 31, 28);
  return f;
}

constexpr ImageFields image_gfx10() {
  ImageFields f = kCommonImage;
  f.format = at(1, 28, 20);
  f.width = at(1, 31, 30, 12);
  f.height = at(2, 27, 14);
  f.resource_level = at(2, 31, 31);
  return f;
}

constexpr ImageFields image_gfx10_3() {
  ImageFields f = image_gfx10();
  f.pitch = at(4, 13, 0);
  return f;
}

constexpr ImageFields image_gfx11() {
  ImageFields f = image_gfx10_3();
  f.format = at(1, 27, 20);
  f.resource_level = kNone;
  f.max_mip = at(1, 19, 16);
  f.min_lod = at(5, 31, 27, 7);
  return f;
}

constexpr ImageFields image_gfx12() {
  ImageFields f = kCommonImage;
  f.format = at(1, 24, 17);
  f.width = at(1, 31, 30, 14);
  f.height = at(2, 29, 14);
  f.base_level = at(1, 29, 25);
  f.last_level = at(3, 19, 15);
  f.depth = at(4, 13, 0);
  f.pitch = at(4, 15, 0);
  f.base_array = at(4, 29, 16);
  f.uav_3d = at(5, 4, 4);
  f.max_mip = at(1, 16, 12);
  f.min_lod = at(5, 31, 26, 7);
  return f;
}

constexpr SamplerFields kCommonSampler = {
    .clamp = {at(0, 2, 0), at(0, 5, 3), at(0, 8, 6)},
    .max_aniso_ratio = at(0, 11, 9),
    .compare = at(0, 14, 12),
    .force_unnormalized = at(0, 15, 15),
    .aniso_threshold = at(0, 18, 16),
    .aniso_bias = at(0, 26, 21),
    .trunc_coord = at(0, 27, 27),
    .disable_cube_wrap = at(0, 28, 28),
    .filter_mode = at(0, 30, 29),
    .compat_mode = kNone,
    .min_lod = at(1, 11, 0),
    .max_lod = at(1, 23, 12),
    .perf_mip = at(1, 27, 24),
    .lod_bias = at(2, 13, 0),
    .xy_mag = at(2, 21, 20),
    .xy_min = at(2, 23, 22),
    .z_filter = at(2, 25, 24),
    .mip_filter = at(2, 27, 26),
    .filter_prec_fix = kNone,
    .aniso_override = at(2, 29, 29),
    .border_color_index = at(3, 11, 0),
    .border_color_type = at(3, 31, 30),
};

constexpr SamplerFields sampler_gfx9() {
  SamplerFields f = kCommonSampler;
  f.compat_mode = at(0, 31, 31);
  f.filter_prec_fix = at(2, 30, 30);
  f.aniso_override = at(2, 31, 31);
  return f;
}

constexpr SamplerFields sampler_gfx11() {
  SamplerFields f = kCommonSampler;
  f.border_color_index = at(3, 29, 18);
  return f;
}

constexpr SamplerFields sampler_gfx12() {
  SamplerFields f = sampler_gfx11();
  f.min_lod = at(1, 12, 0);
  f.max_lod = at(1, 25, 13);
  f.perf_mip = at(2, 31, 30, 2);
  return f;
}

constexpr BufferFields kCommonBuffer = {
    .base = at(0, 31, 0, 16),
    .stride = at(1, 29, 16),
    .num_records = at(2, 31, 0),
    .dst_sel = {at(3, 2, 0), at(3, 5, 3), at(3, 8, 6), at(3, 11, 9)},
    .format = at(3, 17, 12),
    .number_format = kNone,
    .oob_select = at(3, 29, 28),
};

constexpr BufferFields buffer_gfx9() {
  BufferFields f = kCommonBuffer;
  f.number_format = at(3, 14, 12);
  f.format = at(3, 18, 15);
  f.oob_select = kNone;
  return f;
}

constexpr BufferFields buffer_gfx10() {
  BufferFields f = kCommonBuffer;
  f.format = at(3, 18, 12);
  return f;
}

/// A row for each isa::Generation, in its order.
struct Row {
  BufferFields buffer;
  ImageFields image;
  SamplerFields sampler;
};
constexpr Row kRows[] = {
    {buffer_gfx9(), image_gfx9(), sampler_gfx9()},     {buffer_gfx10(), image_gfx10(), kCommonSampler},
    {buffer_gfx10(), image_gfx10_3(), kCommonSampler}, {kCommonBuffer, image_gfx11(), sampler_gfx11()},
    {kCommonBuffer, image_gfx11(), sampler_gfx11()},   {kCommonBuffer, image_gfx12(), sampler_gfx12()},
};
static_assert(std::size(kRows) == isa::kGenerationCount);

const Row& row(const isa::Target& target) {
  return kRows[static_cast<size_t>(target.generation)];
}

}  // namespace

uint64_t DescriptorField::get(std::span<const uint32_t> words) const {
  if (!exists()) return 0;
  const uint64_t high = word() + 1 < words.size() ? words[word() + 1] : 0;
  return (words[word()] | high << 32) >> shift() & max();
}

void DescriptorField::set(std::span<uint32_t> words, uint64_t value) const {
  if (!exists()) return;
  const bool crosses = shift() + bits > 32;
  uint64_t pair = words[word()] | uint64_t{crosses ? words[word() + 1] : 0} << 32;
  pair = (pair & ~(max() << shift())) | value << shift();
  words[word()] = static_cast<uint32_t>(pair);
  if (crosses) words[word() + 1] = static_cast<uint32_t>(pair >> 32);
}

uint8_t select_code(texel::Select select) {
  using texel::Select;
  if (select < Select::x) return select == Select::zero ? kSelect0 : kSelect1;
  return static_cast<uint8_t>(kSelectX + static_cast<unsigned>(select) - static_cast<unsigned>(Select::x));
}

const BufferFields& buffer_fields(const isa::Target& target) {
  return row(target).buffer;
}

const ImageFields& image_fields(const isa::Target& target) {
  return row(target).image;
}

const SamplerFields& sampler_fields(const isa::Target& target) {
  return row(target).sampler;
}

}  // namespace spalt::abi
