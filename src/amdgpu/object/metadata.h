// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/isa/target.h"
#include "amdgpu/object/link.h"
#include "amdgpu/object/section_writer.h"

namespace spalt::object {

/// What a pipeline has beside its stages.
struct PipelineFacts {
  const isa::Target* target = nullptr;
  MetadataVersion version = MetadataVersion::v3_0;
  std::array<uint64_t, 2> hash{1, 1};
  uint32_t spill_threshold = abi::kNoSpillThreshold;  ///< the lowest of all stages
  uint32_t user_data_limit = 1;                       ///< the highest of all stages
};

/// Appends the MessagePack document of the PAL note.
void write_metadata(std::span<const StageObject> stages, const PipelineFacts& pipeline, Bytes& out);

/// Fills the facts of `shader` from a document of metadata major version 2 or 3. Unknown keys are skipped.
Result<void> read_metadata(std::span<const uint8_t> document, const isa::Target& target, StageObject& shader);

}  // namespace spalt::object
