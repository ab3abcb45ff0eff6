// SPDX-License-Identifier: MIT
#include "cl_image.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "amdgpu/abi/buffer_descriptor.h"
#include "amdgpu/abi/image_format.h"

namespace spalt::opencl {
namespace {

using emu::test::TestImage;
using emu::test::TestSampler;
using texel::Number;
using texel::Shape;

constexpr unsigned kObjectWords = 12;

const isa::Target& target_of(unsigned index) {
  return *isa::find_target(emu::test::kImageTargets[index]);
}

/// IEEE 754 binary16.
double half_value(uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);  // no infinities here
  return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

/// Exact for the multiples of 1/256 that images are made of.
uint16_t half_bits(double value) {
  if (value == 0) return 0;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // 0.5 to 1
  const auto mantissa = static_cast<uint32_t>(std::ldexp(fraction, 11));
  return static_cast<uint16_t>((value < 0 ? 0x8000u : 0u) | static_cast<uint32_t>(exponent + 14) << 10 |
                               (mantissa & 1023));
}

/// `bits` of a texel from bit `first` on; at most 32.
uint32_t stored(const uint8_t* bytes, unsigned first, unsigned bits) {
  uint64_t value = 0;
  std::memcpy(&value, bytes + first / 8, (first % 8 + bits + 7) / 8);
  return static_cast<uint32_t>(value >> first % 8 & ((uint64_t{1} << bits) - 1));
}

/// IEC 61966-2-1.
double linear_of_srgb(double code) {
  return code <= 0.04045 ? code / 12.92 : std::pow((code + 0.055) / 1.055, 2.4);
}

double channel_value(Number number, uint32_t value, unsigned bits) {
  const int32_t extended = static_cast<int32_t>(value << (32 - bits)) >> (32 - bits);
  const double most = std::ldexp(1, static_cast<int>(bits)) - 1;
  switch (number) {
    case Number::unorm:
      return value / most;
    case Number::snorm:
      return std::max(extended / ((most - 1) / 2), -1.0);
    case Number::sint:
      return extended;
    case Number::uint:
      return value;
    default: {
      if (bits == 16) return half_value(static_cast<uint16_t>(value));
      float single;
      std::memcpy(&single, &value, sizeof single);
      return static_cast<double>(single);
    }
  }
}

uint32_t random_channel(Number number, unsigned bits, std::mt19937& random) {
  if (number != Number::floating) return random();
  const double value = (static_cast<int>(random() % 513) - 256) / 256.0;
  if (bits == 16) return half_bits(value);
  const auto single = static_cast<float>(value);
  uint32_t result;
  std::memcpy(&result, &single, sizeof result);
  return result;
}

uint32_t image_type(Kind kind) {
  using namespace emu::test;
  switch (kind) {
    case Kind::d1:
      return k1D;
    case Kind::d1_array:
      return k1DArray;
    case Kind::d2_array:
      return k2DArray;
    case Kind::d3:
      return k3D;
    default:
      return k2D;
  }
}

/// dst_sel of all components.
uint32_t swizzle_of(const ClOrder& order) {
  uint32_t swizzle = 0;
  for (unsigned c = 0; c < 4; ++c) swizzle |= uint32_t{order.select[c]} << 3 * c;
  return swizzle;
}

constexpr ClOrder kR{"R", {4, 0, 0, 1}, 1, 1, 0x10b0};
constexpr ClOrder kA{"A", {0, 0, 0, 4}, 0, 0, 0x10b1};
constexpr ClOrder kRg{"RG", {4, 5, 0, 1}, 1, 3, 0x10b2};
constexpr ClOrder kRa{"RA", {4, 0, 0, 5}, 0, 5, 0x10b3};
constexpr ClOrder kRgb{"RGB", {6, 5, 4, 1}, 1, 6, 0x10b4};
constexpr ClOrder kRgba{"RGBA", {4, 5, 6, 7}, 0, 8, 0x10b5};
constexpr ClOrder kBgra{"BGRA", {6, 5, 4, 7}, 0, 9, 0x10b6};
constexpr ClOrder kArgb{"ARGB", {5, 6, 7, 4}, 0, 10, 0x10b7};
constexpr ClOrder kIntensity{"INTENSITY", {4, 4, 4, 4}, 0, 16, 0x10b8};
constexpr ClOrder kLuminance{"LUMINANCE", {4, 4, 4, 1}, 1, 17, 0x10b9};
constexpr ClOrder kSrgba{"sRGBA", {4, 5, 6, 7}, 0, 14, 0x10c1};

/// A format of Vulkan with the same bits.
const texel::Format& vulkan_format(const ClFormat& format) {
  for (const texel::Format& row : texel::formats()) {
    if (row.layout == texel::Layout{format.shape, format.number}) return row;
  }
  throw std::runtime_error("Vulkan has no such format");
}

}  // namespace

const std::vector<ClFormat>& formats() {
  static const std::vector<ClFormat> all = {
      {"rgba8_unorm", Shape::s8_8_8_8, Number::unorm, kRgba, 2, 0x10d2},
      {"rg8_unorm", Shape::s8_8, Number::unorm, kRg, 2, 0x10d2},
      {"r8_unorm", Shape::s8, Number::unorm, kR, 2, 0x10d2},
      {"a8_unorm", Shape::s8, Number::unorm, kA, 2, 0x10d2},
      {"ra16_unorm", Shape::s16_16, Number::unorm, kRa, 3, 0x10d3},
      {"bgra8_unorm", Shape::s8_8_8_8, Number::unorm, kBgra, 2, 0x10d2},
      {"argb8_snorm", Shape::s8_8_8_8, Number::snorm, kArgb, 0, 0x10d0},
      {"intensity16_half", Shape::s16, Number::floating, kIntensity, 14, 0x10dd},
      {"luminance8_snorm", Shape::s8, Number::snorm, kLuminance, 0, 0x10d0},
      {"srgba8", Shape::s8_8_8_8, Number::srgb, kSrgba, 2, 0x10d2},
      {"rgb565", Shape::s5_6_5, Number::unorm, kRgb, 6, 0x10d4},
      {"rgb555", Shape::s1_5_5_5, Number::unorm, kRgb, 5, 0x10d5},
      {"rgb101010", Shape::s2_10_10_10, Number::unorm, kRgb, 7, 0x10d6},
      {"rgba8_snorm", Shape::s8_8_8_8, Number::snorm, kRgba, 0, 0x10d0},
      {"rgba16_unorm", Shape::s16_16_16_16, Number::unorm, kRgba, 3, 0x10d3},
      {"r16_snorm", Shape::s16, Number::snorm, kR, 1, 0x10d1},
      {"rgba16_half", Shape::s16_16_16_16, Number::floating, kRgba, 14, 0x10dd},
      {"rgba32_float", Shape::s32_32_32_32, Number::floating, kRgba, 15, 0x10de},
      {"r32_float", Shape::s32, Number::floating, kR, 15, 0x10de},
      {"rgba8_sint", Shape::s8_8_8_8, Number::sint, kRgba, 8, 0x10d7},
      {"r16_sint", Shape::s16, Number::sint, kR, 9, 0x10d8},
      {"rgba32_sint", Shape::s32_32_32_32, Number::sint, kRgba, 10, 0x10d9},
      {"bgra8_sint", Shape::s8_8_8_8, Number::sint, kBgra, 8, 0x10d7},
      {"rgba8_uint", Shape::s8_8_8_8, Number::uint, kRgba, 11, 0x10da},
      {"rg16_uint", Shape::s16_16, Number::uint, kRg, 12, 0x10db},
      {"r32_uint", Shape::s32, Number::uint, kR, 13, 0x10dc},
  };
  return all;
}

const ClFormat& find_format(const std::string& name) {
  for (const ClFormat& format : formats()) {
    if (name == format.name) return format;
  }
  throw std::runtime_error("no format " + name);
}

std::array<double, 4> ClFormat::channels(const uint8_t* bytes) const {
  std::array<double, 4> values{};
  unsigned first = 0;
  for (unsigned channel = 0; channel < 4; ++channel) {
    const unsigned bits = channel_bits(channel);
    if (bits == 0) continue;
    const bool is_srgb = number == Number::srgb;
    values[channel] = channel_value(is_srgb ? Number::unorm : number, stored(bytes, first, bits), bits);
    if (is_srgb && channel < 3) values[channel] = linear_of_srgb(values[channel]);
    first += bits;
  }
  return values;
}

Color ClFormat::decode(const uint8_t* bytes) const {
  const std::array<double, 4> values = channels(bytes);
  Color color{};
  for (size_t c = 0; c < 4; ++c) color[c] = order.select[c] >= 4 ? values[order.select[c] - 4] : order.select[c];
  return color;
}

ClImage::ClImage(const ClFormat& format, Kind kind, std::array<int, 3> size, int layers, unsigned target, uint32_t seed,
                 unsigned levels)
    : format_(format), kind_(kind), size_(size), layers_(layers), target_(target) {
  shape_.type = image_type(kind);
  const auto code = abi::image_format_code({format.shape, format.number}, target_of(target));
  if (!code) throw std::runtime_error(std::string("the target has no ") + format.name);
  shape_.format = *code;
  shape_.width = static_cast<uint32_t>(size[0]);
  shape_.height = static_cast<uint32_t>(size[1]);
  shape_.depth = static_cast<uint32_t>(size[2]);
  shape_.last_layer = static_cast<uint32_t>(layers) - 1;
  shape_.levels = levels;
  shape_.last_level = levels - 1;
  shape_.swizzle = swizzle_of(format.order);
  shape_.texel_bytes = format.bytes();
  const uint64_t slices = kind == Kind::d3 ? shape_.depth : shape_.last_layer + 1;
  bytes_ = kind == Kind::buffer ? uint64_t{shape_.width} * format.bytes() : slices * slice_size(shape_, target);
  memory_.resize((bytes_ + 7) / 8);
  std::mt19937 random(seed);
  // Channels of floats have whole bytes; of others all bits are numbers.
  const unsigned bits = format.number == Number::floating ? format.channel_bits(0) : 8;
  for (uint64_t at = 0; at + bits / 8 <= bytes_; at += bits / 8) {
    const uint32_t value = random_channel(format.number, bits, random);
    std::memcpy(memory() + at, &value, bits / 8);
  }
}

uint8_t* ClImage::texel_at(int x, int y, int z, unsigned level) {
  const auto u = [](int value) { return static_cast<uint32_t>(value); };
  if (kind_ == Kind::buffer) return memory() + u(x) * uint64_t{format_.bytes()};
  return memory() + texel_offset(shape_, target_, level, u(x), u(y), u(z));
}

const uint8_t* ClImage::texel_at(int x, int y, int z, unsigned level) const {
  return const_cast<ClImage*>(this)->texel_at(x, y, z, level);
}

ClTexels ClImage::texels(unsigned level) const {
  ClTexels result;
  result.dimensions = kind_ == Kind::d3 ? 3 : kind_ == Kind::d2 || kind_ == Kind::d2_array ? 2 : 1;
  result.is_array = kind_ == Kind::d1_array || kind_ == Kind::d2_array;
  for (size_t axis = 0; axis < size_.size(); ++axis) result.size[axis] = std::max(size_[axis] >> level, 1);
  result.layers = layers_;
  result.border = format_.border();
  result.texel = [this, level](int x, int y, int z) { return format_.decode(texel_at(x, y, z, level)); };
  return result;
}

std::array<uint32_t, 8> ClImage::descriptor() const {
  if (kind_ != Kind::buffer) return image_words(shape_, target_, kAddress);
  const auto words = abi::typed_buffer_descriptor(kAddress, bytes_, vulkan_format(format_), target_of(target_));
  if (!words) throw std::runtime_error(std::string("the target has no buffers of ") + format_.name);
  // Vulkan's formats have other orders; dst_sel has the same bits on all processors.
  return {(*words)[0], (*words)[1], (*words)[2], ((*words)[3] & ~0xfffu) | swizzle_of(format_.order), 0, 0, 0, 0};
}

std::vector<uint8_t> ClImage::object() const {
  std::array<uint32_t, kObjectWords> words{};
  const std::array<uint32_t, 8> what = descriptor();
  std::copy(what.begin(), what.end(), words.begin());
  words[8] = format_.hsa_type;
  words[9] = format_.order.hsa;
  words[10] = shape_.width;
  std::vector<uint8_t> bytes(sizeof words);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

std::vector<uint8_t> sampler_object(const ClSampler& sampler, unsigned target, bool mip_linear) {
  // By Address: the values of the descriptor's clamp.
  constexpr uint32_t kClamps[] = {6, 2, 6, 0, 1};
  TestSampler s;
  std::fill(std::begin(s.clamp), std::end(s.clamp), kClamps[static_cast<size_t>(sampler.address)]);
  s.unnormalized = !sampler.normalized;
  s.xy_mag = s.xy_min = sampler.linear ? 1 : 0;
  s.mip_filter = mip_linear ? 2 : 1;
  const std::array<uint32_t, 4> words = sampler_words(s, target);
  std::vector<uint8_t> bytes(sizeof words);
  std::memcpy(bytes.data(), words.data(), bytes.size());
  return bytes;
}

}  // namespace spalt::opencl
