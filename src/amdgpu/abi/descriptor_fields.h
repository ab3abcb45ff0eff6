// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/isa/target.h"
#include "texel/format.h"

namespace spalt::abi {

/// Consecutive bits of a descriptor, counted from bit 0 of its first word: bit 32 is bit 0 of the second one. A field
/// may cross from a word to the next. No bits: the generation does not have the field.
struct DescriptorField {
  uint16_t first = 0;
  uint8_t bits = 0;

  constexpr bool exists() const { return bits != 0; }
  constexpr unsigned word() const { return first / 32; }
  constexpr unsigned shift() const { return first % 32; }
  constexpr uint64_t max() const { return (uint64_t{1} << bits) - 1; }
  uint64_t get(std::span<const uint32_t> words) const;
  /// The value must fit.
  void set(std::span<uint32_t> words, uint64_t value) const;
};

/// Where an image descriptor (T#, eight words) keeps what. Source: Mesa's register database (gfx9 to gfx12 resource
/// descriptors), with which LGC's GfxRegHandler agrees.
struct ImageFields {
  DescriptorField base;            ///< address >> 8
  DescriptorField format;          ///< GFX9: data format in bits 5..0, number format in bits 9..6
  DescriptorField width, height;   ///< of level 0 of the resource, less 1
  DescriptorField resource_level;  ///< must be 1
  DescriptorField dst_sel[4];
  DescriptorField base_level, last_level;  ///< of the view; last_level of multisampled ones: log2 of the samples
  DescriptorField swizzle_mode;            ///< 0 linear
  DescriptorField type;                    ///< ImageType
  DescriptorField depth;       ///< 3D: slices less 1; arrays and cubes: last visible layer, cubes count faces
  DescriptorField pitch;       ///< texels less 1; where it shares bits with `depth`, of types 1D, 2D and 2D_MSAA only
  DescriptorField base_array;  ///< first visible layer
  DescriptorField bc_swizzle;
  DescriptorField uav_3d;   ///< 1: base_array and depth are the first and last slice of a 3D image
  DescriptorField max_mip;  ///< levels of the resource less 1; multisampled: log2 of the samples
  DescriptorField min_lod;  ///< unsigned, 8 fraction bits
  bool own_pitch = false;   ///< `pitch` shares no bits: of mipmapped images it holds the rows of all levels less 1
  bool has_1d = true;       ///< 1D types; else 1D images are 2D ones of height 1
};

/// Values of ImageFields::type. Smaller ones are buffers; 0 with all other bits 0 is the null descriptor.
enum class ImageType : uint8_t {
  dim_1d = 8,
  dim_2d = 9,
  dim_3d = 10,
  cube = 11,
  dim_1d_array = 12,
  dim_2d_array = 13,
  dim_2d_msaa = 14,
  dim_2d_msaa_array = 15
};

/// Values of a dst_sel: a constant, or a channel of the texel in memory from x on.
enum : uint8_t { kSelect0 = 0, kSelect1 = 1, kSelectX = 4 };
uint8_t select_code(texel::Select select);

/// Where a sampler descriptor (S#, four words) keeps what. Same source.
struct SamplerFields {
  DescriptorField clamp[3];         ///< ClampMode of x, y, z
  DescriptorField max_aniso_ratio;  ///< log2
  DescriptorField compare;          ///< never < = <= > != >= always
  DescriptorField force_unnormalized;
  DescriptorField aniso_threshold, aniso_bias;
  DescriptorField trunc_coord, disable_cube_wrap;
  DescriptorField filter_mode;       ///< 0 weighted average, 1 minimum, 2 maximum
  DescriptorField compat_mode;       ///< 1 (GFX9)
  DescriptorField min_lod, max_lod;  ///< unsigned, 8 fraction bits
  DescriptorField perf_mip;
  DescriptorField lod_bias;            ///< signed, 8 fraction bits
  DescriptorField xy_mag, xy_min;      ///< 0 point, 1 bilinear, 2 and 3 the same with anisotropy
  DescriptorField z_filter;            ///< 0 as xy, 1 point, 2 linear
  DescriptorField mip_filter;          ///< 0 none, 1 point, 2 linear
  DescriptorField filter_prec_fix;     ///< 1 (GFX9)
  DescriptorField aniso_override;      ///< 1: no anisotropy where a view has one level
  DescriptorField border_color_index;  ///< in the palette
  DescriptorField border_color_type;   ///< 0 (0,0,0,0), 1 (0,0,0,1), 2 (1,1,1,1), 3 palette
};

/// Values of SamplerFields::clamp that Vulkan uses.
enum class ClampMode : uint8_t { wrap = 0, mirror = 1, clamp_to_edge = 2, mirror_once_to_edge = 3, border = 6 };

/// Where a buffer descriptor (V#, four words) keeps what.
struct BufferFields {
  DescriptorField base;         ///< address
  DescriptorField stride;       ///< bytes from one element to the next; 0: raw
  DescriptorField num_records;  ///< elements, of raw buffers bytes
  DescriptorField dst_sel[4];
  DescriptorField format;         ///< as ImageFields::format; on GFX9 the data format alone
  DescriptorField number_format;  ///< GFX9
  DescriptorField oob_select;     ///< what is checked: 0 index and offset, 3 the bytes of a raw buffer
};

const BufferFields& buffer_fields(const isa::Target& target);
const ImageFields& image_fields(const isa::Target& target);
const SamplerFields& sampler_fields(const isa::Target& target);

}  // namespace spalt::abi
