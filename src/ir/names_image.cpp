// SPDX-License-Identifier: MIT
// Words of image operations.
#include <array>

#include "ir/name_table.h"
#include "ir/names.h"

namespace spalt::ir {
namespace {

constexpr std::array<std::string_view, kImageDims> kDims = {"1d", "2d", "3d", "cube", "face", "buffer"};
constexpr std::array<std::string_view, kAtomicKinds> kAtomics = {
    "exchange", "compare_exchange", "add", "sub", "smin", "smax", "umin", "umax", "and", "or", "xor", "fadd", "fmin",
    "fmax"};
constexpr BitName kParts[] = {
    {"offset", kImageOffset},        {"bias", kImageBias}, {"compare", kImageCompare},
    {"gradients", kImageGradients},  {"lod", kImageLod},   {"min_lod", kImageMinLod},
    {"base_level", kImageBaseLevel},
};
constexpr BitName kTraits[] = {
    {"sparse", kSparse}, {"a16", kHalfAddress}, {"g16", kHalfGradients}, {"d16", kHalfTexel}};
/// In the order in which they follow the dimension.
constexpr BitName kShapeTraits[] = {{"_ms", kMultisampled}, {"_array", kArrayed}};

}  // namespace

std::string image_shape_name(const ImageAccess& access) {
  const size_t dim = static_cast<size_t>(access.dim);
  std::string name(dim < kDims.size() ? kDims[dim] : "?");
  for (const BitName& trait : kShapeTraits) {
    if ((access.traits & trait.bit) != 0) name += trait.name;
  }
  return name;
}

bool find_image_shape(std::string_view word, ImageAccess& access) {
  const size_t end = word.find('_');
  const std::string_view dim = word.substr(0, end);
  std::string_view rest = end == std::string_view::npos ? std::string_view() : word.substr(end);
  for (const BitName& trait : kShapeTraits) {
    if (!rest.starts_with(trait.name)) continue;
    access.traits |= static_cast<uint8_t>(trait.bit);
    rest.remove_prefix(trait.name.size());
  }
  for (size_t i = 0; i < kDims.size(); ++i) {
    if (kDims[i] == dim) access.dim = static_cast<ImageDim>(i);
    if (kDims[i] == dim) return rest.empty();
  }
  return false;
}

std::span<const BitName> image_part_names() {
  return kParts;
}

std::span<const BitName> image_trait_names() {
  return kTraits;
}

std::string_view atomic_kind_name(AtomicKind kind) {
  return name_of(kAtomics, kind);
}

std::optional<AtomicKind> find_atomic_kind(std::string_view word) {
  return find_in<AtomicKind>(kAtomics, word);
}

std::string texel_mask_name(unsigned mask) {
  std::string name;
  for (unsigned i = 0; i < 4; ++i) {
    if ((mask >> i & 1) != 0) name += "xyzw"[i];
  }
  return name;
}

uint8_t find_texel_mask(std::string_view word) {
  for (unsigned mask = 1; mask <= kAllComponents; ++mask) {
    if (texel_mask_name(mask) == word) return static_cast<uint8_t>(mask);
  }
  return 0;
}

uint8_t default_texel_mask(Op op) {
  const bool moves = op == Op::image_load || op == Op::image_store || op == Op::image_sample;
  return moves ? kAllComponents : op == Op::image_gather ? 1 : 0;
}

}  // namespace spalt::ir
