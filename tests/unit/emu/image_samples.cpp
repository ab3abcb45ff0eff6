// SPDX-License-Identifier: MIT
#include "image_samples.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <random>

namespace spalt::emu::test {

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

Texture::Texture(const TestImage& what, unsigned on, U seed) : image(what), target(on) {
  const U slices = image.type == k3D ? image.depth : image.last_layer + 1;
  memory.resize(slice_size(image, target) * slices);
  std::mt19937 random(seed);
  for (size_t i = 0; i + 3 < memory.size(); i += 4) put(i, static_cast<float>(random() % 256) / 255);
}

void Texture::put(uint64_t at, float value) {
  std::memcpy(memory.data() + at, &value, 4);
}

double Texture::texel(U level, int x, int y, U slice) const {
  float value;
  const uint64_t at = texel_offset(image, target, level, static_cast<U>(x), static_cast<U>(y), slice);
  std::memcpy(&value, memory.data() + at, 4);
  return value;
}

double Texture::at(U level, double u, double v, double w, bool linear, const TestSampler& s, double border) const {
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

double Texture::at_lod(double lod, double s, double t, double r, bool linear, const TestSampler& sampler) const {
  const auto level = [&](double l) {
    const U i = image.base_level + static_cast<U>(l);
    return at(i, s * width(i), t * height(i), image.type == k3D ? r * depth(i) : r, linear, sampler);
  };
  if (sampler.mip_filter != 2) return level(sampler.mip_filter == 0 ? 0 : std::ceil(lod + 0.5) - 1);
  const double fraction = lod - std::floor(lod);
  if (fraction == 0) return level(lod);
  return level(std::floor(lod)) * (1 - fraction) + level(std::floor(lod) + 1) * fraction;
}

TestImage float_image(unsigned target, U width, U height) {
  TestImage image;
  image.format = r32_float(target);
  image.width = width;
  image.height = height;
  image.swizzle = 4 | 1 << 9;
  return image;
}

SampleRun::SampleRun(Texture& texture, const TestSampler& s, const std::string& name, const char* dim, unsigned count,
                     unsigned least, const std::string& more) {
  target = texture.target;
  threads = kThreads;
  memory = &texture.memory;
  outputs = 1;
  image = image_words(texture.image, target);
  sampler = sampler_words(s, target);
  body = "image_" + name + " v40, " + address_text(target, count, least, true) + ", s[8:15], s[16:19] dmask:0x1" +
         dim_text(target, dim) + more;
}

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

}  // namespace spalt::emu::test
