// SPDX-License-Identifier: MIT
//
// Images as an OpenCL runtime gives them to kernels of the ROCm device libraries: texels in memory, and an object of
// twelve words, a descriptor and what queries read: data type, channel order (numbers of the HSA runtime) and width.
#pragma once
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cl_reference.h"
#include "image_machine.h"
#include "texel/format.h"

namespace spalt::opencl {

enum class Kind { d1, d1_array, d2, d2_array, d3, buffer };

/// A channel order of OpenCL.
struct ClOrder {
  const char* name;
  /// Of R, G, B and A: 0 and 1 are constants, 4 to 7 the channels of a texel in memory from the low bits on.
  /// Descriptors have the same numbers, and the runtime the same orders.
  std::array<uint8_t, 4> select;
  double border_alpha;
  uint32_t hsa, cl;  ///< numbers
};

struct ClFormat {
  const char* name;
  texel::Shape shape;
  texel::Number number;
  const ClOrder& order;
  uint32_t hsa_type, cl_type;  ///< numbers of the data type

  unsigned bytes() const { return texel::facts(shape).bytes; }
  unsigned channel_bits(unsigned channel) const { return texel::facts(shape).bits[channel]; }
  bool is_integer() const { return texel::is_integer(number); }
  /// The runtime makes no image buffers of sRGB and of texels that pack less than 8 bits.
  bool is_of_buffers() const { return number != texel::Number::srgb && channel_bits(0) >= 8; }
  /// Kernels can write them; nothing writes sRGB.
  bool is_writable() const { return number != texel::Number::srgb; }
  /// Of orders that have no alpha it is 1.
  Color border() const { return {0, 0, 0, order.border_alpha}; }
  /// The channels of the texel that is stored at `bytes`, and what they are to a kernel.
  std::array<double, 4> channels(const uint8_t* bytes) const;
  Color decode(const uint8_t* bytes) const;
};
const std::vector<ClFormat>& formats();
const ClFormat& find_format(const std::string& name);

class ClImage {
 public:
  /// Random texels; floats are multiples of 1/256 from 0 to 1, or from -1 on where there is a sign. `target` is an
  /// index in kImageTargets. A side is 1 where the kind has no such dimension.
  ClImage(const ClFormat& format, Kind kind, std::array<int, 3> size, int layers, unsigned target, uint32_t seed,
          unsigned levels = 1);

  const ClFormat& format() const { return format_; }
  /// Level 0 unless it says another one.
  ClTexels texels(unsigned level = 0) const;
  std::vector<uint8_t> object() const;
  uint8_t* texel_at(int x, int y, int z, unsigned level = 0);
  const uint8_t* texel_at(int x, int y, int z, unsigned level = 0) const;

  static constexpr uint64_t kAddress = emu::test::kImageBase;
  uint8_t* memory() { return reinterpret_cast<uint8_t*>(memory_.data()); }
  uint64_t bytes() const { return bytes_; }

 private:
  std::array<uint32_t, 8> descriptor() const;

  const ClFormat& format_;
  Kind kind_;
  std::array<int, 3> size_;
  int layers_;
  unsigned target_;
  emu::test::TestImage shape_;
  uint64_t bytes_ = 0;
  std::vector<uint64_t> memory_;
};

/// As a runtime writes it; borders are transparent black.
std::vector<uint8_t> sampler_object(const ClSampler& sampler, unsigned target, bool mip_linear = false);

}  // namespace spalt::opencl
