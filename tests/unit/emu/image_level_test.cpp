// SPDX-License-Identifier: MIT
// Levels of detail: given, from gradients, from the neighbours in a square of lanes; anisotropy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

#include "image_samples.h"

namespace spalt::emu::test {
namespace {

TEST(ImageSample, LevelsOfDetail) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 37, 22);
    image.levels = 6;
    image.base_level = 1;
    image.last_level = 4;
    image.min_lod = 256 + 128;  // half a level below the first one of the view
    Texture texture(image, target, 8);
    for (const U mip : {0u, 1u, 2u}) {
      TestSampler s;
      s.xy_mag = 0;
      s.xy_min = 1;
      s.truncates = target >= kGfx11;
      s.clamp[0] = s.clamp[1] = kEdge;
      s.mip_filter = mip;
      s.min_lod = 64;
      s.max_lod = 2 * 256 + 192;
      s.lod_bias = 77;
      SampleRun run(texture, s, "sample_l", "2D", 3);
      run.inputs = grid(0.05, 0.95);
      run.inputs.emplace_back();
      for (unsigned i = 0; i < kThreads; ++i) run.inputs[2].push_back(bits(static_cast<double>(i) / 128 - 2));
      expect_near(run, kHalfSteps, [&](unsigned lane) {
        const double lambda = std::min(std::max(in(run, 2, lane) + 77.0 / 256, 0.25), 2.75);
        const double d = std::max(std::min(std::max(lambda, 0.0), 3.0), 0.5);
        return texture.at_lod(mip == 0 ? 0.5 : d, in(run, 0, lane), in(run, 1, lane), 0, true, s);
      });
      // sample_b_cl of a quad whose coordinates are the same: the bias does not matter, the clamp does.
      if (mip == 0) continue;
      SampleRun clamped(texture, s, "sample_b_cl", "2D", 4, 2);
      clamped.inputs.assign(4, {});
      for (unsigned i = 0; i < kThreads; ++i) {
        clamped.inputs[0].push_back(bits(3));
        clamped.inputs[1].push_back(bits(0.375));
        clamped.inputs[2].push_back(bits(0.625));
        clamped.inputs[3].push_back(bits(static_cast<double>(i / 4) / 64));
      }
      expect_near(clamped, kHalfSteps, [&](unsigned lane) {
        const double lambda = std::min(std::max(in(clamped, 3, lane), 0.25), 2.75);
        return texture.at_lod(std::max(lambda, 0.5), 0.375, 0.625, 0, true, s);
      });
    }
  }
}

double log2_footprint(double dsdx, double dtdx, double dsdy, double dtdy, int width, int height) {
  const double x = std::hypot(dsdx * width, dtdx * height), y = std::hypot(dsdy * width, dtdy * height);
  return std::log2(std::max(x, y));
}

