// SPDX-License-Identifier: MIT
//
// Filters of pictures, and what renderers do to whole frames.
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

Vec4 scaled(const Vec4& v, double factor) {
  return {v[0] * factor, v[1] * factor, v[2] * factor, v[3] * factor};
}

Vec4 plus(const Vec4& a, const Vec4& b) {
  return {a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]};
}

Vec4 mixed(const Vec4& a, const Vec4& b, double weight) {
  return plus(scaled(a, 1.0 - weight), scaled(b, weight));
}

/// Calls `action(x, y)` for all texels of a level.
template <typename Action>
void for_each_texel(const Texels& texels, Action action, int level = 0) {
  for (int y = 0; y < texels.height(level); ++y) {
    for (int x = 0; x < texels.width(level); ++x) action(x, y);
  }
}

Vec4 sampled(const Texels& texels, const vkrun::SamplerDesc& sampler, double u, double v, double lod = 0.0) {
  Access access;
  access.coordinates = {u, v, 0.0};
  access.lod = lod;
  return sample(texels.view(), sampler, access);
}

void separable_blur(const Manifest& manifest, BufferContents& contents) {
  constexpr double kWeights[] = {0.25, 0.1875, 0.109375, 0.0546875, 0.0234375};
  Texels source(manifest, contents, "source");
  Texels between(manifest, contents, "between");
  Texels target(manifest, contents, "target");
  const auto blur = [&](const Texels& from, Texels& to, int dx, int dy) {
    for_each_texel(to, [&](int x, int y) {
      Vec4 sum = {};
      for (int tap = -4; tap <= 4; ++tap) {
        const int at_x = std::clamp(x + tap * dx, 0, to.width() - 1);
        const int at_y = std::clamp(y + tap * dy, 0, to.height() - 1);
        sum = plus(sum, scaled(from.load({at_x, at_y}), kWeights[std::abs(tap)]));
      }
      to.store({x, y}, sum);
    });
  };
  blur(source, between, 1, 0);
  blur(between, target, 0, 1);
}

void bilateral_filter(const Manifest& manifest, BufferContents& contents) {
  Texels source(manifest, contents, "source");
  Texels target(manifest, contents, "target");
  for_each_texel(target, [&](int x, int y) {
    const Vec4 center = source.load({x, y});
    Vec4 sum = {};
    double weights = 0.0;
    for (int i = 0; i < 25; ++i) {
      const int dx = i % 5 - 2;
      const int dy = i / 5 - 2;
      if (x + dx < 0 || y + dy < 0 || x + dx >= source.width() || y + dy >= source.height()) continue;
      const Vec4 texel = source.load({x + dx, y + dy});
      double likeness = 0.0;
      for (size_t c = 0; c < 3; ++c) likeness += (texel[c] - center[c]) * (texel[c] - center[c]);
      const double weight = std::exp(-0.125 * (dx * dx + dy * dy) - 4.0 * likeness);
      sum = plus(sum, scaled(texel, weight));
      weights += weight;
    }
    target.store({x, y}, {sum[0] / weights, sum[1] / weights, sum[2] / weights, weights / 25.0});
  });
}

void median_filter(const Manifest& manifest, BufferContents& contents) {
  Texels source(manifest, contents, "source");
  Texels target(manifest, contents, "target");
  const auto mirrored = [](int at, int size) {
    at = std::abs(at);
    return at < size ? at : 2 * (size - 1) - at;
  };
  for_each_texel(target, [&](int x, int y) {
    std::vector<double> values;
    for (int i = 0; i < 9; ++i) {
      values.push_back(
          source.load({mirrored(x + i % 3 - 1, source.width()), mirrored(y + i / 3 - 1, source.height())})[0]);
    }
    std::nth_element(values.begin(), values.begin() + 4, values.end());
    target.store({x, y}, {values[4], 0, 0, 1});
  });
}

double luma(const Vec4& color) {
  return 0.299 * color[0] + 0.587 * color[1] + 0.114 * color[2];
}

