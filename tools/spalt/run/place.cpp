// SPDX-License-Identifier: MIT
#include "run/place.h"

#include <spalt/texel.h>

#include <charconv>

namespace spalt_tool {

std::string to_string(const Place& place) {
  std::string text = std::to_string(place.set) + ":" + std::to_string(place.binding);
  if (place.element != 0) text += "[" + std::to_string(place.element) + "]";
  return text;
}

bool parse_place(std::string_view text, Place& place, std::string_view& rest) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  std::string_view binding = text.substr(colon + 1);
  const size_t end = binding.find(':');
  rest = end == std::string_view::npos ? std::string_view() : binding.substr(end + 1);
  binding = binding.substr(0, end);
  place = {};
  if (const size_t bracket = binding.find('['); bracket != std::string_view::npos) {
    if (!binding.ends_with(']')) return false;
    const std::string_view element = binding.substr(bracket + 1, binding.size() - bracket - 2);
    if (!parse_unsigned(element, UINT32_MAX, place.element)) return false;
    binding = binding.substr(0, bracket);
  }
  return parse_unsigned(text.substr(0, colon), UINT32_MAX, place.set) &&
         parse_unsigned(binding, UINT32_MAX, place.binding);
}

bool parse_place(std::string_view text, Place& place) {
  std::string_view rest;
  const size_t colon = text.find(':');
  const bool single = colon != std::string_view::npos && text.find(':', colon + 1) == std::string_view::npos;
  return single && parse_place(text, place, rest);
}

bool parse_unsigned(std::string_view text, uint64_t& value) {
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && !text.empty();
}

bool parse_unsigned(std::string_view text, uint32_t most, uint32_t& value) {
  uint64_t wide = 0;
  if (!parse_unsigned(text, wide) || wide > most) return false;
  value = static_cast<uint32_t>(wide);
  return true;
}

bool parse_float(std::string_view text, float& value) {
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && !text.empty();
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (size_t begin = 0;;) {
    const size_t end = text.find(separator, begin);
    parts.push_back(text.substr(begin, end == std::string_view::npos ? end : end - begin));
    if (end == std::string_view::npos) return parts;
    begin = end + 1;
  }
}

std::string format_name(uint32_t format) {
  spalt_format_info info{};
  info.struct_size = sizeof info;
  return spalt_query_format(format, &info) == SPALT_SUCCESS ? info.name : std::to_string(format);
}

bool parse_format(std::string_view name, uint32_t& format) {
  constexpr std::string_view kPrefix = "VK_FORMAT_";
  format = 0;
  if (name.empty()) return true;
  if (name.starts_with(kPrefix)) name.remove_prefix(kPrefix.size());
  for (size_t i = 0; spalt_known_format(i) != 0; ++i) {
    if (format_name(spalt_known_format(i)) == name) format = spalt_known_format(i);
  }
  return format != 0;
}

}  // namespace spalt_tool
