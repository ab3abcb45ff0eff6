// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "base/random.h"
#include "emu/memory/guest_memory.h"

namespace spalt::emu {

/// A line of guest memory, cut off where its mapping ends. Its address names it.
struct Line {
  uint64_t address = 0;
  uint8_t* memory = nullptr;
  uint32_t bytes = 0;
  bool operator==(const Line& other) const { return address == other.address; }
};

/// Finds lines by the host memory that transfers point to.
class LineMap {
 public:
  LineMap(const Memory& memory, uint32_t line_bytes);
  /// Adds the lines of `bytes` bytes from `host` on that are not in the list yet. Bytes that are not guest memory, as
  /// LDS is not, have none.
  void add_lines(const uint8_t* host, uint64_t bytes, std::vector<Line>& lines) const;

 private:
  std::vector<Mapping> by_host_;  ///< sorted by host address
  uint32_t line_bytes_;
};

/// Copies of lines as they were when they were filled.
class Cache {
 public:
  bool holds(const Line& line) const { return lines_.contains(line.address); }
  /// Copies the line from memory; nothing when it is there.
  void fill(const Line& line);
  void drop(const Line& line) { lines_.erase(line.address); }
  void clear() { lines_.clear(); }
  void drop_any(Random& random);
  /// Memory and the copies of these lines, where there are any, change places. Twice is nothing.
  void exchange(std::span<const Line> lines);

 private:
  std::map<uint64_t, std::vector<uint8_t>> lines_;
};

}  // namespace spalt::emu
