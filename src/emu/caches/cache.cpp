// SPDX-License-Identifier: MIT
#include "emu/caches/cache.h"

#include <algorithm>
#include <functional>

namespace spalt::emu {
namespace {

bool host_before(const Mapping& a, const Mapping& b) {
  return std::less<>()(a.host, b.host);
}

}  // namespace

LineMap::LineMap(const Memory& memory, uint32_t line_bytes) : line_bytes_(line_bytes) {
  memory.for_each([this](const Mapping& mapping) { by_host_.push_back(mapping); });
  std::sort(by_host_.begin(), by_host_.end(), host_before);
}

void LineMap::add_lines(const uint8_t* host, uint64_t bytes, std::vector<Line>& lines) const {
  const auto behind = std::upper_bound(by_host_.begin(), by_host_.end(), host,
                                       [](const uint8_t* at, const Mapping& a) { return std::less<>()(at, a.host); });
  if (behind == by_host_.begin()) return;
  const Mapping& in = *(behind - 1);
  const auto offset = static_cast<uint64_t>(host - in.host);
  if (offset >= in.size) return;
  const uint64_t first = in.base + offset, last = first + bytes - 1, mask = ~uint64_t{line_bytes_ - 1};
  for (uint64_t start = first & mask; start <= last; start += line_bytes_) {
    const uint64_t begin = std::max(start, in.base), end = std::min(start + line_bytes_, in.base + in.size);
    const Line line{begin, in.host + (begin - in.base), static_cast<uint32_t>(end - begin)};
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(line);
  }
}

void Cache::fill(const Line& line) {
  const auto [at, is_new] = lines_.try_emplace(line.address);
  if (is_new) at->second.assign(line.memory, line.memory + line.bytes);
}

void Cache::drop_any(Random& random) {
  if (lines_.empty()) return;
  auto at = lines_.begin();
  std::advance(at, random.below(static_cast<unsigned>(lines_.size())));
  lines_.erase(at);
}

void Cache::exchange(std::span<const Line> lines) {
  for (const Line& line : lines) {
    const auto at = lines_.find(line.address);
    if (at != lines_.end()) std::swap_ranges(at->second.begin(), at->second.end(), line.memory);
  }
}

}  // namespace spalt::emu
