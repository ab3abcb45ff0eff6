// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "base/random.h"
#include "emu/memory/guest_memory.h"

namespace spalt::emu {

/// A line of guest memory, cut off where its mapping ends. Its address names it.
struct Line {
  uint64_t address = 0;
  uint8_t* memory = nullptr;
  uint32_t bytes = 0;
  bool cached = true;    ///< caches may hold it
  bool lasting = false;  ///< its mapping is of the address space, not of one run
  bool operator==(const Line& other) const { return address == other.address; }
};

/// Finds lines by the host memory that transfers point to.
class LineMap {
 public:
  LineMap() = default;
  LineMap(const Memory& memory, uint32_t line_bytes);
  /// Adds the lines of `bytes` bytes from `host` on that are not in the list yet. Bytes that are not guest memory, as
  /// LDS is not, have none.
  void add_lines(const uint8_t* host, uint64_t bytes, std::vector<Line>& lines) const;

  /// Calls visit(first address, bytes) for each mapping here that `later` has not, or has not for as long.
  template <class Visit>
  void for_each_gone(const LineMap& later, Visit visit) const {
    for (const Range& range : by_host_) {
      if (!later.has(range)) visit(range.base, range.size);
    }
  }

 private:
  /// A mapping, as much as is wanted of it.
  struct Range {
    uint8_t* host;
    uint64_t base, size, serial;
    bool cached;
  };
  bool has(const Range& range) const;
  /// The last range that does not begin after `host`, or nullptr.
  const Range* at_or_before(const uint8_t* host) const;

  std::vector<Range> by_host_;  ///< sorted by host address
  uint32_t line_bytes_ = 0;
};

/// Copies of lines as they were when they were filled, and what was stored into them since.
class Cache {
 public:
  bool holds(const Line& line) const { return lines_.contains(line.address); }
  /// The copy, or nullptr.
  uint8_t* find(const Line& line);
  /// Copies the line from `from`; nothing when it is there. A full cache drops another line. Returns the copy.
  uint8_t* fill(const Line& line, const uint8_t* from);
  void drop(const Line& line) { lines_.erase(line.address); }
  void drop_range(uint64_t first, uint64_t bytes);
  void drop_any(Random& random);
  void clear() { lines_.clear(); }

 private:
  /// More than real ones have, which would hide stale lines; a bound for dispatch after dispatch.
  static constexpr size_t kMaxLines = 1024;
  std::map<uint64_t, std::vector<uint8_t>> lines_;
};

}  // namespace spalt::emu
