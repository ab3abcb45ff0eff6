// SPDX-License-Identifier: MIT
#include "run/image_argument.h"

#include <algorithm>

#include "image_file/image_file.h"
#include "run/failure.h"

namespace spalt_tool {
namespace {

constexpr uint32_t kMostLevels = 15, kMostLayers = 8192;

/// "64x32x4": one to three numbers.
bool parse_size(std::string_view text, ImageZeros& zeros) {
  const std::vector<std::string_view> parts = split(text, 'x');
  if (parts.size() > zeros.size.size()) return false;
  zeros.dimensions = static_cast<uint32_t>(parts.size());
  for (size_t i = 0; i < parts.size(); ++i) {
    if (!parse_unsigned(parts[i], kMaxImageSize, zeros.size[i]) || zeros.size[i] == 0) return false;
  }
  return true;
}

/// "2" or "2-4", both ends included.
bool parse_range(std::string_view text, std::optional<Range>& range) {
  const std::vector<std::string_view> parts = split(text, '-');
  uint32_t first = 0, last = 0;
  if (parts.size() > 2 || !parse_unsigned(parts.front(), kMostLayers, first) ||
      !parse_unsigned(parts.back(), kMostLayers, last) || last < first) {
    return false;
  }
  range = Range{first, last - first + 1};
  return true;
}

bool parse_count(std::string_view text, uint32_t most, std::optional<uint32_t>& count) {
  uint32_t value = 0;
  if (!parse_unsigned(text, most, value) || value == 0) return false;
  count = value;
  return true;
}

/// Four letters; VkComponentSwizzle has the identity in front of 0, 1, R, G, B, A.
bool parse_swizzle(std::string_view text, std::array<uint32_t, 4>& swizzle) {
  constexpr std::string_view kLetters = "01rgba";
  if (text.size() != swizzle.size()) return false;
  for (size_t i = 0; i < swizzle.size(); ++i) {
    const size_t letter = kLetters.find(text[i]);
    if (letter == std::string_view::npos) return false;
    swizzle[i] = static_cast<uint32_t>(letter) + 1;
  }
  return true;
}

bool parse_content(std::string_view text, ImageArgument& argument) {
  constexpr std::string_view kZeros = "zeros:", kView = "view:";
  if (text.starts_with(kZeros)) {
    ImageZeros zeros;
    if (!parse_size(text.substr(kZeros.size()), zeros)) return false;
    argument.content = zeros;
  } else if (text.starts_with(kView)) {
    OtherImage other;
    if (!parse_place(text.substr(kView.size()), other.place)) return false;
    argument.content = other;
  } else if (text == "null") {
    argument.content = NoImage{};
  } else {
    argument.content = ImageFile{std::string(text)};
  }
  return !text.empty();
}

bool parse_option(std::string_view text, ImageArgument& argument) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos) return false;
  const std::string_view key = text.substr(0, equals), value = text.substr(equals + 1);
  if (key == "levels") return parse_count(value, kMostLevels, argument.levels);
  if (key == "layers") return parse_count(value, kMostLayers, argument.layers);
  if (key == "level") return parse_range(value, argument.level);
  if (key == "layer") return parse_range(value, argument.layer);
  return key == "swizzle" && parse_swizzle(value, argument.swizzle);
}

}  // namespace

ImageArgument parse_image(const std::string& text) {
  ImageArgument argument;
  std::string_view format;
  const std::string where = "--image " + text + ": ";
  const size_t equals = text.find('=');
  if (equals == std::string::npos || !parse_place(std::string_view(text).substr(0, equals), argument.place, format)) {
    throw Failure{where + "expected SET:BINDING=CONTENT, for example 0:1=photo.png or 0:2=zeros:64x64"};
  }
  if (!parse_format(format, argument.format)) {
    throw Failure{where + "no format has the name " + std::string(format)};
  }
  const std::vector<std::string_view> parts = split(std::string_view(text).substr(equals + 1), ',');
  if (!parse_content(parts.front(), argument)) {
    throw Failure{where + "'" + std::string(parts.front()) +
                  "' is no content; expected a file, zeros:WIDTHxHEIGHTxDEPTH, view:SET:BINDING or null"};
  }
  for (size_t i = 1; i < parts.size(); ++i) {
    if (parse_option(parts[i], argument)) continue;
    throw Failure{where + "'" + std::string(parts[i]) +
                  "' is no option; expected levels=N, layers=N, level=N or N-M, layer=N or N-M, swizzle=bgra"};
  }
  const bool makes =
      std::holds_alternative<ImageZeros>(argument.content) || std::holds_alternative<ImageFile>(argument.content);
  if (!makes && (argument.levels || argument.layers)) {
    throw Failure{where + "levels and layers are for new images; level and layer choose among those of a view"};
  }
  return argument;
}

}  // namespace spalt_tool
