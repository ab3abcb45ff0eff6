// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "amdgpu/object/hsa_object.h"
#include "cl_image.h"
#include "compiler.h"
#include "emu/device/hsa_dispatch.h"

namespace spalt::opencl {

/// What the tests are compiled for. `index` counts kImageTargets.
struct ImageTarget {
  unsigned index = 0;
  Configuration configuration;
};
std::string test_name(const ImageTarget& target);
void PrintTo(const ImageTarget& target, std::ostream* out);  // NOLINT(readability-identifier-naming): GoogleTest's
/// One of each generation, and some more wave sizes and levels of optimization.
std::vector<ImageTarget> image_targets();

/// An image of each kind but buffers. Sides are not powers of two, so that no reciprocal is exact.
struct ImageShape {
  Kind kind;
  const char* name;  ///< at the end of the names of kernels
  std::array<int, 3> size;
  int layers;
};
inline constexpr ImageShape kImageShapes[] = {{Kind::d1, "1d", {13, 1, 1}, 1},
                                              {Kind::d1_array, "1da", {11, 1, 1}, 5},
                                              {Kind::d2, "2d", {7, 5, 1}, 1},
                                              {Kind::d2_array, "2da", {9, 3, 1}, 4},
                                              {Kind::d3, "3d", {5, 3, 7}, 1}};

/// Places of work-items: x, y, z and w as a kernel takes them.
using Places = std::vector<std::array<float, 4>>;

/// The kernels of a file for a target. Compiles at the first use.
class ImageKernels {
 public:
  /// `file` is the name in the folder of this test.
  static ImageKernels& get(const std::string& file, const ImageTarget& target);

  struct Argument {
    enum class Kind { object, data, number } kind;
    std::vector<uint8_t> object;
    void* data = nullptr;
    uint64_t bytes = 0;
    uint32_t number = 0;
  };
  static Argument object(std::vector<uint8_t> bytes) { return {Argument::Kind::object, std::move(bytes)}; }
  template <class T>
  static Argument data(std::vector<T>& values) {
    return {Argument::Kind::data, {}, values.data(), values.size() * sizeof(T)};
  }
  static Argument number(uint32_t value) { return {Argument::Kind::number, {}, nullptr, 0, value}; }

  /// Runs one work-item for each of `items`. The texels of `image` are where its object says. The fault, or empty.
  std::string run(const std::string& kernel, ClImage& image, const std::vector<Argument>& arguments,
                  size_t items) const;

 private:
  object::HsaObject object_;
};

}  // namespace spalt::opencl
