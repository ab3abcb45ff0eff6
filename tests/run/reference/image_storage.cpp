// SPDX-License-Identifier: MIT
//
// Stores, atomics, formats and views of storage images and texel buffers.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "images.h"
#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

/// A float of 6 bits (10: 5) of mantissa and 5 of exponent, without a sign.
double small_float(uint32_t bits, int mantissa_bits) {
  const uint32_t mantissa = bits & ((1u << mantissa_bits) - 1);
  const int exponent = static_cast<int>(bits >> mantissa_bits);
  const double fraction = std::ldexp(mantissa, -mantissa_bits);
  return exponent == 0 ? std::ldexp(fraction, -14) : std::ldexp(1.0 + fraction, exponent - 15);
}

void texel_buffers(const Manifest&, BufferContents& contents) {
  const std::vector<uint32_t> counters(u32(contents, 5).begin(), u32(contents, 5).end());
  for (uint32_t i = 0; i < 192; ++i) {
    const uint32_t color = u32(contents, 0)[i];
    const uint32_t half = u32(contents, 1)[i];
    const uint32_t number = u32(contents, 2)[i];
    const uint32_t word = u32(contents, 3)[191 - i];
    const auto signed_byte = [&](uint32_t c) { return static_cast<int32_t>(static_cast<int8_t>(number >> (8 * c))); };
    const double halves[] = {small_float(half & 0x7ff, 6), small_float(half >> 11 & 0x7ff, 6),
                             small_float(half >> 22, 5), 1.0};
    const double words[] = {double(word & 0xffff), double(word >> 16), 0.0, 1.0};
    for (uint32_t c = 0; c < 4; ++c) {
      const double sum = (color >> (8 * c) & 255) / 255.0 + halves[c] + signed_byte(c) + words[c];
      f32(contents, 7)[i * 4 + c] = static_cast<float>(sum);
    }
    uint32_t& written = u32(contents, 4)[i];
    written = (written & 0xff00ff00) | (written >> 16 & 255) | (written & 255) << 16;
    const uint32_t bin = ((word & 0xffff) + (word >> 16)) % 15;
    u32(contents, 5)[bin < 5 ? bin : bin + 1] += word >> 16;
    const auto extremes = i32(contents, 6);
    extremes[0] = std::min(extremes[0], signed_byte(0));
    extremes[1] = std::max(extremes[1], signed_byte(1));
    extremes[2] ^= static_cast<int32_t>(static_cast<uint32_t>(signed_byte(2)) * 65537u);
    extremes[3] |= static_cast<int32_t>(word & 0x5555);
    u32(contents, 5)[16 + i] = counters[16 + i] == 7 ? i * 3 : 0;
  }
}

void without_format(const Manifest& manifest, BufferContents& contents) {
  for (int i = 0; i < 256; ++i) {
    const Texels::Place place = {i % 16, i / 16};
    Vec4 sum = {};
    const auto visit = [&](const std::string& name, auto change) {
      Texels image(manifest, contents, name);
      const Vec4 texel = image.load(place);
      for (size_t c = 0; c < 4; ++c) sum[c] += texel[c];
      image.store(place, change(texel));
    };
    for (int k = 0; k < 6; ++k) {
      visit("float" + std::to_string(k), [](const Vec4& t) -> Vec4 { return {t[1], t[0], t[3], t[2]}; });
    }
    for (int k = 0; k < 3; ++k) {
      visit("integer" + std::to_string(k), [](const Vec4& t) -> Vec4 {
        return {std::trunc(t[3] / 2), std::trunc(t[0] / 2), std::trunc(t[2] / 2), std::trunc(t[1] / 2)};
      });
      visit("word" + std::to_string(k), [](const Vec4& t) -> Vec4 {
        return {std::floor(t[1] / 3), std::floor(t[2] / 3), std::floor(t[3] / 3), std::floor(t[0] / 3)};
      });
    }
    for (size_t c = 0; c < 4; ++c) f32(contents, 0)[static_cast<size_t>(i) * 4 + c] = static_cast<float>(sum[c]);
  }
}

void multisample(const Manifest& manifest, BufferContents& contents) {
  Texels target(manifest, contents, "target");
  for (int y = 0; y < target.height(); ++y) {
    for (int x = 0; x < target.width(); ++x) {
      uint32_t sum = 0;
      uint32_t chosen = 0;
      for (int s = 0; s < 4; ++s) {
        const int at_x = x * 4 + s * 2 % 4 + s / 2;
        const int at_y = y * 4 + s;
        const auto value = static_cast<uint32_t>(at_x * 3 > at_y * 5 ? 100 + s : s);
        sum += value;
        if (s == ((x + y) & 3)) chosen = value;
      }
      target.store_bits({x, y}, {sum, chosen, 0, 1});
    }
  }
}

