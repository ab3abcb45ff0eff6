// SPDX-License-Identifier: MIT
//
// What Vulkan 1.1 to 1.3 added to compute shaders.
#include <algorithm>
#include <array>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

void inline_blocks(const Manifest& manifest, BufferContents& b) {
  const std::span<const uint32_t> table = u32(b, 0), words = u32(b, 1);
  const std::span<const uint32_t> key = u32(b, 2);
  const uint32_t first = table[24], second = table[25];
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    const uint32_t which = dispatch.push[0], terms = dispatch.push[1];
    uint32_t sum = 0;
    for (uint32_t k = 0; k < terms; ++k) sum += table[k % 6 * 4 + 2] * (k + second);
    for (uint32_t i = 0; i < 64; ++i) {
      const uint32_t own = table[words[i] % 6 * 4 + (i & 3)];
      const std::array<uint32_t, 4> result = {table[which * 4 + 1] + first * table[26], own, sum + table[27],
                                              (words[i] ^ key[0]) >> key[2] | words[i] << key[3]};
      for (uint32_t c = 0; c < 4; ++c) u32(b, 3)[i * 4 + c] = result[c];
      u32(b, 4)[i] += own;
      u32(b, 5)[63 - i] = (words[i] >> 16) / 4;
    }
  }
}

void zeroed_shared(const Manifest& manifest, BufferContents& b) {
  for (const vkrun::Dispatch& dispatch : manifest.dispatches) {
    for (uint32_t group = 0; group < dispatch.groups[0]; ++group) {
      uint32_t* const results = &u32(b, 1)[dispatch.push[0] + group * 306];
      std::fill_n(results, 306, 0u);
      for (uint32_t k = 0; k < 256; ++k) {
        const uint32_t word = u32(b, 0)[group * 256 + k];
        ++results[word % 300];
        results[300 + word % 5] += word >> 24;
        results[305] = std::max(results[305], word);
      }
    }
  }
}

constexpr Reference kReferences[] = {
    {"inline_blocks", inline_blocks},
    {"zeroed_shared", zeroed_shared},
};

}  // namespace

std::span<const Reference> vulkan13_references() {
  return kReferences;
}

}  // namespace spalt::run
