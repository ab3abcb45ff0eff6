// SPDX-License-Identifier: MIT
//
// What the lowering of a graphics stage decides about its inputs and outputs, in the terms of the hardware: what the
// register fields of the metadata are made of, and what linking two stages needs. One struct for each hardware stage;
// a StageInterface has the one of its stage.
#pragma once
#include <array>
#include <cstdint>

#include "base/small_vector.h"

namespace spalt::abi {

/// What a vector of four dwords that passes from the last vertex stage to the fragment stage is.
enum class ParameterKind : uint8_t {
  location,        ///< of the shaders, by number
  clip_distances,  ///< four of them: number 0 or 1
  point_coord,     ///< made by the rasterizer, no stage writes it
  layer,
  viewport_index,
  primitive_id,
  cull_distances  ///< four of them: number 0 or 1
};
struct Parameter {
  ParameterKind kind = ParameterKind::location;
  uint8_t number = 0;
  bool operator==(const Parameter&) const = default;
};
constexpr unsigned kMaxParameters = 32;

/// Code that a vertex stage does for the pixel stage; the words are those of ir/vertex_work.h. None: there is none.
using VertexWorkWords = SmallVector<uint32_t, 1>;

/// Of the last vertex stage.
struct VertexOutputs {
  SmallVector<Parameter, 8> parameters;                            ///< entry i is in parameter slot i
  bool point_size = false, layer = false, viewport_index = false;  ///< in the second position vector
  uint8_t clip_distances = 0, cull_distances = 0;                  ///< how many
  bool primitive_id = false;                                       ///< the hardware must count primitives
  bool writes_memory = false;
  VertexWorkWords vertex_work;  ///< that the stage does: what its pixel stage has

  bool has_misc_vector() const { return point_size || layer || viewport_index; }
  unsigned distance_vectors() const { return (clip_distances + cull_distances + 3u) / 4; }
  /// Position exports, the position itself among them.
  unsigned position_vectors() const { return 1 + (has_misc_vector() ? 1 : 0) + distance_vectors(); }
  bool operator==(const VertexOutputs&) const = default;
};

/// Bits of SPI_PS_INPUT_ENA and SPI_PS_INPUT_ADDR: the VGPRs that a pixel wave starts with, in this order.
enum PixelInput : uint8_t {
  kPerspSample,     ///< 2 registers: I, J
  kPerspCenter,     ///< 2
  kPerspCentroid,   ///< 2
  kPerspPull,       ///< 3: I/W, J/W, 1/W
  kLinearSample,    ///< 2
  kLinearCenter,    ///< 2
  kLinearCentroid,  ///< 2
  kLineStipple,     ///< 1, as the rest
  kPosX,
  kPosY,
  kPosZ,
  kPosW,
  kFrontFace,
  kAncillary,
  kSampleCoverage,
  kPosFixed
};
constexpr unsigned kPixelInputs = 16;
constexpr unsigned pixel_input_registers(unsigned input) {
  return input == kPerspPull ? 3 : input < kLineStipple ? 2 : 1;
}

/// Parameter i of the pixel stage: what SPI_PS_INPUT_CNTL_i is made of.
struct PixelParameter {
  Parameter parameter;
  bool flat = false;
  bool half = false;  ///< interpolated as halves
  /// With flat: not the value of one vertex, but those of all three.
  bool per_vertex = false;
  bool operator==(const PixelParameter&) const = default;
};

/// SPI_SHADER_COL_FORMAT and SPI_SHADER_Z_FORMAT.
enum class ExportFormat : uint8_t { none, r32, gr32, ar32, fp16, unorm16, snorm16, uint16, sint16, abgr32 };

/// Of the pixel stage.
struct PixelFacts {
  uint16_t inputs = 0;                             ///< bit i: PixelInput i is loaded
  SmallVector<PixelParameter, 8> parameters;       ///< as the code numbers them
  std::array<ExportFormat, 8> color_formats{};     ///< by location; none: not exported
  std::array<uint8_t, 8> color_masks{};            ///< CB_SHADER_MASK, by location
  ExportFormat depth_format = ExportFormat::none;  ///< of the export of depth, stencil and sample mask
  bool writes_depth = false, writes_stencil = false, writes_sample_mask = false;
  bool dummy_export = false;  ///< the first colour is exported for the sake of exec alone
  bool kills = false;         ///< discard, demote or terminate anywhere
  bool early_tests = false;
  bool post_depth_coverage = false;
  uint8_t conservative_depth = 0;  ///< 0 any, 1 less, 2 greater
  bool writes_memory = false;
  bool per_sample = false;          ///< runs once for each sample
  bool position_at_sample = false;  ///< POS_FLOAT_LOCATION 2, else the centre
  VertexWorkWords vertex_work;      ///< what the vertex stage has to do (ir/vertex_work.h)
  bool operator==(const PixelFacts&) const = default;
};

}  // namespace spalt::abi
