// SPDX-License-Identifier: MIT
//
// A line of capital letters made of squares, and how far points are from its outline.
#pragma once

#include <string>

namespace spalt::scenes {

class GlyphLine {
 public:
  /// Throws Error for a character that has no shape.
  explicit GlyphLine(const std::string& text);

  /// With a margin of one square.
  double width() const { return columns_ + 2.0; }
  double height() const;
  /// In squares, greater than 0 inside.
  double distance(double x, double y) const;

 private:
  bool is_filled(int column, int row) const;

  std::string text_;
  int columns_;
};

}  // namespace spalt::scenes
