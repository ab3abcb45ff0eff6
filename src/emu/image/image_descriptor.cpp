// SPDX-License-Identifier: MIT
#include "emu/image/image_descriptor.h"

#include <algorithm>
#include <numeric>

#include "amdgpu/abi/image_format.h"
#include "base/bits.h"
#include "emu/image/image_facts.h"
#include "emu/launch/program.h"
#include "emu/wave/wave.h"

namespace spalt::emu {
namespace {

using abi::ImageFields;
using abi::ImageType;
using Words = std::array<uint32_t, 8>;

uint32_t get(const abi::DescriptorField& field, const Words& words) {
  return static_cast<uint32_t>(field.get(words));
}

/// Without active lanes nothing happens, whatever the descriptor is.
void refuse(Wave& wave, const char* violation) {
  if (wave.exec() != 0) wave.fault(FaultKind::invalid_instruction, violation);
}

bool is_multisampled(ImageType type) {
  return type == ImageType::dim_2d_msaa || type == ImageType::dim_2d_msaa_array;
}

bool has_no_rows(ImageType type) {
  return type == ImageType::dim_1d || type == ImageType::dim_1d_array;
}

bool has_layers(ImageType type) {
  return type == ImageType::cube || type == ImageType::dim_1d_array || type == ImageType::dim_2d_array ||
         type == ImageType::dim_2d_msaa_array;
}

/// Whether the bits of the depth field are a pitch where the two share them.
bool has_pitch(ImageType type) {
  return type == ImageType::dim_1d || type == ImageType::dim_2d || type == ImageType::dim_2d_msaa;
}

/// Bytes from row to row that the descriptor names itself; 0: they follow from the width. Only images of one level can
/// have them. A field of its own always says it; one that is shared with the depth, unless it is 0.
uint64_t own_row_bytes(const ImageDescriptor& d, ImageType type, const Words& words, const ImageFields& fields,
                       uint32_t max_mip) {
  if (max_mip != 0 || !fields.pitch.exists()) return 0;
  const uint64_t value = fields.pitch.get(words);
  if (!fields.own_pitch && (value == 0 || !has_pitch(type))) return 0;
  return (value + 1) * d.texel_bytes();
}

/// Offsets and pitches of all levels. Sizes of levels in memory are rounded up. Levels that the image does not have, of
/// which only a wrong view makes use, are at its start.
void lay_out(ImageDescriptor& d, uint32_t max_mip, uint64_t own_pitch, const ImageFacts& facts) {
  constexpr uint64_t kSizeUnit = 256;
  const texel::ShapeFacts& shape = *d.shape;
  const uint64_t row_unit = std::lcm(facts.pitch_alignment, unsigned{shape.bytes});
  const auto blocks = [](uint64_t texels, unsigned block, unsigned level) {
    const uint64_t unit = uint64_t{block} << level;
    return (texels + unit - 1) / unit;
  };
  const auto row_bytes = [&](unsigned level) {
    if (own_pitch != 0) return own_pitch;
    return align_up(blocks(d.width, shape.block_width, facts.one_pitch ? 0 : level) * shape.bytes, row_unit);
  };
  const unsigned levels = std::min(max_mip + 1, ImageDescriptor::kLevels);
  uint64_t offset = 0;
  for (unsigned i = 0; i < levels; ++i) {
    const unsigned level = facts.one_pitch ? i : levels - 1 - i;
    d.row_bytes[level] = row_bytes(level);
    d.level_offset[level] = offset;
    offset += align_up(d.row_bytes[level], kSizeUnit) * blocks(d.height, shape.block_height, level);
  }
  d.slice_bytes = offset;
}

void set_layers(ImageDescriptor& d, ImageType type, const Words& words, const ImageFields& fields) {
  const uint32_t first = get(fields.base_array, words), last = get(fields.depth, words);
  const uint32_t count = last >= first ? last - first + 1 : 1;
  if (type == ImageType::dim_3d) {
    d.depth = last + 1;
    d.layers_are_slices = get(fields.uav_3d, words) != 0;
    if (d.layers_are_slices) {
      d.first_layer = first;
      d.layers = count;
    }
    return;
  }
  d.first_layer = first;
  if (has_layers(type)) d.layers = count;
}

void set_levels(ImageDescriptor& d, ImageType type, const Words& words, const ImageFields& fields) {
  const uint32_t first = get(fields.base_level, words), last = get(fields.last_level, words);
  if (is_multisampled(type)) {
    d.samples = 1u << std::min(last, 4u);
    return;
  }
  d.base_level = first;
  d.last_level = std::max(first, last);
}

}  // namespace

ImageDescriptor read_image_descriptor(Wave& wave, unsigned reg, bool r128) {
  const isa::Target& target = wave.program().target();
  const ImageFields& fields = abi::image_fields(target);
  const ImageFacts& facts = image_facts(target);
  Words words{};
  const unsigned count = r128 ? 4 : 8;
  for (unsigned i = 0; i < count; ++i) words[i] = wave.read_s32(reg + i);

  ImageDescriptor d;
  for (unsigned i = 0; i < 4; ++i) d.dst_sel[i] = static_cast<uint8_t>(fields.dst_sel[i].get(words));
  const auto type = static_cast<ImageType>(fields.type.get(words));
  if (type < ImageType::dim_1d) {
    const bool is_null = std::all_of(words.begin(), words.end(), [](uint32_t word) { return word == 0; });
    if (facts.hangs_on_buffers && !is_null && fields.type.get(words) != 0) {
      refuse(wave, "has a buffer descriptor as its image, which can hang this processor");
    }
    return d;
  }
  const auto code = static_cast<uint16_t>(fields.format.get(words));
  if (code == 0) return d;
  const texel::Layout* layout = abi::image_format_layout(code, target);
  if (layout == nullptr) {
    refuse(wave, "names an image format that does not exist");
    return d;
  }
  if (fields.swizzle_mode.get(words) != 0) {
    refuse(wave, "accesses an image that is not linear");
    return d;
  }
  d.bound = true;
  d.is_1d = has_no_rows(type);
  d.is_3d = type == ImageType::dim_3d;
  d.is_cube = type == ImageType::cube;
  d.layout = *layout;
  d.shape = &texel::facts(layout->shape);
  d.base = fields.base.get(words) << 8;
  d.width = get(fields.width, words) + 1;
  d.height = d.is_1d ? 1 : get(fields.height, words) + 1;
  d.min_lod = get(fields.min_lod, words);
  d.border_swizzle = static_cast<uint8_t>(fields.bc_swizzle.get(words));
  set_layers(d, type, words, fields);
  set_levels(d, type, words, fields);
  const uint32_t max_mip = is_multisampled(type) ? 0 : get(fields.max_mip, words);
  lay_out(d, max_mip, own_row_bytes(d, type, words, fields, max_mip), facts);
  return d;
}

}  // namespace spalt::emu
