// SPDX-License-Identifier: MIT
#include "emu/caches/cache.h"

#include <algorithm>
#include <functional>

namespace spalt::emu {
namespace {

/// Memory that other host threads may write at the same time: other devices, the application.
void copy_memory(uint8_t* to, const uint8_t* from, size_t bytes) {
  for (size_t i = 0; i < bytes;) {
    if (reinterpret_cast<uintptr_t>(from + i) % 4 == 0 && bytes - i >= 4) {
      const uint32_t dword = __atomic_load_n(reinterpret_cast<const uint32_t*>(from + i), __ATOMIC_RELAXED);
      std::copy_n(reinterpret_cast<const uint8_t*>(&dword), 4, to + i);
      i += 4;
    } else {
      to[i] = __atomic_load_n(from + i, __ATOMIC_RELAXED);
      ++i;
    }
  }
}

}  // namespace

LineMap::LineMap(const Memory& memory, uint32_t line_bytes) : line_bytes_(line_bytes) {
  memory.for_each([this](const Mapping& mapping) {
    if (!mapping.is_resident()) return;
    by_host_.push_back({mapping.host, mapping.base, mapping.size, mapping.serial, mapping.cached});
  });
  std::sort(by_host_.begin(), by_host_.end(),
            [](const Range& a, const Range& b) { return std::less<>()(a.host, b.host); });
}

const LineMap::Range* LineMap::at_or_before(const uint8_t* host) const {
  const auto after = std::upper_bound(by_host_.begin(), by_host_.end(), host,
                                      [](const uint8_t* at, const Range& a) { return std::less<>()(at, a.host); });
  return after == by_host_.begin() ? nullptr : &*(after - 1);
}

bool LineMap::has(const Range& range) const {
  if (range.serial == 0) return false;
  // Several mappings may show the same host memory.
  for (const Range* at = at_or_before(range.host); at != nullptr && at->host == range.host; --at) {
    if (at->serial == range.serial) return true;
    if (at == by_host_.data()) break;
  }
  return false;
}

void LineMap::add_lines(const uint8_t* host, uint64_t bytes, std::vector<Line>& lines) const {
  const Range* in = at_or_before(host);
  if (in == nullptr) return;
  const auto offset = static_cast<uint64_t>(host - in->host);
  if (offset >= in->size) return;
  const uint64_t first = in->base + offset, last = first + bytes - 1, mask = ~uint64_t{line_bytes_ - 1};
  // Neither the last line of all addresses nor the one after it is passed.
  for (uint64_t start = first & mask;; start += line_bytes_) {
    const uint64_t begin = std::max(start, in->base);
    const uint64_t end = std::min(start + (line_bytes_ - 1), in->base + (in->size - 1));
    const auto size = static_cast<uint32_t>(end - begin + 1);
    const Line line{begin, in->host + (begin - in->base), size, in->cached, in->serial != 0};
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
    if (last - start < line_bytes_) break;
  }
}

uint8_t* Cache::find(const Line& line) {
  const auto at = lines_.find(line.address);
  return at == lines_.end() ? nullptr : at->second.data();
}

uint8_t* Cache::fill(const Line& line, const uint8_t* from) {
  if (uint8_t* there = find(line); there != nullptr) return there;
  if (lines_.size() >= kMaxLines) {
    const auto after = lines_.upper_bound(line.address);
    lines_.erase(after != lines_.end() ? after : lines_.begin());
  }
  std::vector<uint8_t>& copy = lines_[line.address];
  copy.resize(line.bytes);
  copy_memory(copy.data(), from, line.bytes);
  return copy.data();
}

void Cache::drop_range(uint64_t first, uint64_t bytes) {
  lines_.erase(lines_.lower_bound(first), lines_.upper_bound(first + bytes - 1));
}

void Cache::drop_any(Random& random) {
  if (lines_.empty()) return;
  auto at = lines_.begin();
  std::advance(at, random.below(static_cast<unsigned>(lines_.size())));
  lines_.erase(at);
}

}  // namespace spalt::emu
