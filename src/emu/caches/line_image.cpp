// SPDX-License-Identifier: MIT
#include "emu/caches/line_image.h"

#include <algorithm>
#include <bit>
#include <functional>

#include "base/bits.h"

namespace spalt::emu {
namespace {

/// Segments are aligned like what they are an image of: aligned dwords move as atomics.
constexpr size_t kAlignment = 16;

bool begins_before(const Line& a, const Line& b) {
  return std::less<>()(a.memory, b.memory);
}

/// The first byte that the lane moves, or nullptr.
const uint8_t* first_byte(const Transfer& t, unsigned lane) {
  for (unsigned c = 0; c < t.components; ++c) {
    if (!t.moves(lane, c)) continue;
    return t.crosses(lane) ? t.crossing_byte(lane, c * t.component_bytes) : t.component(lane, c);
  }
  return nullptr;
}

}  // namespace

void LineImage::lay_out(std::vector<Line>& lines, const Transfer& transfer) {
  segments_.clear();
  std::sort(lines.begin(), lines.end(), begins_before);
  const size_t stride = std::max(transfer.component_stride, transfer.scratch_stride);
  size_t size = 0;
  for (const Line& line : lines) {
    uint8_t* end = line.memory + line.bytes;
    if (!segments_.empty() && !std::less<>()(segments_.back().end + stride, line.memory)) {
      segments_.back().end = std::max(segments_.back().end, end, std::less<>());
    } else {
      size = align_up(size, kAlignment) + reinterpret_cast<uintptr_t>(line.memory) % kAlignment;
      segments_.push_back({line.memory, end, size});
    }
    size = segments_.back().offset + static_cast<size_t>(segments_.back().end - segments_.back().begin);
  }
  bytes_.resize(size);
}

const LineImage::Segment* LineImage::segment_of(const uint8_t* memory) const {
  const auto after =
      std::upper_bound(segments_.begin(), segments_.end(), memory,
                       [](const uint8_t* at, const Segment& segment) { return std::less<>()(at, segment.begin); });
  if (after == segments_.begin() || !std::less<>()(memory, (after - 1)->end)) return nullptr;
  return &*(after - 1);
}

uint8_t* LineImage::at(const Line& line) {
  const Segment& segment = *segment_of(line.memory);
  return bytes_.data() + segment.offset + (line.memory - segment.begin);
}

void LineImage::perform_texels(Transfer& transfer, uint32_t* vgprs) {
  const std::vector<Tap> taps = transfer.texels.taps;
  transfer.texels.for_each_texel([this](Tap& tap) {
    const Segment* segment = segment_of(tap.place);
    if (segment != nullptr) tap.place = bytes_.data() + segment->offset + (tap.place - segment->begin);
  });
  emu::perform(transfer, vgprs);
  transfer.texels.taps = taps;
}

void LineImage::perform(Transfer& transfer, uint32_t* vgprs) {
  if (transfer.texels.kind != TexelRead::Kind::none) return perform_texels(transfer, vgprs);
  const auto hosts = transfer.host;
  for (uint64_t rest = transfer.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    if (transfer.host[lane] == nullptr) continue;
    const uint8_t* first = first_byte(transfer, lane);
    const Segment* segment = first != nullptr ? segment_of(first) : nullptr;
    if (segment == nullptr) continue;
    transfer.host[lane] = bytes_.data() + segment->offset + (transfer.host[lane] - segment->begin);
  }
  emu::perform(transfer, vgprs);
  transfer.host = hosts;
}

}  // namespace spalt::emu
