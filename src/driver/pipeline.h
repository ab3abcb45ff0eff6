// SPDX-License-Identifier: MIT
#pragma once
#include <span>

#include "base/compile_context.h"
#include "base/result.h"
#include "driver/options.h"

namespace spalt::driver {

/// A piece for bodies with the seam that the options name (GraphicsPipelineFacts::piece), as compile makes a stage.
Result<StageOutput> compile_piece(const Options& options, Diagnostics& diagnostics, CompileContext& context);

/// Words to a stage object: the first two of the three steps. The words are untrusted; a compiler bug leaves as
/// InternalError. `context` has the memory of the compilation and is not shared by two at a time. The error that ends
/// the compilation is the result's; `diagnostics` gets what else is to be said.
Result<StageOutput> compile(std::span<const uint32_t> words, const Options& options, Diagnostics& diagnostics,
                            CompileContext& context);

}  // namespace spalt::driver
