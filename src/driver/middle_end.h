// SPDX-License-Identifier: MIT
#pragma once
#include <optional>

#include "amdgpu/abi/stage_interface.h"
#include "analysis/divergence.h"
#include "driver/pass_runner.h"

namespace spalt::driver {

/// The passes that know no processor. `analyses` are those of the entry point. False: the compilation ends here.
bool optimize(ir::Module& module, analysis::AnalysisCache& analyses, const Options& options, PassRunner& run);

/// From ir::Stage::core to ir::Stage::lowered, ready for selection; fills `interface`, and `divergence` where the last
/// pass found it and left it true. False: the compilation ends here.
bool lower(ir::Module& module, analysis::AnalysisCache& analyses, const abi::UserDataLayout& layout,
           const Options& options, PassRunner& run, abi::StageInterface& interface,
           std::optional<analysis::Divergence>& divergence);

}  // namespace spalt::driver