TEST(ImageSample, GradientsAndQuads) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 64, 32);
    image.levels = 7;
    image.last_level = 6;
    Texture texture(image, target, 4);
    // Each level has one value, so that the result tells the level.
    for (U level = 0; level < 7; ++level) {
      for (int y = 0; y < texture.height(level); ++y) {
        for (int x = 0; x < texture.width(level); ++x) {
          texture.put(texel_offset(image, target, level, static_cast<U>(x), static_cast<U>(y), 0),
                      static_cast<float>(level));
        }
      }
    }
    TestSampler s;
    s.mip_filter = 2;
    s.xy_mag = s.xy_min = 1;
    std::mt19937 random(target);
    const auto gradient = [&random] {
      return bits(std::exp2(-(random() % 700 / 100.0)) * (random() % 2 == 0 ? 1 : -1));
    };
    SampleRun run(texture, s, "sample_d", "2D", 6, 2);
    run.inputs.resize(6);
    for (unsigned i = 0; i < kThreads; ++i) {
      for (unsigned g = 0; g < 4; ++g) run.inputs[g].push_back(gradient());
      run.inputs[4].push_back(bits(0.3));
      run.inputs[5].push_back(bits(0.7));
    }
    const auto want = [&](unsigned lane) {
      const double lambda =
          log2_footprint(in(run, 0, lane), in(run, 1, lane), in(run, 2, lane), in(run, 3, lane), 64, 32);
      return std::min(std::max(lambda, 0.0), 6.0);
    };
    expect_near(run, 1.0 / 500, want);

    if (target != kGfx9) {
      SampleRun halves(texture, s, "sample_d_g16", "2D", 4);
      halves.inputs.resize(4);
      for (unsigned i = 0; i < kThreads; ++i) {
        // 2^-3 and 2^-5 along x, 0 and 2^-(i mod 8) along y.
        halves.inputs[0].push_back(0x28003000u);
        halves.inputs[1].push_back((15 - i % 8) << 26);
        halves.inputs[2].push_back(bits(0.3));
        halves.inputs[3].push_back(bits(0.7));
      }
      expect_near(halves, 1.0 / 500, [&](unsigned lane) {
        return std::max(0.0, log2_footprint(0.125, 0.03125, 0, std::exp2(-static_cast<int>(lane % 8)), 64, 32));
      });
    }

    SampleRun quads(texture, s, "sample", "2D", 2);
    quads.inputs.resize(2);
    for (unsigned i = 0; i < kThreads; ++i) {
      const unsigned base = i & ~3u;
      const double x = i % 4 == 1 || i % 4 == 3 ? 1 : 0, y = i % 4 >= 2 ? 1 : 0;
      quads.inputs[0].push_back(bits(0.25 + x * in(run, 0, base) + y * in(run, 2, base)));
      quads.inputs[1].push_back(bits(0.5 + x * in(run, 1, base) + y * in(run, 3, base)));
    }
    expect_near(quads, 1.0 / 400, [&](unsigned lane) { return want(lane & ~3u); });

    quads.body = "image_get_lod v[40:41], " + address_text(target, 2, 1, true) + ", s[8:15], s[16:19] dmask:0x3" +
                 dim_text(target, "2D");
    quads.outputs = 2;
    const auto out = quads.run();
    ASSERT_EQ(quads.fault, "");
    for (unsigned lane = 0; lane < kThreads; ++lane) {
      const U base = lane & ~3u;
      EXPECT_NEAR(number(out[0][lane]), want(base), 1.0 / 400);
      EXPECT_NEAR(number(out[1][lane]),
                  log2_footprint(in(run, 0, base), in(run, 1, base), in(run, 2, base), in(run, 3, base), 64, 32), 1e-3);
    }
  }
}

TEST(ImageSample, ShortGradientsAndBias) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 16, 16);
    image.levels = 5;
    image.last_level = 4;
    Texture texture(image, target, 1);
    for (U level = 0; level < 5; ++level) {
      for (int y = 0; y < texture.height(level); ++y) {
        for (int x = 0; x < texture.width(level); ++x) {
          texture.put(texel_offset(image, target, level, static_cast<U>(x), static_cast<U>(y), 0),
                      static_cast<float>(level));
        }
      }
    }
    TestSampler s;
    s.mip_filter = 2;
    // Halves: 2^-(i mod 4) and 0 by x, 0 and 2^-3 by y; (0.5, 0.25).
    const auto gradient = [](unsigned i) { return (15 - i % 4) << 10; };
    const auto want = [](unsigned lane) { return std::max(4.0 - lane % 4, 1.0); };
    const std::string name = target == kGfx9 ? "sample_d" : "sample_d_g16";
    SampleRun run(texture, s, name, "2D", 3, 2, " a16");
    run.inputs.resize(3);
    for (unsigned i = 0; i < kThreads; ++i) {
      run.inputs[0].push_back(gradient(i));
      run.inputs[1].push_back(0x30000000u);
      run.inputs[2].push_back(0x34003800u);
    }
    expect_near(run, 1.0 / 500, want);
    if (target != kGfx9) {
      // Wide gradients with short coordinates.
      SampleRun mixed(texture, s, "sample_d", "2D", 5, 2, " a16");
      mixed.inputs.resize(5);
      for (unsigned i = 0; i < kThreads; ++i) {
        mixed.inputs[0].push_back(bits(std::exp2(-static_cast<int>(i % 4))));
        mixed.inputs[1].push_back(0);
        mixed.inputs[2].push_back(0);
        mixed.inputs[3].push_back(bits(0.125));
        mixed.inputs[4].push_back(0x34003800u);
      }
      expect_near(mixed, 1.0 / 500, want);
    }
    // A footprint of 2 texels, and a bias of 0.5 (a half in a register of its own).
    SampleRun biased(texture, s, "sample_b", "2D", 2, 2, " a16");
    biased.inputs.resize(2);
    for (unsigned i = 0; i < kThreads; ++i) {
      biased.inputs[0].push_back(0xabcd3800u);
      biased.inputs[1].push_back(i % 4 % 2 == 0 ? 0x34003800u : 0x34003900u);
    }
    expect_near(biased, 1.0 / 500, [](unsigned) { return 1.5; });
    // Gathers read the first level, unless they name one.
    if (target >= kGfx11) continue;
    for (const bool named : {false, true}) {
      SampleRun gather(texture, s, named ? "gather4_l" : "gather4", "2D", named ? 3 : 2);
      gather.body.replace(gather.body.find("v40"), 3, "v[40:43]");
      gather.inputs.assign(3, std::vector<U>(kThreads, bits(0.4)));
      for (unsigned i = 0; i < kThreads; ++i) {
        if (i % 2 == 1) gather.inputs[0][i] = bits(0.9);
        gather.inputs[2][i] = bits(2.25);
      }
      expect_near(gather, 0, [&](unsigned) { return named ? 2 : 0; });
    }
  }
}

