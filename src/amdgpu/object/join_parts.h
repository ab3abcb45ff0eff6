// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "amdgpu/object/stage_object.h"

namespace spalt::object {

/// Joins each body to the piece that completes it: codes one after the other, so that control falls through, the maxima
/// of registers, and of each fact what that part knows. Whole stages stay as they are, and there is no other kind in
/// the result. Fails where a body has no piece, a piece no body, or the two do not fit. Requires check_stage of each.
/// The result is in the arena, or in the heap without one; the cost is that of copying the stages.
Result<Vector<StageObject>> join_parts(std::span<const StageObject> parts, Arena* arena);

}  // namespace spalt::object
