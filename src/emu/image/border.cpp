// SPDX-License-Identifier: MIT
#include "emu/image/border.h"

#include <cstring>

#include "emu/memory/vmem.h"
#include "texel/codec.h"

namespace spalt::emu {
namespace {

enum BorderType : uint8_t { kTransparentBlack, kOpaqueBlack, kOpaqueWhite, kPalette };
constexpr uint64_t kColorBytes = 16;

/// Which component of the colour each channel gets, by the number of the descriptor.
constexpr std::array<uint8_t, 4> kOrders[8] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {3, 2, 1, 0}, {3, 0, 1, 2},
                                               {2, 1, 0, 3}, {1, 0, 3, 2}, {0, 1, 2, 3}, {0, 1, 2, 3}};

std::optional<texel::Texel> palette_color(Wave& wave, const SamplerDescriptor& sampler, unsigned lane) {
  const uint64_t palette = wave.group().border_colors;
  if (palette == 0) {
    wave.fault(FaultKind::invalid_instruction, "samples a border colour of a palette that the dispatch does not have",
               static_cast<int>(lane));
    return std::nullopt;
  }
  const std::optional<uint8_t*> place =
      locate(wave, TransferKind::load, lane, palette + sampler.border_index * kColorBytes, kColorBytes);
  if (!place) return std::nullopt;
  texel::Texel color{};
  if (*place != nullptr) std::memcpy(color.data(), *place, kColorBytes);
  return color;
}

}  // namespace

std::optional<texel::Texel> border_texel(Wave& wave, const ImageDescriptor& image, const SamplerDescriptor& sampler,
                                         unsigned lane) {
  const uint32_t one = texel::one_of(image.layout.number);
  texel::Texel color{};
  switch (sampler.border_type) {
    case kTransparentBlack:
      return color;
    case kOpaqueBlack:
      color[3] = one;
      break;
    case kOpaqueWhite:
      color.fill(one);
      break;
    default: {
      const auto from_palette = palette_color(wave, sampler, lane);
      if (!from_palette) return std::nullopt;
      color = *from_palette;
    }
  }
  texel::Texel channels;
  for (unsigned channel = 0; channel < 4; ++channel) channels[channel] = color[kOrders[image.border_swizzle][channel]];
  return channels;
}

}  // namespace spalt::emu
