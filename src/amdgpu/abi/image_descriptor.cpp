// SPDX-License-Identifier: MIT
#include "amdgpu/abi/image_descriptor.h"

#include <algorithm>
#include <cmath>

#include "amdgpu/abi/descriptor_fields.h"
#include "amdgpu/abi/image_format.h"

namespace spalt::abi {
namespace {

using texel::Select;

constexpr uint64_t kMaxAddress = uint64_t{1} << 48;
constexpr float kMaxMinLod = 15;  ///< Mesa clamps to it; no image has more levels
constexpr float kLodSteps = 256;  ///< 8 fraction bits

bool is_array(ViewType type) {
  return type == ViewType::dim_1d_array || type == ViewType::dim_2d_array || type == ViewType::cube_array;
}
bool is_cube(ViewType type) {
  return type == ViewType::cube || type == ViewType::cube_array;
}
bool is_1d(ViewType type) {
  return type == ViewType::dim_1d || type == ViewType::dim_1d_array;
}

/// Slices of a 3D image that a view of fewer dimensions shows.
bool shows_slices(const ImageView& view) {
  return view.image.dimensions == 3 && view.type != ViewType::dim_3d;
}

bool dimensions_agree(const ImageView& view) {
  const uint32_t dimensions = view.image.dimensions;
  if (view.type == ViewType::dim_3d) return dimensions == 3;
  if (is_1d(view.type)) return dimensions == 1;
  return dimensions == 2 || (dimensions == 3 && !is_cube(view.type) && view.level_count == 1);
}

bool ranges_fit(const ImageView& view) {
  const ImageShape& image = view.image;
  if (view.level_count == 0 || uint64_t{view.first_level} + view.level_count > image.levels) return false;
  const uint32_t slices = std::max(image.depth >> view.first_level, 1u);
  const uint32_t layers = shows_slices(view) ? slices : image.layers;
  if (view.layer_count == 0 || uint64_t{view.first_layer} + view.layer_count > layers) return false;
  if (is_cube(view.type)) {
    constexpr uint32_t kFaces = 6;
    return view.layer_count % kFaces == 0 && (is_array(view.type) || view.layer_count == kFaces);
  }
  return is_array(view.type) || view.layer_count == 1;
}

bool same_block(const texel::ShapeFacts& a, const texel::ShapeFacts& b) {
  return a.block_width == b.block_width && a.block_height == b.block_height;
}

/// Texels as large as the image's; a view that counts blocks as texels, or the other way round, shows one level.
bool format_fits(const ImageView& view) {
  if (view.format == nullptr || view.format->shape().bytes != view.image.format->shape().bytes) return false;
  return same_block(view.format->shape(), view.image.format->shape()) ||
         (view.level_count == 1 && view.image.samples == 1 && view.image.dimensions != 3 &&
          (view.layer_count == 1 || view.image.levels == 1));
}

/// Texels of a view, in elements of `to`, of so many elements of another image.
uint32_t elements_of(uint32_t size, uint32_t level, uint32_t from_block, uint32_t to_block) {
  const uint32_t valid = std::max(size >> level, 1u);
  return (valid + from_block - 1) / from_block * to_block;
}

/// The same view of an image that has only the one level, in the view's own kind of elements. Valid texels are rounded
/// down from level to level and elements in memory up, so that the rows of the level may be longer than an image of
/// this width would have.
ImageView as_one_level(const ImageView& view, const isa::Target& target) {
  const ImageLayout layout = image_layout(view.image, target);
  const ImageLevel& level = layout.levels[view.first_level];
  const texel::ShapeFacts &from = view.image.format->shape(), &to = view.format->shape();
  ImageView result = view;
  result.address += level.offset + layout.slice_bytes * view.first_layer;
  result.image.format = view.format;
  result.image.width = elements_of(view.image.width, view.first_level, from.block_width, to.block_width);
  result.image.height = elements_of(view.image.height, view.first_level, from.block_height, to.block_height);
  result.image.levels = 1;
  result.image.layers = view.layer_count;
  result.image.dimensions = std::min<uint32_t>(view.image.dimensions, 2);
  result.image.depth = 1;
  result.first_level = 0;
  result.first_layer = 0;
  result.min_lod = std::max(view.min_lod - static_cast<float>(view.first_level), 0.0F);
  const bool same_pitch = image_layout(result.image, target).levels[0].row_bytes == level.row_bytes;
  if (same_pitch || image_fields(target).pitch.exists()) {
    result.row_bytes = level.row_bytes;
  } else {
    // The pitch follows from the width alone: the column that memory has beyond the valid ones becomes visible.
    result.image.width += to.block_width;
  }
  return result;
}

/// Where the hardware does not count slices as layers, a slice is an image of its own: surfaces are linear. Several
/// slices are layers only where nothing is between them.
bool finds_slice_by_address(const ImageView& view, const ImageFields& fields) {
  return shows_slices(view) && !fields.uav_3d.exists() && (view.layer_count == 1 || view.image.levels == 1);
}

/// Images with several layers are arrays to the hardware whatever the view is: it reads base_array of arrays only.
ImageType image_type(const ImageView& view, const ImageFields& fields) {
  if (view.image.dimensions == 3) return ImageType::dim_3d;
  if (is_cube(view.type) && !view.storage) return ImageType::cube;
  const bool array = is_array(view.type) || view.image.layers > 1;
  if (view.image.samples > 1) return array ? ImageType::dim_2d_msaa_array : ImageType::dim_2d_msaa;
  if (is_1d(view.type) && fields.has_1d) return array ? ImageType::dim_1d_array : ImageType::dim_1d;
  return array ? ImageType::dim_2d_array : ImageType::dim_2d;
}

/// What the view says of R, G, B, A, in channels of the memory.
Select composed(Select of_view, const texel::Swizzle& of_format) {
  if (of_view < Select::x) return of_view;
  return of_format[static_cast<size_t>(of_view) - static_cast<size_t>(Select::x)];
}

unsigned border_code(const texel::Swizzle& swizzle) {
  using enum Select;
  constexpr texel::Swizzle kOrders[] = {{x, y, z, w}, {x, w, y, z}, {w, z, y, x},
                                        {w, x, y, z}, {z, y, x, w}, {y, x, w, z}};
  return static_cast<unsigned>(std::find(std::begin(kOrders), std::end(kOrders), swizzle) - std::begin(kOrders));
}

void write_extent(const ImageView& view, const ImageFields& fields, ImageWords& words) {
  fields.width.set(words, view.image.width - 1);
  fields.height.set(words, view.image.height - 1);
  const bool multisampled = view.image.samples > 1;
  const uint32_t chain = multisampled ? log2_samples(view.image.samples) : view.image.levels - 1;
  fields.max_mip.set(words, chain);
  fields.base_level.set(words, view.first_level);
  fields.last_level.set(words, multisampled ? chain : view.first_level + view.level_count - 1);
}

void write_layers(const ImageView& view, ImageType type, const ImageFields& fields, ImageWords& words) {
  const uint32_t last = view.first_layer + view.layer_count - 1;
  if (view.type == ViewType::dim_3d) {
    fields.depth.set(words, view.image.depth - 1);
  } else if (shows_slices(view)) {
    fields.uav_3d.set(words, 1);
    fields.base_array.set(words, view.first_layer);
    fields.depth.set(words, fields.uav_3d.exists() ? last : view.image.depth - 1);
  } else if (type != ImageType::dim_1d && type != ImageType::dim_2d && type != ImageType::dim_2d_msaa) {
    fields.base_array.set(words, view.first_layer);
    fields.depth.set(words, last);
  }
}

/// A field of its own always holds the pitch of a single level, or the height of all levels together. A shared one is
/// needed where the pitch does not follow from the width.
void write_pitch(const ImageView& view, const ImageFields& fields, const ImageLayout& layout, ImageWords& words) {
  const uint64_t derived = layout.levels[0].row_bytes;
  const uint64_t row_bytes = view.row_bytes != 0 ? view.row_bytes : derived;
  if (!fields.own_pitch && row_bytes == derived) return;
  const uint64_t pitch = row_bytes / view.image.format->shape().bytes;
  const uint64_t value = view.image.levels == 1 ? pitch : layout.slice_bytes / derived;
  fields.pitch.set(words, std::min(value - 1, fields.pitch.max()));
}

uint64_t min_lod_code(float min_lod) {
  const float clamped = min_lod > 0 ? std::min(min_lod, kMaxMinLod) : 0;  // NaN becomes 0
  return static_cast<uint64_t>(clamped * kLodSteps);
}

}  // namespace

Status write_image_descriptor(const ImageView& view, const isa::Target& target, ImageWords& words) {
  if (!is_image_shape(view.image) || !format_fits(view) || !dimensions_agree(view) || !ranges_fit(view)) {
    return Status::invalid_argument;
  }
  if (view.address % kImageAlignment != 0 || view.address >= kMaxAddress) return Status::invalid_argument;
  const ImageFields& fields = image_fields(target);
  if (finds_slice_by_address(view, fields) || !same_block(view.format->shape(), view.image.format->shape())) {
    return write_image_descriptor(as_one_level(view, target), target, words);
  }
  const auto code = image_format_code(view.format->layout, target);
  if (!code) return Status::unsupported;

  const ImageType type = image_type(view, fields);
  words = {};
  fields.base.set(words, view.address / kImageAlignment);
  fields.format.set(words, *code);
  fields.resource_level.set(words, 1);
  fields.type.set(words, static_cast<uint64_t>(type));
  write_extent(view, fields, words);
  write_layers(view, type, fields, words);
  write_pitch(view, fields, image_layout(view.image, target), words);
  for (size_t c = 0; c < view.swizzle.size(); ++c) {
    fields.dst_sel[c].set(words, select_code(composed(view.swizzle[c], view.format->swizzle)));
  }
  fields.bc_swizzle.set(words, border_code(view.format->border_swizzle));
  fields.min_lod.set(words, min_lod_code(view.min_lod));
  return Status::ok;
}

}  // namespace spalt::abi
