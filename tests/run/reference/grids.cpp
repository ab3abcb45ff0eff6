// SPDX-License-Identifier: MIT
//
// Images, cellular automata and stencils.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "reference.h"

namespace spalt::run {
namespace {

using vkrun::BufferContents;
using vkrun::Manifest;

void mandelbrot(const Manifest& manifest, BufferContents& b) {
  const std::vector<uint32_t>& push = manifest.dispatches[0].push;
  const auto corner_x = std::bit_cast<float>(push[0]);
  const auto corner_y = std::bit_cast<float>(push[1]);
  const auto pixel = std::bit_cast<float>(push[2]);
  for (size_t i = 0; i < u32(b, 0).size(); ++i) {
    const float scaled_x = static_cast<float>(i % 64) * pixel;
    const float scaled_y = static_cast<float>(i / 64) * pixel;
    const float cx = corner_x + scaled_x;
    const float cy = corner_y + scaled_y;
    float x = 0.0f;
    float y = 0.0f;
    uint32_t n = 0;
    for (; n < push[4]; ++n) {
      const float x2 = x * x;
      const float y2 = y * y;
      if (x2 + y2 > 4.0f) break;
      const float xy = x * y;
      const float difference = x2 - y2;
      x = difference + cx;
      y = (xy + xy) + cy;
    }
    u32(b, 0)[i] = n;
  }
}

int32_t multiply_fixed(int32_t a, int32_t b) {
  return static_cast<int32_t>((int64_t{a} * b) >> 24);
}

void mandelbrot_fixed(const Manifest& manifest, BufferContents& b) {
  const std::vector<uint32_t>& push = manifest.dispatches[0].push;
  for (uint32_t i = 0; i < u32(b, 0).size(); ++i) {
    const auto cx = static_cast<int32_t>(push[0] + (i % 64) * push[2]);
    const auto cy = static_cast<int32_t>(push[1] + (i / 64) * push[2]);
    int32_t x = 0;
    int32_t y = 0;
    uint32_t n = 0;
    while (n < push[4]) {
      const int32_t x2 = multiply_fixed(x, x);
      const int32_t y2 = multiply_fixed(y, y);
      if (int64_t{x2} + y2 > int64_t{4} << 24) break;
      y = 2 * multiply_fixed(x, y) + cy;
      x = x2 - y2 + cx;
      ++n;
    }
    u32(b, 0)[i] = n;
  }
}

void game_of_life(const Manifest& manifest, BufferContents& b) {
  size_t from = 0;
  for (size_t generation = 0; generation < manifest.dispatches.size(); ++generation, from = 1 - from) {
    const auto old = u32(b, from);
    for (uint32_t y = 0; y < 32; ++y) {
      for (uint32_t x = 0; x < 64; ++x) {
        uint32_t around = 0;
        for (uint32_t n = 0; n < 9; ++n) {
          if (n != 4) around += old[((y + n / 3 + 31) % 32) * 64 + (x + n % 3 + 63) % 64];
        }
        u32(b, 1 - from)[y * 64 + x] = around == 3 || (around == 2 && old[y * 64 + x] == 1) ? 1 : 0;
      }
    }
  }
}

/// Blurs `size` pixels, `stride` floats apart, from `source` into `target`.
void blur_line(const float* source, float* target, int size, int stride, std::span<const float> weights) {
  for (int at = 0; at < size; ++at) {
    for (int channel = 0; channel < 4; ++channel) {
      double sum = 0.0;
      for (int tap = -4; tap <= 4; ++tap) {
        const int from = std::clamp(at + tap, 0, size - 1);
        sum += double{weights[static_cast<size_t>(std::abs(tap))]} * double{source[from * stride + channel]};
      }
      target[at * stride + channel] = static_cast<float>(sum);
    }
  }
}

void gaussian_blur(const Manifest&, BufferContents& b) {
  const auto weights = f32(b, 2);
  for (size_t y = 0; y < 20; ++y) blur_line(&f32(b, 0)[y * 320], &f32(b, 3)[y * 320], 80, 4, weights);
  for (size_t x = 0; x < 80; ++x) blur_line(&f32(b, 3)[x * 4], &f32(b, 1)[x * 4], 20, 320, weights);
}

void convolution(const Manifest&, BufferContents& b) {
  const auto kernel = f32(b, 1);
  for (int y = 0; y < 24; ++y) {
    for (int x = 0; x < 40; ++x) {
      for (int channel = 0; channel < 4; ++channel) {
        double sum = double{kernel[static_cast<size_t>(100 + channel)]};
        for (int tap = 0; tap < 25; ++tap) {
          const int from_x = x + tap % 5 - 2;
          const int from_y = y + tap / 5 - 2;
          if (from_x < 0 || from_y < 0 || from_x >= 40 || from_y >= 24) continue;
          sum += double{kernel[static_cast<size_t>(tap * 4 + channel)]} *
                 double{f32(b, 0)[static_cast<size_t>(from_y * 40 + from_x)]};
        }
        f32(b, 2)[static_cast<size_t>((y * 40 + x) * 4 + channel)] = static_cast<float>(std::max(sum, 0.0));
      }
    }
  }
}

void heat_stencil(const Manifest& manifest, BufferContents& b) {
  size_t from = 0;
  for (size_t step = 0; step < manifest.dispatches.size(); ++step, from = 1 - from) {
    const auto old = f32(b, from);
    for (size_t i = 0; i < 4096; ++i) {
      const size_t x = i % 16;
      const size_t y = i / 16 % 16;
      const size_t z = i / 256;
      const bool border = x % 15 == 0 || y % 15 == 0 || z % 15 == 0;
      double result = double{old[i]};
      if (!border) {
        const double around = double{old[i - 1]} + double{old[i + 1]} + double{old[i - 16]} + double{old[i + 16]} +
                              double{old[i - 256]} + double{old[i + 256]};
        result += 0.125 * (around - 6.0 * double{old[i]});
      }
      f32(b, 1 - from)[i] = static_cast<float>(result);
    }
  }
}

constexpr Reference kReferences[] = {
    {"mandelbrot", mandelbrot},       {"mandelbrot_fixed", mandelbrot_fixed}, {"game_of_life", game_of_life},
    {"gaussian_blur", gaussian_blur}, {"convolution", convolution},           {"heat_stencil", heat_stencil},
};

}  // namespace

std::span<const Reference> grid_references() {
  return kReferences;
}

}  // namespace spalt::run
