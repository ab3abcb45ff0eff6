// SPDX-License-Identifier: MIT
// Samples on every generation against a reference in double precision that is written from the Vulkan specification
// ("Image operations", texel coordinate and filtering equations), over dense grids of coordinates.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "image_machine.h"

namespace spalt::emu::test {
namespace {

using U = uint32_t;

constexpr unsigned kThreads = 1024;
/// Half a step of 1/256 in each of two axes, times texels that differ by up to 1.
constexpr double kHalfSteps = 2.0 / 512 + 1e-6;

U rgba8_unorm(unsigned target) {
  return format_code(target, 10, 0, 56, 42);
}
U r32_float(unsigned target) {
  return format_code(target, 4, 7, 22, 22);
}
U rgba8_srgb(unsigned target) {
  return format_code(target, 10, 9, 130, 66);
}
U rgba8_uint(unsigned target) {
  return format_code(target, 10, 4, 60, 46);
}

/// Values of clamp that Vulkan has.
enum Wrap : U { kRepeat = 0, kMirror = 1, kEdge = 2, kMirrorEdge = 3, kBorderWrap = 6 };

int wrapped(int i, int n, U mode) {
  switch (mode) {
    case kRepeat:
      return ((i % n) + n) % n;
    case kMirror: {
      const int period = ((i % (2 * n)) + 2 * n) % (2 * n);
      return period < n ? period : 2 * n - 1 - period;
    }
    case kEdge:
      return std::min(std::max(i, 0), n - 1);
    case kMirrorEdge:
      return std::min(i < 0 ? -1 - i : i, n - 1);
    default:
      return i >= 0 && i < n ? i : -1;
  }
}

U bits(double value) {
  return std::bit_cast<U>(static_cast<float>(value));
}
float number(U value) {
  return std::bit_cast<float>(value);
}

/// An image of floats with one channel, made of whole random numbers of 1/255, in both ways of looking at it.
struct Texture {
  TestImage image;
  unsigned target;
  std::vector<uint8_t> memory;

  Texture(const TestImage& what, unsigned on, U seed) : image(what), target(on) {
    const U slices = image.type == k3D ? image.depth : image.last_layer + 1;
    memory.resize(slice_size(image, target) * slices);
    std::mt19937 random(seed);
    for (size_t i = 0; i + 3 < memory.size(); i += 4) put(i, static_cast<float>(random() % 256) / 255);
  }
  void put(uint64_t at, float value) { std::memcpy(memory.data() + at, &value, 4); }
  double texel(U level, int x, int y, U slice) const {
    float value;
    const uint64_t at = texel_offset(image, target, level, static_cast<U>(x), static_cast<U>(y), slice);
    std::memcpy(&value, memory.data() + at, 4);
    return value;
  }
  int width(U level) const { return static_cast<int>(std::max(1u, image.width >> level)); }
  int height(U level) const { return static_cast<int>(std::max(1u, image.height >> level)); }
  int depth(U level) const { return static_cast<int>(std::max(1u, image.depth >> level)); }

  /// The value at (u, v, w) in texels of the level; w is a slice where the image is no 3D image.
  double at(U level, double u, double v, double w, bool linear, const TestSampler& s, double border = 0) const {
    const bool is_3d = image.type == k3D;
    const int n[] = {width(level), height(level), depth(level)};
    const double c[] = {u, v, w};
    int first[3];
    double alpha[3];
    for (unsigned axis = 0; axis < 3; ++axis) {
      const double shifted = linear ? c[axis] - 0.5 : c[axis];
      first[axis] = static_cast<int>(std::floor(shifted));
      alpha[axis] = linear ? shifted - std::floor(shifted) : 0;
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
      double weight = 1;
      int place[3];
      bool outside = false;
      for (unsigned axis = 0; axis < 3; ++axis) {
        const bool second = (corner >> axis & 1) != 0;
        if (axis == 2 && !is_3d) {
          place[2] = static_cast<int>(w);
          if (second) weight = 0;
          continue;
        }
        weight *= second ? alpha[axis] : 1 - alpha[axis];
        place[axis] = wrapped(first[axis] + (second ? 1 : 0), n[axis], s.clamp[axis]);
        outside |= place[axis] < 0;
      }
      if (weight == 0) continue;
      sum += weight * (outside ? border : texel(level, place[0], place[1], static_cast<U>(place[2])));
    }
    return sum;
  }
  /// Between levels; `lod` is relative to the first one of the view and within the view.
  double at_lod(double lod, double s, double t, double r, bool linear, const TestSampler& sampler) const {
    const auto level = [&](double l) {
      const U i = image.base_level + static_cast<U>(l);
      return at(i, s * width(i), t * height(i), image.type == k3D ? r * depth(i) : r, linear, sampler);
    };
    if (sampler.mip_filter != 2) return level(sampler.mip_filter == 0 ? 0 : std::ceil(lod + 0.5) - 1);
    const double fraction = lod - std::floor(lod);
    if (fraction == 0) return level(lod);
    return level(std::floor(lod)) * (1 - fraction) + level(std::floor(lod) + 1) * fraction;
  }
};

TestImage float_image(unsigned target, U width, U height) {
  TestImage image;
  image.format = r32_float(target);
  image.width = width;
  image.height = height;
  image.swizzle = 4 | 1 << 9;
  return image;
}

/// A run of one sample into v40.
struct SampleRun : ImageRun {
  SampleRun(Texture& texture, const TestSampler& s, const std::string& name, const char* dim, unsigned count,
            unsigned least = 1, const std::string& more = "") {
    target = texture.target;
    threads = kThreads;
    memory = &texture.memory;
    outputs = 1;
    image = image_words(texture.image, target);
    sampler = sampler_words(s, target);
    body = "image_" + name + " v40, " + address_text(target, count, least, true) + ", s[8:15], s[16:19] dmask:0x1" +
           dim_text(target, dim) + more;
  }
};

/// Compares all lanes with `want`.
void expect_near(ImageRun& run, double tolerance, const std::function<double(unsigned)>& want) {
  const auto out = run.run();
  const std::string where = std::string(kImageTargets[run.target]) + " " + run.body;
  ASSERT_EQ(run.fault, "") << where;
  unsigned wrong = 0;
  for (unsigned lane = 0; lane < run.threads; ++lane) {
    const double expected = want(lane);
    if (std::isnan(expected)) continue;
    const double got = number(out[0][lane]);
    if (std::abs(got - expected) <= tolerance) continue;
    if (++wrong <= 3) {
      ADD_FAILURE() << where << " lane " << lane << ": " << got << ", not " << expected
                    << (run.inputs.size() > 1 ? " at " + std::to_string(number(run.inputs[0][lane])) + ", " +
                                                    std::to_string(number(run.inputs[1][lane]))
                                              : "");
    }
  }
}

/// A grid of 32 x 32 points from low to high, both ends included.
std::vector<std::vector<U>> grid(double low, double high) {
  std::vector<std::vector<U>> inputs(2);
  for (unsigned i = 0; i < kThreads; ++i) {
    inputs[0].push_back(bits(low + (high - low) * (i % 32) / 31));
    inputs[1].push_back(bits(low + (high - low) * (i / 32) / 31));
  }
  return inputs;
}

double in(const ImageRun& run, unsigned operand, unsigned lane) {
  return number(run.inputs[operand][lane]);
}

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
    for (const auto& [cube, color] : {std::pair{-1, 10}, std::pair{-7, 10}, std::pair{9, 20}}) {
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
