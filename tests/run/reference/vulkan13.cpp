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

int64_t byte_of(uint32_t word, unsigned i, bool is_signed) {
  const uint32_t bits = word >> (8 * i) & 255;
  return is_signed && bits > 127 ? int64_t{bits} - 256 : int64_t{bits};
}

int64_t dot_of_bytes(uint32_t x, uint32_t y, bool x_signed, bool y_signed) {
  int64_t sum = 0;
  for (unsigned i = 0; i < 4; ++i) sum += byte_of(x, i, x_signed) * byte_of(y, i, y_signed);
  return sum;
}

uint32_t low(int64_t value) {
  return static_cast<uint32_t>(value);
}
int64_t s(uint32_t word) {
  return static_cast<int32_t>(word);
}
uint32_t clamp_signed(int64_t value) {
  return low(std::clamp<int64_t>(value, INT32_MIN, INT32_MAX));
}
uint32_t clamp_unsigned(int64_t value) {
  return low(std::clamp<int64_t>(value, 0, UINT32_MAX));
}

void integer_dot(const Manifest&, BufferContents& b) {
  const std::span<const uint32_t> in = u32(b, 0);
  const uint32_t c0 = in[1], c1 = in[2];
  for (uint32_t i = 0; i < 64; ++i) {
    const std::array<uint32_t, 6> w = {in[i], in[i + 64], in[i + 128], in[i + 192], in[i + 256], in[i + 320]};
    const int64_t small[] = {s(w[0]) >> 20, s(w[1]) >> 20, s(w[2]) >> 20, s(w[3]) >> 20};
    const int64_t high[] = {w[0] >> 20, w[1] >> 20, w[2] >> 20, w[3] >> 20};
    const std::array<uint32_t, 16> results = {
        low(dot_of_bytes(w[0], w[1], true, true)),
        low(dot_of_bytes(w[0], w[1], false, false)),
        low(dot_of_bytes(w[0], w[1], true, false)),
        clamp_signed(dot_of_bytes(w[0], w[1], true, true) + s(w[4])),
        clamp_unsigned(dot_of_bytes(w[0], w[1], false, false) + w[4]),
        clamp_signed(dot_of_bytes(w[0], w[1], true, false) + s(w[4])),
        w[0] * w[3] + w[1] * w[4] + w[2] * w[5],
        w[0] * w[3] + w[1] * w[4] + w[2] * w[5],
        w[0] * w[2] + w[1] * w[3],
        clamp_signed(small[0] * small[2] + small[1] * small[3] + s(w[4])),
        clamp_unsigned(high[0] * high[2] + high[1] * high[3] + w[4]),
        clamp_signed(small[0] * high[2] + small[1] * high[3] + s(w[4])),
        low(dot_of_bytes(w[2], w[3], true, true)) + w[5],
        low(dot_of_bytes(w[2], w[3], false, false)) + w[5],
        low(dot_of_bytes(w[2], w[3], true, false)) + w[5],
        (low(dot_of_bytes(c0, c1, true, false)) ^ low(dot_of_bytes(c0, c1, true, true))) +
            low(dot_of_bytes(c0, c1, false, false))};
    std::copy(results.begin(), results.end(), &u32(b, 1)[i * 16]);
  }
}

void integer_dot_bytes(const Manifest&, BufferContents& b) {
  constexpr uint32_t kFixed = 0xc80707c8, kFixedSigned = 0x9c03039c;
  for (uint32_t i = 0; i < 64; ++i) {
    const uint32_t x = u32(b, 0)[i], y = u32(b, 0)[i + 64];
    const uint32_t mixed = x >> 24 | 7u << 8 | (y & 255) << 16 | (x >> 8 & 255) << 24;
    uint32_t* const results = &u32(b, 1)[i * 4];
    results[0] = low(dot_of_bytes(x, y, false, false));
    results[1] = low(dot_of_bytes(x, y, true, true));
    results[2] = low(dot_of_bytes(kFixedSigned, mixed, true, false));
    results[3] = clamp_unsigned(dot_of_bytes(kFixed, mixed, false, false) + x);
  }
}

/// Every check of the shader holds, whatever the subgroup size is.
void subgroup_basic(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 0x7f;
}

void subgroup_vote(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 0xff;
}
void subgroup_ballot(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 0xfff;
}

void subgroup_shuffle(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 0x7ff;
}
void subgroup_shuffle_near(const Manifest&, BufferContents& b) {
  for (size_t i = 1; i < u32(b, 0).size(); ++i) u32(b, 0)[i] = 0x1ffff;
}
void subgroup_arithmetic(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 0x7ffff;
}
void subgroup_clustered(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 0x1ff;
}
void subgroup_widths(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 0x1f;
}

void subgroup_partitioned(const Manifest&, BufferContents& b) {
  for (uint32_t& result : u32(b, 1)) result = 0x7ff;
}