void fxaa(const Manifest& manifest, BufferContents& contents) {
  Texels source(manifest, contents, "source");
  Texels target(manifest, contents, "target");
  const vkrun::SamplerDesc& sampler = sampler_at(manifest, 0, 0);
  for_each_texel(target, [&](int x, int y) {
    const auto at = [&](double dx, double dy) {
      return sampled(source, sampler, (x + 0.5 + dx) / source.width(), (y + 0.5 + dy) / source.height());
    };
    const double nw = luma(at(-1, -1));
    const double ne = luma(at(1, -1));
    const double sw = luma(at(-1, 1));
    const double se = luma(at(1, 1));
    const double m = luma(at(0, 0));
    const double least = std::min({m, nw, ne, sw, se});
    const double most = std::max({m, nw, ne, sw, se});
    double dx = -(nw + ne) + (sw + se);
    double dy = (nw + sw) - (ne + se);
    const double divisor = std::min(std::abs(dx), std::abs(dy)) + std::max((nw + ne + sw + se) / 32.0, 1.0 / 128.0);
    dx = std::clamp(dx / divisor, -4.0, 4.0);
    dy = std::clamp(dy / divisor, -4.0, 4.0);
    const auto along = [&](double t) { return at(dx * t, dy * t); };
    const Vec4 a = mixed(along(1.0 / 3.0 - 0.5), along(2.0 / 3.0 - 0.5), 0.5);
    const Vec4 b = mixed(a, mixed(along(-0.5), along(0.5), 0.5), 0.5);
    const double outside = std::max({least - luma(b), luma(b) - most, 0.0});
    Vec4 result = mixed(b, a, std::clamp(outside * 8.0, 0.0, 1.0));
    result[3] = m;
    target.store({x, y}, result);
  });
}

void temporal_resolve(const Manifest& manifest, BufferContents& contents) {
  Texels frame(manifest, contents, "frame");
  Texels history(manifest, contents, "history");
  Texels motion(manifest, contents, "motion");
  Texels target(manifest, contents, "target");
  const vkrun::SamplerDesc& sampler = sampler_at(manifest, 0, 0);
  for_each_texel(target, [&](int x, int y) {
    const Vec4 now = frame.load({x, y});
    Vec4 least = now;
    Vec4 most = now;
    for (int i = 0; i < 9; ++i) {
      const Vec4 texel = frame.load(
          {std::clamp(x + i % 3 - 1, 0, frame.width() - 1), std::clamp(y + i / 3 - 1, 0, frame.height() - 1)});
      for (size_t c = 0; c < 4; ++c) {
        least[c] = std::min(least[c], texel[c]);
        most[c] = std::max(most[c], texel[c]);
      }
    }
    const Vec4 moved = motion.load({x, y});
    Vec4 old = sampled(history, sampler, (x + 0.5 - moved[0]) / frame.width(), (y + 0.5 - moved[1]) / frame.height());
    for (size_t c = 0; c < 4; ++c) old[c] = std::clamp(old[c], least[c], most[c]);
    target.store({x, y}, mixed(old, now, 0.125));
  });
}

void tone_map(const Manifest& manifest, BufferContents& contents) {
  Texels source(manifest, contents, "source");
  Texels histogram(manifest, contents, "histogram");
  Texels exposure(manifest, contents, "exposure");
  Texels target(manifest, contents, "target");
  std::vector<uint32_t> counts(64, 0);
  for_each_texel(source, [&](int x, int y) {
    const Vec4 color = source.load({x, y});
    const auto luminance = static_cast<float>(0.25 * color[0] + 0.5 * color[1] + 0.25 * color[2]);
    const int index = static_cast<int>(std::bit_cast<uint32_t>(luminance) >> 21) - 460;
    ++counts[static_cast<size_t>(std::clamp(index, 0, 63))];
  });
  const uint32_t total = static_cast<uint32_t>(source.width() * source.height());
  const uint32_t limit = total - total / 10;
  uint32_t sum = 0;
  uint32_t chosen = 0;
  for (int i = 0; i < 64; ++i) {
    const uint32_t count = counts[static_cast<size_t>(i)];
    histogram.store_bits({i}, {count, 0, 0, 1});
    if (sum < limit && sum + count >= limit) chosen = static_cast<uint32_t>(i);
    sum += count;
  }
  const double factor = 1.0 / double{std::bit_cast<float>((chosen + 461) << 21)};
  exposure.store({0, 0}, {factor, 0, 0, 1});
  for_each_texel(target, [&](int x, int y) {
    Vec4 color = scaled(source.load({x, y}), factor);
    for (double& component : color) component /= 1.0 + component;
    target.store({x, y}, {color[0], color[1], color[2], 1.0});
  });
}

void bloom(const Manifest& manifest, BufferContents& contents) {
  Texels pyramid(manifest, contents, "pyramid");
  const vkrun::SamplerDesc& sampler = sampler_at(manifest, 0, 0);
  const auto position = [&](int at, int size) { return (at + 0.5) / size; };
  for (int level = 1; level < 5; ++level) {
    for_each_texel(
        pyramid,
        [&](int x, int y) {
          pyramid.store({x, y, 0, level}, sampled(pyramid, sampler, position(x, pyramid.width(level)),
                                                  position(y, pyramid.height(level)), level - 1));
        },
        level);
  }
  for (int level = 3; level >= 0; --level) {
    for_each_texel(
        pyramid,
        [&](int x, int y) {
          Vec4 sum = {};
          for (int i = 0; i < 9; ++i) {
            const int dx = i % 3 - 1;
            const int dy = i / 3 - 1;
            const Vec4 tap =
                sampled(pyramid, sampler, position(x, pyramid.width(level)) + double(dx) / pyramid.width(level + 1),
                        position(y, pyramid.height(level)) + double(dy) / pyramid.height(level + 1), level + 1);
            sum = plus(sum, scaled(tap, (2 - std::abs(dx)) * (2 - std::abs(dy)) / 16.0));
          }
          pyramid.store({x, y, 0, level}, scaled(plus(pyramid.load({x, y, 0, level}), sum), 0.5));
        },
        level);
  }
}