void transparency_lists(const Manifest& manifest, BufferContents& contents) {
  struct Fragment {
    uint32_t depth, color;
  };
  Texels target(manifest, contents, "target");
  std::vector<std::vector<Fragment>> lists(256);
  for (uint32_t i = 0; i < 1024; ++i) {
    lists[u32(contents, 1)[i * 2] & 255].push_back({i * 40503u & 0xffff, u32(contents, 1)[i * 2 + 1]});
  }
  u32(contents, 0)[0] = 1024;
  for (size_t i = 0; i < lists.size(); ++i) {
    std::vector<Fragment>& list = lists[i];
    if (list.size() > 16) throw vkrun::Error("a texel has more fragments than the program takes");
    std::sort(list.begin(), list.end(), [](const Fragment& a, const Fragment& b) { return a.depth > b.depth; });
    uint32_t color[3] = {20, 30, 40};
    for (const Fragment& fragment : list) {
      const uint32_t alpha = fragment.color >> 24;
      for (uint32_t c = 0; c < 3; ++c) {
        color[c] = ((fragment.color >> (8 * c) & 255) * alpha + color[c] * (255 - alpha)) / 255;
      }
    }
    target.store_bits({static_cast<int>(i % 16), static_cast<int>(i / 16)},
                      {color[0], color[1], color[2], static_cast<uint32_t>(list.size())});
  }
}

using Rgb = std::array<int, 3>;

/// Eight bits as a channel of `bits` bits, and back as decoders widen it.
int widened(int value, int bits) {
  const int code = value >> (8 - bits);
  return code << (8 - bits) | code >> (2 * bits - 8);
}

texel::Texel encode_bc1(const std::array<Rgb, 16>& texels) {
  constexpr int kBits[] = {5, 6, 5};
  constexpr unsigned kShift[] = {11, 5, 0};
  Rgb palette[4];
  uint32_t ends[2] = {};
  for (size_t c = 0; c < 3; ++c) {
    const auto [low, high] =
        std::minmax_element(texels.begin(), texels.end(), [&](const Rgb& a, const Rgb& b) { return a[c] < b[c]; });
    ends[0] |= static_cast<uint32_t>((*high)[c] >> (8 - kBits[c])) << kShift[c];
    ends[1] |= static_cast<uint32_t>((*low)[c] >> (8 - kBits[c])) << kShift[c];
    palette[0][c] = widened((*high)[c], kBits[c]);
    palette[1][c] = widened((*low)[c], kBits[c]);
    palette[2][c] = (2 * palette[0][c] + palette[1][c]) / 3;
    palette[3][c] = (palette[0][c] + 2 * palette[1][c]) / 3;
  }
  uint32_t indices = 0;
  for (size_t i = 0; i < 16 && ends[0] != ends[1]; ++i) {
    const auto distance = [&](const Rgb& color) {
      int sum = 0;
      for (size_t c = 0; c < 3; ++c) sum += (texels[i][c] - color[c]) * (texels[i][c] - color[c]);
      return sum;
    };
    const auto* best = std::min_element(std::begin(palette), std::end(palette),
                                        [&](const Rgb& a, const Rgb& b) { return distance(a) < distance(b); });
    indices |= static_cast<uint32_t>(best - palette) << (2 * i);
  }
  return {ends[0] | ends[1] << 16, indices, 0, 1};
}

texel::Texel encode_bc4(const std::array<Rgb, 16>& texels) {
  int low = 255;
  int high = 0;
  for (const Rgb& texel : texels) {
    low = std::min(low, texel[1]);
    high = std::max(high, texel[1]);
  }
  uint64_t block = static_cast<uint64_t>(high) | static_cast<uint64_t>(low) << 8;
  for (size_t i = 0; i < 16 && high != low; ++i) {
    const int step = ((texels[i][1] - low) * 14 + (high - low)) / (2 * (high - low));
    const int index = step == 7 ? 0 : step == 0 ? 1 : 8 - step;
    block |= static_cast<uint64_t>(index) << (16 + 3 * i);
  }
  return {static_cast<uint32_t>(block), static_cast<uint32_t>(block >> 32), 0, 1};
}

