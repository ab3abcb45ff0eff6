// SPDX-License-Identifier: MIT
// Cubes: samples across edges and corners of faces.
#include <gtest/gtest.h>

#include <array>
#include <iterator>

#include "image_samples.h"

namespace spalt::emu::test {
namespace {

/// The point of the cube that an address names, from Vulkan's table.
std::array<double, 3> cube_point(unsigned face, double s, double t) {
  const double sc = 2 * s - 1, tc = 2 * t - 1;
  switch (face) {
    case 0:
      return {1, -tc, -sc};
    case 1:
      return {-1, -tc, sc};
    case 2:
      return {sc, 1, tc};
    case 3:
      return {sc, -1, -tc};
    case 4:
      return {sc, -tc, 1};
    default:
      return {-sc, -tc, -1};
  }
}

TEST(ImageSample, CubesHaveNoSeams) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    constexpr U kSize = 16;
    TestImage image = float_image(target, kSize, kSize);
    image.type = kCube;
    image.last_layer = 17;
    image.first_layer = 6;
    Texture texture(image, target, 1);
    const auto value = [](const std::array<double, 3>& p) { return (p[0] + 2 * p[1] + 4 * p[2]) / 14 + 0.5; };
    for (U slice = 0; slice < 18; ++slice) {
      for (U y = 0; y < kSize; ++y) {
        for (U x = 0; x < kSize; ++x) {
          const double color = value(cube_point(slice % 6, (x + 0.5) / kSize, (y + 0.5) / kSize));
          texture.put(texel_offset(image, target, 0, x, y, slice), static_cast<float>(color + slice / 6 * 10.0));
        }
      }
    }
    TestSampler s;
    s.xy_mag = s.xy_min = 1;
    s.clamp[0] = s.clamp[1] = kEdge;
    for (unsigned face = 0; face < 6; ++face) {
      SampleRun run(texture, s, "sample_lz", "CUBE", 3);
      run.inputs = grid(1, 2);
      run.inputs.emplace_back(kThreads, bits(face + 8.0));
      // Between texels of two faces the colour is that of a straight line over the edge.
      expect_near(run, 7.0 / 14 / kSize + kHalfSteps, [&](unsigned lane) {
        return value(cube_point(face, in(run, 0, lane) - 1, in(run, 1, lane) - 1)) + 20;
      });
      // Corners are the average of three texels, edges that of two; the colour is that of no clamped face.
      const auto out = run.run();
      const double near_edge = 1 - 1.0 / kSize;
      for (const unsigned corner : {0u, 31u, 992u, 1023u}) {
        std::array<double, 3> p = cube_point(face, corner % 32 == 0 ? 0 : 1, corner < 32 ? 0 : 1);
        double sum = 0;
        for (unsigned axis = 0; axis < 3; ++axis) {
          std::array<double, 3> q = {p[0] * near_edge, p[1] * near_edge, p[2] * near_edge};
          q[axis] = p[axis];
          sum += value(q) / 3;
        }
        EXPECT_NEAR(number(out[0][corner]), sum + 20, 1e-5) << kImageTargets[target] << face;
      }
    }
    // Cubes before the first are the first, those after the last are the last; the face stays.
    for (const auto& [cube, color] :
         {std::pair{-1, 10}, std::pair{-7, 10}, std::pair{9, 20}, std::pair{-99999, 10}, std::pair{1000000, 20}}) {
      SampleRun run(texture, s, "sample_lz", "CUBE", 3);
      run.inputs = grid(1.2, 1.8);
      run.inputs.emplace_back(kThreads, bits(8.0 * cube + 4));
      expect_near(run, 7.0 / 14 / kSize + kHalfSteps, [&, color = color](unsigned lane) {
        return value(cube_point(4, in(run, 0, lane) - 1, in(run, 1, lane) - 1)) + color;
      });
    }
    // Without the filter over edges a face is an image of its own.
    s.no_cube_wrap = true;
    SampleRun run(texture, s, "sample_lz", "CUBE", 3);
    run.inputs = grid(1, 2);
    run.inputs.emplace_back(kThreads, bits(3));
    expect_near(run, kHalfSteps, [&](unsigned lane) {
      return texture.at(0, (in(run, 0, lane) - 1) * kSize, (in(run, 1, lane) - 1) * kSize, 6 + 3, true, s);
    });
    // Gathers take the same texels: all of the cube around a point on an edge have nearly its colour.
    s.no_cube_wrap = false;
    SampleRun gather(texture, s, "gather4_lz", "CUBE", 3);
    gather.outputs = 4;
    gather.body.replace(gather.body.find("v40"), 3, "v[40:43]");
    gather.inputs = grid(1, 2);
    gather.inputs.emplace_back(kThreads, bits(5));
    const auto out = gather.run();
    ASSERT_EQ(gather.fault, "");
    for (unsigned lane = 0; lane < kThreads; ++lane) {
      const double center = value(cube_point(5, in(gather, 0, lane) - 1, in(gather, 1, lane) - 1)) + 10;
      for (unsigned i = 0; i < 4; ++i) EXPECT_NEAR(number(out[i][lane]), center, 2 * 7.0 / 14 / kSize) << lane;
    }
  }
}

