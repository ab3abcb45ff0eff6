// SPDX-License-Identifier: MIT
// What an image operation is about: its immediate, and where its operands stand.
#pragma once
#include <bit>
#include <cstdint>

#include "ir/memory.h"
#include "ir/op.h"

namespace spalt::ir {

/// How the coordinates of an image operation address texels.
enum class ImageDim : uint8_t {
  d1,
  d2,
  d3,
  cube,  ///< core stage only. Samples: a direction
  face,  ///< made by target lowering. Samples: a place on one face and the number of the face
  buffer
};

/// Bits of ImageAccess::traits.
enum ImageTrait : uint8_t {
  kArrayed = 1u << 0,
  kMultisampled = 1u << 1,
  kSparse = 1u << 2,         ///< the result has a residency code after its texel
  kHalfAddress = 1u << 3,    ///< lowered stage: coordinates and level are halves, two in an i32
  kHalfGradients = 1u << 4,  ///< lowered stage: so are the gradients of each direction
  kHalfTexel = 1u << 5       ///< lowered stage: so are the components of the texel
};

/// Bits of ImageAccess::parts: the address operands beside the coordinates. At most one of bias, gradients and lod.
enum ImagePart : uint8_t {
  kImageOffset = 1u << 0,     ///< i32: texels to add to the coordinates, six signed bits each, at bits 0, 8 and 16
  kImageBias = 1u << 1,       ///< added to the level of detail
  kImageCompare = 1u << 2,    ///< reference for a depth comparison; f32
  kImageGradients = 1u << 3,  ///< of each coordinate but layers: those along x, then those along y
  kImageLod = 1u << 4,        ///< level of detail; of loads, stores and sizes the level, an integer
  kImageMinLod = 1u << 5,     ///< the least level of detail that is used
  kImageBaseLevel = 1u << 6   ///< lowered stage: level 0, without an operand
};

/// What an atomic operation on a texel does.
enum class AtomicKind : uint8_t {
  exchange,
  compare_exchange,
  add,
  sub,
  smin,
  smax,
  umin,
  umax,
  bit_and,
  bit_or,
  bit_xor,
  fadd,
  fmin,
  fmax
};
constexpr unsigned kAtomicKinds = static_cast<unsigned>(AtomicKind::fmax) + 1;
constexpr unsigned kImageDims = static_cast<unsigned>(ImageDim::buffer) + 1;

/// All components of a texel (ImageAccess::mask).
constexpr uint8_t kAllComponents = 0xf;

/// The immediate of image operations. What it shares with MemoryAccess is at the same places, so that Function::access
/// gives storage class, flags, scope and order of both.
struct ImageAccess {
  ImageDim dim = ImageDim::d2;
  uint8_t traits = 0;  ///< ImageTrait
  uint8_t parts = 0;   ///< ImagePart
  /// Components of the texel that a load or sample returns, or a store writes, bit 0 for x; of a gather the one
  /// component that it gathers. 0 for operations that move no texel, and atomics.
  uint8_t mask : 4 = 0;
  AtomicKind atomic : 4 = AtomicKind::exchange;  ///< image_atomic only
  StorageClass storage = StorageClass::image;
  uint8_t reserved = 0;
  uint8_t flags = 0;  ///< AccessFlag
  Scope scope : 4 = Scope::invocation;
  MemoryOrder order : 4 = MemoryOrder::none;

  constexpr bool arrayed() const { return (traits & kArrayed) != 0; }
  constexpr bool multisampled() const { return (traits & kMultisampled) != 0; }
  constexpr bool sparse() const { return (traits & kSparse) != 0; }
  constexpr bool half_address() const { return (traits & kHalfAddress) != 0; }
  constexpr bool half_gradients() const { return (traits & kHalfGradients) != 0; }
  constexpr bool half_texel() const { return (traits & kHalfTexel) != 0; }
  constexpr bool has(ImagePart part) const { return (parts & part) != 0; }
  constexpr unsigned components() const { return static_cast<unsigned>(std::popcount(static_cast<uint8_t>(mask))); }

