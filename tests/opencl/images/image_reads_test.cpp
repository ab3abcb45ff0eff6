// SPDX-License-Identifier: MIT
//
// Kernels with images, compiled by clang and linked with AMD's device libraries, read what the OpenCL specification
// says. Nearest reads come within a thousandth of a texel of its edges, where the library floors coordinates first.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "image_kernels.h"

namespace spalt::opencl {
namespace {

constexpr size_t kItems = 128;

/// All that OpenCL defines: repeating wants normalized coordinates.
std::vector<ClSampler> all_samplers(bool linear_too) {
  std::vector<ClSampler> samplers;
  for (int address = 0; address < 5; ++address) {
    for (const bool linear : {false, true}) {
      for (const bool normalized : {false, true}) {
        const auto mode = static_cast<Address>(address);
        if ((mode == Address::repeat || mode == Address::mirrored_repeat) && !normalized) continue;
        if (linear_too || !linear) samplers.push_back({mode, linear, normalized});
      }
    }
  }
  return samplers;
}

/// All for 2D images. Others differ in addresses, so some kinds of numbers are enough.
std::vector<ClFormat> formats_for(const ImageShape& shape) {
  if (shape.kind == Kind::d2) return formats();
  return {find_format("rgba8_unorm"), find_format("bgra8_sint"), find_format("r32_uint")};
}

std::string text_of(const ClSampler& sampler) {
  constexpr const char* kNames[] = {"none", "clamp_to_edge", "clamp", "repeat", "mirrored_repeat"};
  return std::string(kNames[static_cast<size_t>(sampler.address)]) + (sampler.linear ? " linear" : " nearest") +
         (sampler.normalized ? " normalized" : "");
}

/// A coordinate in texels: outside of the image, too, where the address mode says what that is. Nearest ones keep away
/// from edges by as much as floats are inexact there.
double random_texel(const ClSampler& sampler, int size, std::mt19937& random) {
  const double unit = random() / 4294967296.0;
  if (sampler.linear) {
    return sampler.address == Address::none ? 0.5 + unit * (size - 1) : unit * 4 * size - 1.5 * size;
  }
  const int first = sampler.address == Address::none ? 0 : -2 * size,
            last = sampler.address == Address::none ? size : 3 * size;
  const int texel = first + static_cast<int>(random() % static_cast<unsigned>(last - first));
  const bool edge = random() % 2 == 0;
  return texel + (edge ? (random() % 2 == 0 ? 0.001 : 0.999) : 0.001 + unit * 0.998);
}

Places random_places(const ClTexels& image, const ClSampler& sampler, uint32_t seed) {
  std::mt19937 random(seed);
  Places places(kItems);
  for (auto& place : places) {
    for (unsigned axis = 0; axis < image.dimensions; ++axis) {
      const double texel = random_texel(sampler, image.size[axis], random);
      place[axis] = static_cast<float>(sampler.normalized ? texel / image.size[axis] : texel);
    }
    // Layers are rounded, and clamped whatever the sampler says.
    if (image.is_array) {
      const int layer = static_cast<int>(random() % static_cast<unsigned>(image.layers + 4)) - 2;
      place[image.dimensions] = static_cast<float>(layer + (random() % 3 * 0.4 - 0.4));
    }
  }
  return places;
}

/// Whole coordinates inside of the image.
Places whole_places(const ClTexels& image, uint32_t seed) {
  std::mt19937 random(seed);
  Places places(kItems);
  for (auto& place : places) {
    for (unsigned axis = 0; axis < image.dimensions; ++axis) {
      place[axis] = static_cast<float>(random() % static_cast<unsigned>(image.size[axis]));
    }
    if (image.is_array) place[image.dimensions] = static_cast<float>(random() % static_cast<unsigned>(image.layers));
  }
  return places;
}

/// Half a step of 1/256 in the weight of each axis, times texels that differ by up to 2.
double tolerance_of(const ClSampler& sampler, unsigned dimensions) {
  return (sampler.linear ? dimensions * 2.0 / 512 : 0) + 1e-6;
}

class ImageReads : public testing::TestWithParam<ImageTarget> {
 protected:
  ImageKernels& kernels() const { return ImageKernels::get("reads.cl", GetParam()); }
  unsigned target() const { return GetParam().index; }

