// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "amdgpu/abi/descriptor_fields.h"
#include "texel/format.h"

namespace spalt::emu {

class Wave;

/// An image descriptor (T#), whatever the layout of its bits, with the places of its texels: a linear surface
/// (amdgpu/abi/image_layout.h says how such are laid out; what is here follows from the descriptor alone).
struct ImageDescriptor {
  static constexpr unsigned kLevels = 32;

  /// A type and a format: otherwise everything is out of range, and loads give 0 whatever dst_sel says.
  bool bound = false;
  bool is_1d = false, is_3d = false, is_cube = false;
  texel::Layout layout;
  const texel::ShapeFacts* shape = nullptr;
  uint64_t base = 0;
  uint32_t width = 1, height = 1, depth = 1;  ///< texels of level 0 of the resource
  uint32_t base_level = 0, last_level = 0;    ///< of the view
  /// Visible layers, faces or, of some views of 3D images, slices: those from `first_layer` on.
  uint32_t first_layer = 0, layers = 1;
  bool layers_are_slices = false;
  uint32_t samples = 1;
  uint32_t min_lod = 0;  ///< 8 fraction bits, absolute
  uint8_t border_swizzle = 0;
  std::array<uint8_t, 4> dst_sel{};  ///< abi::kSelect0, kSelect1, kSelectX and on
  uint64_t slice_bytes = 0;          ///< from one layer, face, sample or depth slice to the next
  std::array<uint64_t, kLevels> level_offset{}, row_bytes{};

  uint32_t level_count() const { return last_level - base_level + 1; }
  uint32_t level_width(unsigned level) const { return minified(width, level); }
  uint32_t level_height(unsigned level) const { return minified(height, level); }
  /// Slices that a third coordinate may name.
  uint32_t level_depth(unsigned level) const { return layers_are_slices ? layers : minified(depth, level); }
  /// Bytes of a texel, or of a block of them.
  unsigned texel_bytes() const { return shape->bytes; }

 private:
  static uint32_t minified(uint32_t size, unsigned level) { return size >> level != 0 ? size >> level : 1; }
};

/// The descriptor in eight scalar registers, or four (r128). Faults where it names what no image can be; then, and
/// where nothing is bound, `bound` is false.
ImageDescriptor read_image_descriptor(Wave& wave, unsigned reg, bool r128);

}  // namespace spalt::emu