/// A quad whose lane 3 is in the corner of face 0 and looks one texel of it ahead and aside: the others look past its
/// edges, at faces 2 and 4.
TEST(ImageSample, LanesSeeTheQuadOnTheirOwnFace) {
  constexpr U kSize = 16;
  TestImage image = float_image(kGfx103, kSize, kSize);
  image.type = kCube;
  image.last_layer = 5;
  Texture texture(image, kGfx103, 1);
  SampleRun run(texture, {}, "sample", "CUBE", 3);
  run.threads = run.wave_size = 32;
  run.inputs.assign(3, {});
  for (unsigned lane = 0; lane < 32; ++lane) {
    const double s = (lane % 2 == 1 ? 0.5 : -0.5) / kSize, t = (lane / 2 % 2 == 1 ? 0.5 : -0.5) / kSize;
    const double y = 1 - 2 * t, z = 1 - 2 * s;  // x is 1
    const unsigned face = y > 1 ? 2 : z > 1 ? 4 : 0;
    const double sc = face == 2 ? 1 / y : face == 4 ? 1 / z : -z, tc = face == 2 ? z / y : face == 4 ? -y / z : -y;
    run.inputs[0].push_back(bits((sc + 1) / 2 + 1));
    run.inputs[1].push_back(bits((tc + 1) / 2 + 1));
    run.inputs[2].push_back(bits(face));
  }
  run.outputs = 2;
  run.body = "image_get_lod v[40:41], v[10:12], s[8:15], s[16:19] dmask:0x3 dim:SQ_RSRC_IMG_CUBE\ns_waitcnt vmcnt(0)";
  const auto out = run.run();
  ASSERT_EQ(run.fault, "");
  for (unsigned lane = 3; lane < 32; lane += 4) EXPECT_NEAR(number(out[1][lane]), 0, 1e-4) << lane;
}

TEST(ImageSample, NothingHappensAtTheEdgeOfAConstantCube) {
  for (unsigned target = 0; target < std::size(kImageTargets); ++target) {
    TestImage image = float_image(target, 4, 4);
    image.type = kCube;
    image.last_layer = 5;
    Texture texture(image, target, 1);
    for (size_t i = 0; i + 3 < texture.memory.size(); i += 4) texture.put(i, 0.3F);
    TestSampler s;
    s.xy_mag = s.xy_min = 1;
    SampleRun run(texture, s, "sample_lz", "CUBE", 3);
    run.inputs = grid(1, 2);
    run.inputs.emplace_back();
    for (unsigned i = 0; i < kThreads; ++i) run.inputs[2].push_back(bits(i % 6));
    expect_near(run, 0, [](unsigned) { return 0.3F; });
  }
}

}  // namespace
}  // namespace spalt::emu::test