  void expect(const std::string& what, const Places& places, const std::vector<uint32_t>& results,
              const ClFormat& format, double tolerance, const std::function<Color(size_t)>& want) const {
    unsigned wrong = 0;
    for (size_t i = 0; i < places.size() && wrong < 3; ++i) {
      const Color expected = want(i);
      for (size_t c = 0; c < 4; ++c) {
        const double got = number(format, results[i * 4 + c]);
        if (std::abs(got - expected[c]) <= tolerance) continue;
        ++wrong;
        ADD_FAILURE() << what << " component " << c << ": " << got << ", not " << expected[c] << " at " << places[i][0]
                      << ", " << places[i][1] << ", " << places[i][2];
        break;
      }
    }
  }
  static double number(const ClFormat& format, uint32_t bits) {
    if (format.number == texel::Number::uint) return bits;
    if (format.number == texel::Number::sint) return static_cast<int32_t>(bits);
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return static_cast<double>(value);
  }

  /// Reads with a kernel, and with the reference.
  void check(const std::string& kernel, ClImage& image, const ClSampler& sampler, bool has_sampler, Places places,
             double tolerance) const {
    std::vector<uint32_t> results(kItems * 4, 0x7fc00000);
    std::vector<ImageKernels::Argument> arguments = {ImageKernels::object(image.object())};
    if (has_sampler) arguments.push_back(ImageKernels::object(sampler_object(sampler, target())));
    arguments.push_back(ImageKernels::data(places));
    arguments.push_back(ImageKernels::data(results));
    const std::string what = kernel + " " + image.format().name + " " + text_of(sampler);
    ASSERT_EQ(kernels().run(kernel, image, arguments, kItems), "") << what;
    const ClTexels texels = image.texels();
    expect(what, places, results, image.format(), tolerance,
           [&](size_t i) { return read_image(texels, sampler, places[i]); });
  }