TEST(ImageSample, Anisotropy) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 64, 64);
    image.levels = 7;
    image.last_level = 6;
    Texture texture(image, target, 9);
    TestSampler s;
    s.xy_mag = s.xy_min = 3;
    s.mip_filter = 2;
    s.aniso_ratio = 2;  // 4 times
    SampleRun run(texture, s, "sample_d", "2D", 6, 2);
    const std::vector<std::vector<U>> points = grid(0.1, 0.9);
    run.inputs.resize(4);
    for (unsigned i = 0; i < kThreads; ++i) {
      run.inputs[0].push_back(bits(0.125));  // 8 texels along s
      run.inputs[1].push_back(bits(0));
      run.inputs[2].push_back(bits(0));
      run.inputs[3].push_back(bits(1.0 / 64 * (1 + i % 5)));  // 1 to 5 texels along t
    }
    run.inputs.insert(run.inputs.end(), points.begin(), points.end());
    expect_near(run, kHalfSteps, [&](unsigned lane) {
      const double eta = std::min(8.0 / (1 + lane % 5), 4.0), lambda = std::log2(8 / eta);
      const auto count = static_cast<int>(std::ceil(eta));
      // The level is quantized, too.
      const double level = std::floor(lambda * 256 + 0.5) / 256;
      double sum = 0;
      for (int i = 1; i <= count; ++i) {
        sum +=
            texture.at_lod(level, in(run, 4, lane) + 0.125 * (i / (count + 1.0) - 0.5), in(run, 5, lane), 0, true, s);
      }
      return sum / count;
    });
  }
}

TEST(ImageSample, InactiveLanesOfAQuadCountAsZero) {
  TestImage image = float_image(kGfx103, 64, 64);
  Texture texture(image, kGfx103, 9);
  SampleRun run(texture, {}, "sample", "2D", 2);
  run.threads = run.wave_size = 32;
  run.inputs.assign(2, std::vector<U>(32, bits(0.5)));
  run.outputs = 2;
  run.body =
      "s_mov_b32 exec_lo, 0xffffff7d\nimage_get_lod v[40:41], v[10:11], s[8:15], s[16:19] dmask:0x3 "
      "dim:SQ_RSRC_IMG_2D\ns_waitcnt vmcnt(0)\ns_mov_b32 exec_lo, -1";
  const auto out = run.run();
  ASSERT_EQ(run.fault, "");
  // Lane 1 is away: a step of half the image in each axis. Lane 7 is not asked.
  EXPECT_NEAR(number(out[1][0]), std::log2(std::hypot(32, 32)), 1e-5);
  EXPECT_LT(number(out[1][4]), -1000);
}

}  // namespace
}  // namespace spalt::emu::test
