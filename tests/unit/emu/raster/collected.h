// SPDX-License-Identifier: MIT
#pragma once
#include <gtest/gtest.h>

#include <map>
#include <set>
#include <utility>
#include <vector>

#include "emu/raster/rasterizer.h"

namespace spalt::emu {

/// Keeps what a draw covers, and checks what holds of all quads.
class Collected final : public FragmentSink {
 public:
  struct Pass {
    FragmentPlanes planes;
    std::vector<RasterQuad> quads;
  };

  void begin(const FragmentPlanes& planes) override {
    passes.push_back({planes, {}});
    seen_.clear();
  }
  void quads(std::span<const RasterQuad> quads) override {
    if (passes.empty()) passes.emplace_back();
    for (const RasterQuad& quad : quads) {
      EXPECT_EQ(quad.x & 1, 0);
      EXPECT_EQ(quad.y & 1, 0);
      EXPECT_TRUE(seen_.insert({quad.x, quad.y}).second) << "quad " << quad.x << ", " << quad.y << " twice";
      uint16_t any = 0;
      for (int i = 0; i < 4; ++i) {
        const uint16_t mask = quad.coverage[static_cast<size_t>(i)];
        any |= mask;
        if (mask != 0) pixels[{quad.x + (i & 1), quad.y + (i >> 1)}] |= mask;
        for (unsigned s = 0; s < 16; ++s) count[{quad.x + (i & 1), quad.y + (i >> 1), s}] += mask >> s & 1;
      }
      EXPECT_NE(any, 0) << "an empty quad";
      passes.back().quads.push_back(quad);
    }
  }

  uint16_t at(int x, int y) const {
    const auto found = pixels.find({x, y});
    return found == pixels.end() ? 0 : found->second;
  }

  std::vector<Pass> passes;
  std::map<std::pair<int, int>, uint16_t> pixels;       ///< samples that are covered at all
  std::map<std::tuple<int, int, unsigned>, int> count;  ///< how often

 private:
  std::set<std::pair<int, int>> seen_;
};

}  // namespace spalt::emu