  static std::string prefix(const ClFormat& format) {
    if (!format.is_integer()) return "f_";
    return format.number == texel::Number::sint ? "i_" : "u_";
  }
};

TEST_P(ImageReads, SamplersFollowTheSpecification) {
  uint32_t seed = 1;
  for (const ImageShape& shape : kImageShapes) {
    for (const char* name : {"rgba8_unorm", "r32_float"}) {
      ClImage image(find_format(name), shape.kind, shape.size, shape.layers, target(), ++seed);
      for (const ClSampler& sampler : all_samplers(true)) {
        check(std::string("f_") + shape.name, image, sampler, true, random_places(image.texels(), sampler, ++seed),
              tolerance_of(sampler, image.texels().dimensions));
      }
    }
  }
}

TEST_P(ImageReads, EveryFormatHasItsNumbers) {
  uint32_t seed = 100;
  for (const ImageShape& shape : kImageShapes) {
    for (const ClFormat& format : formats_for(shape)) {
      ClImage image(format, shape.kind, shape.size, shape.layers, target(), ++seed);
      for (const ClSampler& sampler :
           {ClSampler{Address::clamp, false, true}, ClSampler{Address::repeat, true, true}}) {
        if (sampler.linear && format.is_integer()) continue;
        check(prefix(format) + shape.name, image, sampler, true, random_places(image.texels(), sampler, ++seed),
              tolerance_of(sampler, image.texels().dimensions));
      }
    }
  }
}

TEST_P(ImageReads, WholeCoordinatesNeedNoSampler) {
  uint32_t seed = 200;
  for (const ImageShape& shape : kImageShapes) {
    for (const ClFormat& format : formats_for(shape)) {
      ClImage image(format, shape.kind, shape.size, shape.layers, target(), ++seed);
      const std::string kernel = prefix(format) + shape.name;
      const ClSampler none{Address::none, false, false}, border{Address::clamp, false, false};
      check(kernel + "_plain", image, none, false, whole_places(image.texels(), ++seed), 1e-6);
      check(kernel + "_whole", image, none, true, whole_places(image.texels(), ++seed), 1e-6);
      Places places = random_places(image.texels(), border, ++seed);
      for (auto& place : places) {
        for (float& coordinate : place) coordinate = std::floor(coordinate);
      }
      check(kernel + "_whole", image, border, true, places, 1e-6);
    }
  }
}

TEST_P(ImageReads, ResultsOfSixteenBits) {
  for (const ImageShape& shape : {kImageShapes[0], kImageShapes[2], kImageShapes[4]}) {
    ClImage image(find_format("rgba8_unorm"), shape.kind, shape.size, 1, target(), 300);
    for (const ClSampler& sampler : {ClSampler{Address::clamp, false, true}, ClSampler{Address::repeat, true, true}}) {
      check(std::string("h_") + shape.name, image, sampler, true, random_places(image.texels(), sampler, 301),
            tolerance_of(sampler, image.texels().dimensions) + 1.0 / 1024);
    }
  }
}

TEST_P(ImageReads, DepthImagesHaveOneComponent) {
  for (const ImageShape& shape : {kImageShapes[2], kImageShapes[3]}) {
    ClImage image(find_format("r32_float"), shape.kind, shape.size, shape.layers, target(), 400);
    const ClTexels texels = image.texels();
    for (const ClSampler& sampler :
         {ClSampler{Address::clamp_to_edge, false, false}, ClSampler{Address::repeat, true, true}}) {
      Places places = random_places(texels, sampler, 401);
      std::vector<float> results(kItems);
      const std::string fault =
          kernels().run(std::string("d_") + shape.name, image,
                        {ImageKernels::object(image.object()), ImageKernels::object(sampler_object(sampler, target())),
                         ImageKernels::data(places), ImageKernels::data(results)},
                        kItems);
      ASSERT_EQ(fault, "");
      for (size_t i = 0; i < kItems; ++i) {
        EXPECT_NEAR(static_cast<double>(results[i]), read_image(texels, sampler, places[i])[0],
                    tolerance_of(sampler, 2));
      }
    }
  }
}

TEST_P(ImageReads, BuffersAreImages) {
  for (const ClFormat& format : formats()) {
    if (!format.is_of_buffers()) continue;
    const ImageShape shape{Kind::buffer, "buffer", {300, 1, 1}, 1};
    ClImage image(format, shape.kind, shape.size, 1, target(), 500);
    check(prefix(format) + "buffer", image, {Address::none, false, false}, false, whole_places(image.texels(), 501),
          1e-6);
  }
}

/// The descriptors that the library makes of samplers in kernels. On GFX10 and later it asks for opaque black, although
/// OpenCL wants transparent black for CL_RGBA: alpha of such reads is what the descriptor says.
TEST_P(ImageReads, SamplersThatTheLibraryMakes) {
  const ImageShape& shape = kImageShapes[2];
  ClImage image(find_format("rgba8_unorm"), shape.kind, shape.size, 1, target(), 600);
  ClTexels texels = image.texels();
  if (target() != emu::test::kGfx9) texels.border[3] = 1;
  for (unsigned which = 0; which < 20; ++which) {
    const ClSampler sampler{static_cast<Address>(which % 5), which / 5 % 2 == 1, which >= 10};
    const bool repeats = sampler.address == Address::repeat || sampler.address == Address::mirrored_repeat;
    if (repeats && !sampler.normalized) continue;
    Places places = random_places(texels, sampler, 601 + which);
    std::vector<uint32_t> results(kItems * 4);
    const std::string fault = kernels().run("constant_samplers", image,
                                            {ImageKernels::object(image.object()), ImageKernels::number(which),
                                             ImageKernels::data(places), ImageKernels::data(results)},
                                            kItems);
    ASSERT_EQ(fault, "") << text_of(sampler);
    expect("constant " + text_of(sampler), places, results, image.format(), tolerance_of(sampler, 2),
           [&](size_t i) { return read_image(texels, sampler, places[i]); });
  }
}

TEST_P(ImageReads, KernelsKnowSizesAndFormats) {
  for (const ImageShape& shape : kImageShapes) {
    for (const ClFormat& format : formats_for(shape)) {
      ClImage image(format, shape.kind, shape.size, shape.layers, target(), 700);
      std::vector<int32_t> out(6, -1);
      const std::string fault = kernels().run(std::string("size_") + shape.name, image,
                                              {ImageKernels::object(image.object()), ImageKernels::data(out)}, 1);
      ASSERT_EQ(fault, "");
      const ClTexels texels = image.texels();
      const std::string where = std::string(shape.name) + " " + format.name;
      EXPECT_EQ(out[0], shape.size[0]) << where;
      if (texels.dimensions >= 2) {
        EXPECT_EQ(out[1], shape.size[1]) << where;
      }
      if (texels.dimensions >= 3) {
        EXPECT_EQ(out[2], shape.size[2]) << where;
      }
      if (texels.is_array) {
        EXPECT_EQ(out[3], shape.layers) << where;
      }
      EXPECT_EQ(out[4], static_cast<int32_t>(format.cl_type)) << where;
      EXPECT_EQ(out[5], static_cast<int32_t>(format.order.cl)) << where;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ImageReads, testing::ValuesIn(image_targets()),
                         [](const auto& target) { return test_name(target.param); });

}  // namespace
}  // namespace spalt::opencl
