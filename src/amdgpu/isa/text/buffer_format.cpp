// SPDX-License-Identifier: MIT
// The formats are what their names say (text_formats.cpp): widths of the channels from the most significant one down,
// so that x, in the least significant bits, comes last; then the number format.
#include "amdgpu/isa/text/buffer_format.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "amdgpu/isa/codec/layout_family.h"
#include "amdgpu/isa/text/modifiers.h"

namespace spalt::isa {
namespace {

NumberFormat number_format(std::string_view name) {
  const auto names = number_format_names();
  const auto at = std::find(names.begin(), names.end(), name);
  return at == names.end() ? NumberFormat::reserved : static_cast<NumberFormat>(at - names.begin());
}

/// "11_11_10_FLOAT": channels x of 10 bits, y and z of 11.
BufferFormat parse(std::string_view name) {
  BufferFormat format;
  const size_t last = name.rfind('_');
  if (last == std::string_view::npos) return format;
  format.number = number_format(name.substr(last + 1));
  std::string_view widths = name.substr(0, last);
  unsigned total = 0;
  while (!widths.empty()) {
    const size_t separator = widths.rfind('_');
    const std::string_view width = widths.substr(separator == std::string_view::npos ? 0 : separator + 1);
    unsigned bits = 0;
    for (const char digit : width) bits = bits * 10 + static_cast<unsigned>(digit - '0');
    format.bits[format.channels] = static_cast<uint8_t>(bits);
    format.offset[format.channels++] = static_cast<uint8_t>(total);
    total += bits;
    widths = separator == std::string_view::npos ? std::string_view() : widths.substr(0, separator);
  }
  format.bytes = static_cast<uint8_t>(total / 8);
  return format;
}

using Table = std::vector<BufferFormat>;

Table unified_table(Generation generation) {
  Table table;
  for (const char* name : buffer_format_names(generation)) table.push_back(parse(name));
  return table;
}

/// GFX9 has every pair of a data and a number format; those that a name of GFX10 exists for mean something.
Table split_table() {
  const auto known = buffer_format_names(Generation::gfx10_3);
  Table table;
  for (const char* number : number_format_names()) {
    for (const char* data : data_format_names()) {
      const std::string name = std::string(data) + "_" + number;
      const bool exists = std::find(known.begin(), known.end(), name) != known.end();
      table.push_back(exists ? parse(name) : BufferFormat());
    }
  }
  return table;
}

const Table& table_of(Family family) {
  static const Table kSplit = split_table(), k10 = unified_table(Generation::gfx10_3),
                     k11 = unified_table(Generation::gfx11);
  if (family == Family::gfx9) return kSplit;
  return family == Family::gfx10 ? k10 : k11;
}

}  // namespace

const BufferFormat* buffer_format(Generation generation, unsigned code) {
  const Table& table = table_of(family_of(generation));
  return code < table.size() && table[code].channels != 0 ? &table[code] : nullptr;
}

}  // namespace spalt::isa
