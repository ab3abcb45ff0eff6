// SPDX-License-Identifier: MIT
// Addresses: layers, slices, offsets, 16-bit and long ones, what is no coordinate; when samples arrive.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

#include "image_samples.h"

namespace spalt::emu::test {
namespace {

TEST(ImageSample, VolumesLayersAndOffsets) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 6, 5);
    image.type = k3D;
    image.depth = 7;
    Texture volume(image, target, 12);
    for (const U z_filter : {0u, 2u}) {
      TestSampler s;
      s.xy_mag = s.xy_min = 1;
      s.z_filter = z_filter;
      s.clamp[2] = kMirror;
      SampleRun run(volume, s, "sample_lz", "3D", 3);
      run.inputs = grid(-0.4, 1.3);
      run.inputs.emplace_back();
      for (unsigned i = 0; i < kThreads; ++i) run.inputs[2].push_back(bits((i * 37 % 1024) / 400.0 - 0.7));
      expect_near(run, kHalfSteps * 1.5, [&](unsigned lane) {
        return volume.at(0, in(run, 0, lane) * 6, in(run, 1, lane) * 5, in(run, 2, lane) * 7, true, s);
      });
    }

    image.type = k2DArray;
    image.depth = 1;
    image.first_layer = 2;
    image.last_layer = 6;
    Texture array(image, target, 13);
    TestSampler s;
    s.xy_mag = s.xy_min = 1;
    SampleRun run(array, s, "sample_lz_o", "2D_ARRAY", 4, 2);
    std::vector<std::vector<U>> points = grid(0.1, 0.9);
    run.inputs.assign(1, std::vector<U>(kThreads, (61u & 63) | 2u << 8));  // -3, 2
    run.inputs.push_back(points[0]);
    run.inputs.push_back(points[1]);
    run.inputs.emplace_back();
    for (unsigned i = 0; i < kThreads; ++i) run.inputs[3].push_back(bits(i / 64.0 - 4));
    expect_near(run, kHalfSteps, [&](unsigned lane) {
      const double layer = std::min(std::max(std::nearbyint(in(run, 3, lane)), 0.0), 4.0);
      return array.at(0, in(run, 1, lane) * 6 - 3, in(run, 2, lane) * 5 + 2, 2 + layer, true, s);
    });
  }
}

TEST(ImageSample, ShortAddresses) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 4, 4);
    image.levels = 3;
    image.last_level = 2;
    Texture texture(image, target, 21);
    TestSampler s;
    s.xy_mag = s.xy_min = 1;
    s.mip_filter = 2;
    SampleRun run(texture, s, "sample_l", "2D", 2, 1, " a16");
    // Halves: s = 0.25 or 0.75, t = 0.5, level 0, 0.5, 1 or 1.5.
    const U levels[] = {0, 0x3800, 0x3c00, 0x3e00};
    run.inputs.resize(2);
    for (unsigned i = 0; i < kThreads; ++i) {
      run.inputs[0].push_back((i % 2 == 0 ? 0x3400u : 0x3a00u) | 0x3800u << 16);
      run.inputs[1].push_back(levels[i / 2 % 4]);
    }
    expect_near(run, kHalfSteps, [&](unsigned lane) {
      return texture.at_lod(lane / 2 % 4 * 0.5, lane % 2 == 0 ? 0.25 : 0.75, 0.5, 0, true, s);
    });
  }
}

