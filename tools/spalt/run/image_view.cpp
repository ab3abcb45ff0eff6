// SPDX-License-Identifier: MIT
#include "run/image_view.h"

#include <spalt/texel.h>

#include <algorithm>

#include "run/failure.h"
#include "run/image_source.h"

namespace spalt_tool {
namespace {

/// By VkImageViewType.
struct ViewType {
  const char* name;
  uint32_t dimensions;
  uint32_t layers;  ///< of a view: one, or the faces of a cube
  bool is_array;
};
constexpr ViewType kViewTypes[] = {{"1D image", 1, 1, false},          {"2D image", 2, 1, false},
                                   {"3D image", 3, 1, false},          {"cube", 2, 6, false},
                                   {"array of 1D images", 1, 1, true}, {"array of 2D images", 2, 1, true},
                                   {"array of cubes", 2, 6, true}};

/// Layers of the image that the type takes unless the argument says which.
Range all_layers(const ViewType& type, uint32_t layers) {
  return {0, type.is_array ? layers / type.layers * type.layers : type.layers};
}

uint32_t texel_type(const spalt_format_info& info) {
  if (info.number == SPALT_NUMBER_UINT) return SPALT_SCALAR_UNSIGNED;
  return info.number == SPALT_NUMBER_SINT ? SPALT_SCALAR_SIGNED : SPALT_SCALAR_FLOAT;
}

/// By spalt_scalar_type.
constexpr const char* kTexelTypes[] = {"booleans", "signed integers", "unsigned integers", "floats", "blocks"};

void check_format(const spalt_compiler* compiler, const spalt_reflected_binding& shader, uint32_t format,
                  const std::string& where) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  spalt_query_format(format, &info);
  const bool storage = shader.type == SPALT_RESOURCE_STORAGE_IMAGE;
  const uint32_t use = storage ? SPALT_FORMAT_STORAGE : SPALT_FORMAT_SAMPLED;
  if ((spalt_query_format_uses(compiler, format) & use) == 0) {
    throw Failure{where + "the target has no " + (storage ? "storage" : "sampled") + " images of " + info.name,
                  kUnsupported};
  }
  if (storage && shader.texel_format != 0 && shader.texel_format != format) {
    throw Failure{where + "the shader declares " + format_name(shader.texel_format) + ", the image has " + info.name};
  }
  if (shader.texel_type < std::size(kTexelTypes) && shader.texel_type != texel_type(info)) {
    throw Failure{where + "to the shader texels are " + kTexelTypes[shader.texel_type] + ", those of " + info.name +
                  " are " + kTexelTypes[texel_type(info)]};
  }
}

void check_shape(const spalt_reflected_binding& shader, const ViewType& type, const spalt_image_info& image,
                 const Range& layers, const std::string& where) {
  if (shader.multisampled != 0) throw Failure{where + "the shader wants samples, which this command has no images of"};
  const bool slices = type.dimensions == 2 && type.layers == 1 && image.dimensions == 3;
  const uint32_t available = slices ? image.depth : image.layers;
  const bool whole = layers.count % type.layers == 0 && (type.is_array || layers.count == type.layers);
  if (!slices && type.dimensions != image.dimensions) {
    throw Failure{where + "the shader wants a " + type.name + ", not an image of " + std::to_string(image.dimensions) +
                  (image.dimensions == 1 ? " dimension" : " dimensions")};
  }
  if (!whole || layers.count == 0 || layers.count > available || layers.first > available - layers.count) {
    throw Failure{where + "the shader wants a " + type.name + " at layer " + std::to_string(layers.first) +
                  ", the image has " + std::to_string(available) + (available == 1 ? " layer" : " layers")};
  }
}

}  // namespace

ImageWords image_words(const spalt_compiler* compiler, const ImageArgument& argument,
                       const spalt_reflected_binding& shader, const spalt_image_info* image, uint64_t address) {
  ImageWords words{};
  spalt_image_descriptor_info info{};
  info.struct_size = sizeof info;
  const std::string where = about_image(argument.place);
  if (image != nullptr) {
    const bool is_view = std::holds_alternative<OtherImage>(argument.content) && argument.format != 0;
    if (shader.view_type >= std::size(kViewTypes)) throw Failure{where + "the shader has a texel buffer there"};
    const ViewType& type = kViewTypes[shader.view_type];
    const Range levels = argument.level.value_or(Range{0, image->levels});
    const Range layers = argument.layer.value_or(all_layers(type, image->layers));
    info.format = is_view ? argument.format : image->format;
    check_format(compiler, shader, info.format, where);
    check_shape(shader, type, *image, layers, where);
    if (levels.count > image->levels || levels.first > image->levels - levels.count) {
      throw Failure{where + "the image has no level " + std::to_string(levels.first + levels.count - 1)};
    }
    info.image = image;
    info.address = address;
    info.view_type = shader.view_type;
    std::copy(argument.swizzle.begin(), argument.swizzle.end(), info.swizzle);
    info.first_level = levels.first;
    info.level_count = levels.count;
    info.first_layer = layers.first;
    info.layer_count = layers.count;
    info.storage = shader.type == SPALT_RESOURCE_STORAGE_IMAGE ? 1 : 0;
  }
  if (spalt_write_image_descriptor(compiler, &info, words.data()) != SPALT_SUCCESS) {
    throw Failure{where + "the target has no such view", kUnsupported};
  }
  return words;
}

}  // namespace spalt_tool