void block_compression(const Manifest& manifest, BufferContents& contents) {
  const Texels source(manifest, contents, "source");
  Texels bc1(manifest, contents, "bc1");
  Texels bc4(manifest, contents, "bc4");
  for (int y = 0; y < bc1.height(); ++y) {
    for (int x = 0; x < bc1.width(); ++x) {
      std::array<Rgb, 16> texels;
      for (int i = 0; i < 16; ++i) {
        const Vec4 texel = source.load({x * 4 + i % 4, y * 4 + i / 4});
        for (size_t c = 0; c < 3; ++c)
          texels[static_cast<size_t>(i)][c] = static_cast<int>(std::lround(texel[c] * 255));
      }
      bc1.store_bits({x, y}, encode_bc1(texels));
      bc4.store_bits({x, y}, encode_bc4(texels));
    }
  }
}

void jump_flooding(const Manifest& manifest, BufferContents& contents) {
  const Texels mask(manifest, contents, "mask");
  Texels images[] = {Texels(manifest, contents, "seeds0"), Texels(manifest, contents, "seeds1")};
  const int width = mask.width();
  const int height = mask.height();
  struct Seed {
    int x, y;
  };
  std::vector<Seed> seeds;
  for (int i = 0; i < width * height; ++i) {
    const bool is_seed = mask.load({i % width, i / width})[0] == 0.0;
    seeds.push_back(is_seed ? Seed{i % width, i / width} : Seed{-1, -1});
  }
  std::vector<Seed> before;
  for (int reach = 32; reach > 0; reach /= 2) {
    before = seeds;
    for (int i = 0; i < width * height; ++i) {
      const int x = i % width;
      const int y = i / width;
      int least = 1 << 30;
      Seed best = {-1, -1};
      for (int k = 0; k < 9; ++k) {
        const int from_x = x + (k % 3 - 1) * reach;
        const int from_y = y + (k / 3 - 1) * reach;
        if (from_x < 0 || from_y < 0 || from_x >= width || from_y >= height) continue;
        const Seed seed = before[static_cast<size_t>(from_y * width + from_x)];
        if (seed.x < 0) continue;
        const int distance = (seed.x - x) * (seed.x - x) + (seed.y - y) * (seed.y - y);
        const bool is_first = seed.y * 64 + seed.x < best.y * 64 + best.x;
        if (distance < least || (distance == least && is_first)) {
          least = distance;
          best = seed;
        }
      }
      seeds[static_cast<size_t>(i)] = best;
    }
  }
  // Six rounds: the last one wrote the first image.
  for (int i = 0; i < width * height; ++i) {
    const Texels::Place place = {i % width, i / width};
    const auto at = static_cast<size_t>(i);
    images[0].store(place, {double(seeds[at].x), double(seeds[at].y), 0, 1});
    images[1].store(place, {double(before[at].x), double(before[at].y), 0, 1});
  }
}

void life(const Manifest& manifest, BufferContents& contents) {
  Texels boards[] = {Texels(manifest, contents, "board0"), Texels(manifest, contents, "board1")};
  for (size_t generation = 0; generation < manifest.dispatches.size(); ++generation) {
    const Texels& from = boards[generation % 2];
    Texels& to = boards[1 - generation % 2];
    for (int y = 0; y < to.height(); ++y) {
      for (int x = 0; x < to.width(); ++x) {
        double around = 0.0;
        for (int i = 0; i < 9; ++i) {
          if (i == 4) continue;
          around +=
              from.load({(x + i % 3 - 1 + to.width()) % to.width(), (y + i / 3 - 1 + to.height()) % to.height()})[0];
        }
        const bool lives = around == 3.0 || (around == 2.0 && from.load({x, y})[0] == 1.0);
        to.store({x, y}, {lives ? 1.0 : 0.0, 0, 0, 1});
      }
    }
  }
}

void atomics(const Manifest& manifest, BufferContents& contents) {
  Texels plane(manifest, contents, "plane");
  Texels volume(manifest, contents, "volume");
  Texels planes(manifest, contents, "planes");
  Texels line(manifest, contents, "line");
  Texels cube(manifest, contents, "cube");
  Texels floats(manifest, contents, "floats");
  const auto update = [](Texels& image, const Texels::Place& place, auto change) {
    const uint32_t old = image.load_bits(place)[0];
    image.store_bits(place, {change(old), 0, 0, 1});
    return old;
  };
  const auto least = [](uint32_t number) {
    return [number](uint32_t old) {
      return static_cast<uint32_t>(std::min(static_cast<int32_t>(old), static_cast<int32_t>(number)));
    };
  };
  for (uint32_t i = 0; i < 256; ++i) {
    const int x = static_cast<int>(i % 16);
    const int y = static_cast<int>(i / 16);
    const uint32_t number = i * 2654435761u;
    update(plane, {x / 4, y / 4}, [&](uint32_t old) { return old + number; });
    update(volume, {x / 8, y / 8, static_cast<int>(i & 1)}, least(number));
    update(volume, {x / 8, y / 8, 2}, [&](uint32_t old) {
      return static_cast<uint32_t>(std::max(static_cast<int32_t>(old), static_cast<int32_t>(number)));
    });
    update(planes, {x / 8, y / 8, 0}, [&](uint32_t old) { return old & (~(1u << (i & 31)) | 0x10u); });
    update(planes, {x / 8, y / 8, 1}, [&](uint32_t old) { return old | 1u << (number >> 27); });
    update(planes, {x / 8, y / 8, 2}, [&](uint32_t old) { return old ^ number; });
    update(line, {static_cast<int>(i % 7)}, least(number >> 1));
    update(cube, {x / 8, y / 8, static_cast<int>(i % 6)}, [&](uint32_t old) { return std::max(old, number); });
    floats.store({x, y}, {0.5 * i, 0, 0, 1});
    const uint32_t old = update(line, {8 + static_cast<int>(i)}, [](uint32_t value) { return value + 3; });
    u32(contents, 0)[i] = std::bit_cast<uint32_t>(static_cast<float>(i)) + old;
  }
  plane.store({5, 5}, {1, 0, 0, 1});
  plane.store({6, 5}, {255, 0, 0, 1});
}

