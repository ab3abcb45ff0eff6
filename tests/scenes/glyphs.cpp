// SPDX-License-Identifier: MIT
#include "glyphs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "scene.h"

namespace spalt::scenes {
namespace {

constexpr int kColumns = 5;
constexpr int kRows = 7;
constexpr int kAdvance = kColumns + 1;

struct Glyph {
  char letter;
  std::array<uint8_t, kRows> rows;  // the leftmost square is bit 4
};

constexpr Glyph kGlyphs[] = {
    {' ', {0, 0, 0, 0, 0, 0, 0}},
    {'A', {0x0e, 0x11, 0x11, 0x1f, 0x11, 0x11, 0x11}},
    {'L', {0x10, 0x10, 0x10, 0x10, 0x10, 0x10, 0x1f}},
    {'P', {0x1e, 0x11, 0x11, 0x1e, 0x10, 0x10, 0x10}},
    {'R', {0x1e, 0x11, 0x11, 0x1e, 0x14, 0x12, 0x11}},
    {'S', {0x0f, 0x10, 0x10, 0x0e, 0x01, 0x01, 0x1e}},
    {'T', {0x1f, 0x04, 0x04, 0x04, 0x04, 0x04, 0x04}},
};

const Glyph* find_glyph(char letter) {
  for (const Glyph& glyph : kGlyphs) {
    if (glyph.letter == letter) return &glyph;
  }
  return nullptr;
}

}  // namespace

GlyphLine::GlyphLine(const std::string& text) : text_(text), columns_(static_cast<int>(text.size()) * kAdvance - 1) {
  for (const char letter : text) {
    if (find_glyph(letter) == nullptr) throw Error(std::string("there is no glyph of '") + letter + "'");
  }
  if (text.empty()) throw Error("a text is empty");
}

double GlyphLine::height() const {
  return kRows + 2.0;
}

bool GlyphLine::is_filled(int column, int row) const {
  if (column < 0 || column >= columns_ || row < 0 || row >= kRows || column % kAdvance == kColumns) return false;
  const Glyph* glyph = find_glyph(text_[static_cast<size_t>(column / kAdvance)]);
  return (glyph->rows[static_cast<size_t>(row)] >> (kColumns - 1 - column % kAdvance) & 1) != 0;
}

double GlyphLine::distance(double x, double y) const {
  x -= 1;
  y -= 1;
  const auto column = static_cast<int>(std::floor(x));
  const auto row = static_cast<int>(std::floor(y));
  const bool inside = is_filled(column, row);
  // The nearest square of the other kind, within the margin; farther away the exact distance does not matter.
  constexpr int kReach = 3;
  double nearest = kReach;
  for (int dy = -kReach; dy <= kReach; ++dy) {
    for (int dx = -kReach; dx <= kReach; ++dx) {
      if (is_filled(column + dx, row + dy) == inside) continue;
      const double left = column + dx - x;
      const double top = row + dy - y;
      const double across = std::max({left, 0.0, -left - 1});
      const double down = std::max({top, 0.0, -top - 1});
      nearest = std::min(nearest, std::hypot(across, down));
    }
  }
  return inside ? nearest : -nearest;
}

}  // namespace spalt::scenes
