// SPDX-License-Identifier: MIT
// Filters: weights of neighbours, comparisons, gathers, minima, borders, and what texels are before they are filtered.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <iterator>
#include <random>

#include "image_samples.h"

namespace spalt::emu::test {
namespace {

TEST(ImageSample, WrapsAndFilters) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 5, 3), target, target + 1);
    for (const U wrap_s : {kRepeat, kMirror, kEdge, kMirrorEdge, kBorderWrap}) {
      for (const U wrap_t : {kRepeat, kMirror, kEdge, kMirrorEdge, kBorderWrap}) {
        for (const bool linear : {false, true}) {
          TestSampler s;
          s.clamp[0] = wrap_s;
          s.clamp[1] = wrap_t;
          s.xy_mag = s.xy_min = linear ? 1 : 0;
          s.truncates = !linear;
          s.border_type = 2;
          SampleRun run(texture, s, "sample_lz", "2D", 2);
          run.inputs = grid(-1.93, 2.87);
          expect_near(run, linear ? kHalfSteps : 0, [&](unsigned lane) {
            return texture.at(0, in(run, 0, lane) * 5, in(run, 1, lane) * 3, 0, linear, s, 1);
          });
        }
      }
    }
  }
}

TEST(ImageSample, PositionsAreMultiplesOf256thsOfATexel) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 8, 4), target, 3);
    TestSampler s;
    s.xy_mag = s.xy_min = 1;
    SampleRun run(texture, s, "sample_lz", "2D", 2);
    std::mt19937 random(target);
    run.inputs.resize(2);
    for (unsigned i = 0; i < kThreads; ++i) {
      run.inputs[0].push_back(bits(static_cast<double>(random() % 4096) / 2048));
      run.inputs[1].push_back(bits(static_cast<double>(random() % 2048) / 1024));
    }
    expect_near(run, 1e-7,
                [&](unsigned lane) { return texture.at(0, in(run, 0, lane) * 8, in(run, 1, lane) * 4, 0, true, s); });
    // Between them the nearest one counts, or with TRUNC_COORD before GFX11 the one below.
    const bool truncates = target < kGfx11;
    for (const bool trunc : {false, true}) {
      s.truncates = trunc;
      run.sampler = sampler_words(s, target);
      std::vector<std::vector<U>> exact = run.inputs;
      for (unsigned i = 0; i < kThreads; ++i) run.inputs[0][i] = bits(in(run, 0, i) + 0.75 / 2048);
      expect_near(run, 1e-7, [&](unsigned lane) {
        const double moved = trunc && truncates ? 0 : 1.0 / 2048;
        return texture.at(0, (number(exact[0][lane]) + moved) * 8, in(run, 1, lane) * 4, 0, true, s);
      });
      run.inputs = exact;
    }
    // Nearest texels: with TRUNC_COORD the exact edge counts, without it half a step before the edge.
    s.xy_mag = s.xy_min = 0;
    for (const bool trunc : {false, true}) {
      s.truncates = trunc;
      run.sampler = sampler_words(s, target);
      for (unsigned i = 0; i < kThreads; ++i) {
        run.inputs[0][i] = bits((i % 8 + 1 - 0.25 / 256) / 8);
        run.inputs[1][i] = bits(0.125);
      }
      expect_near(run, 0, [&](unsigned lane) {
        return texture.at(0, (trunc ? lane % 8 : (lane + 1) % 8) + 0.5, 0.5, 0, false, s);
      });
    }
  }
}

