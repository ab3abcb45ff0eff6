// SPDX-License-Identifier: MIT
#pragma once
#include <optional>
#include <span>
#include <string>

#include "amdgpu/abi/graphics_state.h"
#include "amdgpu/abi/seam.h"
#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/isa/target.h"
#include "base/compile_context.h"
#include "base/result.h"
#include "ir/module.h"

namespace spalt::golden {

/// Arguments that the commands of target stages share: `wave32`, `wave64`, `scratch`, the name of a target, and what
/// the layout has: `inline`, each uniform buffer as 32 bytes of inline data; `root`, each storage buffer in user data.
/// Of vertex shaders: `primitive_shader`; `attribute=LOCATION,BINDING,FORMAT,OFFSET,STRIDE[,DIVISOR]`, with a divisor
/// per instance; `reads=LOCATION` for each that the next stage reads, or `reads=primitive_id`. Of fragment shaders:
/// `samples=N`; `format=N`, the VkFormat of all colour targets; `write_masks=N,...`, by location; `blend`,
/// `dual_source`, `alpha_to_coverage`, `alpha_to_one`. Of both: `body`, the body of the stage alone. Of shaders without
/// code, which become pieces: `prolog=SGPRS`, and `seam_read=LOCATION,COMPONENTS,INTEGER` for each attribute of its
/// bodies; `epilog`, and `seam_result=KIND,LOCATION,COMPONENT,TYPE` (abi::PixelResult, by numbers), `kills`.
struct TargetWords {
  const isa::Target* target = nullptr;
  unsigned wave_size = 32;
  bool scratch = false;
  bool inline_data = false;
  bool root = false;
  bool primitive_shader = false;
  std::optional<abi::GraphicsState> graphics;
  std::optional<abi::PixelFacts> next_stage;
  bool body = false;
  std::optional<abi::VertexSeam> prolog;
  std::optional<abi::PixelSeam> epilog;
};

Result<TargetWords> parse_target_words(std::span<const std::string> args);

/// lower_module with the default layout, or with what the words make of it.
Result<abi::StageInterface> lower_for_test(ir::Module& module, CompileContext& context, const TargetWords& words);

}  // namespace spalt::golden
