// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <span>

#include "amdgpu/object/section_writer.h"
#include "amdgpu/object/stage_object.h"

namespace spalt::object {

/// How the metadata describes registers.
enum class MetadataVersion : uint8_t {
  v2_6,  ///< `.registers`: raw register values by number
  v3_0,  ///< named fields
  v3_6   ///< the same, the entry point by its symbol alone
};

/// Joins the stages of a pipeline to its PAL code object: bodies and their pieces to stages (join_parts), code side by
/// side, relocations resolved, one metadata document. The same bytes for the same input on every machine, whether the
/// stage objects were just made or stored in between. A vertex stage without a pixel stage gets one that does nothing;
/// a pixel stage alone is described as if any vertex stage wrote its inputs in order. Nothing is compiled here; the
/// cost is that of copying the code and writing some 2 kB of metadata. Fails when the stages make no pipeline, or one
/// is not what check_stage asks for. All memory that is taken is that of the result: from the arena, or from the heap
/// without one.
Result<Bytes> link_stages(std::span<const StageObject> stages, MetadataVersion version, Arena* arena = nullptr);

/// The same for one stage that the compiler has just made, which is what check_stage asks for by construction: nothing
/// is checked.
Result<Bytes> link_compiled(const StageObject& stage, MetadataVersion version, Arena* arena);

}  // namespace spalt::object
