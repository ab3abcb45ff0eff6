// SPDX-License-Identifier: MIT
//
// What reads of images give, from the OpenCL C specification (version 2.0, "Image Addressing and Filtering"), in double
// precision. Shares nothing with the emulator.
#pragma once
#include <array>
#include <functional>

namespace spalt::opencl {

/// In the order of the kernels' constant samplers.
enum class Address { none, clamp_to_edge, clamp, repeat, mirrored_repeat };

struct ClSampler {
  Address address = Address::none;
  bool linear = false;
  bool normalized = false;  ///< repeat and mirrored_repeat must be
};

using Color = std::array<double, 4>;

/// What a read needs to know of an image.
struct ClTexels {
  unsigned dimensions = 2;
  bool is_array = false;
  std::array<int, 3> size{1, 1, 1};
  int layers = 1;
  Color border{};
  std::function<Color(int x, int y, int z)> texel;  ///< inside of the image; z: slice or layer
};

/// The read at coordinates as a kernel has them: those of the dimensions, then the layer.
Color read_image(const ClTexels& image, const ClSampler& sampler, const std::array<float, 4>& at);

}  // namespace spalt::opencl
