// SPDX-License-Identifier: MIT
// Images: what formats can be used for, where texels are in memory, image descriptors.
#include "amdgpu/abi/image_descriptor.h"
#include "amdgpu/abi/image_format.h"
#include "driver/compiler_handle.h"
#include "spalt/descriptor.h"

using namespace spalt;
using namespace spalt::api;

static_assert(abi::kMaxImageLevels == SPALT_MAX_IMAGE_LEVELS);

namespace {

/// The shape that the caller describes; is_image_shape tells whether it is one.
abi::ImageShape image_shape(const spalt_image_info& info) {
  abi::ImageShape shape;
  shape.format = texel::find_format(info.format);
  if (shape.format != nullptr && shape.format->has_depth_and_stencil()) shape.format = nullptr;
  shape.dimensions = info.dimensions;
  shape.width = info.width;
  shape.height = info.height;
  shape.depth = info.depth;
  shape.levels = info.levels;
  shape.layers = info.layers;
  shape.samples = info.samples;
  return shape;
}

/// VkComponentSwizzle: identity, zero, one, R, G, B, A.
bool read_swizzle(const uint32_t (&given)[4], texel::Swizzle& swizzle) {
  using texel::Select;
  constexpr Select kSelects[] = {Select::x, Select::zero, Select::one, Select::x, Select::y, Select::z, Select::w};
  for (uint32_t c = 0; c < 4; ++c) {
    if (given[c] >= std::size(kSelects)) return false;
    swizzle[c] = given[c] == 0 ? static_cast<Select>(static_cast<uint32_t>(Select::x) + c) : kSelects[given[c]];
  }
  return true;
}

bool read_view(const spalt_image_descriptor_info& info, abi::ImageView& view) {
  constexpr auto kLastType = static_cast<uint32_t>(abi::ViewType::cube_array);
  view.image = image_shape(read_struct(info.image));
  view.address = info.address;
  if (info.view_type > kLastType || !read_swizzle(info.swizzle, view.swizzle)) return false;
  view.type = static_cast<abi::ViewType>(info.view_type);
  view.format = texel::find_format(info.format);
  view.first_level = info.first_level;
  view.level_count = info.level_count;
  view.first_layer = info.first_layer;
  view.layer_count = info.layer_count;
  view.min_lod = info.min_lod;
  view.storage = info.storage != 0;
  return view.format != nullptr;
}

}  // namespace

uint32_t spalt_query_format_uses(const spalt_compiler* compiler, uint32_t format) {
  const texel::Format* found = texel::find_format(format);
  return compiler == nullptr || found == nullptr ? 0 : abi::format_uses(*found, *compiler->target);
}

spalt_result spalt_query_image_layout(const spalt_compiler* compiler, const spalt_image_info* info,
                                      spalt_image_layout* layout) {
  if (compiler == nullptr || info == nullptr || layout == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const abi::ImageShape shape = image_shape(read_struct(info));
  if (!abi::is_image_shape(shape)) return SPALT_ERROR_INVALID_ARGUMENT;
  const abi::ImageLayout found = abi::image_layout(shape, *compiler->target);
  spalt_image_layout result{};
  result.bytes = found.bytes;
  result.alignment = abi::kImageAlignment;
  result.slice_bytes = found.slice_bytes;
  for (size_t l = 0; l < found.levels.size(); ++l) {
    result.levels[l] = {found.levels[l].offset, found.levels[l].row_bytes, found.levels[l].rows};
  }
  return write_struct(result, layout);
}

spalt_result spalt_write_image_descriptor(const spalt_compiler* compiler, const spalt_image_descriptor_info* info,
                                          uint32_t words[8]) {
  if (compiler == nullptr || info == nullptr || words == nullptr) return SPALT_ERROR_INVALID_ARGUMENT;
  const spalt_image_descriptor_info given = read_struct(info);
  abi::ImageWords result{};
  if (given.image != nullptr) {
    abi::ImageView view;
    if (!read_view(given, view)) return SPALT_ERROR_INVALID_ARGUMENT;
    const Status status = abi::write_image_descriptor(view, *compiler->target, result);
    if (status != Status::ok) return to_result(status);
  }
  std::copy(result.begin(), result.end(), words);
  return SPALT_SUCCESS;
}
