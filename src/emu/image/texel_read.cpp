// SPDX-License-Identifier: MIT
#include "emu/image/texel_read.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "emu/image/texel_value.h"
#include "emu/memory/lane_access.h"

namespace spalt::emu {
namespace {

using texel::Texel;

constexpr uint32_t kJunk = 0xcdcdcdcd;
using Reduction = TexelRead::Reduction;

const std::byte* bytes_at(const uint8_t* place) {
  return reinterpret_cast<const std::byte*>(place);
}

/// `reference op value`; comparisons with a NaN are false, but for "not equal" and "always".
bool compares(uint8_t op, float reference, float value) {
  switch (op) {
    case 0:
      return false;
    case 1:
      return reference < value;
    case 2:
      return reference == value;
    case 3:
      return reference <= value;
    case 4:
      return reference > value;
    case 5:
      return reference != value;
    case 6:
      return reference >= value;
    default:
      return true;
  }
}

/// Reads the texels of one transfer. Blocks that were decoded last stay decoded: neighbours often share them. A texel
/// is read in its place, one component at a time: a copy of all four waits for the stores that have just made them.
class TexelReader {
 public:
  explicit TexelReader(const TexelRead& read)
      : read_(read),
        codec_(texel::codec_of(read.layout)),
        compressed_(texel::facts(read.layout.shape).is_compressed()) {}

  /// Until the next one is read.
  const Texel& operator()(const Tap& tap) {
    switch (tap.kind) {
      case Tap::Kind::absent:
      case Tap::Kind::zero:
        return kZero;
      case Tap::Kind::border:
        return read_.border;
      case Tap::Kind::texel:
        break;
    }
    if (compressed_) return block(tap.place)[tap.in_block];
    codec_.decode(bytes_at(tap.place), texel_);
    return texel_;
  }

  /// The texel as the filter takes it, until the next one is read.
  const Texel& value(const Tap& tap, float reference) {
    const Texel& texel = (*this)(tap);
    if (read_.compare == TexelRead::kNoCompare || tap.kind == Tap::Kind::zero) return texel;
    texel_ = {as_bits(compares(read_.compare, reference, as_float(texel[0])) ? 1.0F : 0.0F), 0, 0, 0};
    return texel_;
  }

 private:
  static constexpr Texel kZero{};
  static constexpr unsigned kBlocks = 8;
  struct Block {
    const uint8_t* place = nullptr;
    std::array<Texel, 16> texels;
  };

  const std::array<Texel, 16>& block(const uint8_t* place) {
    Block& block = blocks_[reinterpret_cast<uintptr_t>(place) / read_.texel_bytes % kBlocks];
    if (block.place != place) {
      texel::decode_block(read_.layout, bytes_at(place), block.texels);
      block.place = place;
    }
    return block.texels;
  }

  const TexelRead& read_;
  const texel::Codec& codec_;
  bool compressed_;
  Texel texel_{};
  std::array<Block, kBlocks> blocks_;
};

/// The taps of one lane as the filter takes them, one after the other.
template <class Add>
void for_each_tap(const TexelRead& read, TexelReader& reader, unsigned lane, Add add) {
  const Tap* taps = read.taps.data() + read.first_tap[lane];
  for (unsigned i = 0; i < read.tap_count[lane]; ++i) {
    add(reader.value(taps[i], read.reference[lane]), taps[i].weight);
  }
}

/// Sums are made in double precision and rounded once, so that equal texels give exactly that texel.
Texel average(const TexelRead& read, TexelReader& reader, unsigned lane) {
  std::array<double, 4> sum{};
  double weights = 0;
  for_each_tap(read, reader, lane, [&](const Texel& texel, double weight) {
    for (unsigned c = 0; c < 4; ++c) sum[c] += as_float(texel[c]) * weight;
    weights += weight;
  });
  Texel result;
  for (unsigned c = 0; c < 4; ++c) result[c] = as_bits(static_cast<float>(sum[c] / weights));
  return result;
}

/// A NaN is no candidate unless all are.
Texel extreme(const TexelRead& read, TexelReader& reader, unsigned lane) {
  std::array<float, 4> best;
  best.fill(std::numeric_limits<float>::quiet_NaN());
  for_each_tap(read, reader, lane, [&](const Texel& texel, double) {
    for (unsigned c = 0; c < 4; ++c) {
      const float value = as_float(texel[c]);
      best[c] = read.reduction == Reduction::minimum ? std::fmin(best[c], value) : std::fmax(best[c], value);
    }
  });
  Texel result;
  for (unsigned c = 0; c < 4; ++c) result[c] = as_bits(best[c]);
  return result;
}

Texel filtered(const TexelRead& read, TexelReader& reader, unsigned lane) {
  const unsigned count = read.tap_count[lane];
  if (count == 0) return {};
  // One texel is returned as it is, whatever its bits mean.
  if (count == 1) return reader.value(read.taps[read.first_tap[lane]], read.reference[lane]);
  return read.reduction == Reduction::average ? average(read, reader, lane) : extreme(read, reader, lane);
}

std::array<uint32_t, 4> components_of(const Transfer& transfer, TexelReader& reader, unsigned lane) {
  const TexelRead& read = transfer.texels;
  std::array<uint32_t, 4> values{};
  if (read.kind == TexelRead::Kind::known) {
    for (unsigned i = 0; i < read.results; ++i) values[i] = transfer.data[i][lane];
    return values;
  }
  const texel::Number number = read.compare == TexelRead::kNoCompare ? read.layout.number : texel::Number::floating;
  if (read.kind != TexelRead::Kind::gather) {
    const bool plain = read.kind == TexelRead::Kind::load;
    const Texel texel = plain ? Texel(reader(read.taps[read.first_tap[lane]])) : filtered(read, reader, lane);
    for (unsigned i = 0; i < read.results; ++i) values[i] = select_channel(texel, read.select[i], number);
    return values;
  }
  const Tap* taps = read.taps.data() + read.first_tap[lane];
  for (unsigned i = 0; i < std::min<unsigned>(read.results, read.tap_count[lane]); ++i) {
    values[i] = select_channel(reader.value(taps[i], read.reference[lane]), read.select[i], number);
  }
  return values;
}

}  // namespace

void perform_texel_read(const Transfer& t, uint32_t* dst) {
  const TexelRead& read = t.texels;
  TexelReader reader(read);
  for (uint64_t rest = t.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    write_components(dst, lane, components_of(t, reader, lane), read.results, read.halves, read.layout.number);
    const unsigned written = read.halves ? (read.results + 1u) / 2 : read.results;
    for (unsigned i = written; i < read.registers; ++i) dst[i * kMaxLanes + lane] = kJunk;
  }
}

}  // namespace spalt::emu