/// The face of a cube that the direction points to, and the place on it (the table of faces of the Vulkan
/// specification, "Cube Map Face Selection").
void subgroup_amd(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 128; ++i) {
    const uint32_t x = u32(b, 0)[i], axis = (x >> 20) % 3;
    u32(b, 1)[i] = 0x1fff;
    const auto minor = [x](uint32_t shift) { return (static_cast<float>(x >> shift & 15) - 8) / 16; };
    const float u = minor(8), v = minor(12), major = static_cast<float>(1u << (x >> 4 & 3));
    const bool negative = (x & 1) == 1;
    const float sign = negative ? -1 : 1;
    // On the faces of x: (y, z) = (u, v); of y: (x, z); of z: (x, y).
    const float s = axis == 0 ? -sign * v : axis == 1 ? u : sign * u;
    const float t = axis == 0 ? -u : axis == 1 ? sign * v : -v;
    const float place[] = {static_cast<float>(2 * axis + (negative ? 1 : 0)), 0.5F * (s / major + 1),
                           0.5F * (t / major + 1), 0};
    std::copy_n(place, 4, &f32(b, 1)[128 + i * 4]);
  }
}

/// Words of the block from its start: columns of a 2x3 matrix of vec3 have 4 words, and so have rows of vec3 in a
/// struct (std430); rows of the other matrix, which is stored by rows, have 4 words, too.
void shared_blocks(const Manifest&, BufferContents& b) {
  constexpr uint32_t kRows = 4, kMatrix = 8, kParts = 24, kPartWords = 8, kOther = 56;
  for (uint32_t group = 0; group < 2; ++group) {
    const uint32_t* const words = &u32(b, 0)[group * 256];
    uint32_t* const results = &u32(b, 1)[group * 256];
    std::copy_n(words, 256, results);
    for (uint32_t i = 0; i < 63; ++i) {
      const uint32_t* const row = words + kRows + i * 7 % 63 * 4;
      const uint32_t id = words[kParts + (i & 3) * kPartWords];
      const uint32_t part = id ^ words[kParts + (i >> 4) * kPartWords + 4 + i % 3];
      const uint32_t element = words[kMatrix + (i & 1) * 4 + (i >> 1) % 3] + words[kOther + (i & 1) * 4 + i % 3];
      const std::array<uint32_t, 4> stored = {row[3] + part, row[2] + element, row[1] + i, row[0] + 1};
      std::copy(stored.begin(), stored.end(), results + kRows + i * 4);
    }
  }
}

/// The least, the greatest and the middle one.
template <typename T>
std::array<T, 3> sorted(T x, T y, T z) {
  std::array<T, 3> values = {x, y, z};
  std::sort(values.begin(), values.end());
  return {values[0], values[2], values[1]};
}

void trinary_minmax(const Manifest&, BufferContents& b) {
  for (uint32_t i = 0; i < 64; ++i) {
    const auto of_unsigned = sorted(u32(b, 0)[i], u32(b, 0)[i + 64], u32(b, 0)[i + 128]);
    const auto of_signed = sorted(i32(b, 0)[i], i32(b, 0)[i + 64], i32(b, 0)[i + 128]);
    const auto of_floats = sorted(f32(b, 1)[i], f32(b, 1)[i + 64], f32(b, 1)[i + 128]);
    for (uint32_t k = 0; k < 3; ++k) {
      u32(b, 2)[i * 9 + k] = of_unsigned[k];
      i32(b, 2)[i * 9 + 3 + k] = of_signed[k];
      f32(b, 2)[i * 9 + 6 + k] = of_floats[k];
    }
  }
}

void spv_group_broadcast(const Manifest&, BufferContents& b) {
  const auto in = u32(b, 0);
  const uint32_t which = in[32], any = std::any_of(in.begin(), in.begin() + 32, [](uint32_t x) { return x % 2 != 0; }),
                 all = std::all_of(in.begin(), in.begin() + 32, [](uint32_t x) { return x % 2 != 0; });
  for (uint32_t i = 0; i < 128; ++i) {
    u32(b, 1)[i] = ((((in[5] * 3) ^ (in[which] * 5)) + 62) ^ (in[9] * 7)) + 9 + which * 3 + any + all + in[i % 32];
  }
}

constexpr Reference kReferences[] = {
    {"inline_blocks", inline_blocks},
    {"shared_blocks", shared_blocks},
    {"spv_integer_dot", integer_dot},
    {"spv_integer_dot_bytes", integer_dot_bytes},
    {"subgroup_basic", subgroup_basic},
    {"trinary_minmax", trinary_minmax},
    {"subgroup_vote", subgroup_vote},
    {"subgroup_ballot", subgroup_ballot},
    {"zeroed_shared", zeroed_shared},
    {"subgroup_shuffle", subgroup_shuffle},
    {"subgroup_shuffle_near", subgroup_shuffle_near},
    {"subgroup_widths", subgroup_widths},
    {"spv_group_broadcast", spv_group_broadcast},
    {"subgroup_amd", subgroup_amd},
    {"subgroup_clustered", subgroup_clustered},
    {"subgroup_partitioned", subgroup_partitioned},
    {"subgroup_arithmetic", subgroup_arithmetic},
};

}  // namespace

std::span<const Reference> vulkan13_references() {
  return kReferences;
}

}  // namespace spalt::run
