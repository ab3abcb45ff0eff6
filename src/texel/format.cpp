// SPDX-License-Identifier: MIT
#include "texel/format.h"

#include <algorithm>

namespace spalt::texel {
namespace {

constexpr Select select_of(char letter) {
  constexpr char kLetters[] = "01XYZW";
  size_t index = 0;
  while (kLetters[index] != letter) ++index;
  return static_cast<Select>(index);
}

constexpr Swizzle swizzle_of(const char* letters) {
  return {select_of(letters[0]), select_of(letters[1]), select_of(letters[2]), select_of(letters[3])};
}

constexpr uint8_t color = kColor, depth = kDepth, stencil = kStencil, depth_stencil = kDepth | kStencil;

constexpr Format kFormats[] = {
#define SPALT_FORMAT(vk, name, shape, number, swizzle, border, aspects) \
  {vk, #name, {Shape::shape, Number::number}, swizzle_of(#swizzle), swizzle_of(#border), aspects},
#include "texel/formats.def"
#undef SPALT_FORMAT
};

constexpr bool ascending() {
  for (size_t i = 1; i < std::size(kFormats); ++i) {
    if (kFormats[i - 1].vk >= kFormats[i].vk) return false;
  }
  return true;
}
static_assert(ascending());

struct Planes {
  uint32_t both, depth, stencil;
};
constexpr Planes kPlanes[] = {
    {128, 124, 127},  // D16_UNORM_S8_UINT
    {129, 125, 127},  // D24_UNORM_S8_UINT
    {130, 126, 127},  // D32_SFLOAT_S8_UINT
};

}  // namespace

std::span<const Format> formats() {
  return kFormats;
}

const Format* find_format(uint32_t vk) {
  const auto* found = std::lower_bound(std::begin(kFormats), std::end(kFormats), vk,
                                       [](const Format& format, uint32_t number) { return format.vk < number; });
  return found != std::end(kFormats) && found->vk == vk ? found : nullptr;
}

const Format* plane_format(const Format& format, Aspect aspect) {
  if ((format.aspects & aspect) == 0) return nullptr;
  for (const Planes& planes : kPlanes) {
    if (planes.both == format.vk) return find_format(aspect == kDepth ? planes.depth : planes.stencil);
  }
  return &format;
}

}  // namespace spalt::texel
