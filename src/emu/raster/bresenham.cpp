// SPDX-License-Identifier: MIT
#include "emu/raster/bresenham.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "emu/raster/line_shapes.h"
#include "emu/raster/viewport.h"

namespace spalt::emu {
namespace {

constexpr int64_t kHalf = kSubpixels / 2;

int64_t floor_divide(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return a % b < 0 ? quotient - 1 : quotient;
}

/// A point by its coordinate along the major axis, in whose direction the line is longer, and along the other one.
struct AxisPoint {
  int64_t major = 0, minor = 0;
};

class Line {
 public:
  Line(const GridPoint& a, const GridPoint& b, int64_t width) {
    x_is_major_ = std::abs(int64_t{b.x} - a.x) >= std::abs(int64_t{b.y} - a.y);
    const int64_t shift = (width - 1) * kHalf;  // of wide lines
    a_ = x_is_major_ ? AxisPoint{a.x, a.y - shift} : AxisPoint{a.y, a.x - shift};
    b_ = x_is_major_ ? AxisPoint{b.x, b.y - shift} : AxisPoint{b.y, b.x - shift};
    forward_ = b_.major >= a_.major;
  }

  bool x_is_major() const { return x_is_major_; }
  bool has_length() const { return a_.major != b_.major; }
  int64_t step() const { return forward_ ? 1 : -1; }

  /// The first column, seen from a, that is drawn; and the first one that is not drawn any more.
  int64_t first_column() const {
    return first_where([&](int64_t column) { return !leaves_before(a_, column); });
  }
  int64_t end_column() const {
    const int64_t from = floor_divide(b_.major, kSubpixels) - step() * 2;
    int64_t column = from;
    while (leaves_before(b_, column)) column += step();
    return column;
  }

  /// Where the line is at the centre of a column.
  int64_t row_of(int64_t column) const {
    const int64_t center = column * kSubpixels + kHalf;
    int64_t run = b_.major - a_.major, rise = b_.minor - a_.minor;
    if (run < 0) run = -run, rise = -rise;
    const int64_t numerator = a_.minor * run + (center - a_.major) * rise;
    const int64_t row = floor_divide(numerator, run * kSubpixels);
    // Between two rows: x moves by e, which for steep lines is toward the row before, for others toward where the line
    // comes from or goes to.
    const bool between = row * run * kSubpixels == numerator;
    return between && !(x_is_major_ && rise > 0) ? row - 1 : row;
  }

 private:
  template <class Predicate>
  int64_t first_where(Predicate predicate) const {
    int64_t column = floor_divide(a_.major, kSubpixels) - step() * 2;
    while (!predicate(column)) column += step();
    return column;
  }

  /// Whether an end of the line is beyond the diamond of a column's fragment, as seen in the direction of the line.
  bool leaves_before(const AxisPoint& end, int64_t column) const {
    const int64_t u = end.major - (column * kSubpixels + kHalf);
    const int64_t v = end.minor - (row_of(column) * kSubpixels + kHalf);
    const int64_t distance = std::abs(u) + std::abs(v);
    const bool moves_inward = (x_is_major_ ? u : v) > 0;  // when x becomes smaller by e
    if (distance < kHalf || (distance == kHalf && moves_inward)) return false;
    return forward_ ? u > 0 : u <= 0;
  }

  AxisPoint a_, b_;
  bool x_is_major_ = true, forward_ = true;
};

/// Rows of a column.
struct Run {
  int64_t first = 0, end = 0;
  bool has(int64_t row) const { return row >= first && row < end; }
};

/// The bounds as ranges along the two axes.
struct AxisBounds {
  Run major, minor;
};

AxisBounds axis_bounds(const PixelRect& bounds, bool x_is_major) {
  const Run x{std::max(bounds.x0, 0), std::min(bounds.x1, kMaxExtent)};
  const Run y{std::max(bounds.y0, 0), std::min(bounds.y1, kMaxExtent)};
  return x_is_major ? AxisBounds{x, y} : AxisBounds{y, x};
}

Run common(const Run& a, const Run& b) {
  return {std::max(a.first, b.first), std::min(a.end, b.end)};
}

/// Emits the quads of two columns, the first of them even.
void emit_pair(int64_t column, const std::array<Run, 2>& runs, bool x_is_major, uint16_t all_samples, QuadSink& sink) {
  int64_t first = INT64_MAX, end = INT64_MIN;
  for (const Run& run : runs) {
    if (run.first >= run.end) continue;
    first = std::min(first, run.first);
    end = std::max(end, run.end);
  }
  for (int64_t row = first & -2; row < end; row += 2) {
    RasterQuad quad;
    quad.x = static_cast<int32_t>(x_is_major ? column : row);
    quad.y = static_cast<int32_t>(x_is_major ? row : column);
    for (int64_t i = 0; i < 4; ++i) {
      const int64_t across = x_is_major ? i & 1 : i >> 1, along = x_is_major ? i >> 1 : i & 1;
      if (runs[static_cast<size_t>(across)].has(row + along)) quad.coverage[static_cast<size_t>(i)] = all_samples;
    }
    if (std::any_of(quad.coverage.begin(), quad.coverage.end(), [](uint16_t c) { return c != 0; })) {
      sink.quads({&quad, 1});
    }
  }
}

}  // namespace

uint32_t draw_bresenham(const GridPoint& a, const GridPoint& b, const LineStyle& style, double counter,
                        uint16_t all_samples, const PixelRect& bounds, QuadSink& sink) {
  const auto width = static_cast<int64_t>(std::max(std::nearbyint(usable_line_width(style.width)), 1.0f));
  const Line line(a, b, width);
  if (!line.has_length()) return 0;
  const int64_t first = line.first_column(), end = line.end_column(), step = line.step();
  if ((end - first) * step <= 0) return 0;

  const AxisBounds inside = axis_bounds(bounds, line.x_is_major());
  const Run columns = common(step > 0 ? Run{first, end} : Run{end + 1, first + 1}, inside.major);
  const auto rows_of = [&](int64_t column) -> Run {
    if (!columns.has(column)) return {};
    if (style.stippled && !stipple_bit(style, counter + static_cast<double>((column - first) * step))) return {};
    const int64_t row = line.row_of(column);
    return common({row, row + width}, inside.minor);
  };
  if (columns.first < columns.end) {
    const int64_t from = columns.first & -2, to = (columns.end - 1) & -2;
    for (int64_t i = from; i <= to; i += 2) {
      const int64_t column = step > 0 ? i : from + to - i;
      emit_pair(column, {rows_of(column), rows_of(column + 1)}, line.x_is_major(), all_samples, sink);
    }
  }
  return static_cast<uint32_t>((end - first) * step);
}

}  // namespace spalt::emu
