// SPDX-License-Identifier: MIT
// What the arguments of `spalt run` are made of: numbers, lists, and places of descriptors.
#pragma once
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace spalt_tool {

/// Which descriptor: "SET:BINDING" or "SET:BINDING[ELEMENT]".
struct Place {
  uint32_t set = 0, binding = 0, element = 0;
  auto operator<=>(const Place&) const = default;
};
std::string to_string(const Place& place);

/// Parses what begins with a place; what follows it is empty or has a colon in front, which `rest` does not have.
bool parse_place(std::string_view text, Place& place, std::string_view& rest);
/// Parses a place and nothing else.
bool parse_place(std::string_view text, Place& place);

/// Decimal, or hexadecimal with 0x.
bool parse_unsigned(std::string_view text, uint64_t& value);
/// At most `most`.
bool parse_unsigned(std::string_view text, uint32_t most, uint32_t& value);
bool parse_float(std::string_view text, float& value);

/// The parts between the separators; at least one, maybe empty.
std::vector<std::string_view> split(std::string_view text, char separator);

/// A format by the name that Vulkan gives it, with or without VK_FORMAT_; 0 for an empty name. False: there is none.
bool parse_format(std::string_view name, uint32_t& format);
/// Without VK_FORMAT_.
std::string format_name(uint32_t format);

}  // namespace spalt_tool
