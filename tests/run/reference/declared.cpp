// SPDX-License-Identifier: MIT
//
// Small programs, each for a capability or extension of SPIR-V that no larger one declares.
#include <algorithm>
#include <bit>
#include <cmath>

#include "images.h"
#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

void memory_model(const Manifest&, BufferContents& b) {
  for (uint32_t group = 0; group < 4; ++group) {
    const auto word = [&](uint32_t lane) { return u32(b, 0)[group * 128 + lane]; };
    for (uint32_t i = 0; i < 128; ++i) {
      const uint32_t partner = (i * 37 + 5) % 128;
      const uint32_t value = word(partner) * 3 + (word(127 - partner) ^ 0x55);
      u32(b, 1)[group * 128 + i] = word(i) * 3;
      u32(b, 2)[group * 128 + i] = value;
      u32(b, 3)[0] += value & 0xff;
      u32(b, 3)[1] = std::max(u32(b, 3)[1], value);
    }
    u32(b, 3)[2 + group] = 128;
  }
}

void subgroup_khr(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 256; ++i) {
    u32(b, 1)[2 * i] = 255;
    u32(b, 1)[2 * i + 1] = u32(b, 0)[i] % 3 == 1 ? 255 : 0;
  }
}

void subgroup_rotate(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 256; ++i) u32(b, 1)[i] = 31;
}

void shader_clock(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 192; ++i) {
    uint32_t sum = u32(b, 0)[i];
    for (uint32_t turn = u32(b, 0)[i] & 15; turn > 0; --turn) sum = sum * 1664525u + 1013904223u;
    u32(b, 1)[2 * i] = 15;
    u32(b, 1)[2 * i + 1] = sum;
  }
}

uint32_t byte_of(const uint32_t* words, uint32_t at) {
  return words[at / 4] >> at % 4 * 8 & 0xff;
}

void set_byte(uint32_t* words, uint32_t at, uint32_t value) {
  const uint32_t shift = at % 4 * 8;
  words[at / 4] = (words[at / 4] & ~(0xffu << shift)) | (value & 0xff) << shift;
}

void shared_blocks_narrow(const Manifest&, BufferContents& b) {
  for (uint32_t group = 0; group < 3; ++group) {
    uint32_t words[64], taken[64];
    std::copy_n(&u32(b, 0)[group * 64], 64, words);
    for (uint32_t i = 0; i < 64; ++i) {
      const uint32_t place = 2 + i * 3 % 127 * 2;
      const auto number = static_cast<int16_t>(byte_of(words, place) | byte_of(words, place + 1) << 8);
      taken[i] = byte_of(words, i * 5 & 255) + static_cast<uint32_t>(static_cast<int32_t>(number));
    }
    for (uint32_t i = 0; i < 64; ++i) set_byte(words, i * 4 + 1, taken[i]);
    for (uint32_t i = 0; i < 63; ++i) {
      set_byte(words, 2 + (i * 2 + 1) * 2, taken[i] >> 3);
      set_byte(words, 3 + (i * 2 + 1) * 2, taken[i] >> 11);
    }
    std::copy_n(words, 64, &u32(b, 1)[group * 64]);
  }
}

void derivatives_linear(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 60; ++i) {
    const auto value = [&](uint32_t of_four) {
      const auto lane = static_cast<float>((i & ~3u) + of_four);
      return lane * lane;
    };
    const float x = value((i & 2) + 1) - value(i & 2), y = value((i & 1) + 2) - value(i & 1);
    f32(b, 0)[4 * i] = x;
    f32(b, 0)[4 * i + 1] = y;
    f32(b, 0)[4 * i + 2] = value(1) - value(0);
    f32(b, 0)[4 * i + 3] = std::fabs(x) + std::fabs(y);
  }
}

void float_modes(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t word = u32(b, 0)[i];
    const auto tiny = std::bit_cast<float>(word & 0x80ffffffu);
    const auto large = std::bit_cast<float>((word & 0x007fffffu) | 0x3f800000u);
    const float product = large * 1.3333334f;
    const uint32_t sign = word >> 31;
    // -0 + 0 is +0.
    const uint32_t words[] = {std::bit_cast<uint32_t>(tiny * 0.5f),
                              std::bit_cast<uint32_t>(tiny + std::bit_cast<float>(0x00000fffu)),
                              std::bit_cast<uint32_t>(product + 16777216.0f), sign << 1 | (sign ^ 1) << 2};
    std::copy_n(words, 4, &u32(b, 1)[4 * i]);
  }
}

/// The float at or next to the number on the side of zero.
uint32_t toward_zero(double number) {
  auto rounded = static_cast<float>(number);
  if (std::fabs(static_cast<double>(rounded)) > std::fabs(number)) rounded = std::nextafter(rounded, 0.0f);
  return std::bit_cast<uint32_t>(rounded);
}