TEST(ImageSample, ComparisonsCountTexels) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 5, 3), target, 6);
    const std::function<bool(double, double)> ops[] = {
        [](double, double) { return false; },      [](double a, double b) { return a < b; },
        [](double a, double b) { return a == b; }, [](double a, double b) { return a <= b; },
        [](double a, double b) { return a > b; },  [](double a, double b) { return a != b; },
        [](double a, double b) { return a >= b; }, [](double, double) { return true; }};
    for (U op = 0; op < 8; ++op) {
      TestSampler s;
      s.xy_mag = s.xy_min = 1;
      s.compare = op;
      s.clamp[0] = s.clamp[1] = kBorderWrap;
      SampleRun run(texture, s, "sample_c_lz", "2D", 3, 2);
      const std::vector<std::vector<U>> points = grid(-0.2, 1.2);
      run.inputs = {{}, points[0], points[1]};
      std::mt19937 random(op);
      for (unsigned i = 0; i < kThreads; ++i) {
        run.inputs[0].push_back(std::bit_cast<U>(static_cast<float>(random() % 256) / 255));
      }
      Texture compared = texture;
      expect_near(run, kHalfSteps, [&](unsigned lane) {
        // Texels are 0 or 1 before they are filtered, those of the border too.
        const double reference = in(run, 0, lane);
        for (int y = 0; y < 3; ++y) {
          for (int x = 0; x < 5; ++x) {
            compared.put(texel_offset(texture.image, target, 0, static_cast<U>(x), static_cast<U>(y), 0),
                         ops[op](reference, texture.texel(0, x, y, 0)) ? 1 : 0);
          }
        }
        return compared.at(0, in(run, 1, lane) * 5, in(run, 2, lane) * 3, 0, true, s, ops[op](reference, 0) ? 1 : 0);
      });
    }
  }
}

TEST(ImageSample, GathersFourTexelsOfOneChannel) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 5, 3);
    image.format = rgba8_uint(target);
    image.swizzle = 0xfac;
    std::vector<uint8_t> memory(slice_size(image, target));
    for (U y = 0; y < 3; ++y) {
      for (U x = 0; x < 5; ++x) {
        for (U c = 0; c < 4; ++c) {
          memory[texel_offset(image, target, 0, x, y, 0) + c] = static_cast<uint8_t>(c * 64 + y * 5 + x);
        }
      }
    }
    TestSampler s;
    s.clamp[0] = kRepeat;
    s.clamp[1] = kEdge;
    for (unsigned component = 0; component < 4; ++component) {
      for (const bool offset : {false, true}) {
        ImageRun run;
        run.target = target;
        run.threads = kThreads;
        run.memory = &memory;
        run.image = image_words(image, target);
        run.sampler = sampler_words(s, target);
        const std::vector<std::vector<U>> points = grid(-0.47, 1.41);
        if (offset) run.inputs.emplace_back(kThreads, 2u | 63u << 8);  // 2, -1
        run.inputs.insert(run.inputs.end(), points.begin(), points.end());
        run.body = std::string("image_gather4_lz") + (offset ? "_o" : "") + " v[40:43], " +
                   address_text(target, offset ? 3 : 2, offset ? 2 : 1, true) +
                   ", s[8:15], s[16:19] dmask:" + std::to_string(1u << component) + dim_text(target, "2D");
        const auto out = run.run();
        ASSERT_EQ(run.fault, "") << run.body;
        for (unsigned lane = 0; lane < kThreads; ++lane) {
          const double u = number(points[0][lane]) * 5 - 0.5 + (offset ? 2 : 0);
          const double v = number(points[1][lane]) * 3 - 0.5 - (offset ? 1 : 0);
          if (std::abs(u - std::nearbyint(u)) < 1.0 / 256 || std::abs(v - std::nearbyint(v)) < 1.0 / 256) continue;
          const int dx[] = {0, 1, 1, 0}, dy[] = {1, 1, 0, 0};
          for (unsigned i = 0; i < 4; ++i) {
            const int x = wrapped(static_cast<int>(std::floor(u)) + dx[i], 5, kRepeat);
            const int y = wrapped(static_cast<int>(std::floor(v)) + dy[i], 3, kEdge);
            EXPECT_EQ(out[i][lane], component * 64 + static_cast<U>(y * 5 + x))
                << kImageTargets[target] << run.body << lane;
          }
        }
      }
    }
  }
}