  uint64_t pack() const { return std::bit_cast<uint64_t>(*this); }
  static ImageAccess unpack(uint64_t bits) { return std::bit_cast<ImageAccess>(bits); }
  bool operator==(const ImageAccess& other) const { return pack() == other.pack(); }
};
static_assert(sizeof(ImageAccess) == sizeof(MemoryAccess));

/// Coordinates without layer and sample; of the gradients as many for each direction.
constexpr unsigned image_axes(ImageDim dim) {
  switch (dim) {
    case ImageDim::d1:
    case ImageDim::buffer:
      return 1;
    case ImageDim::d2:
    case ImageDim::face:
      return 2;
    case ImageDim::d3:
    case ImageDim::cube:
      return 3;
  }
  return 0;
}

/// Coordinates as operands: the axes, then the layer or face, then the sample.
constexpr unsigned image_coordinates(const ImageAccess& access) {
  return image_axes(access.dim) + (access.arrayed() || access.dim == ImageDim::face ? 1 : 0) +
         (access.multisampled() ? 1 : 0);
}

/// True for image_sample, image_gather and image_query_lod: operand 1 is a sampler.
constexpr bool uses_sampler(Op op) {
  return op == Op::image_sample || op == Op::image_gather || op == Op::image_query_lod;
}

/// True for image_size, image_levels and image_samples, which ask the descriptor and touch no texel.
constexpr bool is_image_query(Op op) {
  return op == Op::image_size || op == Op::image_levels || op == Op::image_samples;
}

/// Which operands of an image operation are what. They are the image, the sampler if there is one, then the address
/// in the order of the hardware's address registers, and at last the data.
struct ImageOperands {
  static constexpr uint8_t kAbsent = 0xff;
  uint8_t offset = kAbsent;
  uint8_t bias = kAbsent;
  uint8_t compare = kAbsent;
  uint8_t gradients = kAbsent;  ///< the first of twice the axes; of halves of twice the words
  uint8_t coordinates = 0;
  uint8_t coordinate_count = 0;
  uint8_t lod = kAbsent;  ///< level, level of detail or the least one; not where it is one of the coordinates' halves
  uint8_t data = kAbsent;
  uint8_t data_count = 0;
  uint8_t address = 1;  ///< the first operand of the address
  uint8_t count = 0;    ///< of all operands

  unsigned address_count() const { return count - data_count - address; }
};
constexpr ImageOperands image_operands(Op op, const ImageAccess& access) {
  ImageOperands at;
  uint8_t next = uses_sampler(op) ? 2 : 1;
  at.address = next;
  const auto take = [&](bool present, unsigned operands) {
    const uint8_t first = present ? next : ImageOperands::kAbsent;
    if (present) next = static_cast<uint8_t>(next + operands);
    return first;
  };
  at.offset = take(access.has(kImageOffset), 1);
  at.bias = take(access.has(kImageBias), 1);
  at.compare = take(access.has(kImageCompare), 1);
  const unsigned axes = image_axes(access.dim);
  at.gradients = take(access.has(kImageGradients), 2 * (access.half_gradients() ? (axes + 1) / 2 : axes));
  const bool has_level = access.has(kImageLod) || access.has(kImageMinLod);
  unsigned coordinates = is_image_query(op) ? 0 : image_coordinates(access);
  if (access.half_address()) coordinates = (coordinates + (has_level ? 2 : 1)) / 2;
  at.coordinate_count = static_cast<uint8_t>(coordinates);
  at.coordinates = take(true, at.coordinate_count);
  at.lod = take(has_level && !access.half_address(), 1);
  if (op == Op::image_store) at.data_count = 1;
  if (op == Op::image_atomic) at.data_count = access.atomic == AtomicKind::compare_exchange ? 2 : 1;
  at.data = take(at.data_count != 0, at.data_count);
  at.count = next;
  return at;
}

/// Components of the result of image_size: sizes, and the number of layers (of an array of cubes, of cubes).
constexpr unsigned image_size_components(const ImageAccess& access) {
  const unsigned axes = access.dim == ImageDim::cube ? 2 : image_axes(access.dim);
  return axes + (access.arrayed() ? 1 : 0);
}

}  // namespace spalt::ir