void light_culling(const Manifest& manifest, BufferContents& contents) {
  Texels pyramid(manifest, contents, "pyramid");
  Texels counts(manifest, contents, "counts");
  Texels masks(manifest, contents, "masks");
  const std::vector<uint8_t> lights_bytes = contents[0];
  const auto* lights = reinterpret_cast<const float*>(lights_bytes.data());
  for (int level = 1; level < 4; ++level) {
    for_each_texel(
        pyramid,
        [&](int x, int y) {
          double least = INFINITY;
          double most = -INFINITY;
          for (int i = 0; i < 4; ++i) {
            const Vec4 texel = pyramid.load({2 * x + i % 2, 2 * y + i / 2, 0, level - 1});
            least = std::min(least, texel[0]);
            most = std::max(most, texel[1]);
          }
          pyramid.store({x, y, 0, level}, {least, most, 0, 1});
        },
        level);
  }
  for_each_texel(counts, [&](int x, int y) {
    const Vec4 range = pyramid.load({x, y, 0, 3});
    uint32_t mask[2] = {};
    for (unsigned i = 0; i < 64; ++i) {
      const float* light = lights + size_t{i} * 4;
      const double radius = double{light[3]};
      const auto overlaps = [&](double low, double high, double center) {
        return low - radius < center && center < high + radius;
      };
      const bool reaches = overlaps(x * 8, x * 8 + 8, double{light[0]}) &&
                           overlaps(y * 8, y * 8 + 8, double{light[1]}) &&
                           overlaps(range[0], range[1], double{light[2]});
      if (reaches) mask[i / 32] |= 1u << (i % 32);
    }
    counts.store_bits({x, y}, {static_cast<uint32_t>(std::popcount(mask[0]) + std::popcount(mask[1])), 0, 0, 1});
    for (int half = 0; half < 2; ++half) masks.store_bits({x, y, half}, {mask[half], 0, 0, 1});
  });
}

void summed_area(const Manifest& manifest, BufferContents& contents) {
  Texels source(manifest, contents, "source");
  Texels rows(manifest, contents, "rows");
  Texels table(manifest, contents, "table");
  for (int y = 0; y < table.height(); ++y) {
    double row = 0.0;
    for (int x = 0; x < table.width(); ++x) {
      row += source.load({x, y})[0];
      rows.store({x, y}, {row, 0, 0, 1});
      const double above = y == 0 ? 0.0 : table.load({x, y - 1})[0];
      table.store({x, y}, {row + above, 0, 0, 1});
    }
  }
}

void yuv_to_rgb(const Manifest& manifest, BufferContents& contents) {
  Texels luminance(manifest, contents, "luminance");
  Texels chrominance(manifest, contents, "chrominance");
  Texels target(manifest, contents, "target");
  const vkrun::SamplerDesc& sampler = sampler_at(manifest, 0, 0, 1);
  for_each_texel(target, [&](int x, int y) {
    const double l = (luminance.load({x, y})[0] - 16.0 / 255.0) * (255.0 / 219.0);
    const Vec4 c = sampled(chrominance, sampler, (x + 1.0) / target.width(), (y + 0.5) / target.height());
    const double u = (c[0] - 128.0 / 255.0) * (255.0 / 224.0);
    const double v = (c[1] - 128.0 / 255.0) * (255.0 / 224.0);
    target.store({x, y}, {l + 1.5748 * v, l - 0.1873 * u - 0.4681 * v, l + 1.8556 * u, 1.0});
  });
}

constexpr Reference kReferences[] = {
    {"img_separable_blur", separable_blur},
    {"img_bilateral_filter", bilateral_filter},
    {"img_median_filter", median_filter},
    {"img_fxaa", fxaa},
    {"img_temporal_resolve", temporal_resolve},
    {"img_tone_map", tone_map},
    {"img_bloom", bloom},
    {"img_light_culling", light_culling},
    {"img_summed_area", summed_area},
    {"img_yuv_to_rgb", yuv_to_rgb},
};

}  // namespace

std::span<const Reference> image_filter_references() {
  return kReferences;
}

}  // namespace spalt::run
