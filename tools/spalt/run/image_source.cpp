// SPDX-License-Identifier: MIT
#include "run/image_source.h"

#include <spalt/texel.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "files.h"
#include "run/failure.h"

namespace spalt_tool {
namespace {

constexpr uint64_t kMostBytes = uint64_t{1} << 30;
constexpr uint32_t kR8G8B8A8Unorm = 37, kR8G8B8A8Uint = 41, kR8G8B8A8Srgb = 43;

spalt_format_info info_of(uint32_t format) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  spalt_query_format(format, &info);
  return info;
}

/// What the texels are to a shader: both kinds of integers, or floats.
uint32_t class_of(const spalt_format_info& info) {
  return info.number == SPALT_NUMBER_UINT || info.number == SPALT_NUMBER_SINT ? info.number
                                                                              : uint32_t{SPALT_NUMBER_FLOAT};
}

/// The codes of a PNG file as texels that have the kind of numbers that `format` has.
uint32_t png_format(uint32_t format) {
  const spalt_format_info info = info_of(format);
  if (info.number == SPALT_NUMBER_SRGB) return kR8G8B8A8Srgb;
  return info.number == SPALT_NUMBER_UINT ? kR8G8B8A8Uint : kR8G8B8A8Unorm;
}

/// False: there is no way from one format to the other.
bool convert(ImageData& image, uint32_t format) {
  if (image.format == format) return true;
  const spalt_format_info from = info_of(image.format), to = info_of(format);
  const bool plain = from.block_width == 1 && to.block_width == 1;
  if (!plain || class_of(from) != class_of(to) || from.component_bits[0] == 64 || to.component_bits[0] == 64) {
    return false;
  }
  for (std::vector<uint8_t>& level : image.levels) {
    const size_t count = level.size() / from.block_bytes;
    std::vector<uint8_t> converted(count * to.block_bytes);
    spalt_texel texels[256];
    for (size_t at = 0, some; at < count; at += some) {
      some = std::min(count - at, std::size(texels));
      spalt_decode_texels(image.format, &level[at * from.block_bytes], some, texels);
      spalt_encode_texels(format, texels, some, &converted[at * to.block_bytes]);
    }
    level = std::move(converted);
  }
  image.format = format;
  return true;
}

/// Zeros where there is nothing yet, after checking that all fits.
void set_levels(ImageData& image, uint32_t count, const std::string& where) {
  if (count > most_levels(image)) {
    throw Failure{where + std::to_string(count) + " levels are more than the size allows, " +
                  std::to_string(most_levels(image))};
  }
  uint64_t bytes = 0;
  for (uint32_t level = 0; level < count; ++level) bytes += level_bytes(image, level);
  if (bytes > kMostBytes) throw Failure{where + "the image is larger than 1 GiB"};
  image.levels.resize(count);
  for (uint32_t level = 0; level < count; ++level) image.levels[level].resize(level_bytes(image, level));
}

ImageData read_file_image(const ImageArgument& argument, uint32_t format, const std::string& where) {
  const std::string& path = std::get<ImageFile>(argument.content).path;
  std::vector<uint8_t> bytes;
  std::string error;
  ImageData image;
  if (!read_file(path, bytes, error)) throw Failure{where + error, kInput};
  if (!read_image(bytes, image, error)) throw Failure{where + path + " " + error, kInput};
  if (argument.layers) throw Failure{where + "layers=N is for zeros; a file has its layers"};
  if (format != 0 && is_png(bytes)) image.format = png_format(format);
  if (format != 0 && !convert(image, format)) {
    throw Failure{
        where + path + " has texels of " + format_name(image.format) + ", which do not become " + format_name(format),
        kInput};
  }
  set_levels(image, argument.levels.value_or(static_cast<uint32_t>(image.levels.size())), where);
  return image;
}

ImageData make_zeros(const ImageArgument& argument, uint32_t format, const std::string& where) {
  const auto& zeros = std::get<ImageZeros>(argument.content);
  if (format == 0) {
    throw Failure{where + "the shader declares no format here; name one, for example --image " +
                  to_string(argument.place) + ":R8G8B8A8_UNORM=zeros:64x64"};
  }
  ImageData image;
  image.format = format;
  image.dimensions = zeros.dimensions;
  image.width = zeros.size[0];
  image.height = zeros.size[1];
  image.depth = zeros.size[2];
  image.layers = argument.layers.value_or(1);
  image.is_array = argument.layers.has_value();
  if (zeros.dimensions == 3 && image.layers != 1) throw Failure{where + "an image of three dimensions has no layers"};
  set_levels(image, argument.levels.value_or(1), where);
  return image;
}

}  // namespace

std::string about_image(const Place& place) {
  return "--image " + to_string(place) + ": ";
}

ImageData make_image(const ImageArgument& argument, uint32_t declared) {
  const std::string where = about_image(argument.place);
  const uint32_t format = argument.format != 0 ? argument.format : declared;
  if (format != 0 && info_of(format).depth_format != 0 && info_of(format).stencil_format != 0) {
    throw Failure{where + format_name(format) + " has two planes; shaders see one, such as D32_SFLOAT or S8_UINT"};
  }
  return std::holds_alternative<ImageFile>(argument.content) ? read_file_image(argument, format, where)
                                                             : make_zeros(argument, format, where);
}

}  // namespace spalt_tool
