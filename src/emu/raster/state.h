// SPDX-License-Identifier: MIT
//
// The state of the fixed-function parts of a graphics pipeline, in Vulkan's terms and with its numbers. Nothing here
// says where it comes from, a pipeline or dynamic state. What each part makes of it: docs/rasterization.md.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

namespace spalt::emu {

// ---- Input assembly ----

/// VkPrimitiveTopology. Patches are taken by the tessellator, not by the assembler.
enum class Topology : uint8_t {
  point_list,
  line_list,
  line_strip,
  triangle_list,
  triangle_strip,
  triangle_fan,
  line_list_with_adjacency,
  line_strip_with_adjacency,
  triangle_list_with_adjacency,
  triangle_strip_with_adjacency,
};

/// VkProvokingVertexModeEXT.
enum class ProvokingVertex : uint8_t { first, last };

// ---- Rasterization ----

/// Pixels from (x0, y0) on, up to but without (x1, y1).
struct PixelRect {
  int32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  bool is_empty() const { return x0 >= x1 || y0 >= y1; }
  bool operator==(const PixelRect&) const = default;
};

/// VkViewport.
struct Viewport {
  float x = 0, y = 0, width = 0, height = 0;
  float min_depth = 0, max_depth = 1;
};

/// VkPolygonMode.
enum class PolygonMode : uint8_t { fill, line, point };
/// Bits of VkCullModeFlags.
enum CullMode : uint8_t { kCullFront = 1, kCullBack = 2 };
/// VkFrontFace.
enum class FrontFace : uint8_t { counter_clockwise, clockwise };

/// VkDepthBiasRepresentationEXT.
enum class DepthBiasRepresentation : uint8_t { least_representable, least_representable_force_unorm, floating };

struct DepthBias {
  bool enabled = false;
  float constant = 0, clamp = 0, slope = 0;
  DepthBiasRepresentation representation = DepthBiasRepresentation::least_representable;
};

/// VkLineRasterizationMode. The default is rectangular: strictLines holds. Smooth lines are not there.
enum class LineMode : uint8_t { default_mode, rectangular, bresenham };

struct LineStyle {
  LineMode mode = LineMode::default_mode;
  float width = 1;
  bool stippled = false;
  uint32_t stipple_factor = 1;  ///< 1 to 256
  uint16_t stipple_pattern = 0xffff;
};

/// Units of 1/16 of a pixel, 0 to 15, from its upper left corner.
struct SamplePosition {
  uint8_t x = 8, y = 8;
};

constexpr unsigned kMaxSamples = 16;
using SamplePositions = std::array<SamplePosition, kMaxSamples>;
/// Vulkan's standard sample locations for 1, 2, 4, 8 or 16 samples.
const SamplePositions& standard_sample_positions(unsigned samples);

struct RasterizationState {
  PolygonMode polygon_mode = PolygonMode::fill;
  uint8_t cull = 0;  ///< CullMode bits
  FrontFace front_face = FrontFace::counter_clockwise;
  bool depth_clip = true;            ///< clips at the near and the far plane
  bool depth_clamp = false;          ///< clamps depth to the range of the viewport before the test
  bool negative_one_to_one = false;  ///< z of the view volume from -w, not from 0
  uint8_t clip_distances = 0;        ///< of each vertex, 0 to 8
  uint8_t cull_distances = 0;        ///< 0 to 8, both together at most 8
  DepthBias depth_bias;
  LineStyle line;
  uint8_t samples = 1;  ///< 1, 2, 4, 8 or 16
  SamplePositions sample_positions = standard_sample_positions(1);
  uint32_t depth_format = 0;  ///< VkFormat, for the depth bias; 0: no attachment
};

// ---- Tests ----

/// VkCompareOp.
enum class Compare : uint8_t { never, less, equal, less_or_equal, greater, not_equal, greater_or_equal, always };

/// VkStencilOp.
enum class StencilOp : uint8_t {
  keep,
  zero,
  replace,
  increment_and_clamp,
  decrement_and_clamp,
  invert,
  increment_and_wrap,
  decrement_and_wrap,
};

struct StencilFace {
  StencilOp fail = StencilOp::keep, pass = StencilOp::keep, depth_fail = StencilOp::keep;
  Compare compare = Compare::always;
  uint8_t compare_mask = 0xff, write_mask = 0xff, reference = 0;
};

struct DepthStencilState {
  bool depth_test = false, depth_write = false;
  Compare depth_compare = Compare::less;
  bool bounds_test = false;
  float min_bounds = 0, max_bounds = 1;
  bool stencil_test = false;
  StencilFace front, back;
};

// ---- Colour ----

/// VkBlendFactor.
enum class BlendFactor : uint8_t {
  zero,
  one,
  src_color,
  one_minus_src_color,
  dst_color,
  one_minus_dst_color,
  src_alpha,
  one_minus_src_alpha,
  dst_alpha,
  one_minus_dst_alpha,
  constant_color,
  one_minus_constant_color,
  constant_alpha,
  one_minus_constant_alpha,
  src_alpha_saturate,
  src1_color,
  one_minus_src1_color,
  src1_alpha,
  one_minus_src1_alpha,
};

/// VkBlendOp without those of VK_EXT_blend_operation_advanced.
enum class BlendOp : uint8_t { add, subtract, reverse_subtract, minimum, maximum };

/// VkLogicOp.
enum class LogicOp : uint8_t {
  clear,
  and_,
  and_reverse,
  copy,
  and_inverted,
  no_op,
  xor_,
  or_,
  nor,
  equivalent,
  invert,
  or_reverse,
  copy_inverted,
  or_inverted,
  nand,
  set,
};

struct BlendEquation {
  BlendFactor source = BlendFactor::one, destination = BlendFactor::zero;
  BlendOp op = BlendOp::add;
};

/// Of one target.
struct BlendState {
  bool enabled = false;
  BlendEquation color, alpha;
  uint8_t write_mask = 0xf;  ///< bit 0 is R, bit 3 A
};

/// Of all targets.
struct ColorState {
  bool logic_op_enabled = false;  ///< then nothing is blended
  LogicOp logic_op = LogicOp::copy;
  std::array<float, 4> blend_constants = {};
};

struct MultisampleState {
  uint32_t sample_mask = 0xffffffff;
  bool alpha_to_coverage = false, alpha_to_one = false;
};

// ---- Attachments ----

/// One plane of an attachment in host memory, with linear rows. Depth and stencil are two planes, two of these. Sample
/// s of layer l is slice l * samples + s, as everywhere in the emulator.
struct RasterSurface {
  std::byte* bytes = nullptr;  ///< nullptr: there is none. Not owned
  uint32_t format = 0;         ///< VkFormat of the plane
  uint32_t width = 0, height = 0, layers = 1, samples = 1;
  uint64_t row_bytes = 0, slice_bytes = 0;

  bool exists() const { return bytes != nullptr; }
  bool has(int32_t x, int32_t y, uint32_t layer) const {
    return x >= 0 && y >= 0 && static_cast<uint32_t>(x) < width && static_cast<uint32_t>(y) < height && layer < layers;
  }
  /// All of them inside.
  std::byte* at(int32_t x, int32_t y, uint32_t layer, unsigned sample, unsigned texel_bytes) const {
    return bytes + (uint64_t{layer} * samples + sample) * slice_bytes + static_cast<uint64_t>(y) * row_bytes +
           static_cast<uint64_t>(x) * texel_bytes;
  }
};

}  // namespace spalt::emu
