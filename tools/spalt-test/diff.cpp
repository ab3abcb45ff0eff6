// SPDX-License-Identifier: MIT
#include "diff.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "test_file.h"

namespace spalt::golden {
namespace {

using Lines = std::vector<std::string>;

struct Edit {
  char kind;  ///< ' ' kept, '-' only expected, '+' only found
  std::string text;
};

/// Longest common subsequence by dynamic programming over the part between common head and tail. When that part is too
/// large for a table, it is shown as removed and added as a whole.
std::vector<Edit> edits(const Lines& a, const Lines& b) {
  constexpr size_t kLargestTable = 4'000'000;
  size_t head = 0;
  while (head < a.size() && head < b.size() && a[head] == b[head]) ++head;
  size_t tail = 0;
  while (tail < a.size() - head && tail < b.size() - head && a[a.size() - 1 - tail] == b[b.size() - 1 - tail]) ++tail;
  const size_t rows = a.size() - head - tail, columns = b.size() - head - tail;

  std::vector<Edit> out;
  for (size_t i = 0; i < head; ++i) out.push_back({' ', a[i]});
  const bool table_fits = (rows + 1) * (columns + 1) <= kLargestTable;
  std::vector<uint32_t> length(table_fits ? (rows + 1) * (columns + 1) : 0, 0);
  const auto at = [&](size_t row, size_t column) -> uint32_t& { return length[row * (columns + 1) + column]; };
  for (size_t row = rows; table_fits && row-- > 0;) {
    for (size_t column = columns; column-- > 0;) {
      const bool same = a[head + row] == b[head + column];
      at(row, column) = same ? at(row + 1, column + 1) + 1 : std::max(at(row + 1, column), at(row, column + 1));
    }
  }
  size_t row = 0, column = 0;
  while (row < rows || column < columns) {
    if (table_fits && row < rows && column < columns && a[head + row] == b[head + column]) {
      out.push_back({' ', a[head + row++]});
      ++column;
    } else if (row < rows && (!table_fits || column == columns || at(row + 1, column) >= at(row, column + 1))) {
      out.push_back({'-', a[head + row++]});
    } else {
      out.push_back({'+', b[head + column++]});
    }
  }
  for (size_t i = a.size() - tail; i < a.size(); ++i) out.push_back({' ', a[i]});
  return out;
}

}  // namespace

std::string unified_diff(std::string_view expected, std::string_view found) {
  constexpr size_t kContext = 3;
  if (expected == found) return {};
  const std::vector<Edit> all = edits(split_lines(expected), split_lines(found));
  std::vector<bool> shown(all.size(), false);
  for (size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == ' ') continue;
    const size_t begin = i < kContext ? 0 : i - kContext;
    for (size_t j = begin; j < std::min(all.size(), i + kContext + 1); ++j) shown[j] = true;
  }
  std::string out;
  size_t line_a = 1, line_b = 1;
  for (size_t i = 0; i < all.size(); ++i) {
    if (shown[i]) {
      if (i == 0 || !shown[i - 1]) {
        out += "@@ -" + std::to_string(line_a) + " +" + std::to_string(line_b) + " @@\n";
      }
      out += all[i].kind + all[i].text + "\n";
    }
    if (all[i].kind != '+') ++line_a;
    if (all[i].kind != '-') ++line_b;
  }
  return out;
}

}  // namespace spalt::golden
