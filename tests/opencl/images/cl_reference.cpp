// SPDX-License-Identifier: MIT
#include "cl_reference.h"

#include <algorithm>
#include <cmath>

namespace spalt::opencl {
namespace {

/// Two texels of an axis and the weight of the second one. Outside of the image: the border.
struct Pair {
  int first, second;
  double alpha;
};

int address_mode(Address address, int i, int size) {
  if (address == Address::clamp_to_edge) return std::clamp(i, 0, size - 1);
  return address == Address::clamp ? std::clamp(i, -1, size) : i;
}

Pair plain_pair(const ClSampler& sampler, double coordinate, int size) {
  const double u = sampler.normalized ? coordinate * size : coordinate;
  if (!sampler.linear) return {address_mode(sampler.address, static_cast<int>(std::floor(u)), size), 0, 0};
  const double down = std::floor(u - 0.5);
  const int i = static_cast<int>(down);
  return {address_mode(sampler.address, i, size), address_mode(sampler.address, i + 1, size), u - 0.5 - down};
}

Pair repeated_pair(const ClSampler& sampler, double coordinate, int size) {
  const double u = (coordinate - std::floor(coordinate)) * size;
  if (!sampler.linear) return {static_cast<int>(std::floor(u)) % size, 0, 0};
  const double down = std::floor(u - 0.5);
  const int first = static_cast<int>(down), second = first + 1;
  return {first < 0 ? first + size : first, second > size - 1 ? second - size : second, u - 0.5 - down};
}

Pair mirrored_pair(const ClSampler& sampler, double coordinate, int size) {
  const double u = std::fabs(coordinate - 2 * std::rint(0.5 * coordinate)) * size;
  if (!sampler.linear) return {std::min(static_cast<int>(std::floor(u)), size - 1), 0, 0};
  const double down = std::floor(u - 0.5);
  const int first = static_cast<int>(down);
  return {std::max(first, 0), std::min(first + 1, size - 1), u - 0.5 - down};
}

Pair pair_of(const ClSampler& sampler, double coordinate, int size) {
  switch (sampler.address) {
    case Address::repeat:
      return repeated_pair(sampler, coordinate, size);
    case Address::mirrored_repeat:
      return mirrored_pair(sampler, coordinate, size);
    default:
      return plain_pair(sampler, coordinate, size);
  }
}

}  // namespace

Color read_image(const ClTexels& image, const ClSampler& sampler, const std::array<float, 4>& at) {
  Pair axes[3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (unsigned axis = 0; axis < image.dimensions; ++axis) {
    axes[axis] = pair_of(sampler, static_cast<double>(at[axis]), image.size[axis]);
  }
  int layer = 0;
  if (image.is_array) {
    layer = std::clamp(static_cast<int>(std::rint(at[image.dimensions])), 0, image.layers - 1);
  }
  Color sum{};
  for (unsigned corner = 0; corner < 8; ++corner) {
    int place[3];
    double weight = 1;
    bool inside = true;
    for (unsigned axis = 0; axis < 3; ++axis) {
      const bool second = (corner >> axis & 1) != 0;
      weight *= second ? axes[axis].alpha : 1 - axes[axis].alpha;
      place[axis] = second ? axes[axis].second : axes[axis].first;
      inside &= place[axis] >= 0 && place[axis] < (axis < image.dimensions ? image.size[axis] : 1);
    }
    if (weight == 0) continue;
    const Color texel = inside ? image.texel(place[0], place[1], image.is_array ? layer : place[2]) : image.border;
    for (unsigned c = 0; c < 4; ++c) sum[c] += weight * texel[c];
  }
  return sum;
}

}  // namespace spalt::opencl