/// Texels of 64 bits, which have their words as two components.
uint64_t update_wide(Texels& image, const Texels::Place& place, const auto& change) {
  const texel::Texel words = image.load_bits(place);
  const uint64_t old = words[0] | uint64_t{words[1]} << 32, changed = change(old);
  image.store_bits(place, {static_cast<uint32_t>(changed), static_cast<uint32_t>(changed >> 32), 0, 1});
  return old;
}

uint64_t lesser_signed(uint64_t a, uint64_t b) {
  return static_cast<int64_t>(a) < static_cast<int64_t>(b) ? a : b;
}

void atomics_64(const Manifest& manifest, BufferContents& contents) {
  Texels plane(manifest, contents, "plane");
  Texels volume(manifest, contents, "volume");
  Texels planes(manifest, contents, "planes");
  Texels line(manifest, contents, "line");
  Texels cube(manifest, contents, "cube");
  Texels copy(manifest, contents, "copy");
  const auto texels = u64(contents, 0), result = u64(contents, 1);
  const auto set_to = [](uint64_t value) { return [value](uint64_t) { return value; }; };
  for (uint32_t i = 0; i < 256; ++i) {
    const int x = static_cast<int>(i % 16);
    const int y = static_cast<int>(i / 16);
    const uint64_t number = i * 0x9e3779b97f4a7c15;
    update_wide(plane, {x / 4, y / 4}, [&](uint64_t old) { return old + number; });
    update_wide(volume, {x / 8, y / 8, static_cast<int>(i & 1)},
                [&](uint64_t old) { return lesser_signed(old, number); });
    update_wide(volume, {x / 8, y / 8, 2},
                [&](uint64_t old) { return lesser_signed(old, number) == old ? number : old; });
    update_wide(planes, {x / 8, y / 8, 0},
                [&](uint64_t old) { return old & (~(uint64_t{1} << (i & 63)) | 0x100000000); });
    update_wide(planes, {x / 8, y / 8, 1}, [&](uint64_t old) { return old | uint64_t{1} << (number >> 58); });
    update_wide(planes, {x / 8, y / 8, 2}, [&](uint64_t old) { return old ^ number; });
    update_wide(line, {static_cast<int>(i % 7)}, [&](uint64_t old) { return lesser_signed(old, number >> 1); });
    update_wide(cube, {x / 8, y / 8, static_cast<int>(i % 6)}, [&](uint64_t old) { return std::max(old, number); });
    update_wide(copy, {x, y}, set_to(~number));
    const uint64_t old = update_wide(line, {8 + static_cast<int>(i)}, [](uint64_t value) { return value + 3; });
    result[2 * i] = number * 4 + old + 1;
    texels[i & 3] += number;
    result[2 * i + 1] = 2 * texels[8 + i];
    texels[264 + i] = texels[8 + i] ^ number;
    texels[8 + i] = number;
  }
  update_wide(plane, {5, 5}, set_to(0x100000001));
  update_wide(plane, {6, 5}, set_to(255 * uint64_t{0x100000001}));
}

constexpr Reference kReferences[] = {
    {"img_texel_buffers", texel_buffers},
    {"img_without_format", without_format},
    {"img_multisample", multisample},
    {"img_transparency_lists", transparency_lists},
    {"img_block_compression", block_compression},
    {"img_jump_flooding", jump_flooding},
    {"img_life", life},
    {"img_atomics", atomics},
    {"img_atomics_64", atomics_64},
};

}  // namespace

std::span<const Reference> image_storage_references() {
  return kReferences;
}

}  // namespace spalt::run
