// SPDX-License-Identifier: MIT
#pragma once
#include <array>
#include <cstdint>

#include "base/small_vector.h"

namespace spalt::abi {

constexpr unsigned kMaxVertexAttributes = 32;
constexpr unsigned kMaxColorTargets = 8;

/// An attribute with what is known of its binding.
struct VertexAttribute {
  uint32_t location = 0;
  uint32_t binding = 0;
  uint32_t format = 0;  ///< VkFormat
  uint32_t offset = 0;  ///< bytes
  uint32_t stride = 0;  ///< bytes
  bool per_instance = false;
  uint32_t divisor = 1;
  bool operator==(const VertexAttribute&) const = default;
};

/// The attribute of a location where no state says what is there: four numbers of 32 bits, in a binding of their own.
inline VertexAttribute derived_attribute(uint32_t location, bool is_integer) {
  constexpr uint32_t kUint4 = 107, kFloat4 = 109, kBytes = 16;  // R32G32B32A32_UINT, R32G32B32A32_SFLOAT
  VertexAttribute attribute;
  attribute.location = attribute.binding = location;
  attribute.format = is_integer ? kUint4 : kFloat4;
  attribute.stride = kBytes;
  return attribute;
}

/// spalt_color_target of the public API.
struct ColorTarget {
  uint32_t format = 0;  ///< VkFormat; 0: no attachment
  uint8_t write_mask = 0xf;
  bool blend = false, blend_reads_alpha = false;
  bool operator==(const ColorTarget&) const = default;
};

/// The state of a graphics pipeline that the code of its stages depends on: spalt_graphics_state of the public API.
struct GraphicsState {
  SmallVector<VertexAttribute, 8> attributes;  ///< by location, each once
  uint32_t topology = 3;                       ///< VkPrimitiveTopology
  bool has_points() const { return topology == 0; }
  bool has_lines() const { return topology == 1 || topology == 2; }  ///< lists or strips
  bool provoking_last = false;
  bool rasterizer_discard = false;
  uint32_t samples = 1;  ///< 0: not known, it may be any number
  float min_sample_shading = 0;
  bool alpha_to_coverage = false, alpha_to_one = false;
  bool dual_source_blend = false;
  std::array<ColorTarget, kMaxColorTargets> targets{};  ///< by location
};

}  // namespace spalt::abi
