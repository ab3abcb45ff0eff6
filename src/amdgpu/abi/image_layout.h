// SPDX-License-Identifier: MIT
//
// Where the texels of an image are in memory: linear surfaces, as addrlib lays them out.
//
// Elements are texels, or blocks of compressed formats. Level l has ceil(size / 2^l) elements in each direction,
// rounded up where a shader sees floor(size / 2^l). Layers, faces and depth slices follow each other; each has a whole
// chain of levels. GFX9 has the same pitch for all levels, level 0 first; later ones have the smallest level first, and
// a pitch for each. Multisampled images (an extension of ours: hardware has no linear ones) have their samples as
// innermost slices: slice layer * samples + sample.
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/isa/target.h"
#include "texel/format.h"

namespace spalt::abi {

constexpr unsigned kMaxImageLevels = 16;
constexpr uint64_t kImageAlignment = 256;
constexpr uint32_t kMaxImageExtent = 16384;
constexpr uint32_t kMaxImageDepth = 8192;  ///< slices of a 3D image
constexpr uint32_t kMaxImageLayers = 8192;

struct ImageShape {
  const texel::Format* format = nullptr;      ///< of one plane
  uint32_t dimensions = 2;                    ///< 1, 2 or 3
  uint32_t width = 1, height = 1, depth = 1;  ///< texels of level 0
  uint32_t levels = 1, layers = 1, samples = 1;
};

struct ImageLevel {
  uint64_t offset = 0;     ///< of the level's first row from the start of the slice
  uint64_t row_bytes = 0;  ///< from one row of elements to the next
  uint32_t rows = 0;       ///< of elements
};

struct ImageLayout {
  uint64_t bytes = 0;
  uint64_t slice_bytes = 0;  ///< from one layer, face, sample or depth slice to the next
  std::array<ImageLevel, kMaxImageLevels> levels{};
};

/// Whether there are such images.
bool is_image_shape(const ImageShape& shape);
/// Of a shape that is_image_shape accepts.
ImageLayout image_layout(const ImageShape& shape, const isa::Target& target);

/// log2 of a number of samples.
unsigned log2_samples(uint32_t samples);

}  // namespace spalt::abi
