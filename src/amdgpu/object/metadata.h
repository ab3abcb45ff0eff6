// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/graphics_registers.h"
#include "amdgpu/object/link.h"
#include "amdgpu/object/pipeline_object.h"
#include "amdgpu/object/section_writer.h"

namespace spalt::object {

/// Which hardware stages a pipeline has: `.type`. A graphics pipeline has one for vertices and the pixel stage.
enum class PipelineType : uint8_t { compute, vertex_pixel, primitive_pixel };
/// "Cs", "VsPs", "Ngg".
std::string_view name_of(PipelineType type);
/// The stage of a graphics pipeline's vertices.
abi::HardwareStage vertex_stage_of(PipelineType type);

/// What a pipeline has beside its stages.
struct PipelineFacts {
  const isa::Target* target = nullptr;
  PipelineType type = PipelineType::compute;
  GraphicsRegisters graphics;  ///< of a graphics pipeline
  MetadataVersion version = MetadataVersion::v3_0;
  std::array<uint64_t, 2> hash{1, 1};
  uint32_t spill_threshold = abi::kNoSpillThreshold;  ///< the lowest of all stages
  uint32_t user_data_limit = 1;                       ///< the highest of all stages
};

/// Appends the MessagePack document of the PAL note.
void write_metadata(std::span<const StageObject> stages, const PipelineFacts& pipeline, Bytes& out);

/// Fills the facts of the only stage of a compute pipeline, from a document of metadata major version 2 or 3. Unknown
/// keys are skipped.
Result<void> read_metadata(std::span<const uint8_t> document, const isa::Target& target, StageObject& shader);
/// Adds the stages of a pipeline with their facts, and the sources of parameters.
Result<void> read_metadata(std::span<const uint8_t> document, const isa::Target& target, PipelineObject& pipeline);

}  // namespace spalt::object
