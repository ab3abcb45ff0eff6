// SPDX-License-Identifier: MIT
#pragma once
#include "driver/compiler_handle.h"
#include "driver/options.h"

namespace spalt::driver {

/// What the caller says of the pipeline around a graphics stage, checked.
Result<GraphicsPipelineFacts> read_graphics(const spalt_compiler& compiler, const spalt_compile_info& info,
                                            ir::ShaderStage stage, Arena& arena);

}  // namespace spalt::driver