TEST(ImageSample, GathersOfHalvesAndTheirRegisters) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 4, 4), target, 6);
    for (size_t i = 0; i + 3 < texture.memory.size(); i += 4) texture.put(i, 0.5F);
    SampleRun run(texture, {}, "gather4_lz", "2D", 2, 1, " d16");
    run.body.replace(run.body.find("v40"), 3, "v[40:41]");
    run.outputs = 4;
    run.inputs = grid(0, 1);
    const auto out = run.run();
    ASSERT_EQ(run.fault, "");
    EXPECT_EQ(out[0][7], 0x38003800u);
    EXPECT_EQ(out[1][7], 0x38003800u);
    // On gfx9 two more registers are lost.
    EXPECT_EQ(out[2][7] == 0x33333333u, target != kGfx9);
    EXPECT_EQ(out[3][7] == 0x44444444u, target != kGfx9);
  }
}

TEST(ImageSample, MinimumAndMaximum) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 5, 3), target, 16);
    for (const bool maximum : {false, true}) {
      TestSampler s;
      s.xy_mag = s.xy_min = 1;
      s.filter_mode = maximum ? 2 : 1;
      s.clamp[0] = s.clamp[1] = kEdge;
      SampleRun run(texture, s, "sample_lz", "2D", 2);
      run.inputs = grid(0.013, 0.991);
      expect_near(run, 0, [&](unsigned lane) {
        const double u = in(run, 0, lane) * 5 - 0.5, v = in(run, 1, lane) * 3 - 0.5;
        if (std::abs(u - std::nearbyint(u)) < 1.0 / 256 || std::abs(v - std::nearbyint(v)) < 1.0 / 256) {
          return std::nan("");
        }
        double result = maximum ? -1 : 2;
        for (int i = 0; i < 4; ++i) {
          const int x = wrapped(static_cast<int>(std::floor(u)) + i % 2, 5, kEdge);
          const int y = wrapped(static_cast<int>(std::floor(v)) + i / 2, 3, kEdge);
          const double texel = texture.texel(0, x, y, 0);
          result = maximum ? std::max(result, texel) : std::min(result, texel);
        }
        return result;
      });
    }
  }
}

TEST(ImageSample, BorderColoursAndTheirPalette) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    for (const bool integers : {false, true}) {
      for (const U type : {0u, 1u, 2u, 3u}) {
        TestImage image = float_image(target, 2, 2);
        image.format = integers ? rgba8_uint(target) : rgba8_unorm(target);
        image.swizzle = 6u | 5u << 3 | 4u << 6 | 7u << 9;  // B, G, R, A in memory
        image.bc_swizzle = 4;
        // Of the last 64 bytes, entry 2 of the palette.
        std::vector<uint8_t> memory(slice_size(image, target) + 64, 7);
        const U color[] = {11, 12, 13, 14};
        std::memcpy(memory.data() + memory.size() - 32, color, 16);
        TestSampler s;
        s.clamp[0] = s.clamp[1] = kBorderWrap;
        s.border_type = type;
        s.border_index = 2;
        ImageRun run;
        run.target = target;
        run.memory = &memory;
        run.image = image_words(image, target);
        run.sampler = sampler_words(s, target);
        run.border_colors = kImageBase + memory.size() - 64;
        run.inputs.assign(2, std::vector<U>(64, bits(1.5)));
        run.body = "image_sample_lz v[40:43], " + address_text(target, 2, 1, true) + ", s[8:15], s[16:19] dmask:0xf" +
                   dim_text(target, "2D");
        const auto out = run.run();
        ASSERT_EQ(run.fault, "") << kImageTargets[target];
        const U one = integers ? 1 : bits(1);
        const U want[4][4] = {{0, 0, 0, 0}, {0, 0, 0, one}, {one, one, one, one}, {11, 12, 13, 14}};
        for (unsigned c = 0; c < 4; ++c) EXPECT_EQ(out[c][0], want[type][c]) << kImageTargets[target] << type;
        if (type != 3) continue;
        run.border_colors = 0;
        run.run();
        EXPECT_NE(run.fault.find("palette"), std::string::npos) << run.fault;
        run.border_colors = 0x1000;
        run.run();
        EXPECT_EQ(run.fault_address, 0x1020u) << run.fault;
      }
    }
  }
}

