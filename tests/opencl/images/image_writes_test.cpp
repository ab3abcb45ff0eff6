// SPDX-License-Identifier: MIT
// Writes to images: every texel that a kernel writes has the number that the OpenCL specification allows, all others
// keep their bytes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "image_kernels.h"

namespace spalt::opencl {
namespace {

/// Half of the texels of an image, in any order.
std::vector<std::array<int, 3>> some_texels(const ImageShape& shape, std::mt19937& random) {
  const int slices = std::max(shape.size[2], shape.layers);
  std::vector<std::array<int, 3>> all;
  for (int z = 0; z < slices; ++z) {
    for (int y = 0; y < shape.size[1]; ++y) {
      for (int x = 0; x < shape.size[0]; ++x) all.push_back({x, y, z});
    }
  }
  std::shuffle(all.begin(), all.end(), random);
  all.resize(all.size() / 2);
  return all;
}

/// Coordinates as the kernel takes them: a layer follows those of the dimensions.
std::array<float, 4> place_of(const ImageShape& shape, const std::array<int, 3>& texel) {
  std::array<float, 4> place{};
  for (size_t axis = 0; axis < 3; ++axis) place[axis] = static_cast<float>(texel[axis]);
  if (shape.kind == Kind::d1_array) place[1] = place[2];
  return place;
}

uint32_t random_value(const ClFormat& format, std::mt19937& random) {
  if (format.is_integer()) {
    // Small, large and at the ends: what does not fit saturates.
    const uint32_t wide = random();
    constexpr uint32_t kEnds[] = {0, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    return wide % 3 == 0 ? kEnds[wide / 3 % std::size(kEnds)] : wide >> (wide / 3 % 28);
  }
  const auto value = static_cast<float>(random() % 4001 / 1000.0 - 2.0);
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

/// Whether a channel of so many bits may hold `stored` after a write of `bits`.
bool allows(texel::Number number, unsigned channel_bits, uint32_t bits, double stored) {
  const bool is_signed = number == texel::Number::sint || number == texel::Number::snorm;
  const double most = std::ldexp(1, static_cast<int>(channel_bits - (is_signed ? 1 : 0))) - 1;
  if (texel::is_integer(number)) {
    const double value = is_signed ? static_cast<double>(static_cast<int32_t>(bits)) : static_cast<double>(bits);
    return stored == std::clamp(value, is_signed ? -most - 1 : 0.0, most);
  }
  float single;
  std::memcpy(&single, &bits, sizeof single);
  const auto value = static_cast<double>(single);
  if (number == texel::Number::floating) {
    // Halves may be rounded to nearest or toward zero.
    return channel_bits == 32 ? stored == value : std::abs(stored - value) < std::abs(value) / 1024 + 1e-7;
  }
  // "The maximum error is 0.6" of a step.
  return std::abs(stored - std::clamp(value, is_signed ? -1.0 : 0.0, 1.0)) * most <= 0.6;
}

/// The component that a write puts into a channel: the first one that reads see there; 4: none.
unsigned component_of(const ClOrder& order, unsigned channel) {
  const auto* at = std::find(order.select.begin(), order.select.end(), 4 + channel);
  return static_cast<unsigned>(at - order.select.begin());
}

class ImageWrites : public testing::TestWithParam<ImageTarget> {
 protected:
  void check(const ImageShape& shape, const ClFormat& format, uint32_t seed) const {
    std::mt19937 random(seed);
    ClImage image(format, shape.kind, shape.size, shape.layers, GetParam().index, seed);
    std::vector<uint8_t> expected(image.memory(), image.memory() + image.bytes());
    const std::vector<std::array<int, 3>> texels = some_texels(shape, random);
    Places places;
    std::vector<uint32_t> values;
    for (const std::array<int, 3>& texel : texels) {
      places.push_back(place_of(shape, texel));
      for (unsigned c = 0; c < 4; ++c) values.push_back(random_value(format, random));
    }
    const char* prefix = !format.is_integer() ? "f_" : format.number == texel::Number::sint ? "i_" : "u_";
    const std::string fault =
        ImageKernels::get("writes.cl", GetParam())
            .run(prefix + std::string(shape.name), image,
                 {ImageKernels::object(image.object()), ImageKernels::data(places), ImageKernels::data(values)},
                 texels.size());
    ASSERT_EQ(fault, "") << shape.name << " " << format.name;
    for (size_t i = 0; i < texels.size(); ++i) {
      const uint8_t* at = image.texel_at(texels[i][0], texels[i][1], texels[i][2]);
      const std::array<double, 4> channels = format.channels(at);
      for (unsigned channel = 0; channel < 4; ++channel) {
        const unsigned component = component_of(format.order, channel);
        if (format.channel_bits(channel) == 0 || component == 4) continue;
        const uint32_t value = values[i * 4 + component];
        EXPECT_TRUE(allows(format.number, format.channel_bits(channel), value, channels[channel]))
            << shape.name << " " << format.name << " holds " << channels[channel] << " after a write of 0x" << std::hex
            << value;
      }
      std::memcpy(expected.data() + (at - image.memory()), at, format.bytes());
    }
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), image.memory()))
        << shape.name << " " << format.name << ": a write beside its texel";
  }
};

TEST_P(ImageWrites, StoreWhatTheFormatHolds) {
  uint32_t seed = 1;
  for (const ClFormat& format : formats()) {
    if (!format.is_writable()) continue;
    for (const ImageShape& shape : kImageShapes) check(shape, format, ++seed);
    if (format.is_of_buffers()) check({Kind::buffer, "buffer", {80, 1, 1}, 1}, format, ++seed);
  }
}

INSTANTIATE_TEST_SUITE_P(Targets, ImageWrites, testing::ValuesIn(image_targets()),
                         [](const auto& target) { return test_name(target.param); });

}  // namespace
}  // namespace spalt::opencl
