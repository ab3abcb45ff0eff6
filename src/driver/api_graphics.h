// SPDX-License-Identifier: MIT
#pragma once
#include "driver/compiler_handle.h"
#include "driver/options.h"

namespace spalt::driver {

/// What the caller says of the pipeline around a graphics stage, checked.
Result<GraphicsPipelineFacts> read_graphics(const spalt_compiler& compiler, const spalt_compile_info& info,
                                            ir::ShaderStage stage, Arena& arena);

/// What compiling a piece depends on, from its body and the caller's state: nothing of the state that does not matter.
struct PieceFacts {
  ir::ShaderStage stage = ir::ShaderStage::vertex;
  uint32_t wave_size = 64;
  uint8_t float_mode = 0;
  GraphicsPipelineFacts graphics;
};
Result<PieceFacts> read_piece(const spalt_compiler& compiler, const spalt_piece_info& info);

}  // namespace spalt::driver
