// SPDX-License-Identifier: MIT
//
// Images for C++ references: texels as numbers, and Vulkan's samplers.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "sampling/spec_sampler.h"
#include "vkrun/image_texels.h"
#include "vkrun/manifest.h"

namespace spalt::run {

using sampling::Access;
using sampling::Vec4;

/// One image of a manifest in the contents of a run.
class Texels {
 public:
  /// The image of that name.
  Texels(const vkrun::Manifest& manifest, vkrun::BufferContents& contents, const std::string& name);

  struct Place {
    int x = 0, y = 0, slice = 0, level = 0;
  };
  /// Floats; integers as they are.
  Vec4 load(const Place& place) const;
  void store(const Place& place, const Vec4& value);
  texel::Texel load_bits(const Place& place) const;
  void store_bits(const Place& place, const texel::Texel& bits);

  int width(int level = 0) const;
  int height(int level = 0) const;
  int slices(int level = 0) const;
  int levels() const { return static_cast<int>(desc_->levels); }
  const vkrun::ImageDesc& desc() const { return *desc_; }

  /// What a shader sees of the image as a whole, or as cubes.
  sampling::View view(bool is_cube = false) const;

 private:
  const vkrun::ImageDesc* desc_;
  std::vector<uint8_t>* bytes_;
};

/// The sampler of a binding that is bound as combined, or by itself.
const vkrun::SamplerDesc& sampler_at(const vkrun::Manifest& manifest, uint32_t set, uint32_t binding,
                                     uint32_t element = 0);

}  // namespace spalt::run