TEST(ImageSample, TheLongestAddress) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 8, 8);
    image.type = k3D;
    image.depth = 8;
    image.levels = 4;
    image.last_level = 3;
    Texture texture(image, target, 31);
    Texture compared = texture;
    constexpr double kReference = 0.4;
    for (U level = 0; level < 4; ++level) {
      for (int i = 0; i < texture.width(level) * texture.height(level) * texture.depth(level); ++i) {
        const int size = texture.width(level), x = i % size, y = i / size % size, z = i / size / size;
        compared.put(texel_offset(image, target, level, static_cast<U>(x), static_cast<U>(y), static_cast<U>(z)),
                     kReference <= texture.texel(level, x, y, static_cast<U>(z)) ? 1 : 0);
      }
    }
    TestSampler s;
    s.xy_mag = s.xy_min = 1;
    s.mip_filter = 2;
    s.compare = 3;
    SampleRun run(texture, s, "sample_c_d_cl_o", "3D", 12, 4);
    // Offset (1, -2, 3), reference, six gradients, three coordinates, the least level.
    run.inputs.assign(12, {});
    std::mt19937 random(target);
    for (unsigned i = 0; i < kThreads; ++i) {
      run.inputs[0].push_back(1u | 62u << 8 | 3u << 16);
      run.inputs[1].push_back(bits(kReference));
      for (unsigned g = 0; g < 6; ++g) run.inputs[2 + g].push_back(bits((i + g) % 7 == 0 ? 0.3 : 0.01 * g));
      for (unsigned c = 0; c < 3; ++c) run.inputs[8 + c].push_back(bits(random() % 1000 / 1000.0));
      run.inputs[11].push_back(bits(i % 16 / 8.0));
    }
    const auto want = [&](unsigned lane) {
      const auto length = [&](unsigned first) {
        return 8 * std::hypot(in(run, first, lane), in(run, first + 1, lane), in(run, first + 2, lane));
      };
      const double lambda = std::log2(std::max(length(2), length(5)));
      const double lod = std::min(std::max(std::max(lambda, in(run, 11, lane)), 0.0), 3.0);
      const auto level = [&](double l) {
        const auto i = static_cast<U>(l);
        const double n = texture.width(i);
        return compared.at(i, in(run, 8, lane) * n + 1, in(run, 9, lane) * n - 2, in(run, 10, lane) * n + 3, true, s);
      };
      const double first = std::floor(lod), fraction = lod - first;
      return fraction == 0 ? level(first) : level(first) * (1 - fraction) + level(first + 1) * fraction;
    };
    const double tolerance = kHalfSteps * 1.5 + 1.0 / 512;
    expect_near(run, tolerance, want);
    // The same with registers in another order.
    if (target != kGfx103) continue;
    run.body =
        "v_mov_b32 v30, v10\nv_mov_b32 v10, v19\nv_mov_b32 v31, v21\n"
        "image_sample_c_d_cl_o v40, [v30, v11, v12, v13, v14, v15, v16, v17, v18, v10, v20, v31], s[8:15], "
        "s[16:19] dmask:0x1 dim:SQ_RSRC_IMG_3D";
    expect_near(run, tolerance, want);
  }
}

TEST(ImageSample, UnnormalizedCoordinatesAreTexels) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 5, 3), target, 2);
    TestSampler s;
    s.unnormalized = true;
    s.xy_mag = s.xy_min = 1;
    s.clamp[0] = s.clamp[1] = kEdge;
    SampleRun run(texture, s, "sample_lz", "2D", 2);
    run.inputs = grid(-1, 6);
    expect_near(run, kHalfSteps,
                [&](unsigned lane) { return texture.at(0, in(run, 0, lane), in(run, 1, lane), 0, true, s); });
  }
}

TEST(ImageSample, HalvesAndShortDescriptors) {
  for (unsigned target = kGfx10; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 4, 4), target, 6);
    for (size_t i = 0; i + 3 < texture.memory.size(); i += 4) texture.put(i, 0.75F);
    SampleRun run(texture, {}, "sample_lz", "2D", 2, 1, " r128 d16");
    run.body.replace(run.body.find("s[8:15]"), 7, "s[8:11]");
    run.inputs = grid(0, 1);
    const auto out = run.run();
    ASSERT_EQ(run.fault, "") << run.body;
    EXPECT_EQ(out[0][9], 0x11113a00u);
  }
}

