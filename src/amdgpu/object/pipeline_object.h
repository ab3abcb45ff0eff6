// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/object/stage_object.h"
#include "base/small_vector.h"

namespace spalt::object {

/// Where parameter i of the pixel stage comes from: SPI_PS_INPUT_CNTL_i.
struct ParameterSource {
  static constexpr uint8_t kDefault = 0x20;  ///< no slot: a constant, or a point coordinate
  /// With flat: a slot of which the values of all vertices are wanted.
  static constexpr uint8_t kAllVertices = 0x20;

  bool has_all_vertices() const { return flat && (slot & kAllVertices) != 0; }

  uint8_t slot = 0;           ///< of the last vertex stage, or kDefault
  uint8_t default_value = 0;  ///< of kDefault: 0 (0,0,0,0), 1 (0,0,0,1), 2 (1,1,1,0), 3 (1,1,1,1)
  bool flat = false;          ///< the provoking vertex's value
  bool point_coord = false;   ///< replaced by the coordinate within the point
  bool half = false;          ///< interpolated as halves
  bool operator==(const ParameterSource&) const = default;
};

/// A pipeline as a loader knows it.
struct PipelineObject {
  Vector<uint8_t> code;  ///< of all stages side by side, with the padding after the last
  /// In the order of HardwareStage. They have no code of their own: `entry_offset` is a place in the pipeline's.
  ///
  /// `facts` are what registers tell. Parameters of the vertex stage are locations with the numbers of their slots;
  /// those of the pixel stage are locations with the number of the slot that they come from, or point coordinates.
  /// Constants have the number ParameterSource::kDefault, which no slot has.
  Vector<StageObject> stages;
  SmallVector<ParameterSource, 8> sources;  ///< by parameter of the pixel stage

  /// nullptr: the pipeline does not have it.
  const StageObject* find(abi::HardwareStage stage) const {
    for (const StageObject& candidate : stages) {
      if (candidate.hardware_stage == stage) return &candidate;
    }
    return nullptr;
  }
};

/// Reads a PAL code object of either version of the metadata: pipelines of a compute stage, or of a vertex stage and a
/// pixel stage. The bytes are not trusted: all that is read holds check_facts, registers and user SGPRs are within what
/// the processor has, and entry points are inside of the code. What the code does when it runs is not checked.
Result<PipelineObject> read_pipeline(std::span<const uint8_t> bytes);

}  // namespace spalt::object