void float_toward_zero(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t word = u32(b, 0)[i];
    const double x = std::bit_cast<float>((word & 0x80ffffffu) | 0x3f000000u);
    const double y = std::bit_cast<float>((word * 2654435761u & 0x807fffffu) | 0x3e000000u);
    const uint32_t words[] = {toward_zero(x + y), toward_zero(x * y), toward_zero(8388609.0 - x), toward_zero(word)};
    std::copy_n(words, 4, &u32(b, 1)[4 * i]);
  }
}

void expect_assume(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t word = u32(b, 0)[i];
    u32(b, 1)[i] = (word & 3) == 0 ? word * 3 : (word & 3) + word;
  }
}

void forward_references(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) u32(b, 1)[i] = 3 * u32(b, 0)[i] + 7;
}

void decorations(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t low = u32(b, 0)[i] & 0xffff;
    u32(b, 1)[i] = 2 * (low + 100) - low;
  }
}

/// Buffers in the order of the manifest: three uniform ones, three of words, three and three of texels, the results.
void indexed_arrays(const Manifest& manifest, BufferContents& b) {
  Texels images[] = {{manifest, b, "image0"}, {manifest, b, "image1"}, {manifest, b, "image2"}};
  Texels stored[] = {{manifest, b, "stored0"}, {manifest, b, "stored1"}, {manifest, b, "stored2"}};
  for (uint32_t group = 0; group < 3; ++group) {
    for (uint32_t i = 0; i < 64; ++i) {
      const uint32_t own = (i * 7 + group) % 3;
      const Texels::Place at = {static_cast<int>(i & 7), static_cast<int>(i >> 3)};
      const auto plain = [&](uint32_t which) { return u32(b, which)[i & 3] + u32(b, 3 + which)[i]; };
      const uint32_t by_lane = plain(own);
      const uint32_t words[] = {plain(group) + images[group].load_bits(at)[0],
                                stored[group].load_bits(at)[0] + u32(b, 6 + group)[i] + u32(b, 9 + group)[i], by_lane,
                                images[own].load_bits(at)[0] + stored[own].load_bits(at)[0] + u32(b, 6 + own)[i]};
      u32(b, 9 + own)[64 + 64 * group + i] = by_lane * 3;
      std::copy_n(words, 4, &u32(b, 12)[(group * 64 + i) * 4]);
    }
  }
}

void min_lod(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 64; ++i) {
    const float step = std::exp2(static_cast<float>(i & 7) - 6.0f), least = static_cast<float>(i >> 3 & 7);
    const float of_gradients = std::log2(step * 64);
    const auto nearest = [](float level) { return std::min(std::floor(level + 0.5f), 6.0f); };
    f32(b, 0)[4 * i] = nearest(std::max(of_gradients, least));
    f32(b, 0)[4 * i + 1] = nearest(std::max(of_gradients, least + 0.25f));
    f32(b, 0)[4 * i + 2] = step;
    f32(b, 0)[4 * i + 3] = least;
  }
}

void multisample_layers(const Manifest& manifest, BufferContents& b) {
  Texels target(manifest, b, "target");
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < target.height(); ++y) {
      for (int x = 0; x < target.width(); ++x) {
        const auto sample = [&](int s) { return static_cast<uint32_t>(x + 64 * (y + 64 * (z * 4 + s))); };
        uint32_t sum = 0;
        for (int s = 0; s < 4; ++s) sum = sum * 3 + sample(s);
        target.store_bits({x, y, z}, {sum, sample((x + z) & 3), 0, 1});
      }
    }
  }
}

void storage_levels(const Manifest& manifest, BufferContents& b) {
  Texels levels(manifest, b, "levels");
  for (int i = 0; i < 64; ++i) {
    const int x = i & 7, y = i >> 3;
    uint32_t sum = 0;
    for (int k = 0; k < 4; ++k) sum += levels.load_bits({x * 2 + (k & 1), y * 2 + (k >> 1)})[0];
    levels.store_bits({x, y, 0, 1}, {sum, 0, 0, 1});
    if (x < 4 && y < 4) levels.store_bits({x, y, 0, 2}, {sum * 3 + 1, 0, 0, 1});
    u32(b, 0)[static_cast<size_t>(i)] = levels.load_bits({x & 1, y & 1, 0, (i & 1) * 3})[0];
  }
}

constexpr Reference kReferences[] = {
    {"memory_model", memory_model},
    {"subgroup_khr", subgroup_khr},
    {"subgroup_rotate", subgroup_rotate},
    {"shader_clock", shader_clock},
    {"shared_blocks_narrow", shared_blocks_narrow},
    {"derivatives_linear", derivatives_linear},
    {"float_modes", float_modes},
    {"float_toward_zero", float_toward_zero},
    {"spv_expect_assume", expect_assume},
    {"spv_forward_references", forward_references},
    {"spv_decorations", decorations},
    {"img_indexed_arrays", indexed_arrays},
    {"img_min_lod", min_lod},
    {"img_multisample_layers", multisample_layers},
    {"img_storage_levels", storage_levels},
};

}  // namespace

std::span<const Reference> declared_references() {
  return kReferences;
}

}  // namespace spalt::run
