// SPDX-License-Identifier: MIT
#include "run/buffer_argument.h"

#include <algorithm>
#include <bit>

#include "files.h"
#include "run/failure.h"

namespace spalt_tool {
namespace {

constexpr size_t kMostBytes = size_t{1} << 32;

bool parse_number(std::string_view type, std::string_view text, uint32_t& bits) {
  if (type == "f32") {
    float value = 0;
    if (!parse_float(text, value)) return false;
    bits = std::bit_cast<uint32_t>(value);
    return true;
  }
  const bool negative = type == "i32" && text.starts_with('-');
  if (negative) text.remove_prefix(1);
  uint32_t value = 0;
  if (!parse_unsigned(text, negative ? 0x80000000u : 0xffffffffu, value)) return false;
  bits = negative ? 0u - value : value;
  return true;
}

bool is_type(std::string_view text) {
  return text == "u32" || text == "i32" || text == "f32";
}

void append(std::vector<uint8_t>& bytes, uint32_t word) {
  const auto* begin = reinterpret_cast<const uint8_t*>(&word);
  bytes.insert(bytes.end(), begin, begin + 4);
}

/// zeros:BYTES or iota:COUNT.
std::vector<uint8_t> generate(const std::string& kind, const std::string& number) {
  uint64_t count = 0;
  if (!parse_unsigned(number, count) || count > kMostBytes / 4) {
    throw Failure{kind + ": expected a " + (kind == "zeros" ? "number of bytes" : "count")};
  }
  std::vector<uint8_t> bytes;
  if (kind == "zeros") bytes.assign(count, 0);
  for (uint32_t i = 0; kind == "iota" && i < count; ++i) append(bytes, i);
  return bytes;
}

}  // namespace

std::vector<uint8_t> parse_values(const std::string& text) {
  std::vector<uint8_t> bytes;
  std::string type = "u32";
  for (const std::string_view part : split(text, ',')) {
    std::string item(part);
    if (const size_t colon = item.find(':'); colon != std::string::npos) {
      type = item.substr(0, colon);
      item = item.substr(colon + 1);
    }
    uint32_t bits = 0;
    if (!is_type(type) || !parse_number(type, item, bits)) {
      throw Failure{"'" + item + "' is no " + type + " value; expected for example u32:1,0x10,f32:2.5"};
    }
    append(bytes, bits);
  }
  return bytes;
}

BufferArgument parse_buffer(const std::string& text) {
  BufferArgument argument;
  std::string_view format;
  const size_t equals = text.find('=');
  if (equals == std::string::npos || !parse_place(std::string_view(text).substr(0, equals), argument.place, format)) {
    throw Failure{"--buffer " + text + ": expected SET:BINDING=CONTENT, for example 0:1=zeros:1024"};
  }
  if (!parse_format(format, argument.format)) {
    throw Failure{"--buffer " + text + ": no format has the name " + std::string(format)};
  }
  argument.content = text.substr(equals + 1);
  return argument;
}

std::vector<uint8_t> buffer_bytes(const BufferArgument& argument) {
  const size_t colon = argument.content.find(':');
  const std::string kind = argument.content.substr(0, colon);
  const std::string where = "--buffer " + to_string(argument.place) + ": ";
  try {
    if (kind == "zeros" || kind == "iota") {
      return generate(kind, colon == std::string::npos ? "" : argument.content.substr(colon + 1));
    }
    if (colon != std::string::npos && is_type(kind)) return parse_values(argument.content);
  } catch (const Failure& failure) {
    throw Failure{where + failure.message, failure.code};
  }
  std::vector<uint8_t> bytes;
  std::string error;
  if (!read_file(argument.content, bytes, error)) throw Failure{where + error, kInput};
  return bytes;
}

void parse_grid(const std::string& text, uint32_t (&grid)[3]) {
  grid[0] = grid[1] = grid[2] = 1;
  const std::vector<std::string_view> parts = split(text, ',');
  bool good = parts.size() <= 3;
  for (size_t i = 0; good && i < parts.size(); ++i) good = parse_unsigned(parts[i], UINT32_MAX, grid[i]);
  if (!good) throw Failure{"--dispatch " + text + ": expected X,Y,Z workgroups"};
}

}  // namespace spalt_tool
