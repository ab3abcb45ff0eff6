// SPDX-License-Identifier: MIT
#pragma once
#include <span>
#include <string>

#include "amdgpu/abi/stage_interface.h"
#include "amdgpu/isa/target.h"
#include "base/compile_context.h"
#include "base/result.h"
#include "ir/module.h"

namespace spalt::golden {

/// Arguments that the commands of target stages share: `wave32`, `wave64`, `scratch`, or the name of a target.
struct TargetWords {
  const isa::Target* target = nullptr;
  unsigned wave_size = 32;
  bool scratch = false;
};

Result<TargetWords> parse_target_words(std::span<const std::string> args);

/// lower_module with the default layout.
Result<abi::StageInterface> lower_for_test(ir::Module& module, CompileContext& context, const TargetWords& words);

}  // namespace spalt::golden