TEST(ImageSample, LinearizesBeforeItFilters) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 2, 1);
    image.format = rgba8_srgb(target);
    image.swizzle = 0xfac;
    std::vector<uint8_t> memory(slice_size(image, target), 0);
    for (unsigned c = 0; c < 4; ++c) memory[4 + c] = 188;
    TestSampler s;
    s.xy_mag = s.xy_min = 1;
    ImageRun run;
    run.target = target;
    run.memory = &memory;
    run.image = image_words(image, target);
    run.sampler = sampler_words(s, target);
    run.inputs.assign(2, std::vector<U>(64, bits(0.5)));
    run.body = "image_sample_lz v[40:43], " + address_text(target, 2, 1, true) + ", s[8:15], s[16:19] dmask:0xf" +
               dim_text(target, "2D");
    const auto out = run.run();
    ASSERT_EQ(run.fault, "");
    const double linear = std::pow((188 / 255.0 + 0.055) / 1.055, 2.4);
    for (unsigned c = 0; c < 3; ++c) EXPECT_NEAR(number(out[c][0]), linear / 2, 1e-6);
    EXPECT_NEAR(number(out[3][0]), 94 / 255.0, 1e-6);
  }
}

TEST(ImageSample, ReadsCompressedBlocks) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 10, 6);
    image.format = format_code(target, 35, 0, 169, 109);  // BC1
    image.swizzle = 0xfac;
    image.texel_bytes = 8;
    image.block = 4;
    std::vector<uint8_t> memory(slice_size(image, target), 0);
    // Each block has two colours, 31 - b and b of red, and a checkerboard of them.
    for (U y = 0; y < 2; ++y) {
      for (U x = 0; x < 3; ++x) {
        const U b = y * 3 + x + 1;
        const uint16_t colors[] = {static_cast<uint16_t>((31 - b) << 11), static_cast<uint16_t>(b << 11)};
        const U selectors = 0x44114411u;  // texel (x, y) has colour (x + y) % 2, two bits each
        uint8_t* at = memory.data() + texel_offset(image, target, 0, x * 4, y * 4, 0);
        std::memcpy(at, colors, 4);
        std::memcpy(at + 4, &selectors, 4);
      }
    }
    ImageRun run;
    run.target = target;
    run.memory = &memory;
    run.image = image_words(image, target);
    run.sampler = sampler_words({}, target);
    run.inputs.resize(4);
    for (U i = 0; i < 64; ++i) {
      run.inputs[0].push_back(bits((i % 10 + 0.5) / 10));
      run.inputs[1].push_back(bits((i / 10 % 6 + 0.5) / 6));
      run.inputs[2].push_back(i % 10);
      run.inputs[3].push_back(i / 10);
    }
    run.outputs = 2;
    // The load names the third and the fourth operand.
    const std::string second = target == kGfx12 ? "[v12, v13]" : target == kGfx9 ? "v12" : "v[12:13]";
    run.body = "image_sample_lz v40, " + address_text(target, 2, 1, true) + ", s[8:15], s[16:19] dmask:0x1" +
               dim_text(target, "2D") + "\nimage_load v41, " + second + ", s[8:15] dmask:0x1" + dim_text(target, "2D");
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << run.body;
    for (U i = 0; i < 64; ++i) {
      const auto red = [](U x, U y) {
        const U b = y / 4 * 3 + x / 4 + 1;
        const U c = (x + y) % 2 == 0 ? b : 31 - b;
        return c;
      };
      // Selector bits 01 00 01 00 from the lowest texel on: 1 is the second colour.
      const double want = red(i % 10, i / 10 % 6) / 31.0;
      EXPECT_NEAR(number(out[0][i]), want, 1.0 / 255) << kImageTargets[target] << i;
      EXPECT_NEAR(number(out[1][i]), i < 60 ? want : 0, 1.0 / 255) << kImageTargets[target] << i;
    }
  }
}

}  // namespace
}  // namespace spalt::emu::test
