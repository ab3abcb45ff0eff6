// SPDX-License-Identifier: MIT
#include "run_values.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstring>

#include "files.h"

namespace spalt_tool {
namespace {

constexpr size_t kMostBytes = size_t{1} << 32;

bool parse_unsigned(std::string_view text, uint64_t& value) {
  const int base = text.starts_with("0x") ? 16 : 10;
  if (base == 16) text.remove_prefix(2);
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && !text.empty();
}

bool parse_number(std::string_view type, std::string_view text, uint32_t& bits) {
  if (type == "f32") {
    float value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    bits = std::bit_cast<uint32_t>(value);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size() && !text.empty();
  }
  const bool negative = type == "i32" && text.starts_with('-');
  if (negative) text.remove_prefix(1);
  uint64_t value = 0;
  if (!parse_unsigned(text, value) || value > (negative ? 0x80000000u : 0xffffffffu)) return false;
  bits = negative ? 0u - static_cast<uint32_t>(value) : static_cast<uint32_t>(value);
  return true;
}

bool is_type(std::string_view text) {
  return text == "u32" || text == "i32" || text == "f32";
}

bool parse_name(std::string_view text, BufferName& name) {
  const size_t colon = text.find(':');
  if (colon == std::string_view::npos) return false;
  std::string_view binding = text.substr(colon + 1);
  uint64_t set = 0, number = 0, element = 0;
  if (const size_t bracket = binding.find('['); bracket != std::string_view::npos) {
    if (!binding.ends_with(']')) return false;
    if (!parse_unsigned(binding.substr(bracket + 1, binding.size() - bracket - 2), element)) return false;
    binding = binding.substr(0, bracket);
  }
  if (!parse_unsigned(text.substr(0, colon), set) || !parse_unsigned(binding, number)) return false;
  if (std::max({set, number, element}) > UINT32_MAX) return false;
  name = {static_cast<uint32_t>(set), static_cast<uint32_t>(number), static_cast<uint32_t>(element)};
  return true;
}

void append(std::vector<uint8_t>& bytes, uint32_t word) {
  const auto* begin = reinterpret_cast<const uint8_t*>(&word);
  bytes.insert(bytes.end(), begin, begin + 4);
}

bool fill(const std::string& content, std::vector<uint8_t>& bytes, std::string& error) {
  const size_t colon = content.find(':');
  const std::string kind = content.substr(0, colon);
  const std::string rest = colon == std::string::npos ? "" : content.substr(colon + 1);
  uint64_t count = 0;
  if (kind == "zeros" || kind == "iota") {
    if (!parse_unsigned(rest, count) || count > kMostBytes / 4) {
      error = kind + ": expected a " + (kind == "zeros" ? "number of bytes" : "count");
      return false;
    }
    if (kind == "zeros") bytes.assign(count, 0);
    for (uint32_t i = 0; kind == "iota" && i < count; ++i) append(bytes, i);
    return true;
  }
  if (is_type(kind)) return parse_values(content, bytes, error);
  return read_file(content, bytes, error);
}

}  // namespace

bool parse_values(const std::string& text, std::vector<uint8_t>& bytes, std::string& error) {
  std::string type = "u32";
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    std::string item = text.substr(begin, comma - begin);
    begin = comma + 1;
    if (const size_t colon = item.find(':'); colon != std::string::npos) {
      type = item.substr(0, colon);
      item = item.substr(colon + 1);
    }
    uint32_t bits = 0;
    if (!is_type(type) || !parse_number(type, item, bits)) {
      error = "'" + item + "' is no " + type + " value; expected for example u32:1,0x10,f32:2.5";
      return false;
    }
    append(bytes, bits);
  }
  return true;
}

bool parse_buffer(const std::string& text, Buffer& buffer, std::string& error) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos || !parse_name(std::string_view(text).substr(0, equals), buffer.name)) {
    error = "--buffer " + text + ": expected SET:BINDING=CONTENT, for example 0:1=zeros:1024";
    return false;
  }
  if (fill(text.substr(equals + 1), buffer.bytes, error)) return true;
  error = "--buffer " + text + ": " + error;
  return false;
}

bool parse_print(const std::string& text, PrintRequest& request, std::string& error) {
  // The name holds a colon itself: SET:BINDING:TYPE[:COUNT].
  const size_t first = text.find(':');
  const size_t second = first == std::string::npos ? first : text.find(':', first + 1);
  error = "--print " + text + ": expected SET:BINDING:TYPE[:COUNT] with type u32, i32, f32 or hex";
  if (second == std::string::npos || !parse_name(std::string_view(text).substr(0, second), request.name)) return false;
  const size_t third = text.find(':', second + 1);
  request.type = text.substr(second + 1, third == std::string::npos ? third : third - second - 1);
  if (!is_type(request.type) && request.type != "hex") return false;
  uint64_t count = 0;
  if (third != std::string::npos && !parse_unsigned(std::string_view(text).substr(third + 1), count)) return false;
  request.count = count;
  error.clear();
  return true;
}

bool parse_grid(const std::string& text, uint32_t grid[3], std::string& error) {
  grid[0] = grid[1] = grid[2] = 1;
  size_t begin = 0;
  for (unsigned i = 0; begin <= text.size(); ++i) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    uint64_t value = 0;
    if (i >= 3 || !parse_unsigned(std::string_view(text).substr(begin, comma - begin), value) || value > UINT32_MAX) {
      error = "--dispatch " + text + ": expected X,Y,Z workgroups";
      return false;
    }
    grid[i] = static_cast<uint32_t>(value);
    begin = comma + 1;
  }
  return true;
}

void print_buffer(const Buffer& buffer, const PrintRequest& request) {
  size_t count = buffer.bytes.size() / 4;
  if (request.count != 0) count = std::min(count, request.count);
  for (size_t i = 0; i < count; ++i) {
    uint32_t word = 0;
    std::memcpy(&word, buffer.bytes.data() + i * 4, 4);
    if (request.type == "f32") {
      std::printf("%.9g\n", static_cast<double>(std::bit_cast<float>(word)));
    } else if (request.type == "i32") {
      std::printf("%d\n", static_cast<int32_t>(word));
    } else {
      std::printf(request.type == "hex" ? "0x%08x\n" : "%u\n", word);
    }
  }
}

}  // namespace spalt_tool
