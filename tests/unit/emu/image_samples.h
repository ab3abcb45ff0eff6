// SPDX-License-Identifier: MIT
//
// Samples on every generation against a reference in double precision that is written from the Vulkan specification
// ("Image operations", texel coordinate and filtering equations), over dense grids of coordinates.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "image_machine.h"

namespace spalt::emu::test {

using U = uint32_t;

constexpr unsigned kThreads = 1024;
/// Half a step of 1/256 in each of two axes, times texels that differ by up to 1.
constexpr double kHalfSteps = 2.0 / 512 + 1e-6;

// Formats as a target numbers them.
U rgba8_unorm(unsigned target);
U r32_float(unsigned target);
U rgba8_srgb(unsigned target);
U rgba8_uint(unsigned target);

/// Values of clamp that Vulkan has.
enum Wrap : U { kRepeat = 0, kMirror = 1, kEdge = 2, kMirrorEdge = 3, kBorderWrap = 6 };
/// The texel of n that index i is; -1: of the border.
int wrapped(int i, int n, U mode);

/// The bits of a float, and back.
U bits(double value);
float number(U value);

/// An image of floats with one channel, made of whole random numbers of 1/255, in both ways of looking at it.
struct Texture {
  TestImage image;
  unsigned target;
  std::vector<uint8_t> memory;

  Texture(const TestImage& what, unsigned on, U seed);
  void put(uint64_t at, float value);
  double texel(U level, int x, int y, U slice) const;
  int width(U level) const { return static_cast<int>(std::max(1u, image.width >> level)); }
  int height(U level) const { return static_cast<int>(std::max(1u, image.height >> level)); }
  int depth(U level) const { return static_cast<int>(std::max(1u, image.depth >> level)); }

  /// The value at (u, v, w) in texels of the level; w is a slice where the image is no 3D image.
  double at(U level, double u, double v, double w, bool linear, const TestSampler& s, double border = 0) const;
  /// Between levels; `lod` is relative to the first one of the view and within the view.
  double at_lod(double lod, double s, double t, double r, bool linear, const TestSampler& sampler) const;
};

/// One channel of R32_SFLOAT.
TestImage float_image(unsigned target, U width, U height);

/// A run of one sample into v40.
struct SampleRun : ImageRun {
  SampleRun(Texture& texture, const TestSampler& s, const std::string& name, const char* dim, unsigned count,
            unsigned least = 1, const std::string& more = "");
};

/// Compares all lanes with `want`.
void expect_near(ImageRun& run, double tolerance, const std::function<double(unsigned)>& want);

/// A grid of 32 x 32 points from low to high, both ends included.
std::vector<std::vector<U>> grid(double low, double high);

/// An input of a lane as float.
double in(const ImageRun& run, unsigned operand, unsigned lane);

}  // namespace spalt::emu::test