TEST(ImageSample, NumbersThatAreNoCoordinates) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 5, 3), target, 2);
    for (const U wrap : {kRepeat, kMirror, kEdge, kMirrorEdge, kBorderWrap}) {
      TestSampler s;
      s.clamp[0] = s.clamp[1] = wrap;
      s.xy_mag = s.xy_min = 3;
      s.aniso_ratio = 4;
      s.mip_filter = 2;
      SampleRun run(texture, s, "sample", "2D", 2);
      const U odd[] = {0x7fc00000, 0x7f800000, 0xff800000, 0x7f7fffff, 0xff7fffff, 0x4f000000, 1, 0};
      run.inputs.resize(2);
      for (unsigned i = 0; i < kThreads; ++i) {
        run.inputs[0].push_back(odd[i % 8]);
        run.inputs[1].push_back(odd[i / 8 % 8]);
      }
      run.run();
      EXPECT_EQ(run.fault, "");
    }
  }
}

TEST(ImageSample, IsNotAsEarlyAsALoad) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    Texture texture(float_image(target, 4, 4), target, 9);
    SampleRun run(texture, {}, "sample_lz", "2D", 2);
    run.threads = 64;
    run.inputs = {std::vector<U>(64, 0), std::vector<U>(64, 0)};
    const std::string sample = run.body;
    const std::string load =
        "image_load v40, " + address_text(target, 2) + ", s[8:15] dmask:0x1" + dim_text(target, "2D");
    const auto fault_of = [&](const std::string& body) {
      run.body = body;
      run.run();
      return run.fault;
    };
    EXPECT_NE(fault_of(sample + "\n" + load).find("overwrites v40"), std::string::npos) << kImageTargets[target];
    EXPECT_NE(fault_of(load + "\n" + sample).find("overwrites v40"), std::string::npos) << kImageTargets[target];
    EXPECT_EQ(fault_of(load + "\n" + load).empty(), target != kGfx12) << kImageTargets[target];
    // On gfx11.5 one of them may go the way of loads.
    EXPECT_EQ(fault_of(sample + "\n" + sample).empty(), target != kGfx12 && target != kGfx115) << kImageTargets[target];
    std::string gather = sample;
    gather.replace(gather.find("sample_lz v40"), 13, "gather4_lz v[40:43]");
    EXPECT_EQ(fault_of(gather + "\n" + gather).empty(), target != kGfx12) << kImageTargets[target];
    if (target != kGfx12) continue;
    EXPECT_NE(fault_of(sample + "\ns_wait_loadcnt 0x0\nv_mov_b32 v41, v40").find("s_wait_samplecnt"),
              std::string::npos);
    EXPECT_EQ(fault_of(sample + "\ns_wait_samplecnt 0x0\nv_mov_b32 v41, v40"), "");
    EXPECT_EQ(fault_of(sample + "\n" + gather.replace(gather.find("v[40:43]"), 8, "v[44:47]") +
                       "\ns_wait_samplecnt 0x1\nv_mov_b32 v41, v40"),
              "");
  }
}

TEST(ImageSample, SimulatedCachesGiveTheSameResults) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 33, 17);
    image.levels = 4;
    image.last_level = 3;
    Texture texture(image, target, 9);
    TestSampler s;
    s.xy_mag = s.xy_min = 1;
    s.mip_filter = 2;
    SampleRun run(texture, s, "sample_l", "2D", 3);
    run.threads = 128;
    run.inputs = grid(-1, 2);
    for (auto& input : run.inputs) input.resize(128);
    run.inputs.emplace_back(128, bits(1.4));
    const auto want = run.run();
    ASSERT_EQ(run.fault, "");
    run.hierarchy = true;
    for (run.seed = 0; run.seed < 10; ++run.seed) EXPECT_EQ(run.run(), want) << kImageTargets[target] << run.fault;
  }
}

}  // namespace
}  // namespace spalt::emu::test
